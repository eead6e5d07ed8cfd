package refserver

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// catalog is a server with so many products of so many variants, in two languages and with an image each.
func catalog(b *testing.B, products, variants int) (s *Server, store world.Store, token string) {
	b.Helper()
	s = New(Options{Bucket: 1 << 30, Leak: 1 << 30})
	b.Cleanup(s.Close)
	app, err := s.AddApp(world.App{Name: "Bench"})
	if err != nil {
		b.Fatal(err)
	}
	if store, err = s.AddStore(world.Store{}); err != nil {
		b.Fatal(err)
	}
	in, err := s.Install(app.ID, store.ID, []string{"read_products"})
	if err != nil {
		b.Fatal(err)
	}
	const each = 1000 // a transaction
	for from := 0; from < products; from += each {
		if err := s.World().Update(0, store.ID, func(tx *world.Tx) error {
			for i := from; i < min(from+each, products); i++ {
				if err := addProduct(tx, i, variants); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			b.Fatal(err)
		}
	}
	return s, store, in.Token
}

func addProduct(tx *world.Tx, i, variants int) error {
	id, now := tx.NewID(), tx.Now()
	text := func(what string) map[string]string {
		return map[string]string{"es": fmt.Sprintf("%s en español %d", what, i), "pt": fmt.Sprintf("%s em português %d", what, i)}
	}
	handle := fmt.Sprintf("remera-%d", i)
	p := world.Product{
		ID: id, Name: text("Remera"), Description: map[string]string{"es": strings.Repeat("Remera de algodón. ", 15), "pt": strings.Repeat("Camiseta de algodão. ", 15)},
		Handle: map[string]string{"es": handle, "pt": handle + "-pt"}, Brand: "Marca", Published: true, RequiresShipping: true,
		Attributes: []map[string]string{{"es": "Color", "pt": "Cor"}, {"es": "Talle", "pt": "Tamanho"}}, Tags: "nuevo,verano", CreatedAt: now, UpdatedAt: now,
	}
	if err := tx.Products.Put(id, p); err != nil {
		return err
	}
	image := tx.NewID()
	if err := tx.Images.Put(image, world.Image{ID: image, ProductID: id, Position: 1, Src: "https://cdn.example/" + handle + ".jpg", CreatedAt: now, UpdatedAt: now}); err != nil {
		return err
	}
	price := decimal.NullDecimal{Decimal: decimal.New(199990, -2), Valid: true}
	for n := range variants {
		v := tx.NewID()
		if err := tx.Variants.Put(v, world.Variant{
			ID: v, ProductID: id, Position: n + 1, Price: price, Weight: price, SKU: fmt.Sprintf("REM-%d-%d", i, n),
			Values: []map[string]string{{"es": "Azul", "pt": "Azul"}, {"es": fmt.Sprint(n), "pt": fmt.Sprint(n)}}, CreatedAt: now, UpdatedAt: now,
		}); err != nil {
			return err
		}
	}
	return nil
}

// BenchmarkList lists 200 products: again, as they are kept, and after a change, when they are encoded.
func BenchmarkList(b *testing.B) {
	s, store, token := catalog(b, 200, 10)
	list := func() int {
		r := httptest.NewRequest(http.MethodGet, fmt.Sprintf("/v1/%d/products?per_page=200", store.ID), nil)
		r.Header.Set("Authentication", "bearer "+token)
		r.Header.Set("User-Agent", "Bench (bench@example.com)")
		w := &counter{header: http.Header{}}
		if s.ServeHTTP(w, r); w.status != http.StatusOK {
			b.Fatal(w.status)
		}
		return w.bytes
	}
	b.Run("kept", func(b *testing.B) {
		for b.Loop() {
			b.SetBytes(int64(list()))
		}
	})
	b.Run("encoded", func(b *testing.B) {
		for b.Loop() {
			if err := s.World().Update(0, store.ID, func(*world.Tx) error { return nil }); err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(list()))
		}
	})
}

// counter counts what is written.
type counter struct {
	header        http.Header
	status, bytes int
}

func (c *counter) Header() http.Header         { return c.header }
func (c *counter) Write(b []byte) (int, error) { c.bytes += len(b); return len(b), nil }
func (c *counter) WriteHeader(status int)      { c.status = status }

// BenchmarkMemory reports what 100,000 products take (GiB), from a tenth of them, and how long each takes to
// be added.
func BenchmarkMemory(b *testing.B) {
	for _, variants := range []int{3, 10} {
		b.Run(fmt.Sprint(variants), func(b *testing.B) {
			for b.Loop() {
				const products = 10_000
				before, began := live(), time.Now()
				s, _, _ := catalog(b, products, variants)
				took := time.Since(began)
				b.ReportMetric(float64(live()-before)*100_000/products/(1<<30), "GiB")
				b.ReportMetric(took.Seconds()*1e6/products, "us/product")
				runtime.KeepAlive(s)
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}

// live is what is reachable.
func live() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
