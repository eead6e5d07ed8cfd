package refserver

import (
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/delivery"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// soldOrders is a server with so many orders of as many customers, whose webhooks an app has accepted, and the bytes of
// the orders with their customers as JSON.
func soldOrders(b *testing.B, orders int) (s *Server, text int) {
	b.Helper()
	s = New(Options{Bucket: 1 << 30, Leak: 1 << 30, Delivery: delivery.Options{Kept: orders, AtOnce: 10}})
	b.Cleanup(s.Close)
	app, err := s.AddApp(world.App{Name: "Bench"})
	if err != nil {
		b.Fatal(err)
	}
	store, err := s.AddStore(world.Store{})
	if err != nil {
		b.Fatal(err)
	}
	in, err := s.Install(app.ID, store.ID, world.AllScopes())
	if err != nil {
		b.Fatal(err)
	}
	if err := s.Partner("https://app.example", http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})); err != nil {
		b.Fatal(err)
	}
	post := func(path, body string) int {
		r := httptest.NewRequest(http.MethodPost, fmt.Sprintf("/v1/%d%s", store.ID, path), strings.NewReader(body))
		r.Header.Set("Authentication", "bearer "+in.Token)
		r.Header.Set("User-Agent", "Bench (bench@example.com)")
		r.Header.Set("Content-Type", "application/json")
		w := &counter{header: http.Header{}}
		if s.ServeHTTP(w, r); w.status != http.StatusCreated {
			b.Fatal(path, w.status)
		}
		return w.bytes
	}
	post("/webhooks", `{"event":"order/created","url":"https://app.example/hooks"}`)
	var variant int64
	err = s.World().Update(0, store.ID, func(tx *world.Tx) error {
		defer func() { variant = tx.Variants.At(0).ID }()
		return stock(tx, 1)
	})
	if err != nil {
		b.Fatal(err)
	}
	for i := range orders {
		text += post("/orders", sold(i, variant))
	}
	if err := s.Settle(b.Context()); err != nil {
		b.Fatal(err)
	}
	return s, text
}

// sold is the body of the ith order.
func sold(i int, variant int64) string {
	return fmt.Sprintf(`{"currency":"ARS","language":"es","gateway":"offline","payment_status":"paid",
		"products":[{"variant_id":%d,"quantity":2,"price":"10.00"}],"note":"Order %d",
		"customer":{"name":"Ana Paz %d","email":"ana.%d@mail.example","phone":"+54 11 5555 0000","document":"28%06d"},
		"billing_address":{"first_name":"Ana","last_name":"Paz","address":"Mitre","number":"%d","city":"Rosario",
			"province":"Santa Fe","country":"AR","zipcode":"2000"},
		"shipping_address":{"first_name":"Ana","last_name":"Paz","address":"Mitre","number":"%d","city":"Rosario",
			"province":"Santa Fe","country":"AR","zipcode":"2000"},
		"shipping_pickup_type":"ship","shipping":"table","shipping_option":"Correo","shipping_cost_customer":"5.00"}`,
		variant, i, i, i, i, i%900, i%900)
}

// BenchmarkMemoryOrders reports what 100,000 orders with as many customers, shipments and accepted webhooks take
// (MB), from a part of them, and the ratio to the bytes of their JSON. -orders is the size of the part. The memory that
// the process has of the system at the end is "resident".
func BenchmarkMemoryOrders(b *testing.B) {
	for b.Loop() {
		before, began := live(), time.Now()
		s, text := soldOrders(b, *benchOrders)
		took := time.Since(began)
		each := float64(live()-before) / float64(*benchOrders)
		b.ReportMetric(resident(b), "MB-resident")
		b.ReportMetric(each*1e5/1e6, "MB")
		b.ReportMetric(each*float64(*benchOrders)/float64(text), "of-JSON")
		b.ReportMetric(took.Seconds()*1e6/float64(*benchOrders), "us/order")
		runtime.KeepAlive(s)
	}
	b.ReportMetric(0, "ns/op")
}

var benchOrders = flag.Int("orders", 10_000, "how many orders BenchmarkMemoryOrders makes")

// resident is how much memory the process has of the system (MB), 0 where that is unknown.
func resident(b *testing.B) float64 {
	b.Helper()
	raw, err := os.ReadFile("/proc/self/statm")
	if fields := strings.Fields(string(raw)); err == nil && len(fields) > 1 {
		pages, _ := strconv.Atoi(fields[1])
		return float64(pages*os.Getpagesize()) / 1e6
	}
	return 0
}
