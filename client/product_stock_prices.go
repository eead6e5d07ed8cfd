package client

import (
	"context"
	"fmt"
	"iter"
	"slices"
)

// StockPrices changes the price and stock of any number of variants. It calls UpdateStockPrice as often as required,
// with up to MaxStockPrices variants in each call. It yields a result for each product of changes, in their order. A
// product with more variants than one call accepts has several results. Some variants may fail; check Success of each.
//
// An error is about one product, whose ProductID is in the result. Either the contract forbids the change, or its call
// failed. The following products are still processed, unless ctx has ended. Two changes of the same variant are never
// sent in one call, so the last one applies. If the loop ends early, changes without a yielded result may have been
// applied.
func (s *ProductService) StockPrices(ctx context.Context, changes iter.Seq[StockPrice]) iter.Seq2[StockPriceResult, error] {
	return func(yield func(StockPriceResult, error) bool) {
		var batch stockBatch
		for change := range changes {
			if err := change.check(); err != nil {
				if !s.flush(ctx, &batch, yield) || !yield(StockPriceResult{ProductID: change.ProductID}, err) {
					return
				}
				continue
			}
			for len(change.Variants) > 0 {
				n := batch.takes(change)
				if n == 0 {
					if !s.flush(ctx, &batch, yield) {
						return
					}
					continue
				}
				batch.add(StockPrice{change.ProductID, change.Variants[:n]})
				change.Variants = change.Variants[n:]
			}
		}
		s.flush(ctx, &batch, yield)
	}
}

// stockBatch holds the changes of one call.
type stockBatch struct {
	changes  []StockPrice
	variants map[ID]bool
}

// takes returns the number of variants of a product that still fit into the call.
func (b *stockBatch) takes(change StockPrice) (n int) {
	for n < len(change.Variants) && len(b.variants)+n < MaxStockPrices {
		id := change.Variants[n].VariantID
		if b.variants[id] || slices.ContainsFunc(change.Variants[:n], func(v VariantStockPrice) bool { return v.VariantID == id }) {
			break
		}
		n++
	}
	return n
}

func (b *stockBatch) add(change StockPrice) {
	b.changes = append(b.changes, change)
	if b.variants == nil {
		b.variants = make(map[ID]bool)
	}
	for _, v := range change.Variants {
		b.variants[v.VariantID] = true
	}
}

// flush sends the call and yields the result of each product. It reports whether to continue.
func (s *ProductService) flush(ctx context.Context, b *stockBatch, yield func(StockPriceResult, error) bool) bool {
	changes := b.changes
	*b = stockBatch{}
	if len(changes) == 0 {
		return true
	}
	results, err := s.UpdateStockPrice(ctx, changes)
	for _, change := range changes {
		result, err := StockPriceResult{ProductID: change.ProductID}, err
		if err == nil {
			i := slices.IndexFunc(results, func(r StockPriceResult) bool { return r.ProductID == change.ProductID })
			if i < 0 {
				err = fmt.Errorf("PATCH /products/stock-price: the answer has no result for product %d: %w", change.ProductID, ErrOutcomeUnknown)
			} else {
				result = results[i]
				results = slices.Delete(results, i, i+1)
			}
		}
		if !yield(result, err) {
			return false
		}
	}
	return ctx.Err() == nil
}
