package client

import (
	"cmp"
	"context"
	"fmt"
	"net/http"

	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// MaxStockPrices is the maximum number of variants, over all products, in one call of UpdateStockPrice.
const MaxStockPrices = 50

// StockPrice sets the price and stock of variants of one product.
type StockPrice struct {
	ProductID ID                  `json:"id"`       // required
	Variants  []VariantStockPrice `json:"variants"` // at least one
}

// VariantStockPrice is the new price and stock of one variant. Absent members are unchanged.
type VariantStockPrice struct {
	VariantID       ID                    `json:"id"`                        // required
	Price           Opt[Money]            `json:"price,omitzero"`            // at most two decimals; null removes the price, so customers must contact the store
	InventoryLevels []InventoryLevelInput `json:"inventory_levels,omitzero"` // the stock at each location
}

// MarshalJSON writes the price as a number, because this endpoint rejects strings.
func (v VariantStockPrice) MarshalJSON() ([]byte, error) {
	type rest VariantStockPrice
	return wire.Marshal(struct {
		rest
		Price Opt[bareMoney] `json:"price,omitzero"`
	}{rest(v), bare(v.Price)})
}

// bareMoney is an amount that is written as a JSON number.
type bareMoney Money

func (m bareMoney) MarshalJSON() ([]byte, error) { return []byte(Money(m).String()), nil }

func bare(amount Opt[Money]) Opt[bareMoney] {
	if m, ok := amount.Get(); ok {
		return Set(bareMoney(m))
	}
	if amount.IsNull() {
		return Null[bareMoney]()
	}
	return Opt[bareMoney]{}
}

// StockPriceResult is the result for the variants of one product.
type StockPriceResult struct {
	ProductID ID                        `json:"id"`       // as in the request
	Variants  []VariantStockPriceResult `json:"variants"` // one for each variant of the request
	Extra     Extra                     `json:",embed"`
}

// VariantStockPriceResult reports whether one variant was changed. If the platform sends reasons for a failure, they
// are in Extra.
type VariantStockPriceResult struct {
	VariantID ID    `json:"id"`      // as in the request
	Success   bool  `json:"success"` // the variant was changed
	Extra     Extra `json:",embed"`
}

// UpdateStockPrice changes the price and stock of up to 50 variants, over all products, in one call. Some variants may
// fail; check Success of each.
//
//api:endpoint PATCH /products/stock-price
func (s *ProductService) UpdateStockPrice(ctx context.Context, in []StockPrice) ([]StockPriceResult, error) {
	if err := checkStockPrices(in); err != nil {
		return nil, err
	}
	out, err := engine.Send[[]StockPriceResult](ctx, s, http.MethodPatch, "/products/stock-price", in)
	if err != nil {
		return nil, err
	}
	return *out, nil
}

func checkStockPrices(in []StockPrice) error {
	total := 0
	for i, product := range in {
		if err := product.check(); err != nil {
			return fmt.Errorf("[%d].%w", i, err)
		}
		total += len(product.Variants)
	}
	if total == 0 || total > MaxStockPrices {
		return engine.Invalid("variants", total, fmt.Sprintf("1 to %d variants over all products", MaxStockPrices))
	}
	return nil
}

func (p StockPrice) check() error {
	if p.ProductID <= 0 {
		return engine.Invalid("id", p.ProductID, "the id of a product")
	}
	if len(p.Variants) == 0 {
		return engine.Invalid("variants", 0, "at least one variant")
	}
	for i, variant := range p.Variants {
		if err := variant.check(); err != nil {
			return fmt.Errorf("variants[%d].%w", i, err)
		}
	}
	return nil
}

func (v VariantStockPrice) check() error {
	if v.VariantID <= 0 {
		return engine.Invalid("id", v.VariantID, "the id of a variant")
	}
	return cmp.Or(checkPrice(v.Price), checkLevels(v.InventoryLevels))
}
