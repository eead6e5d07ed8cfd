package discounts

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client/promotions"
	"github.com/commerceplatform/commerce-go/internal/bench"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// largeCart is a cart with so many lines, one promotion on each.
func largeCart(t testing.TB, lines int) []byte {
	t.Helper()
	var products, applied []string
	for i := range lines {
		products = append(products, fmt.Sprintf(`{"id":%d,"price":"1999.90","compare_at_price":"2499.90","product_id":%d,"quantity":%d,"free_shipping":false,"variant_id":%d,`+
			`"variant_values":["Azul","XL"],"categories":[{"id":4567,"parent":12,"subcategories":[4568]}],"properties":{},"catalog_kit_id":null,"order_kit_id":null,"kit_quantity":null,"quantity_per_kit":null}`,
			9717394929+i, 426215947+i, 1+i%4, 1479416655+i))
		applied = append(applied, fmt.Sprintf(`"%d"`, 9717394929+i))
	}
	body := with(t, "products", "["+strings.Join(products, ",")+"]")
	return bytes.Replace(body, []byte(`"line_items":[9717394929]`), []byte(`"line_items":[`+strings.Join(applied,
		",")+`]`), 1)
}

var half50 = uuid.MustParse("02aaa5c6-080a-40e9-a61f-90ca2150d6a2")

// halfOff is a handler whose plan is as good as none: fifty per cent on each line.
func halfOff(b *testing.B) *Handler {
	b.Helper()
	fifty, err := BasisPoints(5000)
	if err != nil {
		b.Fatal(err)
	}
	return &Handler{
		Guarded: true, Promotions: always(b, promotions.Promotion{ID: half50, Name: "Half", Tier: promotions.TierLineItems, Active: true}),
		Plans: Plans{LineItems: func(_ context.Context, p *LinePlan) error {
			offer, _ := p.Promotion(half50)
			for _, line := range p.Lines() {
				p.Discount(offer, line, fifty)
			}
			return nil
		}},
		OnFailure: func(_ context.Context, f *Failure) {
			if !errors.Is(f, ErrLate) { // a machine that others use may stand still for long
				b.Error(f)
			}
		},
	}
}

// byHand decodes a cart into the same types and encodes the same commands with the same library, and
// checks no more than the library does by itself.
func byHand(b *testing.B, cart []byte) {
	c := new(Cart)
	if err := wire.UnmarshalStrict(cart, c); err != nil {
		b.Error(err)
	}
	all := make([]lineSpecs, len(c.Products))
	for i := range c.Products {
		all[i] = lineSpecs{c.Products[i].ID.String(), discountSpecs{"percentage", "50.00"}}
	}
	if _, err := wire.Marshal(map[string]any{"commands": []command{{createOrUpdate,
		createLines{PromotionID: half50.String(), Currency: c.Currency, LineItems: all}}}}); err != nil {
		b.Error(err)
	}
}

// call has a handler answer a body, without a network.
func call(b *testing.B, h http.Handler) func(body []byte) {
	b.Helper()
	w := &answered{header: http.Header{}}
	r, err := http.NewRequestWithContext(b.Context(), http.MethodPost, "/", nil)
	if err != nil {
		b.Fatal(err)
	}
	return func(body []byte) {
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		if h.ServeHTTP(w, r); w.status/100 != 2 {
			b.Error(w.status)
		}
	}
}

// BenchmarkHandler compares with the floor, the same work by hand: a cart at a time, so that the other processors are
// idle, and one on each of them.
func BenchmarkHandler(b *testing.B) {
	h := halfOff(b)
	for _, at := range []struct {
		name  string
		carts int
	}{{"alone", 1}, {"busy", runtime.GOMAXPROCS(0)}} {
		for _, lines := range []int{2, 20, 200} {
			cart := largeCart(b, lines)
			b.Run(fmt.Sprintf("%s/%d", at.name, lines), func(b *testing.B) {
				var ours, floor []func()
				for range at.carts {
					answer := call(b, h)
					ours, floor = append(ours, func() { answer(cart) }), append(floor, func() { byHand(b, cart) })
				}
				bench.Work(b, ours, floor)
			})
		}
	}
}

// BenchmarkFirst reports how long the first cart takes of a process that has just begun (first-ms), in which
// the decoder learns the types: the least of a few processes, for others use the machine too.
func BenchmarkFirst(b *testing.B) {
	const self = "DISCOUNTS_FIRST"
	if os.Getenv(self) != "" {
		cart, answer := largeCart(b, 20), call(b, halfOff(b))
		began := time.Now()
		answer(cart)
		b.ReportMetric(time.Since(began).Seconds()*1e3, "first-ms")
		return
	}
	least := math.Inf(1)
	for b.Loop() {
		run := exec.CommandContext(b.Context(), os.Args[0], "-test.run=^$", "-test.bench=^BenchmarkFirst$",
			"-test.benchtime=1x")
		run.Env = append(os.Environ(), self+"=1")
		out, err := run.Output()
		if err != nil {
			b.Fatal(err)
		}
		least = min(least, reported(b, string(out), "first-ms"))
	}
	b.ReportMetric(least, "first-ms")
	b.ReportMetric(0, "ns/op")
}

// reported returns the metric that a benchmark printed.
func reported(b *testing.B, out, metric string) float64 {
	b.Helper()
	fields := strings.Fields(out)
	at := slices.Index(fields, metric)
	if at < 1 {
		b.Fatalf("no %s in %s", metric, out)
	}
	value, err := strconv.ParseFloat(fields[at-1], 64)
	if err != nil {
		b.Fatal(err)
	}
	return value
}

// BenchmarkServer measures carts of 20 lines over loopback, 500 a second.
func BenchmarkServer(b *testing.B) {
	cart := largeCart(b, 20)
	body := func(int) ([]byte, http.Header) { return cart, http.Header{} }
	bench.Latency(b, 500, bench.Target{Handler: halfOff(b), Body: body},
		bench.Target{Handler: http.HandlerFunc(bench.Bare), Body: body})
}

// answered keeps the status of an answer.
type answered struct {
	header http.Header
	status int
}

func (a *answered) Header() http.Header         { return a.header }
func (a *answered) Write(b []byte) (int, error) { return len(b), nil }
func (a *answered) WriteHeader(status int)      { a.status = status }

// SetReadDeadline does nothing, as fast as a connection does something: to be without it would cost more.
func (a *answered) SetReadDeadline(time.Time) error { return nil }

func BenchmarkReconcile(b *testing.B) {
	c, err := ReadCart(largeCart(b, 20))
	if err != nil {
		b.Fatal(err)
	}
	o := newOwn([]promotions.Promotion{{ID: uuid.MustParse("02aaa5c6-080a-40e9-a61f-90ca2150d6a2"), Name: "Three for two",
		Tier: promotions.TierLineItems, Active: true}}, 1)
	var t *task
	var out *Commands
	var body []byte
	steps := []struct {
		name string
		do   func() error
	}{
		{"facts and judge", func() error { t = newTask(Plans{LineItems: half}, c, o); return nil }},
		{"plan", func() (err error) { out, _, err = t.plans.commands(b.Context(), c, &t.facts); return err }},
		{"encode", func() (err error) { body, err = out.MarshalJSON(); return err }},
		{"validate", func() error { _, err := t.judge.checkWritten(body); return err }},
	}
	for _, s := range steps {
		b.Run(s.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := s.do(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
