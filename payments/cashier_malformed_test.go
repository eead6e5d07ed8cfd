package payments_test

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/payments"
	"github.com/commerceplatform/commerce-go/payments/paymentstest"
)

// A payment that could not be reported is a malformed call, which the platform must not repeat. No function is called.
func TestCashierAnswersMalformedCalls(t *testing.T) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	d := newTill(t)
	c := d.cashier()
	const origin = "https://pay.example"
	h := &payments.ProcessHandler{
		Callback: payments.Callback{
			Keys: []*rsa.PublicKey{&key.PublicKey}, Origin: origin,
			OnFailure: func(_ context.Context, f *payments.Failure) { d.failed = append(d.failed, f) },
		},
		Process: c.Process,
	}
	send := func(body string) int {
		r := httptest.NewRequest(http.MethodPost, origin+"/process", strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		if err := paymentstest.Sign(r.Header, key, origin+"/process", []byte(body), time.Now()); err != nil {
			t.Fatal(err)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w.Code
	}
	raw, err := json.Marshal(d.request("a"))
	if err != nil {
		t.Fatal(err)
	}
	good := string(raw)
	for old, malformed := range map[string]string{
		`"1.00"`: `"10.005"`, `:"1.00"`: `:"0.00"`, `"value":"1.00"`: `"value":"-1.00"`, `"ARS"`: `"ars"`,
		`"currency":"ARS"`: `"currency":""`, `"credit_card"`: `"barter"`, `"visa"`: `""`,
		`"payment_attempt_id":"a"`: `"payment_attempt_id":null`, `{"store_id"`: `{"store"`,
	} {
		body := strings.Replace(good, old, malformed, 1)
		d.failed = nil
		if code := send(body); code != http.StatusBadRequest || body == good || len(d.moved) != 0 {
			t.Errorf("%s: answered %d, moved %v, %s", malformed, code, d.moved, body)
		}
		f, ok := errors.AsType[*payments.Failure](errors.Join(d.failed...))
		if !ok || f.Status != http.StatusBadRequest || len(d.failed) != 1 || !errors.Is(f, payments.ErrMalformed) {
			t.Errorf("%s: reported %v", malformed, d.failed)
		}
	}
	if code := send(good); code != http.StatusCreated {
		t.Errorf("a correct call is answered %d", code)
	}
}
