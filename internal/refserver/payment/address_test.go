package payment_test

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver/payment"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// TestAddressesInside are not called, however they came into the world.
func TestAddressesInside(t *testing.T) {
	a := open(t)
	if err := a.Partner("https://localhost", a); err != nil { // so that a call of it would be seen
		t.Fatal(err)
	}
	app, _ := a.World().App(a.id)
	for _, address := range []string{
		"http://pay.example/", "https://localhost/", "https://a@127.0.0.1/", "https://a@pay.example/", "https://pay.example:22/", "https://127.0.0.1/", "https://[::1]/",
	} {
		auth := oauth("2025-01-02T00:00:00Z")
		auth["refresh_token_url"] = address
		a.authenticate(auth)
		a.alter(func(x *world.Transaction) {
			raw, err := json.Marshal(address)
			if err != nil {
				t.Fatal(err)
			}
			x.Info = maps.Clone(x.Info)
			x.Info["refund_url"] = raw
		})
		app.Payments = world.PaymentURLs{Process: address, Cancel: address, Status: address}
		if _, err := a.AddApp(app); err != nil {
			t.Fatal(err)
		}
		for kind, call := range map[payment.Kind]func() (payment.Call, error){
			payment.Refresh: func() (payment.Call, error) { return a.pay.Refresh(t.Context(), a.store, a.paid.ProviderID) },
			payment.Refund: func() (payment.Call, error) {
				return a.pay.Refund(t.Context(), a.store, a.paid.ID, amount("25.50"))
			},
			payment.Process: func() (payment.Call, error) {
				return a.pay.Process(t.Context(), a.store, a.attempt())
			},
			payment.Cancel: func() (payment.Call, error) {
				return a.pay.Cancel(t.Context(), a.store, a.paid.ProviderID, "try")
			},
			payment.Status: func() (payment.Call, error) {
				return a.pay.Status(t.Context(), a.store, a.paid.ProviderID, a.paid.OrderID)
			},
		} {
			if c, err := call(); err == nil || !strings.Contains(err.Error(), ": url ") && !strings.Contains(err.Error(), ": host ") {
				t.Errorf("%s at %s: got the outcome %q, %v; want why the address is refused", kind, address, c.Outcome, err)
			}
		}
	}
	if len(a.got) != 0 || len(a.pay.Calls()) != 0 || a.clock.Pending() != 0 {
		t.Errorf("%d requests, %d calls on record, %d to come; want none", len(a.got), len(a.pay.Calls()), a.clock.Pending())
	}
}
