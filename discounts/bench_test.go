package discounts

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

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
	return bytes.Replace(body, []byte(`"line_items":[9717394929]`), []byte(`"line_items":[`+strings.Join(applied, ",")+`]`), 1)
}

// BenchmarkHandler compares with the floor: to decode a cart into the same types, and to
// encode the same commands, by hand with the same library. See also strict, the floor
// with the checks that a cart from outside must pass.
func BenchmarkHandler(b *testing.B) {
	id := uuid.MustParse("02aaa5c6-080a-40e9-a61f-90ca2150d6a2")
	fifty, err := BasisPoints(5000)
	if err != nil {
		b.Fatal(err)
	}
	h := &Handler{
		Guarded: true, Registry: always(b, Promotion{ID: id, Name: "Half", Tier: LineItems, Active: true}),
		Plans: Plans{LineItems: func(_ context.Context, p *LinePlan) error {
			offer, _ := p.Promotion(id)
			for _, line := range p.Lines() {
				p.Discount(offer, line, fifty)
			}
			return nil
		}},
		Report: func(_ context.Context, f *Failure) { b.Error(f) },
	}
	for _, lines := range []int{20, 200} {
		cart := largeCart(b, lines)
		floor := func(read func([]byte, any) error) func(*testing.B) {
			return func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					c := new(Cart)
					if err := read(cart, c); err != nil {
						b.Fatal(err)
					}
					all := make([]lineSpecs, len(c.Products))
					for i := range c.Products {
						all[i] = lineSpecs{c.Products[i].ID.String(), discountSpecs{"percentage", "50.00"}}
					}
					if _, err := wire.Marshal(map[string]any{"commands": []command{{createOrUpdate, createLines{PromotionID: id.String(), Currency: c.Currency, LineItems: all}}}}); err != nil {
						b.Fatal(err)
					}
				}
			}
		}
		b.Run(fmt.Sprintf("floor/%d", lines), floor(func(raw []byte, v any) error { return wire.Unmarshal(raw, v) }))
		b.Run(fmt.Sprintf("strict/%d", lines), floor(func(raw []byte, v any) error { return wire.UnmarshalStrict(raw, v) }))
		b.Run(fmt.Sprintf("handler/%d", lines), func(b *testing.B) {
			b.ReportAllocs()
			w := &answered{header: http.Header{}}
			r, err := http.NewRequest(http.MethodPost, "/", nil)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				body := bytes.NewReader(cart)
				r.Body, r.ContentLength = io.NopCloser(body), int64(len(cart))
				if h.ServeHTTP(w, r); w.status != http.StatusOK {
					b.Fatal(w.status)
				}
			}
		})
	}
}

// answered keeps the status of an answer.
type answered struct {
	header http.Header
	status int
}

func (a *answered) Header() http.Header         { return a.header }
func (a *answered) Write(b []byte) (int, error) { return len(b), nil }
func (a *answered) WriteHeader(status int)      { a.status = status }

func BenchmarkReconcile(b *testing.B) {
	c, err := ReadCart(largeCart(b, 20))
	if err != nil {
		b.Fatal(err)
	}
	o := newOwn([]Promotion{{ID: uuid.MustParse("02aaa5c6-080a-40e9-a61f-90ca2150d6a2"), Name: "Three for two", Tier: LineItems, Active: true}}, 1)
	var t *task
	var out *Commands
	var body []byte
	steps := []struct {
		name string
		do   func() error
	}{
		{"facts and judge", func() error { t = newTask(Plans{LineItems: half}, c, o, nil); return nil }},
		{"plan", func() (err error) { out, _, err = t.plans.commands(b.Context(), c, t.facts); return err }},
		{"encode", func() (err error) { body, err = out.MarshalJSON(); return err }},
		{"validate", func() error { return t.judge.check(body) }},
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
