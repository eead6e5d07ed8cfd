package rules_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/discounts/rules"
)

// What rules hide cannot be bought, and what they block is not bought. Without them the same purchase succeeds.
func TestRulesOfPurchase(t *testing.T) {
	var pays []rules.PaymentOption
	var ships []rules.ShippingOption
	var verdict rules.Verdict
	nowhere := false
	c := openCounter(t, &rules.Handler{
		Payments: func(context.Context, *rules.Request) ([]rules.PaymentOption, error) { return pays, nil },
		Shipping: func(context.Context, *rules.Request) ([]rules.ShippingOption, error) { return ships, nil },
		Locations: func(_ context.Context, r *rules.Request) (rules.LocationOrder, error) {
			if nowhere {
				return rules.Nowhere(), nil
			}
			return r.First(), nil
		},
		Cart: func(context.Context, *rules.Request) (rules.Verdict, error) { return verdict, nil },
	})
	carriers(t, c)
	if err := c.srv.SetPaymentURLs(clienttest.PaymentURLs{Process: "https://app.example/process"}); err != nil {
		t.Fatal(err)
	}
	to := clienttest.ShippingAddress{Country: "AR", PostalCode: "1000"}
	buy := func(rate string, provider uuid.UUID) error {
		t.Helper()
		if _, err := c.basket.Quote(t.Context(), to); err != nil {
			return err
		}
		_, err := c.basket.Buy(t.Context(), clienttest.Purchase{
			Contact: clienttest.Contact{Email: "a@mail.example"}, Rate: clienttest.RateChoice{Code: rate},
			ProviderID: provider, MethodType: "pix", MethodID: "pix",
		})
		return err
	}
	refused := func(err error, want string) {
		t.Helper()
		if !errors.Is(err, clienttest.ErrPurchaseRefused) || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want a refusal with %q", err, want)
		}
	}
	for p, err := range v202503.Carriers(c.client).OfStore().All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range p.Options {
			if o.Code == "fast" {
				ships = []rules.ShippingOption{{CarrierID: p.ID, OptionID: o.ID, Code: o.Code}}
			}
		}
	}
	refused(buy("fast", uuid.Nil), "no such rate")
	var provider uuid.UUID
	for p, err := range v202503.PaymentOptions(c.client).List().All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		provider = uuid.MustParse(string(p.ID))
		for _, o := range p.Options {
			pays = append(pays, rules.PaymentOption{ProviderID: p.ID, OptionID: o.ID})
		}
	}
	refused(buy("slow", provider), "hide all options of provider "+provider.String())
	pays = nil
	verdict = rules.VerdictBlock
	refused(buy("slow", uuid.Nil), "blocked by app ")
	verdict = rules.VerdictAllow
	nowhere = true
	if err := buy("slow", uuid.Nil); err == nil || !strings.Contains(err.Error(), "leave no location") {
		t.Errorf("got %v, want a quote refused without a location", err)
	}
	nowhere = false
	if err := buy("slow", uuid.Nil); err != nil {
		t.Error(err)
	}
}
