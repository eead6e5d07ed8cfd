package console_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver"
	"github.com/commerceplatform/commerce-go/internal/refserver/clock"
	"github.com/commerceplatform/commerce-go/internal/refserver/console"
	"github.com/commerceplatform/commerce-go/internal/refserver/control"
	"github.com/commerceplatform/commerce-go/internal/refserver/seed"
	"github.com/commerceplatform/commerce-go/internal/refserver/traffic"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
	"github.com/commerceplatform/commerce-go/internal/tier"
)

// full is the number of products, webhooks and requests behind the pages.
var full = tier.Size(1_000, 10_000, 100_000)

// crowd is the console of the demo store with n more products, each with a variant, a webhook about it, a request and
// an order.
// Every fifth webhook has failed, and waits for the clock.
type crowd struct {
	pages http.Handler

	mu                     sync.Mutex
	calls, items, searched int // of the control API, with what they returned and looked at, for the page in progress
}

func newCrowd(t testing.TB, n int) *crowd {
	t.Helper()
	o := refserver.Options{Clock: clock.NewVirtual(clock.Start), Seed: 1, LogSize: n}
	o.Delivery.Kept, o.Kept = n, 2*n
	s := refserver.New(o)
	t.Cleanup(s.Close)
	shop, err := seed.Demo(s, nil)
	if err != nil {
		t.Fatal(err)
	}
	err = s.Partner("https://app.example", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if body, _ := io.ReadAll(r.Body); bytes.HasSuffix(body, []byte("7}")) || bytes.HasSuffix(body, []byte("8}")) {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	if err != nil {
		t.Fatal(err)
	}
	register(t, s, shop)
	for from := 0; from < n; from += 10_000 {
		err := s.World().Update(0, shop.Store.ID, func(tx *world.Tx) error {
			for i := from; i < min(n, from+10_000); i++ {
				if err := add(tx, i); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for i := range n {
		s.RequestLog().Add(traffic.Request{
			At: clock.Start, Method: "GET", Path: fmt.Sprintf("/v1/1001/products/%d", i), Op: "products.get",
			Store: shop.Store.ID, App: shop.App.ID, Status: 200 + 204*(i%2), Answer: []byte(`{"id":1}`),
		})
	}
	if err := s.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	a := control.New(control.Options{Server: s, Shop: shop, BaseURL: "http://127.0.0.1:8080"})
	t.Cleanup(a.Close)
	c := &crowd{}
	pages := console.New(a, documents)
	pages.Watch(c.watch)
	c.pages = pages
	return c
}

func register(t testing.TB, s *refserver.Server, shop seed.Shop) {
	t.Helper()
	err := s.World().Update(shop.App.ID, shop.Store.ID, func(tx *world.Tx) error {
		hook := world.Webhook{ID: tx.NewID(), App: shop.App.ID, Event: "product/created", URL: "https://app.example/hooks"}
		return tx.Webhooks.Put(hook.ID, hook)
	})
	if err != nil {
		t.Fatal(err)
	}
}

func add(tx *world.Tx, i int) error {
	name := map[string]string{"en": fmt.Sprintf("Pot number %d, of iron", i)}
	p := world.Product{ID: tx.NewID(), Name: name, CreatedAt: tx.Now()}
	p.Handle = map[string]string{"en": fmt.Sprintf("pot-%d", i)}
	if err := tx.Products.Put(p.ID, p); err != nil {
		return err
	}
	v := world.Variant{ID: tx.NewID(), ProductID: p.ID, Position: 1, SKU: fmt.Sprintf("POT-%d", i)}
	v.Price = decimal.NewNullDecimal(decimal.New(int64(i), -2))
	o := tx.Orders.At(0)
	o.ID, o.Number, o.ContactEmail = tx.NewID(), tx.NextOrderNumber(), fmt.Sprintf("ana.%d@mail.example", i)
	if err := tx.Orders.Put(o.ID, o); err != nil {
		return err
	}
	tx.Emit("product/created", map[string]any{"id": p.ID})
	return tx.Variants.Put(v.ID, v)
}

// watch counts what the calls of a page return.
func (c *crowd) watch(api http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rec := httptest.NewRecorder()
		api.ServeHTTP(rec, r)
		var got struct {
			Items    []json.RawMessage
			Searched int
		}
		_ = json.Unmarshal(rec.Body.Bytes(), &got) // others are no lists
		if strings.HasPrefix(r.URL.Path, control.Prefix+"log") {
			got.Searched = 0 // its entries are counted, for true numbers, and have no bodies
		}
		c.mu.Lock()
		c.calls, c.items, c.searched = c.calls+1, c.items+len(got.Items), c.searched+got.Searched
		c.mu.Unlock()
		w.WriteHeader(rec.Code)
		_, _ = w.Write(rec.Body.Bytes())
	})
}

// get returns the status and the size of a page, and what it takes.
func (c *crowd) get(path string) (status, size int, took time.Duration) {
	c.mu.Lock()
	c.calls, c.items, c.searched = 0, 0, 0
	c.mu.Unlock()
	rec := httptest.NewRecorder()
	began := time.Now()
	c.pages.ServeHTTP(rec, httptest.NewRequest(http.MethodGet, path, nil))
	return rec.Code, rec.Body.Len(), time.Since(began)
}

// crowded are the pages, with the kinds of lists and records of which there are many.
func crowded(n int) []string {
	return []string{
		"/", "/stores", "/entities", "/entities?resource=products", "/entities?resource=products&filter=nothing",
		"/entities?resource=variants&after=1000500", "/entities?resource=orders&key=1000111",
		"/entities?resource=products&key=7", "/entities?resource=orders&filter=nothing", "/entities?resource=orders&filter=ana",
		"/cart", "/cart?cart=1000147", "/cart?cart=7",
		"/cart?cart=1000147&view=rates", "/cart?cart=1000147&view=rules", "/charts", "/orders", "/faults", "/nowhere=0",
		"/log", "/log?search=ana.77@mail", "/log?search=77", "/log?kind=webhook&store=1001&app=2001", "/log?with=1&with=2",
		"/charts?over=168h", "/acts", "/log?state=failing", "/log?search=order/paid", "/log?kind=request&state=refused", fmt.Sprintf("/log?after=%d", n/2),
		fmt.Sprintf("/log?id=%d", n/2), "/log?id=0",
	}
}

// Every page is small however much there is, and its calls return little and look at little: none of them reads a list
// to its end.
func TestProofPagesAreBounded(t *testing.T) {
	began := time.Now()
	c := newCrowd(t, full)
	t.Logf("%d products, webhooks, requests and orders in %v", full, time.Since(began))
	for _, path := range crowded(full) {
		status, size, took := c.get(path)
		t.Logf("%-45s %d %7d bytes %3d calls %4d records of %5d %v", path, status, size, c.calls, c.items, c.searched, took)
		want := http.StatusOK
		if strings.HasSuffix(path, "=7") || strings.HasSuffix(path, "=0") {
			want = http.StatusNotFound
		}
		if status != want || size > 60<<10 {
			t.Errorf("%s: %d, %d bytes", path, status, size)
		}
		most := 500 // of records that are looked at
		if strings.Contains(path, "filter=") {
			most = 5_000 + 300 // as many as a call with a filter looks at, and those of other lists
		}
		if c.calls > 40 || c.items > 300 || c.searched > most {
			t.Errorf("%s: %d calls return %d records and look at %d", path, c.calls, c.items, c.searched)
		}
	}
}

// Each page beside that of the demo store in the same run.
func BenchmarkPages(b *testing.B) {
	small, large := newCrowd(b, 100), newCrowd(b, full)
	for _, path := range crowded(full) {
		b.Run(strings.NewReplacer("/", "_", "?", "_").Replace(path), func(b *testing.B) {
			var floor, took time.Duration
			for range b.N {
				_, _, few := small.get(path)
				_, _, many := large.get(path)
				floor, took = floor+few, took+many
			}
			b.ReportMetric(float64(took.Microseconds())/1000/float64(b.N), "ms/page")
			b.ReportMetric(float64(took)/float64(floor), "ratio")
			b.ReportMetric(0, "ns/op")
		})
	}
}
