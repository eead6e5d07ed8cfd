package client

import (
	"context"
	"fmt"
	"iter"
	"slices"
)

// StockPrices gives any number of variants new prices and stock, by as many calls of UpdateStockPrice as that takes,
// each for up to MaxStockPrices variants. It yields a result for each product of changes, in their order; a product
// with more variants than one call takes has several. Some variants may fail: look at Success of each.
//
// An error is that of one product, which the result names by ProductID: of a change that the contract forbids, or of
// the call that it was part of. The products after it go on, unless ctx has ended. Changes of one variant are never in
// one call, so that the last of them counts. If the loop ends early, what was not yielded may have been changed.
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

// stockBatch is what one call changes.
type stockBatch struct {
	changes  []StockPrice
	variants map[ID]bool
}

// takes returns how many variants of a product go into the call beside the others.
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

// flush makes the call and yields what became of each product. It reports whether to go on.
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
				err = fmt.Errorf("PATCH /products/stock-price: the answer says nothing of product %d: %w", change.ProductID, ErrOutcomeUnknown)
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
