package client_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/unstable"
	"github.com/commerceplatform/commerce-go/client/v1"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

// The event is that of the domain, in every version, and the server accepts it.
func TestBusinessRulesSet(t *testing.T) {
	srv := clienttest.New(t)
	events := map[client.RuleDomain]string{
		client.RuleDomainPayments: "payments/before-filter", client.RuleDomainShipping: "shipping/before-filter",
		client.RuleDomainLocation: "location/prioritization", client.RuleDomainCart: "cart/before-finish",
	}
	for domain, event := range events {
		for _, service := range []*client.BusinessRuleService{
			v1.BusinessRules(srv.Client()), v202503.BusinessRules(srv.Client()),
			unstable.BusinessRules(srv.Client()),
		} {
			if err := service.Set(t.Context(), domain, "https://app.example/"+string(domain)); err != nil {
				t.Errorf("%s: %v", domain, err)
			}
			all := srv.Requests()
			last := all[len(all)-1]
			if !strings.HasSuffix(last.Path, "/business_rules/integrations/"+string(domain)) || last.Method != "PUT" ||
				string(last.Body) != `{"event":"`+event+`","url":"https://app.example/`+string(domain)+`"}` ||
				len(last.Unread) > 0 {
				t.Errorf("%s: sent %s %s %s", domain, last.Method, last.Path, last.Body)
			}
		}
	}
}

// What is wrong is refused before it is sent, or by the platform in the form of discounts.
func TestBusinessRulesSetIsRefused(t *testing.T) {
	srv := clienttest.New(t)
	c := srv.Client()
	for _, v := range []struct {
		domain  client.RuleDomain
		address string
		says    string
	}{
		{"locations", "https://app.example/r", "domain"},
		{"", "https://app.example/r", "domain"},
		{client.RuleDomainCart, "http://app.example/r", "url"},
		{client.RuleDomainCart, "app.example/r", "url"},
		{client.RuleDomainCart, "", "url"},
		{client.RuleDomainCart, "https://me:secret@app.example/r", "url"},
	} {
		err := v202503.BusinessRules(c).Set(t.Context(), v.domain, v.address)
		if !errors.Is(err, client.ErrValidation) || !strings.Contains(err.Error(), v.says) || strings.Contains(err.Error(),
			"secret") {
			t.Errorf("%s %s: got %v", v.domain, v.address, err)
		}
	}
	if n := len(srv.Requests()); n > 0 {
		t.Errorf("%d requests were sent", n)
	}
	err := v202503.BusinessRules(c).Set(t.Context(), client.RuleDomainCart, "https://localhost/r")
	refused, ok := errors.AsType[*client.Error](err)
	if !ok || refused.Status != 400 || !strings.Contains(err.Error(), "url must be an HTTPS URL of a public host") {
		t.Errorf("got %v", err)
	}
	for domain, scopes := range map[client.RuleDomain][]string{
		client.RuleDomainPayments: {"read_payment_options"}, client.RuleDomainShipping: {"read_locations"},
		client.RuleDomainLocation: {"read_payments"},
	} {
		err := v1.BusinessRules(srv.Client(scopes...)).Set(t.Context(), domain, "https://app.example/r")
		if !errors.Is(err, client.ErrForbidden) || !strings.Contains(err.Error(), "Missing a required scope: read_") {
			t.Errorf("%s: got %v", domain, err)
		}
	}
	if err := v1.BusinessRules(srv.Client("read_content")).Set(t.Context(), client.RuleDomainCart,
		"https://app.example/r"); err != nil {
		t.Errorf("the cart needs no scope: got %v", err)
	}
	off := clienttest.New(t, clienttest.Options{Disabled: []string{"business_rules"}})
	err = v1.BusinessRules(off.Client()).Set(t.Context(), client.RuleDomainCart, "https://app.example/r")
	if !errors.Is(err, client.ErrForbidden) || !strings.Contains(err.Error(), "not enabled for business_rules") {
		t.Errorf("an app that is not enabled: got %v", err)
	}
}
