package rules_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/providers"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/discounts/rules"
)

// counter is the demo store with an app that has rules, and a customer's cart.
type counter struct {
	srv    *clienttest.Server
	client *client.Client
	basket *clienttest.Basket
}

func openCounter(t *testing.T, h *rules.Handler) *counter {
	t.Helper()
	c := &counter{srv: clienttest.New(t, clienttest.Options{Demo: true})}
	c.client = c.srv.Client()
	ctx := t.Context()
	h.Guarded = true
	err := errors.Join(h.Check(), c.srv.Partner("https://app.example", h))
	for _, d := range []client.RuleDomain{client.RuleDomainPayments, client.RuleDomainShipping, client.RuleDomainLocation, client.RuleDomainCart} {
		err = errors.Join(err, v202503.BusinessRules(c.client).Set(ctx, d, "https://app.example/rules"))
	}
	option := func(id string, method providers.MethodType) providers.CheckoutOption {
		return providers.CheckoutOption{ID: id, Name: id, Integration: providers.IntegrationTypeRedirect,
			BillingCountries: []string{"AR"}, MethodTypes: []providers.MethodType{method}}
	}
	_, wrong := v202503.PaymentProviders(c.client).Create(ctx, providers.ProviderInput{
		Name: "Acme", Description: "Cards and Pix", CheckoutJSURL: "https://pay.example/checkout.js",
		Currencies: []string{"ARS"},
		LogoURLs: map[providers.LogoSize]string{providers.LogoWide: "https://pay.example/400x120.png",
			providers.LogoSmall: "https://pay.example/160x100.png"},
		Methods: []providers.MethodOffer{{Type: providers.MethodTypeCreditCard, Methods: []string{"visa"}},
			{Type: providers.MethodTypePix, Methods: []string{"pix"}}},
		Options: []providers.CheckoutOption{option("card", providers.MethodTypeCreditCard), option("pix",
			providers.MethodTypePix)},
		Enabled: client.Set(true),
	})
	if err = errors.Join(err, wrong); err != nil {
		t.Fatal(err)
	}
	products, err := v202503.Products(c.client).List(client.ProductFilter{}).Collect(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if c.basket, err = c.srv.Shop().NewCart(clienttest.Visitor{}); err != nil {
		t.Fatal(err)
	}
	if _, err := c.basket.Add(ctx, products[0].Variants[0].ID, 1); err != nil {
		t.Fatal(err)
	}
	return c
}

// The whole way: the app registers, the platform asks at each step of the checkout, and what the app answers counts.
func TestCheckout(t *testing.T) {
	var hide []rules.PaymentOption
	var asked []client.RuleDomain
	c := openCounter(t, &rules.Handler{
		Payments: func(_ context.Context, r *rules.Request) ([]rules.PaymentOption, error) {
			asked = append(asked, r.Domain())
			return hide, nil
		},
		Locations: func(_ context.Context, r *rules.Request) (rules.LocationOrder, error) {
			asked = append(asked, r.Domain())
			return r.First(r.Locations[len(r.Locations)-1].ID), nil
		},
		Cart: func(_ context.Context, r *rules.Request) (rules.Verdict, error) {
			asked = append(asked, r.Domain())
			if len(r.Products) != 1 || r.Totals.Total.Cmp(client.Cents(0)) <= 0 || r.Currency != "ARS" || len(r.Extra) > 0 ||
				len(r.Products[0].Extra) > 0 {
				t.Errorf("asked about %+v", r)
			}
			return rules.VerdictBlock, nil
		},
	})
	for p, err := range v202503.PaymentOptions(c.client).List().All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		hide = append(hide, rules.PaymentOption{ProviderID: p.ID, OptionID: p.Options[0].ID})
	}
	options, err := c.basket.PaymentOptions(t.Context())
	if err != nil || len(options) != 1 || options[0].Name != "pix" || options[0].ProviderName != "Acme" {
		t.Errorf("ways to pay: %+v, %v, want the one that is not hidden", options, err)
	}
	places, err := c.basket.Places(t.Context())
	if err != nil || len(places) < 2 {
		t.Fatalf("places: %v, %v", places, err)
	}
	var byPriority []string
	for l, err := range v202503.Locations(c.client).List().All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		byPriority = slices.Insert(byPriority, min(int(l.Priority), len(byPriority)), l.ID.String())
	}
	if last := len(byPriority) - 1; !slices.Equal(places, append([]string{byPriority[last]}, byPriority[:last]...)) {
		t.Errorf("places: %v; by priority %v", places, byPriority)
	}
	if reason, err := c.basket.MayFinish(t.Context()); err != nil || !strings.HasPrefix(reason, "blocked by app ") {
		t.Errorf("the purchase may end: %q, %v", reason, err)
	}
	if want := []client.RuleDomain{client.RuleDomainPayments, client.RuleDomainLocation, client.RuleDomainCart}; !slices.Equal(asked, want) {
		t.Errorf("asked about %v, want %v", asked, want)
	}
	runs := c.srv.RuleRuns()
	for _, r := range runs {
		if !r.Applied || r.Reason != "" || len(r.Unmatched)+len(r.Unread) > 0 || r.Status != 200 {
			t.Errorf("run %+v", r)
		}
	}
	if err := c.srv.Uninstall(); err != nil {
		t.Fatal(err)
	}
	if reason, err := c.basket.MayFinish(t.Context()); reason != "" || err != nil || len(c.srv.RuleRuns()) != len(runs) {
		t.Errorf("after the app is uninstalled: %q, %v", reason, err)
	}
}

// A rule of delivery hides an option of a quote, by the texts of v202503.Carriers(c).OfStore.
func TestShippingRuleHidesAnOption(t *testing.T) {
	var hide []rules.ShippingOption
	c := openCounter(t, &rules.Handler{Shipping: func(context.Context, *rules.Request) ([]rules.ShippingOption,
		error) {
		return hide, nil
	}})
	carriers(t, c)
	quote := func() (codes []string) {
		t.Helper()
		q, err := c.basket.Quote(t.Context(), clienttest.ShippingAddress{Country: "AR", PostalCode: "1000"})
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range q.Options {
			codes = append(codes, o.Code)
		}
		return codes
	}
	if got := quote(); !slices.Equal(got, []string{"slow", "fast"}) {
		t.Fatalf("got %v", got)
	}
	for p, err := range v202503.Carriers(c.client).OfStore().All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range p.Options {
			if o.Code == "fast" {
				hide = append(hide, rules.ShippingOption{CarrierID: p.ID, OptionID: o.ID, Code: o.Code})
			}
		}
	}
	if got := quote(); !slices.Equal(got, []string{"slow"}) || len(hide) != 1 {
		t.Errorf("got %v after %v is hidden", got, hide)
	}
	c.srv.SetRuleSettings(clienttest.RuleSettings{Keep: true})
	if got := quote(); !slices.Equal(got, []string{"fast"}) {
		t.Errorf("by the other reading: got %v", got)
	}
	c.srv.SetRuleSettings(clienttest.RuleSettings{Delay: time.Second})
	if got := quote(); !slices.Equal(got, []string{"slow", "fast"}) {
		t.Errorf("late: got %v", got)
	}
	if runs := c.srv.RuleRuns(); !runs[len(runs)-1].Late || runs[len(runs)-1].Applied {
		t.Errorf("late: %+v", runs[len(runs)-1])
	}
}

// carriers adds a carrier with two options, whose rates need not be asked for by the app of the test.
func carriers(t *testing.T, c *counter) {
	t.Helper()
	post := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"rates":[{"name":"Slow","code":"slow","price":5,"currency":"ARS","type":"ship","reference":"s"},
			{"name":"Fast","code":"fast","price":9,"currency":"ARS","type":"ship","reference":"f"}]}`)
	})
	err := c.srv.Partner("https://post.example", post)
	id, wrong := c.srv.Seed(t.Context(), "/shipping_carriers", map[string]any{"name": "Post",
		"callback_url": "https://post.example/rates", "types": "ship"})
	err = errors.Join(err, wrong)
	for _, code := range []string{"slow", "fast"} {
		_, wrong := c.srv.Seed(t.Context(), fmt.Sprintf("/shipping_carriers/%s/options", id), map[string]any{"code": code,
			"name": code})
		err = errors.Join(err, wrong)
	}
	if err != nil {
		t.Fatal(err)
	}
}
