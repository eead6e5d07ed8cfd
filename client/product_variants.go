package client

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Variant is one purchasable form of a product, such as the red one in size M.
type Variant struct {
	ID ID `json:"id"`
	// ImageID is the id of the product image for this variant; nil if unset.
	ImageID   *ID `json:"image_id"`
	ProductID ID  `json:"product_id"` // the product of the variant
	// Position is sent only in answers to Replace and Patch, otherwise 0.
	Position Int `json:"position"`
	// Price is nil if customers must contact the store to buy.
	Price *Money `json:"price"`
	// PromotionalPrice is the lower price of a sale, nil if there is no sale. Price is then shown crossed out.
	PromotionalPrice *Money `json:"promotional_price"`
	// StockManagement reports whether the platform tracks the stock.
	StockManagement bool `json:"stock_management"`
	// Stock is nil if the stock is unlimited or not tracked.
	Stock *Int `json:"stock"`
	// Weight is in kilograms; Width, Height and Depth are in centimetres.
	Weight Measure `json:"weight"`
	Width  Measure `json:"width"`
	Height Measure `json:"height"`
	Depth  Measure `json:"depth"`
	// SKU is unique in the store, nil if unset.
	SKU *string `json:"sku"`
	// Values has one value for each attribute of the product, in the same order.
	Values []Text `json:"values"`
	// Barcode is a GTIN, EAN, ISBN or a similar code, nil if unset.
	Barcode *string `json:"barcode"`
	// MPN is the manufacturer's part number, nil if unset.
	MPN *string `json:"mpn"`
	// AgeGroup and Gender are empty if unset.
	AgeGroup AgeGroup `json:"age_group"`
	Gender   Gender   `json:"gender"`
	// Cost is greater than 0, nil if unset.
	Cost *Money `json:"cost"`
	// InventoryLevels lists the stock at each location, in stores with several locations.
	InventoryLevels []InventoryLevel `json:"inventory_levels"`
	// Visible is nil if absent.
	Visible   *bool `json:"visible"`
	CreatedAt Time  `json:"created_at"`
	UpdatedAt Time  `json:"updated_at"`
	Extra     Extra `json:",embed"`
}

// AgeGroup is the age group that a variant is made for.
type AgeGroup string

// The values of AgeGroup.
const (
	AgeGroupNewborn AgeGroup = "newborn" // newborn babies
	AgeGroupInfant  AgeGroup = "infant"  // babies
	AgeGroupToddler AgeGroup = "toddler" // small children
	AgeGroupKids    AgeGroup = "kids"    // children
	AgeGroupAdult   AgeGroup = "adult"   // adults
)

// Known reports whether the contract names the value.
func (a AgeGroup) Known() bool {
	return wire.Known(a, AgeGroupNewborn, AgeGroupInfant, AgeGroupToddler, AgeGroupKids, AgeGroupAdult)
}

// Gender is the gender that a variant is made for.
type Gender string

// The values of Gender.
const (
	GenderFemale Gender = "female" // for women and girls
	GenderMale   Gender = "male"   // for men and boys
	GenderUnisex Gender = "unisex" // for all
)

// Known reports whether the contract names the value.
func (g Gender) Known() bool { return wire.Known(g, GenderFemale, GenderMale, GenderUnisex) }

// VariantInput is the body of Create, Update and Replace. Update changes only the members that are present.
type VariantInput struct {
	// ImageID is an image of the product. Null removes it from the variant.
	ImageID Opt[ID] `json:"image_id,omitzero"`
	// Price must be 0 or more. If it is Null, customers must contact the store to buy. Price, PromotionalPrice and Cost
	// have at most two decimals.
	Price Opt[Money] `json:"price,omitzero"`
	// PromotionalPrice is the price of a sale. Null ends the sale.
	PromotionalPrice Opt[Money] `json:"promotional_price,omitzero"`
	// StockManagement should be left unset. The platform then derives it: true for a number in Stock and false for
	// StockUnlimited.
	StockManagement Opt[bool] `json:"stock_management,omitzero"`
	// Stock is a number or StockUnlimited. Null is how unlimited stock is read; it must not be written. In stores with
	// several locations, Stock applies to the first location, and is ignored if InventoryLevels is set.
	Stock Opt[Stock] `json:"stock,omitzero"`
	// Weight is in kilograms; Width, Height and Depth are in centimetres.
	Weight Opt[Measure] `json:"weight,omitzero"`
	Width  Opt[Measure] `json:"width,omitzero"`
	Height Opt[Measure] `json:"height,omitzero"`
	Depth  Opt[Measure] `json:"depth,omitzero"`
	// SKU must be unique in the store; Null removes it.
	SKU Opt[string] `json:"sku,omitzero"`
	// Values has one value for each attribute of the product. Create and Replace require it. No two variants of a
	// product may have the same values.
	Values []Text `json:"values,omitzero"`
	// Barcode and MPN identify the product. Null removes them.
	Barcode Opt[string] `json:"barcode,omitzero"`
	MPN     Opt[string] `json:"mpn,omitzero"`
	// AgeGroup and Gender are removed by Null.
	AgeGroup Opt[AgeGroup] `json:"age_group,omitzero"`
	Gender   Opt[Gender]   `json:"gender,omitzero"`
	// Cost must be greater than 0. Null removes it.
	Cost Opt[Money] `json:"cost,omitzero"`
	// InventoryLevels sets the stock at each location, in stores with several locations.
	InventoryLevels []InventoryLevelInput `json:"inventory_levels,omitzero"`
	Visible         Opt[bool]             `json:"visible,omitzero"` // false hides the variant
}

func (in VariantInput) check() error {
	if id, ok := in.ImageID.Get(); ok && id <= 0 {
		return engine.Invalid("image_id", id, "the id of an image, or null")
	}
	if err := cmp.Or(checkPrice(in.Price), checkCents("promotional_price", in.PromotionalPrice), checkCents("cost", in.Cost)); err != nil {
		return err
	}
	if cost, ok := in.Cost.Get(); ok && cost.Cmp(Money{}) <= 0 {
		return engine.Invalid("cost", cost, "more than 0, or null")
	}
	if err := in.Stock.Or(0).check("stock"); err != nil {
		return err
	}
	if len(in.Values) > MaxAttributes {
		return engine.Invalid("values", len(in.Values), fmt.Sprintf("at most %d values, one for each attribute", MaxAttributes))
	}
	if a, ok := in.AgeGroup.Get(); ok && !a.Known() {
		return engine.Invalid("age_group", a, "newborn, infant, toddler, kids, adult or null")
	}
	if g, ok := in.Gender.Get(); ok && !g.Known() {
		return engine.Invalid("gender", g, "female, male, unisex or null")
	}
	return checkLevels(in.InventoryLevels)
}

// VariantFilter selects variants of a product. The zero filter selects all.
type VariantFilter struct {
	Paging
	Window
	// SinceID selects variants with a greater id.
	SinceID ID
}

func (f VariantFilter) query() *query {
	return newQuery().paging(f.Paging).window(f.Window).id("since_id", f.SinceID)
}

// VariantService reads variants with the scope read_products and writes them with write_products. It is in all
// versions. Calls that write variants have a second rate limit, whose cost grows with variants, languages and inventory
// levels. If a batch fails with ErrRateLimited, send smaller batches; waiting does not help.
type VariantService engine.Service

// List selects variants of a product.
//
//api:endpoint GET /products/{product_id}/variants
func (s *VariantService) List(productID ID, f VariantFilter) List[Variant] {
	return listOf[Variant](s, f.query(), engine.ListSpec{Path: "/products/{product_id}/variants", Args: []any{productID}, SinceID: true})
}

// Get returns a variant. If fields are given, only these members are returned.
//
//api:endpoint GET /products/{product_id}/variants/{id}
func (s *VariantService) Get(ctx context.Context, productID, id ID, fields ...string) (*Variant, error) {
	return engine.Get[Variant](ctx, s, "/products/{product_id}/variants/{id}", only(fields), productID, id)
}

// Create adds a variant and returns it. Values are required. A product can have 1000 variants. Absent members are null,
// and the stock is not tracked.
//
//api:endpoint POST /products/{product_id}/variants
func (s *VariantService) Create(ctx context.Context, productID ID, in VariantInput) (*Variant, error) {
	if err := cmp.Or(in.checkValues(), in.check()); err != nil {
		return nil, err
	}
	return engine.Send[Variant](ctx, s, http.MethodPost, "/products/{product_id}/variants", in, productID)
}

// Update changes the members that are present in in.
//
//api:endpoint PUT /products/{product_id}/variants/{id}
func (s *VariantService) Update(ctx context.Context, productID, id ID, in VariantInput) (*Variant, error) {
	if err := in.check(); err != nil {
		return nil, err
	}
	return engine.Send[Variant](ctx, s, http.MethodPut, "/products/{product_id}/variants/{id}", in, productID, id)
}

// Delete removes a variant. If it was the last one, the product has one variant without values.
//
//api:endpoint DELETE /products/{product_id}/variants/{id}
func (s *VariantService) Delete(ctx context.Context, productID, id ID) error {
	return engine.Delete(ctx, s, "/products/{product_id}/variants/{id}", productID, id)
}

func (in VariantInput) checkValues() error {
	if len(in.Values) == 0 || slices.ContainsFunc(in.Values, blank) {
		return engine.Invalid("values", in.Values, "a value for each attribute of the product")
	}
	return nil
}

func checkPrice(price Opt[Money]) error {
	if p := price.Or(Money{}); p.Cmp(Money{}) < 0 {
		return engine.Invalid("price", p, "0 or more, or null")
	}
	return checkCents("price", price)
}

// checkCents rejects an amount that the platform would have to round.
func checkCents(field string, amount Opt[Money]) error {
	m := amount.Or(Money{})
	if _, fraction, _ := strings.Cut(m.String(), "."); len(strings.TrimRight(fraction, "0")) > 2 {
		return engine.Invalid(field, m, "two decimals at most")
	}
	return nil
}
