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
		c.Charge = func(context.Context, payments.Payment) (payments.TransactionInput, any, error) {
			return payments.TransactionInput{}, nil, errors.New("the bank has no such merchant")
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
