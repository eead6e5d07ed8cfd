package payment_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/internal/refserver/payment"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

func (a *app) attempt() payment.Attempt {
	return payment.Attempt{Order: a.paid.OrderID, Provider: a.paid.ProviderID, MethodType: "credit_card", MethodID: "visa", Amount: amount("5")}
}

func TestProcess(t *testing.T) {
	a := open(t)
	before := a.World().Snapshot()
	a.answers(201, "")
	c, err := a.pay.Process(t.Context(), a.store, a.attempt())
	if err != nil || c.Outcome != payment.Accepted || uuid.Validate(c.Attempt) != nil {
		t.Fatalf("got %+v, %v", c, err)
	}
	want := fmt.Sprintf(`{"store_id":%d,"order_id":%d,"payment_provider_id":"%s","payment_attempt_id":"%s","payment_method":{"type":"credit_card","id":"visa"},"amount":{"value":"5.00","currency":"%s"}}`,
		a.store, a.paid.OrderID, a.paid.ProviderID, c.Attempt, a.paid.Currency)
	if r := a.last(); r.method != "POST" || r.url != "https://pay.example/process" || string(r.body) != want {
		t.Errorf("got %s %s %s, want %s", r.method, r.url, r.body, want)
	}
	for _, status := range []int{200, 202, 422, 500} {
		a.answers(status, "")
		if c, err := a.pay.Process(t.Context(), a.store, a.attempt()); err != nil || c.Outcome != payment.Failed || c.Reason == "" {
			t.Errorf("%d: got %+v, %v", status, c, err)
		}
	}
	a.answers(201, "")
	a.takes = 20 * time.Second
	if c, err := a.pay.Process(t.Context(), a.store, a.attempt()); err != nil || !c.Late || c.Outcome != payment.Failed {
		t.Errorf("after 20 s: got %+v, %v", c, err)
	}
	if !reflect.DeepEqual(before, a.World().Snapshot()) {
		t.Error("an answer changed something")
	}
	if got := a.pay.Calls(); len(got) != 6 || got[5].N != 6 || got[0].Attempt == got[1].Attempt {
		t.Errorf("the records: got %+v", got)
	}
}

func TestPaymentsThatAreNotOffered(t *testing.T) {
	a := open(t)
	for want, change := range map[string]func(*payment.Attempt){
		"order 1 does not exist":    func(x *payment.Attempt) { x.Order = 1 },
		"payment provider":          func(x *payment.Attempt) { x.Provider = "none" },
		"supported_payment_methods": func(x *payment.Attempt) { x.MethodType = "pix" },
		"payment method \"amex\"":   func(x *payment.Attempt) { x.MethodID = "amex" },
		"more than 0":               func(x *payment.Attempt) { x.Amount = amount("0") },
	} {
		x := a.attempt()
		change(&x)
		if _, err := a.pay.Process(t.Context(), a.store, x); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	provider := func(change func(*world.PaymentProvider)) {
		err := a.World().Update(0, a.store, func(tx *world.Tx) error {
			p, _ := tx.PaymentProviders.Get(a.paid.ProviderID)
			change(&p)
			return tx.PaymentProviders.Put(p.ID, p)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	provider(func(p *world.PaymentProvider) { p.Currencies = []string{"ZAR"} })
	if _, err := a.pay.Process(t.Context(), a.store, a.attempt()); err == nil || !strings.Contains(err.Error(), "supported_currencies") {
		t.Errorf("another currency: got %v", err)
	}
	provider(func(p *world.PaymentProvider) { p.Enabled = false })
	if _, err := a.pay.Process(t.Context(), a.store, a.attempt()); err == nil || !strings.Contains(err.Error(), "not enabled") {
		t.Errorf("a provider that is not enabled: got %v", err)
	}
	known, _ := a.World().App(a.id)
	known.Payments = world.PaymentURLs{}
	if _, err := a.AddApp(known); err != nil {
		t.Fatal(err)
	}
	if _, err := a.pay.Cancel(t.Context(), a.store, a.paid.ProviderID, "x"); err == nil {
		t.Error("an app without an address")
	}
	if len(a.got) != 0 {
		t.Errorf("the app was asked %d times", len(a.got))
	}
}

// TestCancelIsRepeated until it is answered 200.
func TestCancelIsRepeated(t *testing.T) {
	a := open(t)
	a.answers(500, "")
	begun := a.clock.Now()
	c, err := a.pay.Cancel(t.Context(), a.store, a.paid.ProviderID, "try 1&x")
	if err != nil || c.Outcome != payment.Failed || !c.Next.Equal(begun.Add(time.Second)) {
		t.Fatalf("got %+v, %v", c, err)
	}
	if r := a.last(); r.method != "POST" || r.url != "https://pay.example/cancel?payment_attempt_id=try+1%26x&v=1" || len(r.body) != 0 {
		t.Errorf("got %s %s %s", r.method, r.url, r.body)
	}
	a.clock.Advance(8 * time.Hour)
	calls := a.pay.Calls()
	wait := time.Second
	for i, c := range calls {
		if c.Try != i+1 || c.Outcome != payment.Failed {
			t.Errorf("call %d: got %+v", i, c)
		}
		if i > 0 {
			if got := c.At.Sub(calls[i-1].At); got != wait || !calls[i-1].Next.Equal(c.At) {
				t.Errorf("call %d: came after %s, want %s", i+1, got, wait)
			}
			wait = min(2*wait, time.Hour)
		}
	}
	if n := len(calls); n < 19 || wait != time.Hour {
		t.Errorf("%d calls in 8 hours", n)
	}
	a.last()
	a.answers(200, "")
	a.clock.Advance(time.Hour)
	done := a.pay.Calls()
	if len(done) != len(calls)+1 || done[len(calls)].Outcome != payment.Accepted || !done[len(calls)].Next.IsZero() {
		t.Errorf("the last of %d calls: got %+v", len(done), done[len(done)-1])
	}
	if a.clock.Advance(100*time.Hour) != 0 {
		t.Error("a cancellation is repeated that was answered 200")
	}
}

func TestCancelEndsWithTheServer(t *testing.T) {
	a := open(t)
	a.answers(500, "")
	if _, err := a.pay.Cancel(t.Context(), a.store, a.paid.ProviderID, "try-1"); err != nil {
		t.Fatal(err)
	}
	a.Close()
	if a.clock.Advance(time.Hour); len(a.pay.Calls()) != 1 {
		t.Errorf("%d calls, want 1", len(a.pay.Calls()))
	}
}

func TestCancelEndsWithTheInstallation(t *testing.T) {
	a := open(t)
	a.answers(500, "")
	if _, err := a.pay.Cancel(t.Context(), a.store, a.paid.ProviderID, "try-1"); err != nil {
		t.Fatal(err)
	}
	if err := a.Uninstall(a.id, a.store); err != nil {
		t.Fatal(err)
	}
	if a.clock.Advance(time.Hour); len(a.pay.Calls()) != 1 { // the clock may have store/redact to repeat
		t.Errorf("%d calls, want 1", len(a.pay.Calls()))
	}
}

func TestStatus(t *testing.T) {
	a := open(t)
	before := a.World().Snapshot()
	for answer, outcome := range map[string]payment.Outcome{
		`{"transactions":[]}`:               payment.Accepted,
		`{"transactions":[{"id":"t"}]}`:     payment.Accepted,
		`{}`:                                payment.Failed,
		`{"transactions":null}`:             payment.Failed,
		`{"transactions":{}}`:               payment.Failed,
		`no JSON`:                           payment.Failed,
		`{"transactions":[]} and some more`: payment.Failed,
	} {
		a.answers(200, answer)
		c, err := a.pay.Status(t.Context(), a.store, a.paid.ProviderID, a.paid.OrderID)
		if err != nil || c.Outcome != outcome || string(c.Answer) != answer {
			t.Errorf("%s: got %+v, %v", answer, c, err)
		}
	}
	r := a.last()
	if want := fmt.Sprintf("https://pay.example/status?order_id=%d", a.paid.OrderID); r.method != "GET" || r.url != want || len(r.body) != 0 || r.header.Get("Content-Type") != "" {
		t.Errorf("got %s %s %s", r.method, r.url, r.body)
	}
	a.answers(404, `{"transactions":[]}`)
	if c, err := a.pay.Status(t.Context(), a.store, a.paid.ProviderID, a.paid.OrderID); err != nil || c.Outcome != payment.Failed {
		t.Errorf("404: got %+v, %v", c, err)
	}
	if _, err := a.pay.Status(t.Context(), a.store, a.paid.ProviderID, 1); err == nil {
		t.Error("an order that does not exist")
	}
	if !reflect.DeepEqual(before, a.World().Snapshot()) {
		t.Error("an answer changed something")
	}
}
