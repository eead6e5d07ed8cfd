package deviate_test

import (
	"bytes"
	"context"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/promotions"
	"github.com/commerceplatform/commerce-go/discounts"
	"github.com/commerceplatform/commerce-go/discounts/rules"
	"github.com/commerceplatform/commerce-go/internal/deviate"
	"github.com/commerceplatform/commerce-go/payments"
	"github.com/commerceplatform/commerce-go/shipping"
	"github.com/commerceplatform/commerce-go/webhook"
)

const senderSecret = client.Secret("the secret of the sender")

// callee is a handler, what the platform sends to it, and what its function was called with last.
type callee struct {
	name    string
	path    string
	body    []byte
	sign    func(t *testing.T, q *http.Request, body []byte)
	handler http.Handler
	heard   *heard
	refuses []string // forms that the handler refuses on purpose
	caches  bool     // the function is not called again for the same request
}

// heard keeps what a function was called with.
type heard struct {
	mu    sync.Mutex
	value any
}

func (h *heard) set(v any) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.value = v
}

// take returns what was set since the last call.
func (h *heard) take() any {
	h.mu.Lock()
	defer h.mu.Unlock()
	v := h.value
	h.value = nil
	return v
}

func record(t *testing.T, name string) []byte {
	t.Helper()
	body, err := os.ReadFile("../../testdata/wire/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	return body
}

func signedWith(header string, sign func(client.Secret, []byte) string) func(*testing.T, *http.Request, []byte) {
	return func(_ *testing.T, q *http.Request, body []byte) { q.Header.Set(header, sign(senderSecret, body)) }
}

// callees are all handlers. The connection comes from a proxy on this machine, and the platform has the address
// 192.0.2.7.
func callees(t *testing.T) []callee {
	t.Helper()
	var sources client.Sources
	sources.Set(netip.MustParsePrefix("192.0.2.7/32"))
	sources.Proxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32"), netip.MustParsePrefix("::1/128")}
	failed := func(err error) { t.Errorf("a handler reports: %v", err) }

	var delivery, cart, purchase, quote, label, refund heard
	var events webhook.Registry
	webhook.On(&events, webhook.OrderPaid, func(_ context.Context, d webhook.Delivery[webhook.Entity]) error {
		delivery.set([]any{d.StoreID, d.Event, d.Payload.ID})
		return nil
	})

	promotion := promotions.Promotion{
		ID: uuid.MustParse("02aaa5c6-080a-40e9-a61f-90ca2150d6a2"), Name: "Ten", Active: true, Tier: promotions.TierLineItems,
	}
	cache := &discounts.PromotionCache{Load: func(context.Context, client.ID) ([]promotions.Promotion, error) {
		return []promotions.Promotion{promotion}, nil
	}}
	t.Cleanup(func() { _ = cache.Close() })
	token := client.Secret("a-token-of-the-carrier")

	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	const origin = "https://pay.example"
	rates := &shipping.Handler{
		Access: shipping.Access{PathTokens: []client.Secret{token}, Sources: &sources},
		Rates: func(_ context.Context, q shipping.Quote) ([]shipping.Rate, error) {
			quote.set(withoutExtra(t, q))
			rate, err := shipping.DoorRate(shipping.Offer{Code: "standard", Name: "Standard", Price: client.MustMoney("14.15"), Currency: "ARS"})
			return []shipping.Rate{rate}, err
		},
		OnFailure: func(_ context.Context, f *shipping.Failure) { failed(f) },
	}
	return []callee{
		{
			name: "webhook", path: "/hooks", body: []byte(`{"store_id": 123456, "event": "order/paid", "id": 871254203}`),
			sign:    signedWith(webhook.SignatureHeader, webhook.Sign),
			handler: &webhook.Handler{Secrets: []client.Secret{senderSecret}, Registry: &events, OnFailure: func(_ context.Context, f *webhook.Failure) { failed(f) }},
			heard:   &delivery,
			refuses: []string{"whole numbers with a fraction", "whole numbers with an exponent"}, // as other readers may take them for another store
		},
		{
			name: "discounts", path: "/carts", body: record(t, "discount_cart"),
			sign: signedWith(discounts.SignatureHeader, discounts.Sign),
			handler: &discounts.Handler{
				Secrets: []client.Secret{senderSecret}, Sources: &sources, Promotions: cache,
				Plans: discounts.Plans{LineItems: func(_ context.Context, p *discounts.LinePlan) error {
					cart.set(withoutExtra(t, p.Cart()))
					return nil
				}},
				OnFailure: func(_ context.Context, f *discounts.Failure) { failed(f) },
			},
			heard: &cart,
		},
		{
			name: "business rules", path: "/rules", body: record(t, "business_rule_location"),
			handler: &rules.Handler{
				Sources: &sources,
				Locations: func(_ context.Context, r *rules.Request) (rules.LocationOrder, error) {
					purchase.set(withoutExtra(t, r))
					return r.First(r.Locations[0].ID), nil
				},
				OnFailure: func(_ context.Context, f *rules.Failure) { failed(f) },
			},
			heard: &purchase,
		},
		{name: "shipping rates", path: "/rates/" + string(token), body: record(t, "rate_request"), handler: rates, heard: &quote, caches: true},
		{
			name: "shipping labels", path: "/" + string(token) + "/generate", body: []byte("[" + string(record(t, "label_request")) + "]"),
			handler: &shipping.LabelHandler{
				Access: shipping.Access{PathTokens: []client.Secret{token}, Sources: &sources},
				Generate: func(_ context.Context, labels []shipping.Label) ([]shipping.LabelFailure, error) {
					label.set(withoutExtra(t, labels))
					return nil, nil
				},
				OnFailure: func(_ context.Context, f *shipping.Failure) { failed(f) },
			},
			heard: &label,
		},
		{
			name: "payments", path: "/refunds",
			body: []byte(`{"store_id": 123456, "payment_provider_id": "4dd2c2ba-9a2b-4d61-a1d1-0f7b4f1f5a11",
				"transaction_id": "02aaa5c6-080a-40e9-a61f-90ca2150d6a2", "amount": {"value": "10.00", "currency": "BRL"}}`),
			sign: func(t *testing.T, q *http.Request, body []byte) {
				var compact bytes.Buffer
				if err := json.Compact(&compact, body); err != nil {
					t.Fatal(err)
				}
				stamp := strconv.FormatInt(time.Now().Unix(), 10)
				payload := sha256.Sum256(compact.Bytes())
				text := sha256.Sum256([]byte(origin + q.URL.RequestURI() + "|" + stamp + "|" + hex.EncodeToString(payload[:])))
				signature, err := key.Sign(nil, text[:], crypto.SHA256)
				if err != nil {
					t.Fatal(err)
				}
				q.Header.Set(payments.TimestampHeader, stamp)
				q.Header.Set(payments.SignatureHeader, base64.StdEncoding.EncodeToString(signature))
			},
			handler: &payments.RefundHandler{
				Callback: payments.Callback{Keys: []*rsa.PublicKey{&key.PublicKey}, Origin: origin, OnFailure: func(_ context.Context, f *payments.Failure) { failed(f) }},
				Refund: func(_ context.Context, r payments.RefundRequest) error {
					refund.set(withoutExtra(t, r))
					return nil
				},
			},
			heard: &refund,
		},
	}
}

// withoutExtra returns what a function was called with as JSON values, without members that no documentation has.
func withoutExtra(t *testing.T, v any) any {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Error(err)
	}
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		t.Error(err)
	}
	return documented(value)
}

// documented returns a value without the members that no documentation has.
func documented(v any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = documented(v[i])
		}
	case map[string]any:
		for name, value := range v {
			if name == "Extra" || strings.HasPrefix(name, deviate.Unknown) {
				delete(v, name)
				continue
			}
			v[name] = documented(value)
		}
	}
	return v
}

// sent is what a handler did with a request.
type sent struct {
	status int
	body   string
	heard  any
}

// send sends the request of the platform in a form. It returns false if the form does not apply. The query is another
// one each time, since a payment that is sent again is not run again.
func (c *callee) send(t *testing.T, plain, tls *httptest.Server, s deviate.Sending, seed uint64, n int) (sent, bool) {
	t.Helper()
	body, places := s.Body(seed, c.body)
	server := plain
	if s.HTTP2 {
		server = tls
	}
	q, err := http.NewRequestWithContext(t.Context(), http.MethodPost, fmt.Sprintf("%s%s?n=%d", server.URL, c.path, n), bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	q.Header.Set("Content-Type", "application/json")
	q.Header.Set("X-Forwarded-For", "192.0.2.7")
	if c.sign != nil {
		c.sign(t, q, body)
	}
	if !s.Request(q, body) && places == 0 && !s.HTTP2 && s.Name != "" {
		return sent{}, false
	}
	res, err := server.Client().Do(q)
	if err != nil {
		t.Fatalf("%s, %s: %v", c.name, s.Name, err)
	}
	defer res.Body.Close()
	if (res.ProtoMajor == 2) != s.HTTP2 {
		t.Errorf("%s, %s: answered over HTTP/%d", c.name, s.Name, res.ProtoMajor)
	}
	answer, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return sent{res.StatusCode, string(answer), c.heard.take()}, true
}

// Every handler does the same with a request in whatever form the platform and the proxies send it: the same answer,
// and its function is called with the same values. A form that no handler is sent fails.
func TestSendings(t *testing.T) {
	const seed = 32
	met := map[string]int{}
	for _, c := range callees(t) {
		plain := httptest.NewServer(c.handler)
		tls := httptest.NewUnstartedServer(c.handler)
		tls.EnableHTTP2 = true
		tls.StartTLS()
		want, _ := c.send(t, plain, tls, deviate.Sending{}, seed, 0)
		if want.status >= 300 || want.heard == nil {
			t.Errorf("%s: got status %d and %v, want a call of its function", c.name, want.status, want.heard)
		}
		for n, s := range deviate.Sendings() {
			if slices.Contains(c.refuses, s.Name) {
				continue
			}
			got, applies := c.send(t, plain, tls, s, seed, n+1)
			if !applies {
				continue
			}
			met[s.Name]++
			if c.caches && got.heard == nil {
				got.heard = want.heard // its answer to the same cart is used again
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s, %s:\n got %+v\nwant %+v", c.name, s.Name, got, want)
			}
		}
		plain.Close()
		tls.Close()
	}
	for _, s := range deviate.Sendings() {
		if met[s.Name] == 0 {
			t.Errorf("no handler was sent %s", s)
		}
	}
	t.Logf("handlers by form: %v", met)
}
