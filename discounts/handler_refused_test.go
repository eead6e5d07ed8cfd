package discounts

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
)

// Each request that is refused is reported once, with the address and the hop that were compared or the header that is
// wrong. The platform takes the discounts off a cart whose app fails, so whatever is wrong here is answered 204.
func TestRefusedCarts(t *testing.T) {
	cart := readCorpus(t).Carts["line_item"]
	const secret = client.Secret("the secret of the app")
	var sources client.Sources
	allowed, err := client.ParseSources("192.0.2.7", "2001:db8::/32")
	if err != nil {
		t.Fatal(err)
	}
	sources.Set(allowed...)
	sources.Proxies = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
	for _, tt := range []struct {
		name    string
		change  func(*http.Request)
		want    string // status, reason, header, address and hop
		says    string
		allowed bool
	}{
		{name: "the platform", change: func(*http.Request) {}, allowed: true},
		{name: "the platform by IPv6", change: func(r *http.Request) { r.Header.Set("X-Forwarded-For", "2001:db8::7") }, allowed: true},
		{name: "another method", change: func(r *http.Request) { r.Method = http.MethodGet }, want: "405 method   0", says: "GET must be POST"},
		{name: "a stranger", change: func(r *http.Request) { r.Header.Set("X-Forwarded-For", "192.0.2.7, 198.51.100.1") },
			want: "403 address  198.51.100.1 1", says: "is not in Sources"},
		{name: "a proxy that is not named", change: func(r *http.Request) { r.Header.Set("X-Forwarded-For", "192.0.2.7, 172.16.0.1, 10.0.0.2") },
			want: "403 address  172.16.0.1 2", says: "add it to Proxies"},
		{name: "no proxy", change: func(r *http.Request) { r.RemoteAddr = "172.16.0.1:80" },
			want: "403 address  172.16.0.1 0", says: "X-Forwarded-For was not read"},
		{name: "a proxy that adds nothing", change: func(r *http.Request) { r.Header.Del("X-Forwarded-For") },
			want: "403 address  10.0.0.1 0", says: "sent no X-Forwarded-For"},
		{name: "no address", change: func(r *http.Request) { r.RemoteAddr = "@" }, want: "403 address   0", says: "no IP address"},
		{name: "unsigned", change: func(r *http.Request) { r.Header.Del(SignatureHeader) },
			want: "403 unsigned X-Platform-Hmac-Sha256  0", says: "has no header"},
		{name: "signed by somebody else", change: func(r *http.Request) { r.Header.Set(SignatureHeader, Sign("another secret", cart)) },
			want: "403 signature X-Platform-Hmac-Sha256  0", says: "secrets in force (1)"},
	} {
		var refused []client.Refused
		p := newProbe(t, Plans{LineItems: half}, func(h *Handler) {
			h.Guarded, h.Sources, h.Secrets = false, &sources, []client.Secret{secret}
			h.OnRefused = func(_ context.Context, r client.Refused) { refused = append(refused, r) }
		})
		r := httptest.NewRequest(http.MethodPost, "/carts", bytes.NewReader(cart))
		r.RemoteAddr = "10.0.0.1:443"
		r.Header.Set("X-Forwarded-For", "192.0.2.7")
		r.Header.Set(SignatureHeader, Sign(secret, cart))
		tt.change(r)
		w := httptest.NewRecorder()
		p.ServeHTTP(w, r)
		if tt.allowed {
			if w.Code != http.StatusOK || len(refused) > 0 {
				t.Errorf("%s: got status %d and %v, want 200", tt.name, w.Code, refused)
			}
			continue
		}
		if len(refused) != 1 {
			t.Errorf("%s: %d refusals, want 1", tt.name, len(refused))
			continue
		}
		got, address := refused[0], ""
		if got.Address.IsValid() {
			address = got.Address.String()
		}
		if is := fmt.Sprint(got.Status, " ", got.Reason, " ", got.Header, " ", address, " ", got.Hop); is != tt.want || w.Code != got.Status ||
			got.Handler != "discounts" || !strings.Contains(got.Err.Error(), tt.says) {
			t.Errorf("%s: got status %d and %s: %v; want %s: %s", tt.name, w.Code, is, got.Err, tt.want, tt.says)
		}
		if len(p.failures())+len(p.answers) > 0 {
			t.Errorf("%s: reported as a cart too", tt.name)
		}
	}
}

// Secrets and addresses are changed while the handler serves. Without a secret the cart keeps its discounts, and the
// log and the hook name the mistake.
func TestSecretsOfCartsAreRotated(t *testing.T) {
	cart := readCorpus(t).Carts["line_item"]
	var set client.SecretSet
	var refused []client.Refused
	p := newProbe(t, Plans{LineItems: half}, func(h *Handler) {
		h.Guarded, h.SecretSet = false, &set
		h.OnRefused = func(_ context.Context, r client.Refused) { refused = append(refused, r) }
	})
	send := func(secret client.Secret) int {
		r := httptest.NewRequest(http.MethodPost, "/carts", bytes.NewReader(cart))
		r.Header.Set(SignatureHeader, Sign(secret, cart))
		w := httptest.NewRecorder()
		p.ServeHTTP(w, r)
		return w.Code
	}
	if got := send("old"); got != http.StatusNoContent || len(refused) != 1 || !strings.Contains(refused[0].Err.Error(), "SecretSet is empty") {
		t.Errorf("without a secret: got status %d and %v, want 204 and a refusal that says so", got, refused)
	}
	for _, step := range []struct {
		secrets   []client.Secret
		old, next int
	}{{[]client.Secret{"old"}, 200, 403}, {[]client.Secret{"next", "old"}, 200, 200}, {[]client.Secret{"next"}, 403, 200}} {
		if err := set.Set(step.secrets...); err != nil {
			t.Fatal(err)
		}
		if old, next := send("old"), send("next"); old != step.old || next != step.next {
			t.Errorf("after Set of %d secrets: the old one gets %d, want %d; the next one %d, want %d", len(step.secrets), old, step.old, next, step.next)
		}
	}
}
