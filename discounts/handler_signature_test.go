package discounts

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
)

// Addresses and signatures are verified as the configuration requires. A request that is not the platform's is refused
// with 403.
func TestHandlerKnowsWhoSends(t *testing.T) {
	cart := readCorpus(t).Carts["line_item"]
	const secret, former client.Secret = "5f2b1c9a7d3e4f60", "0011223344556677"
	listed := func() *client.Sources {
		s := &client.Sources{}
		s.Set(netip.MustParsePrefix("192.0.2.0/24"))
		return s
	}
	for _, v := range []struct {
		name      string
		sources   bool
		secrets   []client.Secret
		either    bool
		from      string
		signature string
		ok        bool
	}{
		{"listed", true, nil, false, "192.0.2.9:1", "", true},
		{"not listed", true, nil, false, "198.51.100.9:1", "", false},
		{"not listed but signed, where addresses count", true, nil, false, "198.51.100.9:1", Sign(secret, cart), false},
		{"signed", false, []client.Secret{secret}, false, "198.51.100.9:1", Sign(secret, cart), true},
		{"signed in capitals", false, []client.Secret{secret}, false, "198.51.100.9:1", strings.ToUpper(Sign(secret,
			cart)), true},
		{"signed with the former secret", false, []client.Secret{secret, former}, false, "198.51.100.9:1", Sign(former,
			cart), true},
		{"signed with another secret", false, []client.Secret{secret}, false, "192.0.2.9:1", Sign("x", cart), false},
		{"signed with no secret", false, []client.Secret{secret}, false, "192.0.2.9:1", Sign("", cart), false},
		{"another cart's signature", false, []client.Secret{secret}, false, "192.0.2.9:1", Sign(secret, cart[1:]), false},
		{"not signed", false, []client.Secret{secret}, false, "192.0.2.9:1", "", false},
		{"signed twice", false, []client.Secret{secret}, false, "192.0.2.9:1", Sign(secret, cart) + " " + Sign(secret,
			cart), false},
		{"half a signature", false, []client.Secret{secret}, false, "192.0.2.9:1", Sign(secret, cart)[:32], false},
		{"both", true, []client.Secret{secret}, false, "192.0.2.9:1", Sign(secret, cart), true},
		{"both wanted, only listed", true, []client.Secret{secret}, false, "192.0.2.9:1", "", false},
		{"both wanted, only signed", true, []client.Secret{secret}, false, "198.51.100.9:1", Sign(secret, cart), false},
		{"either wanted, only listed", true, []client.Secret{secret}, true, "192.0.2.9:1", "", true},
		{"either wanted, only signed", true, []client.Secret{secret}, true, "198.51.100.9:1", Sign(secret, cart), true},
		{"either wanted, neither", true, []client.Secret{secret}, true, "198.51.100.9:1", "", false},
	} {
		var refused []client.Refused
		p := newProbe(t, Plans{LineItems: half}, func(h *Handler) {
			h.OnRefused = func(_ context.Context, r client.Refused) { refused = append(refused, r) }
			h.Guarded, h.Secrets, h.Either, h.HeaderName = false, v.secrets, v.either, "X-Signature"
			if v.sources {
				h.Sources = listed()
			}
		})
		r := httptest.NewRequest(http.MethodPost, "/", bytes.NewReader(cart))
		r.RemoteAddr = v.from
		for _, signature := range strings.Fields(v.signature) {
			r.Header.Add("X-Signature", signature)
		}
		w := httptest.NewRecorder()
		p.ServeHTTP(w, r)
		if (w.Code == 200) != v.ok || !v.ok && (w.Code != 403 || w.Body.String() != "Forbidden\n") {
			t.Errorf("%s: got %d %s", v.name, w.Code, w.Body)
		}
		if v.ok != (len(refused) == 0) || !v.ok && (refused[0].Handler != "discounts" || refused[0].Status != 403 ||
			len(p.answers)+len(p.failures()) > 0) {
			t.Errorf("%s: refused %v, answered %+v", v.name, refused, p.answers)
		}
	}
}

// A body that did not arrive whole may be the platform's: nothing is done for it, and it is heard of, unless
// it comes without what the platform would send. 403 would cost a genuine cart its discounts.
func TestHandlerWithoutTheWholeBody(t *testing.T) {
	const secret client.Secret = "5f2b1c9a7d3e4f60"
	cart := readCorpus(t).Carts["line_item"]
	listed := &client.Sources{}
	listed.Set(netip.MustParsePrefix("192.0.2.0/24"))
	for _, v := range []struct {
		name      string
		sources   *client.Sources
		either    bool
		from      string
		signature []string
		status    int
	}{
		{"signed", nil, false, "198.51.100.9:1", []string{Sign(secret, cart)}, 204},
		{"not signed", nil, false, "198.51.100.9:1", nil, 403},
		{"half a signature", nil, false, "198.51.100.9:1", []string{Sign(secret, cart)[:32]}, 403},
		{"no signature", nil, false, "198.51.100.9:1", []string{strings.Repeat("x", 64)}, 403},
		{"two signatures", nil, false, "198.51.100.9:1", []string{Sign(secret, cart), Sign(secret, cart)}, 403},
		{"both wanted, both there", listed, false, "192.0.2.9:1", []string{Sign(secret, cart)}, 204},
		{"both wanted, only listed", listed, false, "192.0.2.9:1", nil, 403},
		{"both wanted, only signed", listed, false, "198.51.100.9:1", []string{Sign(secret, cart)}, 403},
		{"either wanted, only listed", listed, true, "192.0.2.9:1", nil, 204},
		{"either wanted, only signed", listed, true, "198.51.100.9:1", []string{Sign(secret, cart)}, 204},
		{"either wanted, neither", listed, true, "198.51.100.9:1", nil, 403},
	} {
		for cause, body := range map[string][]byte{"compressed": cart, "too large": append(bytes.Repeat([]byte(" "),
			DefaultMaxBody), cart...)} {
			p := newProbe(t, Plans{LineItems: half}, func(h *Handler) {
				h.Guarded, h.Sources, h.Secrets, h.Either = false, v.sources, []client.Secret{secret}, v.either
			})
			r := httptest.NewRequest(http.MethodPost, "/", bytes.NewReader(body))
			r.RemoteAddr = v.from
			r.Header[http.CanonicalHeaderKey(SignatureHeader)] = v.signature
			if cause == "compressed" {
				r.Header.Set("Content-Encoding", "gzip")
			}
			w := httptest.NewRecorder()
			p.ServeHTTP(w, r)
			f := p.failures()
			if w.Code != v.status || (w.Code == 204) != (len(f) == 1 && errors.Is(f[0], ErrMalformed)) || w.Code == 403 &&
				len(f)+len(p.answers) > 0 {
				t.Errorf("%s, %s: got %d and reported %v, want %d", cause, v.name, w.Code, f, v.status)
			}
		}
	}
}

// Everybody knows the empty secret.
func TestSignedByNobody(t *testing.T) {
	body := []byte("cart")
	if signed([]client.Secret{""}, code("", body), body) || signed(nil, code("", body), body) ||
		signed([]client.Secret{"a"}, nil, body) {
		t.Error("accepted")
	}
	if given := code("a", body); !signed([]client.Secret{"b", "a"}, given, body) || signed([]client.Secret{"b"}, given,
		body) {
		t.Error("the signature of each secret, and of no other, is accepted")
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
	if got := send("old"); got != http.StatusNoContent || len(refused) != 1 || !strings.Contains(refused[0].Err.Error(),
		"SecretSet is empty") {
		t.Errorf("without a secret: got status %d and %v, want 204 and a refusal that says so", got, refused)
	}
	for _, step := range []struct {
		secrets   []client.Secret
		old, next int
	}{{[]client.Secret{"old"}, 200, 403}, {[]client.Secret{"next", "old"}, 200, 200}, {[]client.Secret{"next"}, 403,
		200}} {
		if err := set.Set(step.secrets...); err != nil {
			t.Fatal(err)
		}
		if old, next := send("old"), send("next"); old != step.old || next != step.next {
			t.Errorf("after Set of %d secrets: the old one gets %d, want %d; the next one %d, want %d", len(step.secrets),
				old, step.old, next, step.next)
		}
	}
}
