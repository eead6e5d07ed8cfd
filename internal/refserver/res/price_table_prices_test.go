package res_test

import (
	"flag"
	"fmt"
	"math/big"
	"testing"

	"github.com/shopspring/decimal"
	"pgregory.net/rapid"

	"github.com/commerceplatform/commerce-go/internal/refserver/res"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
	"github.com/commerceplatform/commerce-go/internal/tier"
)

// TestProofTablePrices compares what a table makes of a cart with what the rules say in whole cents and basis points.
func TestProofTablePrices(t *testing.T) {
	f := open(t)
	start := f.World().Snapshot()
	applied := 0
	// A case is no sequence of calls, so there can be more of them. A table is applied in a few of a hundred.
	checks := flag.Lookup("rapid.checks").Value.String()
	t.Cleanup(func() { _ = flag.Set("rapid.checks", checks) })
	if err := flag.Set("rapid.checks", tier.Size("400", "400", "4000")); err != nil {
		t.Fatal(err)
	}
	t.Logf("-rapid.seed=%v", flag.Lookup("rapid.seed").Value)
	rapid.Check(t, func(t *rapid.T) {
		f.World().Restore(start)
		cents := func(name string) int64 { return rapid.Int64Range(0, 100_000).Draw(t, name) }
		points := func(name string) int64 { return rapid.Int64Range(0, 10_000).Draw(t, name) } // hundredths of a percent
		table := world.PriceTable{ID: 1, Active: rapid.IntRange(0, 9).Draw(t, "active") > 0}
		general := points("default discount")
		table.DefaultDiscount = decimal.New(general, -2)
		leastValue, leastItems := int64(0), int64(0)
		if rapid.Bool().Draw(t, "has minimum price") {
			leastValue = cents("minimum price")
			table.MinimumPrice = decimal.NewNullDecimal(decimal.New(leastValue, -2))
		}
		if rapid.Bool().Draw(t, "has minimum quantity") {
			leastItems = rapid.Int64Range(0, 9).Draw(t, "minimum quantity")
			table.MinimumQuantity = &leastItems
		}
		byCategory, byVariant, prices := map[int64]int64{}, map[int64]int64{}, map[int64]int64{}
		filed := map[int64][]int64{}
		visit := world.Visit{CustomerID: rapid.Int64Range(0, 1).Draw(t, "customer"), Kits: map[int64]world.LineKit{}}
		approved, value, items := rapid.IntRange(0, 9).Draw(t, "approved") > 0, int64(0), int64(0)
		var lines []world.Line
		update := func(do func(tx *world.Tx) error) {
			if err := f.World().Update(0, f.store.ID, do); err != nil {
				t.Fatal(err)
			}
		}
		update(func(tx *world.Tx) error {
			tied := world.PriceTableCustomer{TableID: 1, CustomerID: 1}
			if approved {
				tied.ApprovedAt = tx.Now()
			}
			_, _ = tx.PriceTables.Put(1, table), tx.PriceTableCustomers.Put(1, tied)
			for k := range int64(3) {
				if rapid.Bool().Draw(t, "category exception") {
					byCategory[k] = points("category discount")
					_ = tx.PriceTableCategories.Put(k+1, world.PriceTableCategory{ID: k + 1, TableID: 1, CategoryID: k, Discount: decimal.New(byCategory[k], -2)})
				}
			}
			for v := range rapid.Int64Range(1, 4).Draw(t, "lines") {
				filed[v] = rapid.SliceOfNDistinct(rapid.Int64Range(0, 2), 0, 3, rapid.ID[int64]).Draw(t, "categories")
				_ = tx.Products.Put(v, world.Product{ID: v, Categories: filed[v]})
				if rapid.Bool().Draw(t, "variant exception") {
					byVariant[v] = points("variant discount")
					e := world.PriceTableVariant{ID: v + 1, TableID: 1, ProductID: v, VariantID: v, Discount: decimal.New(byVariant[v], -2)}
					if rapid.Bool().Draw(t, "fixed") {
						prices[v] = cents("fixed price")
						e.Price = decimal.NewNullDecimal(decimal.New(prices[v], -2))
					}
					_ = tx.PriceTableVariants.Put(e.ID, e)
				}
				l := world.Line{ID: v, ProductID: v, VariantID: v, Quantity: rapid.Int64Range(1, 5).Draw(t, "quantity"), Price: decimal.New(cents("price"), -2)}
				if rapid.IntRange(0, 9).Draw(t, "kit") == 0 {
					visit.Kits[v] = world.LineKit{}
				}
				value, items = value+l.Price.Shift(2).IntPart()*l.Quantity, items+l.Quantity
				lines = append(lines, l)
			}
			return nil
		})
		applies := visit.CustomerID == 1 && approved && table.Active && value >= leastValue && items >= leastItems
		want := func(l world.Line) int64 {
			base := l.Price.Shift(2).IntPart()
			if _, part := visit.Kits[l.ID]; part || !applies {
				return base
			}
			if price, ok := prices[l.VariantID]; ok {
				return price
			}
			off, ok := byVariant[l.VariantID]
			if !ok {
				off = -1
				for _, k := range filed[l.ProductID] {
					if d, ok := byCategory[k]; ok {
						off = max(off, d)
					}
				}
				if off < 0 {
					off = general
				}
			}
			// Half a cent up, in fractions.
			exact := big.NewRat(base*(10_000-off), 10_000)
			exact.Add(exact, big.NewRat(1, 2))
			return new(big.Int).Quo(exact.Num(), exact.Denom()).Int64()
		}
		var got, again []world.Line
		update(func(tx *world.Tx) error {
			got = res.TablePrices(tx, visit, lines)
			again = res.TablePrices(tx, visit, got)
			return nil
		})
		for i, l := range lines {
			if cents := got[i].Price.Shift(2); !cents.Equal(decimal.NewFromInt(want(l))) {
				t.Errorf("line %d of %s: %s, want %d cents", i, l.Price, got[i].Price, want(l))
			}
			if !again[i].Price.Equal(got[i].Price) {
				t.Errorf("line %d: %s the second time, %s the first", i, again[i].Price, got[i].Price)
			}
		}
		if applies {
			applied++
		}
		// Without a customer the prices are those of before.
		update(func(tx *world.Tx) error {
			visit.CustomerID = 0
			if back := res.TablePrices(tx, visit, again); fmt.Sprint(back) != fmt.Sprint(lines) {
				t.Errorf("got %v, want %v", back, lines)
			}
			return nil
		})
	})
	if applied == 0 {
		t.Error("no table was applied")
	}
}
