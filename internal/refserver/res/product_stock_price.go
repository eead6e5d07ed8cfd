package res

import (
	"encoding/json"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/body"
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

// stockPriceIn is a product in the body, stockPriceVariant one of its variants.
type stockPriceIn struct {
	ID       body.Reference    `json:"id"`
	Variants []json.RawMessage `json:"variants"`
}

type stockPriceVariant struct {
	ID              body.Reference               `json:"id"`
	Price           body.Scalar                  `json:"price"`
	Stock           body.Scalar                  `json:"stock"`
	InventoryLevels body.Opt[body.List[levelIn]] `json:"inventory_levels"`
}

// updateStockPrice sets price and stock of variants of several products. A variant that the product does not have is
// reported as a failure, and the others are done.
func updateStockPrice(tx *world.Tx, in *api.In) (any, error) {
	items, err := batch[stockPriceIn](in)
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
	u := repricing{tx: tx, in: in, wrong: &body.Problems{}, touched: map[int64]bool{}}
	for _, item := range items {
		results, err := u.apply(item)
		if err != nil {
			return nil, err
		}
		out = append(out, stockPriceJSON{ID: int64(item.ID), Variants: results})
	}
	if err := u.wrong.Err(); err != nil {
		return nil, err
	}
	for _, item := range items {
		if !u.touched[int64(item.ID)] {
			continue
		}
		delete(u.touched, int64(item.ID))
		p, _ := tx.Products.Get(int64(item.ID))
		if _, err := touch(tx, p); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// repricing is one such request under way. Once something is wrong nothing more is
// kept, and the rest is looked at for what else is wrong.
type repricing struct {
	tx      *world.Tx
	in      *api.In
	wrong   *body.Problems
	touched map[int64]bool // products that changed
}

func (u repricing) apply(item stockPriceIn) ([]stockPriceResult, error) {
	bodies, err := body.List[stockPriceVariant](item.Variants).Read(u.in, "variants")
	if err != nil {
		return nil, err
	}
	results := []stockPriceResult{}
	for _, b := range bodies {
		v, ok := u.tx.Variants.Get(int64(b.ID))
		if ok = ok && v.ProductID == int64(item.ID); ok {
			if err := u.change(v, b); err != nil {
				return nil, err
			}
		}
		results = append(results, stockPriceResult{ID: int64(b.ID), Success: ok})
	}
	return results, nil
}

func (u repricing) change(v world.Variant, b stockPriceVariant) error {
	priced := variantIn{Price: b.Price, Stock: b.Stock, InventoryLevels: b.InventoryLevels}
	d, err := priced.draft(u.tx, u.in, v, u.wrong)
	if err != nil || u.wrong.Any() {
		return err
	}
	changed, err := d.keep(u.tx)
	if changed {
		u.touched[v.ProductID] = true
	}
	return err
}
