package payment_test

import (
	"crypto"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver"
	"github.com/commerceplatform/commerce-go/internal/refserver/clock"
	"github.com/commerceplatform/commerce-go/internal/refserver/delivery"
	"github.com/commerceplatform/commerce-go/internal/refserver/payment"
	"github.com/commerceplatform/commerce-go/internal/refserver/seed"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// request is what an app was asked.
type request struct {
	method, url string
	header      http.Header
	body        []byte
}

// app is a payment app and the platform that calls it.
type app struct {
	*testing.T
	*refserver.Server
	pay   *payment.Platform
	clock *clock.Virtual
	store int64
	id    int64
	paid  world.Transaction

	mu     sync.Mutex
	status int
	answer string
	takes  time.Duration
	got    []request
}

// open has an order of 25.50 that is paid, and an app that answers 200.
func open(t *testing.T) *app {
	t.Helper()
	c := clock.NewVirtual(time.Time{})
	s := refserver.New(refserver.Options{Clock: c})
	t.Cleanup(s.Close)
	shop, err := seed.Empty(s, nil)
	if err != nil {
		t.Fatal(err)
	}
	a := &app{T: t, Server: s, pay: s.Payments(), clock: c, store: shop.Store.ID, id: shop.App.ID, status: 200}
	if a.paid, err = seed.Charge(s, shop.App, shop.Store, decimal.RequireFromString("25.50")); err != nil {
		t.Fatal(err)
	}
	known, _ := s.World().App(a.id)
	known.Payments = world.PaymentURLs{
		Process: "https://pay.example/process", Cancel: "https://pay.example/cancel?v=1", Status: "https://pay.example/status",
	}
	if _, err := s.AddApp(known); err != nil {
		t.Fatal(err)
	}
	if err := s.Partner("https://pay.example", a); err != nil {
		t.Fatal(err)
	}
	return a
}

func (a *app) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	a.mu.Lock()
	a.got = append(a.got, request{r.Method, r.URL.String(), r.Header.Clone(), body})
	status, answer, takes := a.status, a.answer, a.takes
	a.mu.Unlock()
	if err != nil {
		a.Error(err)
	}
	if r.URL.Path == "/token" {
		_, _ = io.WriteString(w, `{"access_token":"FRESH-1","refresh_token":"FRESH-2","expires_in":3600}`)
		return
	}
	if takes > 0 && delivery.Spend(r.Context(), takes) != nil {
		return
	}
	w.WriteHeader(status)
	_, _ = io.WriteString(w, answer)
}

func (a *app) answers(status int, answer string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.status, a.answer = status, answer
}

// last is what the app was asked last, with the signature verified.
func (a *app) last() request {
	a.Helper()
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.got) == 0 {
		a.Fatal("the app was not asked")
	}
	r := a.got[len(a.got)-1]
	key, err := a.pay.PublicKey()
	if err != nil {
		a.Fatal(err)
	}
	if err := verify(key, r); err != nil {
		a.Errorf("the signature of %s %s: %v", r.method, r.url, err)
	}
	return r
}

// verify follows the words "URL|timestamp|hex SHA-256 of the compact JSON payload".
func verify(key *rsa.PublicKey, r request) error {
	sum := sha256.Sum256(r.body)
	text := r.url + "|" + r.header.Get("X-Timestamp") + "|" + hex.EncodeToString(sum[:])
	digest := sha256.Sum256([]byte(text))
	signature, err := base64.StdEncoding.DecodeString(r.header.Get("X-Signature"))
	if err != nil {
		return err
	}
	return rsa.VerifyPKCS1v15(key, crypto.SHA256, digest[:], signature)
}

// authenticate gives the provider credentials.
func (a *app) authenticate(members map[string]string) {
	a.Helper()
	err := a.World().Update(0, a.store, func(tx *world.Tx) error {
		p, _ := tx.PaymentProviders.Get(a.paid.ProviderID)
		p.Authentication = map[string]json.RawMessage{}
		for name, value := range members {
			raw, err := json.Marshal(value)
			if err != nil {
				return err
			}
			p.Authentication[name] = raw
		}
		return tx.PaymentProviders.Put(p.ID, p)
	})
	if err != nil {
		a.Fatal(err)
	}
}

// alter changes the transaction.
func (a *app) alter(change func(*world.Transaction)) {
	a.Helper()
	err := a.World().Update(0, a.store, func(tx *world.Tx) error {
		t, _ := tx.Transactions.Get(a.paid.ID)
		change(&t)
		return tx.Transactions.Put(t.ID, t)
	})
	if err != nil {
		a.Fatal(err)
	}
}

// alterProvider changes the provider.
func (a *app) alterProvider(change func(*world.PaymentProvider)) {
	a.Helper()
	err := a.World().Update(0, a.store, func(tx *world.Tx) error {
		p, _ := tx.PaymentProviders.Get(a.paid.ProviderID)
		change(&p)
		return tx.PaymentProviders.Put(p.ID, p)
	})
	if err != nil {
		a.Fatal(err)
	}
}
