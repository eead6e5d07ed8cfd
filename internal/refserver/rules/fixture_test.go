package rules_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver"
	"github.com/commerceplatform/commerce-go/internal/refserver/clock"
	"github.com/commerceplatform/commerce-go/internal/refserver/delivery"
	"github.com/commerceplatform/commerce-go/internal/refserver/rules"
	"github.com/commerceplatform/commerce-go/internal/refserver/shop"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

type (
	object = map[string]any
	array  = []any
)

// counter is a store with two articles, three locations, two ways to pay, and a cart.
type counter struct {
	*testing.T
	*refserver.Server
	desk  *rules.Platform
	clock *clock.Virtual
	store world.Store
	front *shop.Storefront
	cart  int64
	// places are the locations by priority. The second has all of the cart.
	places [3]string
	apps   int
}

func open(t *testing.T) *counter {
	t.Helper()
	c := &counter{T: t, clock: clock.NewVirtual(clock.Start)}
	c.Server = refserver.New(refserver.Options{Clock: c.clock, Bucket: 1 << 30, Leak: 1 << 30})
	t.Cleanup(c.Close)
	c.desk = c.Rules()
	var err error
	if c.store, err = c.AddStore(world.Store{ID: 1001, MainCurrency: "ARS", MainLanguage: "es", Country: "AR"}); err != nil {
		t.Fatal(err)
	}
	payer, err := c.AddApp(world.App{Name: "Pay"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Install(payer.ID, c.store.ID, nil); err != nil {
		t.Fatal(err)
	}
	c.update(func(tx *world.Tx) error {
		_ = tx.Categories.Put(1, world.Category{ID: 1, Name: map[string]string{"es": "Casa"}})
		_ = tx.Categories.Put(2, world.Category{ID: 2, Name: map[string]string{"es": "Cocina"}, Parent: 1})
		_ = tx.Categories.Put(3, world.Category{ID: 3, Name: map[string]string{"es": "Tazas"}, Parent: 2})
		article(tx, 11, "10.00")
		article(tx, 12, "33.33")
		first := tx.FirstLocation()
		for i := range c.places {
			l := first
			if i > 0 {
				l.ID = tx.NewULID()
			}
			l.Priority, l.Name = i, map[string]string{"es_AR": fmt.Sprint("Lugar ", i), "en_US": fmt.Sprint("Place ", i)}
			c.places[i] = l.ID
			_ = tx.Locations.Put(l.ID, l)
		}
		for id, level := range []world.InventoryLevel{
			{VariantID: 110, LocationID: c.places[0], Stock: 1}, {VariantID: 110, LocationID: c.places[1], Stock: 5},
		} {
			level.ID = int64(id + 1)
			_ = tx.InventoryLevels.Put(level.ID, level)
		}
		for i, enabled := range []bool{true, false, true} {
			p := world.PaymentProvider{ID: fmt.Sprint("provider", i), AppID: payer.ID, Name: fmt.Sprint("Provider ", i), Enabled: enabled, CreatedAt: tx.Now()}
			for _, o := range []string{"card", "cash"} {
				p.Options = append(p.Options, world.CheckoutOption{ID: o + strconv.Itoa(i), Name: o, Types: []string{"other"}, Integration: "redirect"})
			}
			_ = tx.PaymentProviders.Put(p.ID, p)
		}
		return tx.Customers.Put(501, world.Customer{ID: 501, Name: "A B", Email: "a@mail.example", Identification: "1", Addresses: []world.CustomerAddress{
			{Address: world.Address{Zipcode: "1000"}, Default: true},
		}})
	})
	c.front = c.Storefront(c.store.ID, shop.Options{})
	v, err := c.front.NewCart(shop.Customer{ID: 501})
	if err != nil {
		t.Fatal(err)
	}
	c.cart = v.ID
	for variant, quantity := range map[int64]int64{110: 2, 120: 1} {
		if _, err := c.front.Add(t.Context(), c.cart, variant, quantity); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := c.front.SetDestination(t.Context(), c.cart, shop.Destination{Country: "AR", City: "C", Zipcode: "1000"}); err != nil {
		t.Fatal(err)
	}
	return c
}

// article makes a product with one variant, whose id is ten times that of the product. The second one is unlimited.
func article(tx *world.Tx, id int64, price string) {
	p := world.Product{ID: id, Name: map[string]string{"es": "Article"}, Categories: []int64{2}, RequiresShipping: true}
	v := world.Variant{ID: 10 * id, ProductID: id, Price: decimal.NewNullDecimal(decimal.RequireFromString(price)),
		Weight: decimal.NewNullDecimal(decimal.RequireFromString("0.25"))}
	_, _ = tx.Products.Put(p.ID, p), tx.Variants.Put(v.ID, v)
}

func (c *counter) update(f func(tx *world.Tx) error) {
	c.Helper()
	if err := c.World().Update(0, c.store.ID, f); err != nil {
		c.Fatal(err)
	}
}

// app is one with an address for each domain.
type app struct {
	*counter
	world.App
	status int
	answer string
	takes  time.Duration
	got    []object
}

func (c *counter) app(answer string) *app {
	c.Helper()
	c.apps++
	origin := fmt.Sprintf("https://rules%d.example", c.apps)
	a := &app{counter: c, status: 200, answer: answer}
	var err error
	if a.App, err = c.AddApp(world.App{Name: origin}); err != nil {
		c.Fatal(err)
	}
	if _, err := c.Install(a.ID, c.store.ID, nil); err != nil {
		c.Fatal(err)
	}
	if err := c.Partner(origin, a); err != nil {
		c.Fatal(err)
	}
	c.update(func(tx *world.Tx) error {
		for _, d := range world.RuleDomains() {
			k := world.RuleCallback{AppID: a.ID, Domain: d, URL: origin + "/rules?a=b"}
			if err := tx.RuleCallbacks.Put(k.Key(), k); err != nil {
				return err
			}
		}
		return nil
	})
	return a
}

func (a *app) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	raw, err := io.ReadAll(r.Body)
	var body object
	if err != nil || json.Unmarshal(raw, &body) != nil || r.Method != http.MethodPost || r.URL.RequestURI() != "/rules?a=b" ||
		r.Header.Get("Content-Type") != "application/json" {
		a.Errorf("the app was sent %s %s %q, %v", r.Method, r.URL, raw, err)
	}
	a.got = append(a.got, body)
	if a.takes > 0 && delivery.Spend(r.Context(), a.takes) != nil {
		return
	}
	w.WriteHeader(a.status)
	_, _ = io.WriteString(w, a.answer)
}

// last is the last run.
func (c *counter) last() rules.Run {
	c.Helper()
	all := c.desk.Runs()
	if len(all) == 0 {
		c.Fatal("nobody was asked")
	}
	return all[len(all)-1]
}

// payments are the options for the cart, as "card0 cash0".
func (c *counter) payments() (out []string) {
	c.Helper()
	all, err := c.desk.PaymentOptions(c.Context(), c.store.ID, c.cart)
	if err != nil {
		c.Fatal(err)
	}
	for _, o := range all {
		out = append(out, o.ID)
	}
	return out
}

// from are the locations of the cart by their numbers.
func (c *counter) from() (out string) {
	c.Helper()
	ids, err := c.desk.Places(c.Context(), c.store.ID, c.cart)
	if err != nil {
		c.Fatal(err)
	}
	for _, id := range ids {
		for i, place := range c.places {
			if place == id {
				out += strconv.Itoa(i)
			}
		}
	}
	return out
}

func (c *counter) blocked() string {
	c.Helper()
	reason, err := c.desk.MayFinish(c.Context(), c.store.ID, c.cart)
	if err != nil {
		c.Fatal(err)
	}
	return reason
}
