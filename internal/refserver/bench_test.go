package refserver

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// catalog is a server with so many products of so many variants, in two languages.
func catalog(b *testing.B, products, variants int) (s *Server, store world.Store, token string) {
	b.Helper()
	s = New(Options{Bucket: 1 << 30, Leak: 1 << 30, LogSize: 1})
	b.Cleanup(s.Close)
	app, err := s.AddApp(world.App{Name: "Bench"})
	if err != nil {
		b.Fatal(err)
	}
	if store, err = s.AddStore(world.Store{}); err != nil {
		b.Fatal(err)
	}
	in, err := s.Install(app.ID, store.ID, []string{"read_products", "write_products"})
	if err != nil {
		b.Fatal(err)
	}
	for i := range products {
		r := request(http.MethodPost, store, in.Token, product(i, variants))
		w := &counter{header: http.Header{}}
		if s.ServeHTTP(w, r); w.status != http.StatusCreated {
			b.Fatal(w.status)
		}
	}
	return s, store, in.Token
}

func request(method string, store world.Store, token, body string) *http.Request {
	r := httptest.NewRequest(method, fmt.Sprintf("/v1/%d/products?per_page=200", store.ID), strings.NewReader(body))
	r.Header.Set("Authentication", "bearer "+token)
	r.Header.Set("User-Agent", "Bench (bench@example.com)")
	r.Header.Set("Content-Type", "application/json")
	return r
}

// product is the body of the ith product, in two languages.
func product(i, variants int) string {
	text := func(what string) string {
		return fmt.Sprintf(`{"es":"%s en español %d","pt":"%s em português %d"}`, what, i, what, i)
	}
	var all []string
	for n := range variants {
		all = append(all, fmt.Sprintf(`{"price":"1999.90","weight":"0.250","sku":"REM-%d-%d","values":[{"es":"Azul","pt":"Azul"},{"es":"%d","pt":"%d"}]}`, i, n, n, n))
	}
	long := strings.Repeat("Remera de algodón peinado. ", 12)
	return fmt.Sprintf(`{"name":%s,"description":{"es":%q,"pt":%q},"brand":"Marca","attributes":[{"es":"Color","pt":"Cor"},{"es":"Talle","pt":"Tamanho"}],"variants":[%s]}`,
		text("Remera"), long, long, strings.Join(all, ","))
}

// BenchmarkList lists 200 products: again, as they are kept, and after a change, when they are encoded.
func BenchmarkList(b *testing.B) {
	s, store, token := catalog(b, 200, 10)
	list := func() int {
		r := request(http.MethodGet, store, token, "")
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

// BenchmarkMemory reports what 100,000 products take (GiB), from a part of them, and how long each takes to
// be added.
func BenchmarkMemory(b *testing.B) {
	for _, variants := range []int{3, 10} {
		b.Run(fmt.Sprint(variants), func(b *testing.B) {
			for b.Loop() {
				const products = 2000
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
