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
	"github.com/commerceplatform/commerce-go/payments/paymentstest"
)

// unpaid makes an order of 1.00.
func (d *till) unpaid(t *testing.T) *client.Order {
	t.Helper()
	p, err := v202503.Products(d.client).Create(t.Context(), client.ProductInput{
		Name:     client.Text{"en": "Cup"},
		Variants: []client.VariantInput{{Price: client.Set(client.Cents(100)), Stock: client.Set(client.StockUnlimited)}},
	})
	if err != nil {
		t.Fatal(err)
	}
	o, err := v202503.Orders(d.client).Create(t.Context(), client.OrderInput{
		Customer: client.OrderCustomerInput{Name: "Ana", Email: "ana@shop.example"},
		Products: []client.OrderProductInput{{VariantID: p.Variants[0].ID, Quantity: 1}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// A second attempt of an order that is paid is declined by Charge, as its documentation describes, and moves nothing. A
// second attempt of an order that is paid in part is another payment of it.
func TestSecondAttemptOfAnOrder(t *testing.T) {
	for first, want := range map[int64]string{100: "paid failed", 60: "paid paid"} {
		synctest.Test(t, func(t *testing.T) {
			d := newTill(t)
			c, order := d.cashier(), d.unpaid(t)
			var bank paymentstest.Bank
			c.Charge = func(ctx context.Context, p payments.Payment) (providers.TransactionInput, any, error) {
				o, err := v202503.Orders(d.client).Get(ctx, p.OrderID)
				if err != nil {
					return providers.TransactionInput{}, nil, err
				}
				if p.Try > 1 || o.PaymentStatus != client.PaymentPaid {
					return bank.Charge(ctx, p)
				}
				in := sale(p)
				in.FirstEvent.Status = providers.EventFailure
				in.FirstEvent.FailureCode = providers.FailureCodeCardRejectedDuplicatedPayment
				return in, nil, nil
			}
			for i, cents := range []int64{first, 40} {
				r := d.request(string(rune('a' + i)))
				r.OrderID, r.Amount.Value = order.ID, client.Cents(cents)
				if _, err := c.Process(t.Context(), r); err != nil {
					t.Error(err)
				}
			}
			var statuses []string
			for tx, err := range v202503.Transactions(d.client).List(order.ID).All(t.Context()) {
				if err != nil {
					t.Fatal(err)
				}
				statuses = append(statuses, string(tx.Status))
			}
			o, err := v202503.Orders(d.client).Get(t.Context(), order.ID)
			if got := strings.Join(statuses, " "); err != nil || got != want || o.PaymentStatus != client.PaymentPaid {
				t.Errorf("%d cents first: transactions %s, %v, order %v", first, got, err, o)
			}
			if moves := bank.Moves(""); len(moves) != strings.Count(want, "paid") {
				t.Errorf("%d cents first: the bank has %v", first, moves)
			}
		})
	}
}

// After Void was called, a cancellation whose payment is not in the ledger any more is a failure for a person. No empty
// event is reported for it.
func TestCashierCancelsWithoutThePayment(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newTill(t)
		c := d.cashier()
		d.paid(t, c)
		c.Void = func(context.Context, payments.Cancellation) (providers.EventInput, error) {
			return providers.EventInput{}, errors.New("the bank has not answered")
		}
		if err := c.Cancel(t.Context(), "a"); err == nil {
			t.Error("no error of the bank")
		}
		again := d.cashier()
		again.Ledger = restored(t, d.entry(t, "a", payments.CallCancel))
		stop := run(t, again)
		time.Sleep(time.Hour)
		stop()
		n := 0
		for s, err := range again.Stuck(t.Context()) {
			n++
			if err != nil || s.State != payments.StateBegun || !strings.Contains(s.LastError, "no longer in the ledger") {
				t.Errorf("%s, %q, %v", s.State, s.LastError, err)
			}
		}
		if got := d.events(t, "a"); n != 1 || len(d.moved) != 1 || got != "sale success 1.00: paid" {
			t.Errorf("%d stuck, moved %v, the platform shows %s", n, d.moved, got)
		}
	})
}

// The app captures a part of a payment while it is cancelled. The bank refuses the release, and then returns the part
// that was captured.
func TestCashierCancelsDuringACapture(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newTill(t)
		c := d.cashier()
		d.pay(t, c, providers.EventTypeAuthorization, providers.EventSuccess)
		var released []string
		c.Void = func(_ context.Context, v payments.Cancellation) (providers.EventInput, error) {
			in := v.Event(providers.EventSuccess)
			released = append(released, string(in.Type)+" "+in.Amount.Value.String())
			if in.Type == providers.EventTypeVoid {
				capture := providers.EventInput{
					Amount: d.refund(60).Amount, Type: providers.EventTypeCapture, Status: providers.EventSuccess,
					AuthorizationCode: "OK-1", HappenedAt: client.At(time.Now().Add(-time.Hour)), // by a clock that is slow
				}
				_, err := v202503.Transactions(d.client).CreateEvent(t.Context(), v.OrderID, v.TransactionID, capture)
				return in, errors.Join(err, errors.New("it is captured already"))
			}
			return in, nil
		}
		if err := c.Cancel(t.Context(), "a"); err == nil {
			t.Error("no error of the bank")
		}
		stop := run(t, c)
		time.Sleep(time.Hour)
		stop()
		const want = "authorization success 1.00, capture success 0.60, refund success 0.60: refunded"
		if got := d.events(t, "a"); got != want || strings.Join(released, ", ") != "void 1.00, refund 0.60" {
			t.Errorf("released %v, the platform shows %s", released, got)
		}
	})
}
