package payment_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/payment"
)

// A call that is made again is the recorded one, or has a new signature. Signatures can be those of the old key, and of
// a clock that is wrong.
func TestAgain(t *testing.T) {
	a := open(t)
	a.answers(202, "")
	first, err := a.pay.Refund(t.Context(), a.store, a.paid.ID, decimal.RequireFromString("1.00"))
	if err != nil {
		t.Fatal(err)
	}
	before := a.last()
	a.clock.Advance(time.Hour)
	again, err := a.pay.Again(t.Context(), a.store, first.N, payment.Repeat{})
	if err != nil || again.Outcome != payment.Accepted || again.Try != 2 || again.N == first.N {
		t.Fatalf("got %+v, %v", again, err)
	}
	if after := a.last(); fmt.Sprint(after) != fmt.Sprint(before) {
		t.Errorf("got %v, want the same as %v", after, before)
	}
	if again, err = a.pay.Again(t.Context(), a.store, first.N, payment.Repeat{Resign: true}); err != nil || again.Timestamp == first.Timestamp {
		t.Errorf("signed again: %v, timestamp %s", err, again.Timestamp)
	}
	a.last() // verifies the signature

	key, err := a.pay.PublicKey()
	if err != nil {
		t.Fatal(err)
	}
	if err := a.pay.RotateKey(); err != nil {
		t.Fatal(err)
	}
	a.pay.SetSigning(payment.Signing{OldKey: true, Skew: -10 * time.Minute})
	c, err := a.pay.Again(t.Context(), a.store, first.N, payment.Repeat{Resign: true})
	if err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprint(a.clock.Now().Add(-10 * time.Minute).Unix()); c.Timestamp != want {
		t.Errorf("timestamp %s, want %s", c.Timestamp, want)
	}
	a.mu.Lock()
	last := a.got[len(a.got)-1]
	a.mu.Unlock()
	if err := verify(key, last); err != nil {
		t.Errorf("by the old key: %v", err)
	}
	if now, err := a.pay.PublicKey(); err != nil || verify(now, last) == nil {
		t.Error("the new key verifies what the old one has signed")
	}
	if _, err := a.pay.Again(t.Context(), a.store+1, first.N, payment.Repeat{}); err == nil {
		t.Error("a call of another store was made again")
	}
}
