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

// priceTableCategoryOps are about the discounts of a table for categories.
func priceTableCategoryOps() []api.Op {
	const path = priceTablesPath + "/{id}/categories"
	read, write, missing := priceTableScopes()
	absent := append(missing, api.ErrCase{Status: 404, Text: "null"})
	return []api.Op{
		{ID: "price_tables.setCategories", Method: "PUT", Path: path, Scopes: write, Success: 204, Provenance: api.Assumed,
			Errors: slices.Concat(missing, []api.ErrCase{{Status: 400, Text: body.InvalidFormat}}, unprocessable(
				"0.category_id: "+body.NotSelectable("category id"),
				"0.discount: "+body.Required("discount"),
				"0.discount: "+body.NotPercent("discount"),
			)), Handler: setPriceTableCategories},
		{ID: "price_tables.categories", Method: "GET", Path: path, Scopes: read, Provenance: api.Assumed,
			Errors: missing, Paging: partPaging(), Handler: tableCategories.list},
		{ID: "price_tables.category", Method: "GET", Path: path + "/{category_id}", Scopes: read, Provenance: api.Assumed,
			Errors: absent, Handler: tableCategories.get},
		{ID: "price_tables.removeCategory", Method: "DELETE", Path: path + "/{category_id}", Scopes: write, Success: 204,
			NoBody: true, Provenance: api.Assumed, Errors: absent, Handler: tableCategories.remove},
	}
}

type priceTableCategoryJSON struct {
	CategoryID string `json:"category_id"`
	Discount   string `json:"discount"`
}

func showPriceTableCategory(c world.PriceTableCategory) any {
	return priceTableCategoryJSON{strconv.FormatInt(c.CategoryID, 10), money(c.Discount)}
}

var tableCategories = tablePart[world.PriceTableCategory]{
	of:  func(tx *world.Tx) *table.Table[int64, world.PriceTableCategory] { return &tx.PriceTableCategories },
	key: func(c world.PriceTableCategory) int64 { return c.ID }, variable: "category_id", show: showPriceTableCategory,
	put: func(t *priceTableJSON, shown []any) { t.Categories = &shown },
}

// setPriceTableCategories adds or overwrites what the body names and leaves the rest. Of two items about one category
// the last one counts.
func setPriceTableCategories(tx *world.Tx, in *api.In) (any, error) {
	t, err := priceTable(tx, in)
	if err != nil {
		return nil, err
	}
	var items []struct {
		CategoryID body.Scalar `json:"category_id"`
		Discount   body.Scalar `json:"discount"`
	}
	if err := body.DecodeArray(in, &items); err != nil {
		return nil, err
	}
	wrong := &body.Problems{}
	for i, item := range items {
		id, _ := item.CategoryID.Int()
		if !tx.Categories.Has(id) {
			wrong.Add(fmt.Sprintf("%d.category_id", i), body.NotSelectable("category id"))
		}
		c := world.PriceTableCategory{TableID: t.ID, CategoryID: id}
		c.Discount = wrong.Percent(fmt.Sprintf("%d.discount", i), item.Discount)
		if wrong.Any() {
			continue
		}
		known, _ := tx.PriceTableCategories.Find("entry", world.TableEntry(t.ID, id))
		c.ID = cmp.Or(known.ID, tx.NewID())
		if err := tx.PriceTableCategories.Put(c.ID, c); err != nil {
			return nil, err
		}
	}
	return nil, wrong.Err()
}
