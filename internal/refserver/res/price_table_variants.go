package res

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/body"
	"github.com/commerceplatform/commerce-go/internal/refserver/table"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// priceTableVariantOps are about the discounts and the prices of a table for variants.
func priceTableVariantOps() []api.Op {
	const path = priceTablesPath + "/{id}/product-variants"
	read, write, missing := priceTableScopes()
	absent := append(missing, api.ErrCase{Status: 404, Text: "null"})
	return []api.Op{
		{ID: "price_tables.setVariants", Method: "PUT", Path: path, Scopes: write, Success: 204, Provenance: api.Supplement,
			Errors: slices.Concat(missing, []api.ErrCase{{Status: 400, Text: body.InvalidFormat}}, unprocessable(
				"0.product_id: "+body.NotSelectable("product id"),
				"0.product_variant_id: "+body.NotSelectable("product variant id"),
				"0.discount: "+body.Required("discount"),
				"0.discount: "+body.NotPercent("discount"),
				"0.price: "+body.NotCents("price"),
			)), Handler: setPriceTableVariants},
		{ID: "price_tables.variants", Method: "GET", Path: path, Scopes: read, Provenance: api.Assumed,
			Errors: missing, Paging: partPaging(), Handler: tableVariants.list},
		{ID: "price_tables.variant", Method: "GET", Path: path + "/{variant_id}", Scopes: read, Provenance: api.Supplement,
			Errors: absent, Handler: tableVariants.get},
		{ID: "price_tables.removeVariant", Method: "DELETE", Path: path + "/{variant_id}", Scopes: write, Success: 204,
			NoBody: true, Provenance: api.Assumed, Errors: absent, Handler: tableVariants.remove},
	}
}

type priceTableVariantJSON struct {
	ProductID string  `json:"product_id"`
	VariantID string  `json:"product_variant_id"`
	Discount  string  `json:"discount"`
	Price     *string `json:"price"`
}

func showPriceTableVariant(v world.PriceTableVariant) any {
	return priceTableVariantJSON{
		strconv.FormatInt(v.ProductID, 10), strconv.FormatInt(v.VariantID, 10), money(v.Discount), fixedOrNull(v.Price, 2),
	}
}

var tableVariants = tablePart[world.PriceTableVariant]{
	of:  func(tx *world.Tx) *table.Table[int64, world.PriceTableVariant] { return &tx.PriceTableVariants },
	key: func(v world.PriceTableVariant) int64 { return v.ID }, variable: "variant_id", show: showPriceTableVariant,
	put: func(t *priceTableJSON, shown []any) { t.ProductVariants = &shown },
}

// setPriceTableVariants is setPriceTableCategories for variants. An item takes the place of the whole exception, its
// price too.
func setPriceTableVariants(tx *world.Tx, in *api.In) (any, error) {
	t, err := priceTable(tx, in)
	if err != nil {
		return nil, err
	}
	var items []struct {
		ProductID body.Scalar `json:"product_id"`
		VariantID body.Scalar `json:"product_variant_id"`
		Discount  body.Scalar `json:"discount"`
		Price     body.Scalar `json:"price"`
	}
	if err := body.DecodeArray(in, &items); err != nil {
		return nil, err
	}
	wrong := &body.Problems{}
	for i, item := range items {
		at := func(member string) string { return fmt.Sprintf("%d.%s", i, member) }
		product, _ := item.ProductID.Int()
		id, _ := item.VariantID.Int()
		v, ok := tx.Variants.Get(id)
		switch {
		case !tx.Products.Has(product):
			wrong.Add(at("product_id"), body.NotSelectable("product id"))
		case !ok || v.ProductID != product:
			wrong.Add(at("product_variant_id"), body.NotSelectable("product variant id"))
		}
		e := world.PriceTableVariant{TableID: t.ID, ProductID: product, VariantID: id}
		e.Discount = wrong.Percent(at("discount"), item.Discount)
		e.Price = wrong.Cents(at("price"), item.Price, e.Price)
		if wrong.Any() {
			continue
		}
		known, _ := tx.PriceTableVariants.Find("entry", world.TableEntry(t.ID, id))
		e.ID = cmp.Or(known.ID, tx.NewID())
		if err := tx.PriceTableVariants.Put(e.ID, e); err != nil {
			return nil, err
		}
	}
	return nil, assumedRefusal(wrong)
}
