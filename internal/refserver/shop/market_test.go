package shop_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver"
	"github.com/commerceplatform/commerce-go/internal/refserver/clock"
	"github.com/commerceplatform/commerce-go/internal/refserver/shop"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

type (
	object = map[string]any
	array  = []any
)

// market is a store with articles and discount apps.
type market struct {
	*testing.T
	*refserver.Server
	clock *clock.Virtual
	store world.Store
	// mug costs 10.00 and weighs 0.250, pot 33.33; both are filed under kitchen, the
	// child of home.
	mug, pot world.Variant
	apps     int
}

func open(t *testing.T) *market {
	t.Helper()
	m := &market{T: t, clock: clock.NewVirtual(clock.Start)}
	m.Server = refserver.New(refserver.Options{Clock: m.clock, Bucket: 1 << 30, Leak: 1 << 30})
	t.Cleanup(m.Close)
	var err error
	if m.store, err = m.AddStore(world.Store{ID: 1001, MainCurrency: "ARS"}); err != nil {
		t.Fatal(err)
	}
	m.update(func(tx *world.Tx) error {
		for _, k := range []world.Category{{ID: 1, Name: map[string]string{"en": "Home"}}, {ID: 2, Name: map[string]string{"en": "Kitchen"}, Parent: 1}} {
			if err := tx.Categories.Put(k.ID, k); err != nil {
				return err
			}
		}
		m.mug, m.pot = article(tx, 11, "10.00"), article(tx, 12, "33.33")
		return nil
	})
	return m
}

// article makes a product with one variant, whose id is ten times that of the product.
func article(tx *world.Tx, id int64, price string) world.Variant {
	p := world.Product{ID: id, Name: map[string]string{"en": "Article " + strconv.FormatInt(id, 10)}, Categories: []int64{2}, RequiresShipping: true}
	v := world.Variant{ID: 10 * id, ProductID: id, Price: some(price), Weight: some("0.25")}
	_, _ = tx.Products.Put(p.ID, p), tx.Variants.Put(v.ID, v) // without unique members
	return v
}

func some(s string) decimal.NullDecimal {
	return decimal.NewNullDecimal(decimal.RequireFromString(s))
}

func (m *market) update(f func(tx *world.Tx) error) {
	m.Helper()
	if err := m.World().Update(0, m.store.ID, f); err != nil {
		m.Fatal(err)
	}
}

// app is one that was installed in the store.
type app struct {
	*market
	world.App
	token, origin string
	// answer is what it answers; nil is 204.
	answer func(cart object) (status int, commands []object)
	// got are the carts it was sent.
	got     []object
	headers []*http.Request
}

func (m *market) app() *app {
	m.Helper()
	m.apps++
	a := &app{market: m, origin: fmt.Sprintf("https://app%d.example", m.apps)}
	var err error
	if a.App, err = m.AddApp(world.App{Name: a.origin, Features: []string{"discounts"}}); err != nil {
		m.Fatal(err)
	}
	a.install()
	if err := m.Partner(a.origin, a); err != nil {
		m.Fatal(err)
	}
	a.send("PUT /discounts/callbacks", object{"url": a.origin + "/carts"}, 204)
	return a
}

func (a *app) install(scopes ...string) {
	a.Helper()
	in, err := a.Install(a.ID, a.store.ID, scopes)
	if err != nil {
		a.Fatal(err)
	}
	a.token = in.Token
}

func (a *app) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	raw, err := io.ReadAll(r.Body)
	var cart object
	if err != nil || json.Unmarshal(raw, &cart) != nil {
		a.Errorf("the app was sent %q, %v", raw, err)
	}
	a.got, a.headers = append(a.got, cart), append(a.headers, r)
	if a.answer == nil {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	status, commands := a.answer(cart)
	if status == http.StatusOK {
		w.Header().Set("Content-Type", "application/json")
	}
	w.WriteHeader(status)
	if status == http.StatusOK {
		if commands == nil {
			commands = []object{}
		}
		if err := json.NewEncoder(w).Encode(object{"commands": commands}); err != nil {
			a.Error(err)
		}
	}
}

// send makes a call of the API that has to be answered with the status.
func (a *app) send(call string, body any, want int) object {
	a.Helper()
	raw, err := json.Marshal(body)
	if err != nil {
		a.Fatal(err)
	}
	method, path, _ := strings.Cut(call, " ")
	r := httptest.NewRequest(method, fmt.Sprintf("http://api.example/v1/%d%s", a.store.ID, path), strings.NewReader(string(raw)))
	r.Header.Set("User-Agent", "Test (test@app.example)")
	r.Header.Set("Authorization", "Bearer "+a.token)
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	a.Server.ServeHTTP(w, r)
	if w.Code != want {
		a.Fatalf("%s: %d %s, want %d", call, w.Code, w.Body, want)
	}
	var out object
	if w.Body.Len() > 0 {
		if err := json.Unmarshal(w.Body.Bytes(), &out); err != nil {
			a.Fatal(err)
		}
	}
	return out
}

// promote registers a promotion and returns its id.
func (a *app) promote(tier string) string {
	a.Helper()
	out := a.send("POST /promotions", object{"name": "Promotion", "allocation_type": tier}, 201)
	id, _ := out["data"].(object)["id"].(string)
	return id
}

// always answers each cart of a tier with the commands.
func (a *app) always(tier string, commands func(cart object) []object) {
	a.answer = func(cart object) (int, []object) {
		if cart["execution_tier"] != tier {
			return http.StatusNoContent, nil
		}
		return http.StatusOK, commands(cart)
	}
}

func specs(kind, amount string) object { return object{"type": kind, "amount": amount} }

// offLines takes something off all lines of a cart.
func offLines(promotion string, off object) func(cart object) []object {
	return func(cart object) []object {
		var items array
		for _, p := range cart["products"].(array) {
			items = append(items, object{"line_item": fmt.Sprintf("%.0f", p.(object)["id"]), "discount_specs": off})
		}
		if items == nil {
			return nil
		}
		return []object{{"command": "create_or_update_discount", "specs": object{"promotion_id": promotion, "currency": "ARS", "line_items": items}}}
	}
}

// offCart takes something off the cart.
func offCart(promotion string, off object) func(cart object) []object {
	return func(object) []object {
		return []object{{"command": "create_or_update_discount", "specs": object{"promotion_id": promotion, "currency": "ARS", "discount_specs": off}}}
	}
}

// begin makes a cart.
func (m *market) begin(s *shop.Storefront) int64 {
	m.Helper()
	v, err := s.NewCart(shop.Customer{})
	if err != nil {
		m.Fatal(err)
	}
	return v.ID
}

// add puts pieces of a variant into a cart.
func (m *market) add(s *shop.Storefront, cart int64, v world.Variant, n int64) shop.View {
	m.Helper()
	out, err := s.Add(m.Context(), cart, v.ID, n)
	if err != nil {
		m.Fatal(err)
	}
	return out
}

// wantTotals compares what a cart costs: subtotal, what apps take off, total.
func (m *market) wantTotals(v shop.View, subtotal, off, total string) {
	m.Helper()
	if got := fmt.Sprint(v.Subtotal.StringFixed(2), " ", v.Promotions.StringFixed(2), " ", v.Total.StringFixed(2)); got != subtotal+" "+off+" "+total {
		m.Errorf("cart costs %s, want %s %s %s", got, subtotal, off, total)
	}
}

// last is the latest run.
func (m *market) last(s *shop.Storefront) shop.Run {
	m.Helper()
	runs := s.Runs()
	if len(runs) == 0 {
		m.Fatal("nothing was sent")
	}
	return runs[len(runs)-1]
}
