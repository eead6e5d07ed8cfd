package refserver

import (
	"fmt"
	"net/http"
	"net/url"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// stock puts products of three variants into the store, as catalog does over HTTP in ten times the time.
func stock(tx *world.Tx, products int) error {
	description := strings.Repeat("Remera de algodón peinado. ", 12)
	price := decimal.NewNullDecimal(decimal.RequireFromString("1999.90"))
	texts := func(es, pt string, i int) map[string]string {
		return map[string]string{"es": fmt.Sprint(es, i), "pt": fmt.Sprint(pt, i)}
	}
	for i := range products {
		p := world.Product{
			ID:          tx.NewID(),
			Name:        texts("Remera en español ", "Remera em português ", i),
			Handle:      texts("remera-en-espanol-", "remera-em-portugues-", i),
			Description: map[string]string{"es": description, "pt": description},
			Attributes:  []map[string]string{{"es": "Color", "pt": "Cor"}},
			CreatedAt:   tx.Now(),
			UpdatedAt:   tx.Now(),
		}
		if err := tx.Products.Put(p.ID, p); err != nil {
			return err
		}
		for n := range 3 {
			v := world.Variant{
				ID: tx.NewID(), ProductID: p.ID, Position: n + 1, Price: price, SKU: fmt.Sprintf("REM-%d-%d", i, n),
				Values: []map[string]string{{"es": "Azul", "pt": "Azul"}},
			}
			if err := tx.Variants.Put(v.ID, v); err != nil {
				return err
			}
		}
	}
	return nil
}

// BenchmarkSearch finds products by q among 100,000 of 3 variants and serves a page of 200, of which no product
// is kept as JSON. It reports the median. "first" makes the index of the store too, and reports what that takes (MiB).
func BenchmarkSearch(b *testing.B) {
	s, store, token := catalog(b, 0, 0)
	if err := s.World().Update(0, store.ID, func(tx *world.Tx) error { return stock(tx, 100_000) }); err != nil {
		b.Fatal(err)
	}
	search := func(q string, want int) time.Duration {
		if err := s.World().Update(0, store.ID, func(*world.Tx) error { return nil }); err != nil {
			b.Fatal(err)
		}
		r := request(http.MethodGet, store, token, "")
		r.URL.RawQuery += "&q=" + url.QueryEscape(q)
		w, began := &counter{header: http.Header{}}, time.Now()
		if s.ServeHTTP(w, r); w.status != want {
			b.Fatal(w.status)
		}
		return time.Since(began)
	}
	b.Run("first", func(b *testing.B) {
		now := s.World().Snapshot()
		for b.Loop() {
			s.World().Restore(now) // drops the index
			before := live()
			b.ReportMetric(search("99123", http.StatusOK).Seconds()*1e3, "ms")
			b.ReportMetric(float64(live()-before)/(1<<20), "MiB")
		}
		b.ReportMetric(0, "ns/op")
	})
	for _, tc := range []struct {
		name, q string
		want    int
	}{
		{"rare", "99123", http.StatusOK},
		{"common", "remera", http.StatusOK},
		{"letter", "e", http.StatusOK},
		{"none", "zebra", http.StatusNotFound},
	} {
		b.Run(tc.name, func(b *testing.B) {
			var took []time.Duration
			search(tc.q, tc.want) // the first one may make the index
			for b.Loop() {
				took = append(took, search(tc.q, tc.want))
			}
			slices.Sort(took)
			b.ReportMetric(took[len(took)/2].Seconds()*1e3, "ms")
			b.ReportMetric(0, "ns/op")
		})
	}
	runtime.KeepAlive(s)
}
