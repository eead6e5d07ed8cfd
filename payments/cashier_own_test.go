package payments_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/providers"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/payments"
)

// A refund of the app that crosses a call is not taken for the refund of that call, so its money is not lost.
func TestCashierTakesNoRefundOfTheAppForACall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newTill(t)
		c := d.cashier()
		refund := d.paid(t, c)
		get := c.Transactions
		c.Transactions = func(ctx context.Context, store client.ID) (*providers.TransactionService, error) {
			c.Transactions = get
			time.Sleep(time.Second) // the call was signed before
			d.own(t, providers.EventTypeRefund, providers.EventSuccess, 40)
			return get(ctx, store)
		}
		if err := c.Refund(t.Context(), refund(40)); !errors.Is(err, payments.RefundRefusalAlreadyInProcess) {
			t.Errorf("got %v, want RefundRefusalAlreadyInProcess", err)
		}
		time.Sleep(payments.DefaultWindow)
		if err := c.Refund(t.Context(), refund(40)); err != nil || len(d.moved) != 2 {
			t.Errorf("a later call: %v, moved %v, want the payment and one refund", err, d.moved)
		}
	})
}

// The key of a refund whose entry was lost does not depend on refunds of the app, so the bank moves it once.
func TestCashierKeyAfterARefundOfTheApp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newTill(t)
		c := d.cashier()
		refund := d.paid(t, c)
		before := d.entry(t, "a", payments.CallProcess)
		repay := c.Repay
		c.Repay = func(_ context.Context, r payments.Repayment) (providers.EventInput, error) {
			d.move(r.Key)
			return providers.EventInput{}, errDied
		}
		if err := c.Refund(t.Context(), refund(30)); !errors.Is(err, errDied) {
			t.Fatal(err)
		}
		d.own(t, providers.EventTypeRefund, providers.EventSuccess, 10)
		time.Sleep(payments.DefaultWindow)
		c.Ledger, c.Repay = restored(t, before), repay
		if err := c.Refund(t.Context(), refund(30)); err != nil {
			t.Error(err)
		}
		const want = "sale success 1.00, refund success 0.10, refund success 0.30: partially_refunded"
		if got := d.events(t, "a"); len(d.moved) != 2 || got != want {
			t.Errorf("%s, moved %v, want %s and two keys", got, d.moved, want)
		}
	})
}

// If no event of the payment has a key, an event like that of the cashier may be one of the app. A person decides.
func TestCashierGuessesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newTill(t)
		c := d.cashier()
		c.OrderOf = d.ofCharge
		d.lose(t, c, "killed")
		if err := c.Refund(t.Context(), d.refund(40)); !errors.Is(err, errDied) {
			t.Fatal(err)
		}
		in := d.event(providers.EventTypeRefund, providers.EventSuccess, 40)
		if _, err := v202503.Transactions(d.client).CreateEvent(t.Context(), d.charge.OrderID, d.charge.TransactionID, in); err != nil {
			t.Fatal(err)
		}
		other := d.cashier()
		stop := run(t, other)
		time.Sleep(time.Hour)
		stop()
		n := 0
		for s, err := range other.Stuck(t.Context()) {
			if n++; err != nil || !strings.Contains(s.LastError, "may be that of the operation or one of the app") {
				t.Errorf("stuck: %s, %v", s.LastError, err)
			}
		}
		if got := d.refunded(t); n != 1 || got != "0.40" {
			t.Errorf("%d operations are stuck, and the platform shows %s, want 1 and 0.40", n, got)
		}
	})
}

// An app that reports the result of a cashier's operation with its key, before or after the cashier, reports it once.
func TestCashierAndItsAppReportOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newTill(t)
		c := d.cashier()
		refund := d.paid(t, c)
		var notice providers.EventInput // of the processor, by which the app reports again
		c.Repay = func(_ context.Context, r payments.Repayment) (providers.EventInput, error) {
			d.move(r.Key)
			notice = r.Event(providers.EventSuccess).Of(r.Key)
			in := r.Event(providers.EventSuccess)
			in.Info.Message = "by the bank"
			return in, nil
		}
		if err := c.Refund(t.Context(), refund(40)); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Hour)
		notice.HappenedAt = client.At(time.Now())
		id := d.entry(t, "a", payments.CallProcess).TransactionID
		event, made, err := v202503.Transactions(d.client).CreateEventOrGet(t.Context(), d.charge.OrderID, id, notice)
		if err != nil || made || event.Info.Message != notice.Info.Message+": by the bank" {
			t.Errorf("made %v, %v, %+v", made, err, event)
		}
		if got := d.events(t, "a"); got != "sale success 1.00, refund success 0.40: partially_refunded" {
			t.Error(got)
		}
		c.Repay = func(_ context.Context, r payments.Repayment) (providers.EventInput, error) {
			return r.Event(providers.EventSuccess), nil
		}
		if err := c.Refund(t.Context(), refund(30)); err != nil { // an event of the same second without a key is another one
			t.Fatal(err)
		}
		d.own(t, providers.EventTypeRefund, providers.EventSuccess, 30)
		const want = "sale success 1.00, refund success 0.40, refund success 0.30, refund success 0.30: refunded"
		if got := d.events(t, "a"); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	})
}

// A transaction that the app has reported itself is the report of a payment only with its ExternalID and outcome.
func TestCashierFindsTheTransactionOfItsApp(t *testing.T) {
	for name, test := range map[string]struct {
		status  providers.EventStatus // that the app has reported
		charged providers.Amount
		want    string // the failure
	}{
		"the same":       {providers.EventSuccess, providers.Amount{Value: client.Cents(100), Currency: "ARS"}, ""},
		"another amount": {providers.EventSuccess, providers.Amount{Value: client.Cents(99), Currency: "ARS"}, "has no sale"},
		"another status": {providers.EventPending, providers.Amount{Value: client.Cents(100), Currency: "ARS"}, "has no sale"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newTill(t)
				c := d.cashier()
				c.Charge = func(ctx context.Context, p payments.Payment) (providers.TransactionInput, any, error) {
					in := sale(p)
					in.Info.ExternalID, in.PaymentProviderID = "receipt", p.PaymentProviderID
					reported := in
					reported.FirstEvent.Status, reported.FirstEvent.Amount = test.status, test.charged
					_, _, err := v202503.Transactions(d.client).CreateOrGet(ctx, p.OrderID, reported)
					return in, nil, err
				}
				if _, err := c.Process(t.Context(), d.request("a")); err != nil {
					t.Fatal(err)
				}
				if got := d.failures(); d.reported(t) != 1 || !strings.Contains(got, test.want) || (test.want == "") != (d.failed == nil) {
					t.Errorf("%d transactions, failures %s, want one and %q", d.reported(t), got, test.want)
				}
				if _, err := c.Process(t.Context(), d.request("b")); err != nil {
					t.Fatal(err)
				}
				if got := d.failures(); test.want == "" && !strings.Contains(got, `is also that of attempt "a"`) {
					t.Errorf("a second attempt with the ExternalID: %s", got)
				}
			})
		})
	}
}
