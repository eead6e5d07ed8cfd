package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"time"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

// published returns the names of all products that customers see.
func published(ctx context.Context, c *client.Client) ([]string, error) {
	var names []string
	// README: list
	query := v202503.Products(c).List(client.ProductFilter{Published: client.Set(true)})
	for p, err := range query.All(ctx) {
		if err != nil {
			return nil, err
		}
		names = append(names, p.Name.Get("es", "en"))
	}
	// end
	return names, nil
}

// changes reads the products that changed since the mark, and returns the mark for the next time.
func changes(ctx context.Context, c *client.Client, mark time.Time, save func(*client.Product) error) (time.Time, error) {
	// README: sync
	sync := v202503.Products(c).List(client.ProductFilter{}).UpdatedSince(mark) // the zero mark reads everything
	for p, err := range sync.All(ctx) {
		if err != nil {
			return mark, err
		}
		if err := save(p); err != nil {
			return mark, err
		}
	}
	mark = sync.Mark() // a time of the platform's clock; store it with the products
	// end
	return mark, nil
}

// sell puts a product on sale, ten percent off.
func sell(ctx context.Context, c *client.Client, product *client.Product) (*client.Variant, error) {
	first := product.Variants[0]
	// README: update
	discount, err := first.Price.Percent(decimal.NewFromInt(10), "ARS") // half up, to the decimals of the currency
	if err != nil {
		return nil, err
	}
	price, err := first.Price.Sub(discount)
	if err != nil {
		return nil, err
	}
	variant, err := v202503.Variants(c).Update(ctx, product.ID, first.ID, client.VariantInput{
		PromotionalPrice: client.Set(price),     // a value
		SKU:              client.Null[string](), // null
		// Price is absent: it stays as it is.
	})
	// end
	return variant, err
}

// washing stores how a product is washed, whether the metafield existed before or not.
func washing(ctx context.Context, c *client.Client, product client.ID) (*client.Metafield, error) {
	// README: set
	care, err := v202503.Metafields(c).Set(ctx, client.MetafieldInput{
		OwnerResource: client.MetafieldOwnerProduct, OwnerID: product,
		Namespace: "care", Key: "washing", Value: "by hand",
	})
	// end
	return care, err
}

// made ensures that products have a field for their material, with the values that merchants choose from.
func made(ctx context.Context, c *client.Client) (*client.CustomField, error) {
	// README: field
	field, err := v202503.ProductCustomFields(c).Ensure(ctx, client.CustomFieldInput{
		Name: "material", ValueType: client.ValueTypeTextList, Values: []string{"clay", "glass"},
	})
	// end
	return field, err
}

// reprice gives any number of variants new prices.
func reprice(ctx context.Context, c *client.Client, changes iter.Seq[client.StockPrice]) error {
	var failed error
	// README: stock
	for result, err := range v202503.Products(c).StockPrices(ctx, changes) {
		if err != nil { // of this product only; the others continue
			failed = errors.Join(failed, fmt.Errorf("product %d: %w", result.ProductID, err))
			continue
		}
		for _, variant := range result.Variants {
			if !variant.Success {
				failed = errors.Join(failed, fmt.Errorf("variant %d was not changed: %v", variant.VariantID, variant.Extra))
			}
		}
	}
	// end
	return failed
}

// describe describes the result of reading a product.
func describe(ctx context.Context, c *client.Client, id client.ID) string {
	// README: errors
	_, err := v202503.Products(c).Get(ctx, id)
	var failure *client.Error
	switch {
	case errors.Is(err, client.ErrNotFound):
		return "gone"
	case errors.Is(err, client.ErrRateLimited):
		return "too many requests, even after waiting"
	case errors.Is(err, client.ErrValidation):
		return err.Error() // names the field that the platform or the client rejected
	case errors.Is(err, client.ErrNoAnswer), errors.Is(err, client.ErrCircuitOpen):
		return "not reached: try again later"
	case errors.As(err, &failure):
		return failure.Description // the text of the platform
	}
	// end
	return "found"
}

// importMug makes a product, even if the answer is lost.
func importMug(ctx context.Context, c *client.Client) (*client.Product, error) {
	// README: create
	mug := client.ProductInput{
		Name:     client.Text{"en": "Mug", "es": "Taza"},
		Variants: []client.VariantInput{{SKU: client.Set("MUG-1"), Price: client.Set(client.MustMoney("20.00"))}},
	}
	product, err := v202503.Products(c).Create(ctx, mug)
	// end
	// README: outcome
	if errors.Is(err, client.ErrOutcomeUnknown) { // it may exist; it was not sent again
		product, _, err = v202503.Products(c).CreateOrGet(ctx, mug) // looks for the SKU first
	}
	// end
	return product, err
}

// sells imports a product while the connection breaks, and puts it on sale.
func sells(ctx context.Context, platform *clienttest.Server, out io.Writer) error {
	token, err := platform.Install()
	if err != nil {
		return err
	}
	c, err := connect(ctx, platform.URL(), platform.StoreID().String(), string(token), platform.Transport())
	if err != nil {
		return err
	}
	if err := platform.Fault(clienttest.Fault{Operation: "POST /products", Count: 1, Reset: true, After: true}); err != nil {
		return err
	}
	product, err := importMug(ctx, c)
	if err != nil {
		return err
	}
	names, err := published(ctx, c)
	if err != nil {
		return err
	}
	fmt.Fprintln(out, "published, although the answer was lost:", names)
	mark, err := changes(ctx, c, time.Time{}, func(p *client.Product) error {
		_, err := fmt.Fprintln(out, "changed:", p.Name.Get("es", "en"))
		return err
	})
	if err != nil {
		return err
	}
	if mark.IsZero() {
		return errors.New("the platform's answer has no time")
	}
	variant, err := sell(ctx, c, product)
	if err != nil {
		return err
	}
	care, err := washing(ctx, c, product.ID)
	if err != nil {
		return err
	}
	fmt.Fprintln(out, "washed", care.Value)
	field, err := made(ctx, c)
	if err != nil {
		return err
	}
	fmt.Fprintln(out, "made of", field.Values[0].Value, "or", field.Values[1].Value)
	again := client.StockPrice{ProductID: product.ID, Variants: []client.VariantStockPrice{{
		VariantID: variant.ID, Price: client.Set(client.MustMoney("22.00")),
	}}}
	if err := reprice(ctx, c, slices.Values([]client.StockPrice{again})); err != nil {
		return err
	}
	repriced, err := v202503.Variants(c).Get(ctx, product.ID, variant.ID)
	if err != nil {
		return err
	}
	fmt.Fprintln(out, "on sale for", variant.PromotionalPrice, "instead of", variant.Price, "and then", repriced.Price)
	fmt.Fprintln(out, "a product that does not exist:", describe(ctx, c, 1))
	return nil
}
