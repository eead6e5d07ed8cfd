package clienttest_test

import (
	"errors"
	"net/http"
	"net/url"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v1"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/oauth"
)

// eachReading runs a test under the answers that open questions have by default, and under the others.
func eachReading(t *testing.T, run func(t *testing.T, r clienttest.Readings)) {
	for name, r := range map[string]clienttest.Readings{
		"default": {},
		"other":   {EmptyList200: true, UserIDNumber: true, TokenErrors400: true, PublishedShippingWords: true, RepeatedCustomers204: true, AbsentValuesEmpty: true},
	} {
		t.Run(name, func(t *testing.T) { run(t, r) })
	}
}

// code walks an authorization that is approved at once.
func code(t *testing.T, srv *clienttest.Server, app oauth.App) string {
	t.Helper()
	to, err := app.AuthorizeURL("")
	if err != nil {
		t.Fatal(err)
	}
	browser := &http.Client{Transport: srv.Transport(), CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := browser.Get(to)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	back, err := url.Parse(resp.Header.Get("Location"))
	if err != nil {
		t.Fatal(err)
	}
	return back.Query().Get("code")
}

func TestExchangeUnderBothReadings(t *testing.T) {
	eachReading(t, func(t *testing.T, r clienttest.Readings) {
		srv := clienttest.New(t, clienttest.Options{AutoApprove: true, Readings: r})
		app := oauth.App{ID: srv.App().ID, Secret: srv.App().Secret, AuthURL: srv.App().AuthURL, Transport: srv.Transport()}
		once := code(t, srv, app)
		if in, err := app.Exchange(t.Context(), once); err != nil || in.StoreID != srv.StoreID() {
			t.Fatalf("got %+v, %v, want an installation in store %d", in, err, srv.StoreID())
		}
		status := map[bool]int{false: 200, true: 400}[r.TokenErrors400]
		for name, exchange := range map[string]func() error{
			"invalid_grant": func() error { _, err := app.Exchange(t.Context(), once); return err },
			"invalid_client": func() error {
				other := app
				other.Secret = "other"
				_, err := other.Exchange(t.Context(), code(t, srv, app))
				return err
			},
		} {
			err := exchange()
			refused, ok := errors.AsType[*oauth.Error](err)
			if !ok || refused.Code != name || refused.Status != status {
				t.Errorf("got %v, want %s with status %d", err, name, status)
			}
			if errors.Is(err, oauth.ErrOutcomeUnknown) {
				t.Errorf("%v: it is known that there is no token", err)
			}
		}
	})
}

func TestEmptyListsUnderBothReadings(t *testing.T) {
	eachReading(t, func(t *testing.T, r clienttest.Readings) {
		srv := clienttest.New(t, clienttest.Options{Readings: r})
		hooks, err := v1.Webhooks(srv.Client()).List(client.WebhookFilter{}).Collect(t.Context())
		if len(hooks) != 0 || err != nil {
			t.Errorf("webhooks: got %v, %v, want none", hooks, err)
		}
		orders, err := v202503.Orders(srv.Client()).List(client.OrderFilter{}).Page(t.Context())
		if len(orders.Items) != 0 || err != nil {
			t.Errorf("orders: got %v, %v, want none", orders, err)
		}
	})
}
