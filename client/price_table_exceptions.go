package client

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// PriceTableCategory is the discount of a price table for the products of a category.
type PriceTableCategory struct {
	CategoryID ID    `json:"category_id"` // the category
	Discount   Money `json:"discount"`    // in percent
	Extra      Extra `json:",embed"`
}

// PriceTableVariant is the discount of a price table for a variant, or its price in that table.
type PriceTableVariant struct {
	ProductID ID    `json:"product_id"`         // the product of the variant
	VariantID ID    `json:"product_variant_id"` // the variant
	Discount  Money `json:"discount"`           // in percent; ignored if there is a Price
	// Price replaces the variant's own price; nil if the discount applies.
	Price *Money `json:"price"`
	Extra Extra  `json:",embed"`
}

// PriceTableCategoryInput is one item of SetCategories.
type PriceTableCategoryInput struct {
	CategoryID ID // the category, which must exist
	// Discount is a percentage from 0 to 100 with at most two decimals. The zero Money means no discount.
	Discount Money
}

// PriceTableVariantInput is one item of SetVariants.
type PriceTableVariantInput struct {
	ProductID ID // the product of the variant
	VariantID ID // the variant, which must exist
	// Discount is a percentage from 0 to 100 with at most two decimals. The zero Money means no discount.
	Discount Money
	// Price replaces the variant's own price and Discount. It must be 0 or more, with at most two decimals. If it is
	// unset, the discount applies and an existing price is removed.
	Price Opt[Money]
}

// textID is an ID that is written as a string of digits, as in all bodies of price table requests.
type textID ID

// MarshalJSON writes a string.
func (id textID) MarshalJSON() ([]byte, error) { return strconv.AppendQuote(nil, ID(id).String()), nil }

// MarshalJSON writes the id as a string.
func (in PriceTableCategoryInput) MarshalJSON() ([]byte, error) {
	return wire.Marshal(struct {
		CategoryID textID `json:"category_id"`
		Discount   Money  `json:"discount"`
	}{textID(in.CategoryID), in.Discount})
}

// MarshalJSON writes the ids as strings.
func (in PriceTableVariantInput) MarshalJSON() ([]byte, error) {
	return wire.Marshal(struct {
		ProductID textID     `json:"product_id"`
		VariantID textID     `json:"product_variant_id"`
		Discount  Money      `json:"discount"`
		Price     Opt[Money] `json:"price,omitzero"`
	}{textID(in.ProductID), textID(in.VariantID), in.Discount, in.Price})
}

// checkNamed requires at least one item, and at most one item for each record.
func checkNamed[T any](member string, items []T, id func(T) ID) error {
	if len(items) == 0 {
		return engine.Invalid(member, len(items), "at least one")
	}
	named := make(map[ID]bool, len(items))
	for i, item := range items {
		if id(item) <= 0 || named[id(item)] {
			return engine.Invalid(fmt.Sprintf("[%d].%s", i, member), id(item), "an id that appears only once")
		}
		named[id(item)] = true
	}
	return nil
}

// Categories selects the discounts of a table for categories.
//
//api:endpoint GET /products/price-tables/{id}/categories
func (s *PriceTableService) Categories(id ID, f PriceTableFilter) List[PriceTableCategory] {
	return priceTableItems[PriceTableCategory](s, f, engine.ListSpec{
		Path: "/products/price-tables/{id}/categories", Args: []any{id}, Envelope: []string{"categories"},
	})
}

// Category returns the discount of a table for a category. The error matches ErrNotFound if there is none.
//
//api:endpoint GET /products/price-tables/{id}/categories/{category_id}
func (s *PriceTableService) Category(ctx context.Context, id, categoryID ID) (*PriceTableCategory, error) {
	const path = "/products/price-tables/{id}/categories/{category_id}"
	t, err := s.table(ctx, engine.Request{Path: path, Args: []any{id, categoryID}})
	if err != nil {
		return nil, err
	}
	return found(path, t.Categories, func(c PriceTableCategory) bool { return c.CategoryID == categoryID })
}

// SetCategories adds or overwrites the discounts of a table for categories. Discounts for other categories are
// unchanged. If the platform rejects one item, nothing is written.
//
//api:endpoint PUT /products/price-tables/{id}/categories
func (s *PriceTableService) SetCategories(ctx context.Context, id ID, items ...PriceTableCategoryInput) error {
	if err := checkNamed("category_id", items, func(in PriceTableCategoryInput) ID { return in.CategoryID }); err != nil {
		return err
	}
	return s.write(ctx, http.MethodPut, "/products/price-tables/{id}/categories", items, id)
}

// RemoveCategory removes the discount of a table for a category.
//
//api:endpoint DELETE /products/price-tables/{id}/categories/{category_id}
func (s *PriceTableService) RemoveCategory(ctx context.Context, id, categoryID ID) error {
	return engine.Delete(ctx, s, "/products/price-tables/{id}/categories/{category_id}", id, categoryID)
}

// Variants selects the discounts and prices of a table for variants.
//
//api:endpoint GET /products/price-tables/{id}/product-variants
func (s *PriceTableService) Variants(id ID, f PriceTableFilter) List[PriceTableVariant] {
	return priceTableItems[PriceTableVariant](s, f, engine.ListSpec{
		Path: "/products/price-tables/{id}/product-variants", Args: []any{id}, Envelope: []string{"product_variants"},
	})
}

// Variant returns the discount or price of a table for a variant. The error matches ErrNotFound if there is none.
//
//api:endpoint GET /products/price-tables/{id}/product-variants/{variant_id}
func (s *PriceTableService) Variant(ctx context.Context, id, variantID ID) (*PriceTableVariant, error) {
	const path = "/products/price-tables/{id}/product-variants/{variant_id}"
	t, err := s.table(ctx, engine.Request{Path: path, Args: []any{id, variantID}})
	if err != nil {
		return nil, err
	}
	return found(path, t.Variants, func(v PriceTableVariant) bool { return v.VariantID == variantID })
}

// found returns the item of a table in an answer.
func found[T any](path string, items []T, isIt func(T) bool) (*T, error) {
	i := slices.IndexFunc(items, isIt)
	if i < 0 {
		return nil, fmt.Errorf("GET %s: the table in the answer does not have it: %w", path, ErrNotFound)
	}
	return &items[i], nil
}

// SetVariants adds or overwrites the discounts and prices of a table for variants. Other variants are unchanged. If the
// platform rejects one item, nothing is written.
//
//api:endpoint PUT /products/price-tables/{id}/product-variants
func (s *PriceTableService) SetVariants(ctx context.Context, id ID, items ...PriceTableVariantInput) error {
	if err := checkNamed("product_variant_id", items, func(in PriceTableVariantInput) ID { return in.VariantID }); err != nil {
		return err
	}
	return s.write(ctx, http.MethodPut, "/products/price-tables/{id}/product-variants", items, id)
}

// RemoveVariant removes the discount or price of a table for a variant.
//
//api:endpoint DELETE /products/price-tables/{id}/product-variants/{variant_id}
func (s *PriceTableService) RemoveVariant(ctx context.Context, id, variantID ID) error {
	return engine.Delete(ctx, s, "/products/price-tables/{id}/product-variants/{variant_id}", id, variantID)
}
