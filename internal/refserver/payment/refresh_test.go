package payment_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/payment"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

func oauth(expires string) map[string]string {
	return map[string]string{"type": "oauth", "access_token": "OLD-1", "refresh_token": "OLD-2", "client_id": "me", "client_secret": "OLD-3",
		"expires_at": expires, "refresh_token_url": "https://pay.example/token"}
}

// wantNoSecret looks for secrets in the records.
func (a *app) wantNoSecret() {
	a.Helper()
	for _, c := range a.pay.Calls() {
		all := fmt.Sprintf("%+v %s %s", c, c.Request, c.Answer)
		if strings.Contains(all, "OLD-") || strings.Contains(all, "FRESH-") {
			a.Errorf("a record has a secret: %s", all)
		}
	}
}

func TestRefresh(t *testing.T) {
	a := open(t)
	a.authenticate(oauth("2025-01-02T00:00:00Z"))
	c, err := a.pay.Refresh(t.Context(), a.store, a.paid.ProviderID)
	if err != nil || c.Outcome != payment.Accepted || c.Signature != "" {
		t.Fatalf("got %+v, %v", c, err)
	}
	r := a.got[0]
	if want := `{"grant_type":"refresh_token","client_id":"me","client_secret":"OLD-3","refresh_token":"OLD-2"}`; r.method != "POST" || r.url != "https://pay.example/token" ||
		string(r.body) != want || r.header.Get("Content-Type") != "application/json" {
		t.Errorf("got %s %s %s, want %s", r.method, r.url, r.body, want)
	}
	a.wantCredentials(`"FRESH-1" "FRESH-2" "2025-01-01T13:00:00Z" "OLD-3"`)
	a.wantNoSecret()
}

func (a *app) wantCredentials(want string) {
	a.Helper()
	_ = a.World().View(0, a.store, func(tx *world.Tx) error {
		p, _ := tx.PaymentProviders.Get(a.paid.ProviderID)
		k := p.Authentication
		if got := fmt.Sprintf("%s %s %s %s", k["access_token"], k["refresh_token"], k["expires_at"], k["client_secret"]); got != want {
			a.Errorf("the credentials: got %s, want %s", got, want)
		}
		return nil
	})
}

func TestRefreshThatFails(t *testing.T) {
	for _, answer := range []string{``, `[]`, `{}`, `{"access_token":"FRESH-1","refresh_token":"FRESH-2"}`, `{"access_token":"FRESH-1","expires_in":1}`,
		`{"access_token":"FRESH-1","refresh_token":"FRESH-2","expires_in":-1}`, `{"access_token":"FRESH-1","refresh_token":"FRESH-2","expires_in":"FRESH-3"}`} {
		a := open(t)
		a.authenticate(oauth("2025-01-02T00:00:00Z"))
		if err := a.Partner("https://pay.example", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, answer) })); err != nil {
			t.Fatal(err)
		}
		c, err := a.pay.Refresh(t.Context(), a.store, a.paid.ProviderID)
		if err != nil || c.Outcome != payment.Failed {
			t.Errorf("%s: got %+v, %v", answer, c, err)
		}
		a.wantCredentials(`"OLD-1" "OLD-2" "2025-01-02T00:00:00Z" "OLD-3"`)
		a.wantNoSecret()
	}
	a := open(t)
	if _, err := a.pay.Refresh(t.Context(), a.store, a.paid.ProviderID); err == nil {
		t.Error("a provider without credentials was refreshed")
	}
	a.authenticate(map[string]string{"type": "basic", "refresh_token_url": "https://pay.example/token"})
	if _, err := a.pay.Refresh(t.Context(), a.store, a.paid.ProviderID); err == nil {
		t.Error("credentials of another type were refreshed")
	}
}

// TestCredentials are sent with payment requests, after they were refreshed if they
// have expired.
func TestCredentials(t *testing.T) {
	for _, c := range []struct {
		auth         map[string]string
		header, want string
		asked        int
	}{
		{nil, "Authorization", "", 1},
		{map[string]string{"type": "api_key", "api_key": "OLD-1"}, "X-Api-Key", "OLD-1", 1},
		{map[string]string{"type": "token", "access_token": "OLD-1"}, "Authorization", "Bearer OLD-1", 1},
		{map[string]string{"type": "basic", "username": "Aladdin", "password": "open sesame"}, "Authorization", "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==", 1},
		{oauth("2025-01-01T12:00:01Z"), "Authorization", "Bearer OLD-1", 1},
		{oauth("2025-01-01T11:59:59Z"), "Authorization", "Bearer FRESH-1", 2},
		{oauth("some day"), "Authorization", "Bearer OLD-1", 1},
	} {
		a := open(t)
		a.authenticate(c.auth)
		a.answers(202, "")
		got, err := a.pay.Refund(t.Context(), a.store, a.paid.ID, amount("25.50"))
		if err != nil || got.Outcome != payment.Accepted || len(a.got) != c.asked || got.N != c.asked {
			t.Errorf("%v: got %+v, %v", c.auth, got, err)
		}
		if r := a.last(); r.header.Get(c.header) != c.want {
			t.Errorf("%v: got %q, want %q", c.auth, r.header.Get(c.header), c.want)
		}
		a.wantNoSecret()
		a.clock.Advance(time.Minute)
	}
}

// TestRefreshMeanwhile: credentials that were changed while the app was asked for new ones stay as they are. Those that
// were taken away took the platform along.
func TestRefreshMeanwhile(t *testing.T) {
	for name, members := range map[string]map[string]string{
		"taken away":   nil,
		"another type": {"type": "api_key", "api_key": "OLD-1"},
	} {
		t.Run(name, func(t *testing.T) {
			a := open(t)
			a.authenticate(oauth("2025-01-02T00:00:00Z"))
			if err := a.Partner("https://pay.example", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				a.alterProvider(func(p *world.PaymentProvider) { p.Authentication = nil })
				if members != nil {
					a.authenticate(members)
				}
				_, _ = io.WriteString(w, `{"access_token":"FRESH-1","refresh_token":"FRESH-2","expires_in":3600}`)
			})); err != nil {
				t.Fatal(err)
			}
			c, err := a.pay.Refresh(t.Context(), a.store, a.paid.ProviderID)
			if err != nil || c.Outcome != payment.Failed || !strings.Contains(c.Reason, "changed") {
				t.Errorf("got %+v, %v; want it failed, since the credentials changed", c, err)
			}
			a.wantCredentials("   ")
			a.wantNoSecret()
		})
	}
}
