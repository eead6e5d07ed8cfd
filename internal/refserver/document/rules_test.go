package document

import (
	"net/http"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver"
	"github.com/commerceplatform/commerce-go/internal/refserver/carrier"
	"github.com/commerceplatform/commerce-go/internal/refserver/clock"
	"github.com/commerceplatform/commerce-go/internal/refserver/seed"
	"github.com/commerceplatform/commerce-go/internal/refserver/shop"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// The schemas of business rules take what the server asks in each domain.
func TestQuestionsOfTheServer(t *testing.T) {
	s := refserver.New(refserver.Options{Clock: clock.NewVirtual(clock.Start)})
	t.Cleanup(s.Close)
	demo, err := seed.Demo(s, world.AllScopes())
	if err != nil {
		t.Fatal(err)
	}
	const origin = "https://rules.example"
	nobody := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	if err := s.Partner(origin, nobody); err != nil {
		t.Fatal(err)
	}
	store, cart := demo.Store.ID, cartOfDemo(t, s, demo.Store.ID)
	err = s.World().Update(0, store, func(tx *world.Tx) error {
		provider := world.PaymentProvider{ID: "p", AppID: demo.App.ID, Enabled: true, Options: []world.CheckoutOption{{ID: "card"}}}
		for _, d := range world.RuleDomains() {
			k := world.RuleCallback{AppID: demo.App.ID, Domain: d, URL: origin + "/rules"}
			if err := tx.RuleCallbacks.Put(k.Key(), k); err != nil {
				return err
			}
		}
		return tx.PaymentProviders.Put(provider.ID, provider)
	})
	if err != nil {
		t.Fatal(err)
	}
	ask, ctx := s.Rules(), t.Context()
	_, e1 := ask.PaymentOptions(ctx, store, cart)
	_, e2 := ask.ShippingOptions(ctx, store, cart, []carrier.Option{{Rate: world.Rate{Carrier: 7, ID: 8, Code: "x"}}})
	_, e3 := ask.Places(ctx, store, cart)
	_, e4 := ask.MayFinish(ctx, store, cart)
	if e1 != nil || e2 != nil || e3 != nil || e4 != nil || len(ask.Runs()) != 4 {
		t.Fatalf("%v, %v, %v, %v: %d questions", e1, e2, e3, e4, len(ask.Runs()))
	}
	src := &source{root: root, packages: map[string]*parsed{}}
	for _, run := range ask.Runs() {
		c, err := find("rules_" + string(run.Domain))
		if err != nil {
			t.Fatal(err)
		}
		is, _, err := src.body(c)
		if err != nil {
			t.Fatal(err)
		}
		if lacks := is.lacks(c.name, form(t, string(run.Request))); lacks != nil {
			t.Errorf("%s: %s", run.Request, lacks)
		}
	}
}

// cartOfDemo is a cart with one article.
func cartOfDemo(t *testing.T, s *refserver.Server, store int64) int64 {
	t.Helper()
	front := s.Storefront(store, shop.Options{})
	cart, err := front.NewCart(shop.Customer{})
	if err != nil {
		t.Fatal(err)
	}
	var variant int64
	err = s.World().View(0, store, func(tx *world.Tx) error {
		for id := range tx.Variants.All() {
			variant = id
			break
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := front.Add(t.Context(), cart.ID, variant, 1); err != nil {
		t.Fatal(err)
	}
	return cart.ID
}
