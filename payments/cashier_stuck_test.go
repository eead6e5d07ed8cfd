package payments_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/providers"
	"github.com/commerceplatform/commerce-go/payments"
)

// An operation that fails for an hour is in the list for a person, with the words of the side that refuses it.
func TestCashierListsStuckOperations(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newTill(t)
		c := d.cashier()
		refund := d.paid(t, c)
		const events = "POST /orders/{order_id}/transactions/{id}/events"
		const body = `{"amount":["no such amount"]}`
		refusal := clienttest.Fault{Operation: events, Status: http.StatusUnprocessableEntity, Body: body}
		if err := d.srv.Fault(refusal); err != nil {
			t.Fatal(err)
		}
		if err := c.Refund(t.Context(), refund(30)); err != nil {
			t.Fatal(err)
		}
		c.Charge = func(context.Context, payments.Payment) (providers.TransactionInput, any, error) {
			return providers.TransactionInput{}, nil, errors.New("the bank has no such merchant")
		}
		if _, err := c.Process(t.Context(), d.request("b")); err == nil {
			t.Error("no error of the bank")
		}
		for range c.Stuck(t.Context()) {
			t.Error("listed after the first try")
		}
		stop := run(t, c)
		time.Sleep(time.Hour)
		stop()
		words := map[payments.Call]string{payments.CallRefund: "no such amount", payments.CallProcess: "no such merchant"}
		for s, err := range c.Stuck(t.Context()) {
			if err != nil || s.Err != nil || !strings.Contains(s.LastError, words[s.Call]) {
				t.Errorf("%s: %q, %v, %v", s.Call, s.LastError, s.Err, err)
			}
			if steps := strings.Join(s.Steps, " "); !strings.Contains(steps, s.Key) || len(s.Steps) < 3 {
				t.Errorf("steps: %s", steps)
			}
			if refunded := s.Call == payments.CallRefund; refunded != (s.Shown != nil) {
				t.Errorf("%s: the platform shows %v", s.Call, s.Shown)
			}
			delete(words, s.Call)
		}
		if len(words) != 0 {
			t.Errorf("not listed: %v", words)
		}
	})
}

// An operation that fails for three days rests until a person resumes or settles it. Then it is completed, or ended
// without secrets of the card.
func TestCashierRests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newTill(t)
		c := d.cashier()
		down, take := true, c.Charge
		calls := map[string]int{}
		c.Charge = func(ctx context.Context, p payments.Payment) (providers.TransactionInput, any, error) {
			if calls[string(p.PaymentAttemptID)]++; down {
				panic("the bank is gone")
			}
			return take(ctx, p)
		}
		for _, attempt := range []string{"a", "b"} {
			if _, err := func() (_ any, err error) {
				defer func() { err = errors.New(recover().(string)) }()
				return c.Process(t.Context(), d.request(attempt))
			}(); err == nil {
				t.Error("no error of the bank")
			}
		}
		a, b := d.entry(t, "a", payments.CallProcess).Key, d.entry(t, "b", payments.CallProcess).Key
		if err := c.Resume(t.Context(), a); !errors.Is(err, payments.ErrNotStuck) {
			t.Errorf("resumed after one try: %v", err)
		}
		stop := run(t, c)
		time.Sleep(20 * time.Hour) // some processors forget a key after 24
		synctest.Wait()
		before := calls["a"]
		time.Sleep(48 * time.Hour)
		synctest.Wait()
		_, err := c.Process(t.Context(), d.request("a"))
		if !errors.Is(err, payments.ErrInProgress) || calls["a"] != before || before < 100 {
			t.Errorf("called %d times in 20 hours, and %d times in the next days: %v", before, calls["a"]-before, err)
		}
		for s, err := range c.Stuck(t.Context()) {
			if err != nil || !s.Rests || !strings.Contains(s.LastError, "the bank is gone") {
				t.Errorf("%v, %q, %v, want one that rests", s.Rests, s.LastError, err)
			}
		}
		down = false
		if err := errors.Join(c.Resume(t.Context(), a), c.Settle(t.Context(), b, "not at the bank")); err != nil {
			t.Error(err)
		}
		time.Sleep(time.Minute)
		stop()
		if e := d.entry(t, "a", payments.CallProcess); e.State != payments.StateReported || d.reported(t) != 1 {
			t.Errorf("resumed: %s, %d reported", e.State, d.reported(t))
		}
		e := d.entry(t, "b", payments.CallProcess)
		if e.State != payments.StateClosed || e.LastError != "settled: not at the bank; last failure: panic: the bank is gone" {
			t.Errorf("settled: %s, %q", e.State, e.LastError)
		}
		if strings.Contains(string(e.Request), "tok-secret") {
			t.Errorf("the settled entry has the token of the card: %s", e.Request)
		}
		if _, err := c.Process(t.Context(), d.request("b")); !errors.Is(err, payments.ErrClosed) || calls["b"] != before {
			t.Errorf("requested again: %v, called %d times", err, calls["b"])
		}
		if err := c.Settle(t.Context(), b, "again"); !errors.Is(err, payments.ErrNotStuck) {
			t.Errorf("settled twice: %v", err)
		}
	})
}
