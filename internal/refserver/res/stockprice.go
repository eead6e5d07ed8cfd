package res

import (
	"encoding/json"
	"slices"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

type stockPriceJSON struct {
	ID       int64              `json:"id"`
	Variants []stockPriceResult `json:"variants"`
}

type stockPriceResult struct {
	ID      int64 `json:"id"`
	Success bool  `json:"success"`
}

// updateStockPrice sets price and stock of variants of several products. A variant
// that the product does not have is told as no success, and the others are done.
func updateStockPrice(tx *world.Tx, in *api.In) (any, error) {
	items, err := batch[struct {
		ID       int64             `json:"id"`
		Variants []json.RawMessage `json:"variants"`
	}](in)
	if err != nil {
		return nil, err
	}
	total := 0
	for _, item := range items {
		total += len(item.Variants)
	}
	if total > tx.Limits().StockPriceBatch {
		return nil, api.Unprocessable("Too many variants sent for update")
	}
	out := []stockPriceJSON{}
	var touched []int64
	for _, item := range items {
		bodies, err := elements[struct {
			ID              int64                      `json:"id"`
			Price           scalar                     `json:"price"`
			Stock           scalar                     `json:"stock"`
			InventoryLevels api.Opt[[]json.RawMessage] `json:"inventory_levels"`
		}](in, "variants", item.Variants)
		if err != nil {
			return nil, err
		}
		results := []stockPriceResult{}
		for _, b := range bodies {
			v, ok := tx.Variants.Get(b.ID)
			if ok = ok && v.ProductID == item.ID; ok {
				changed, err := changeVariant(tx, in, v, variantIn{Price: b.Price, Stock: b.Stock, InventoryLevels: b.InventoryLevels})
				if err != nil {
					return nil, err
				}
				if changed && !slices.Contains(touched, item.ID) {
					touched = append(touched, item.ID)
				}
			}
			results = append(results, stockPriceResult{ID: b.ID, Success: ok})
		}
		out = append(out, stockPriceJSON{ID: item.ID, Variants: results})
	}
	for _, id := range touched {
		p, _ := tx.Products.Get(id)
		if _, err := touch(tx, p); err != nil {
			return nil, err
		}
	}
	return out, nil
}
