package payments_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/providers"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/payments"
)

// paid takes a payment of 1.00, and returns a function that returns the request for a refund of it.
func (d *till) paid(t *testing.T, c *payments.Cashier) func(cents int64) payments.RefundRequest {
	t.Helper()
	d.pay(t, c, providers.EventTypeSale, providers.EventSuccess)
	return func(cents int64) payments.RefundRequest {
		r := d.refund(cents)
		r.TransactionID = d.entry(t, "a", payments.CallProcess).TransactionID
		return r
	}
}

// event returns an event of the app itself.
func (d *till) event(kind providers.EventType, status providers.EventStatus, cents int64) providers.EventInput {
	in := providers.EventInput{
		Amount: d.refund(cents).Amount, Type: kind, Status: status, AuthorizationCode: "OK-1",
		HappenedAt: client.At(time.Now()),
	}
	if status == providers.EventFailure {
		in.FailureCode = "card_rejected"
	}
	return in
}

// own reports an event of the app itself.
func (d *till) own(t *testing.T, kind providers.EventType, status providers.EventStatus, cents int64) {
	t.Helper()
	in := d.event(kind, status, cents)
	id := d.entry(t, "a", payments.CallProcess).TransactionID
	_, _, err := v202503.Transactions(d.client).CreateEventOrGet(t.Context(), d.charge.OrderID, id, in)
	if err != nil {
		t.Fatal(err)
	}
}

// While the transaction cannot be read, nothing is returned. The same call then succeeds.
func TestCashierReadsBeforeMoneyMoves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newTill(t)
		c := d.cashier()
		refund := d.paid(t, c)
		down := clienttest.Fault{Operation: "GET /orders/{order_id}/transactions/{id}", Status: http.StatusServiceUnavailable}
		if err := d.srv.Fault(down); err != nil {
			t.Fatal(err)
		}
		if err := c.Refund(t.Context(), refund(30)); !errors.Is(err, payments.ErrInProgress) {
			t.Errorf("a refund: %v, want ErrInProgress", err)
		}
		if err := c.Cancel(t.Context(), "a"); !errors.Is(err, payments.ErrInProgress) {
			t.Errorf("a cancellation: %v, want ErrInProgress", err)
		}
		if len(d.moved) != 1 {
			t.Errorf("moved %v, want the payment only", d.moved)
		}
		d.srv.EndFaults()
		if err := c.Cancel(t.Context(), "a"); err != nil {
			t.Error(err)
		}
		d.ended(t, "a", payments.StateReported, payments.StateReported, 2)
	})
}

// A voucher that was paid meanwhile is paid back when the attempt is cancelled; otherwise it expires.
func TestCashierCancelsAVoucher(t *testing.T) {
	for meanwhile, want := range map[string]string{
		"paid":     "sale pending 1.00, sale success 1.00, refund success 1.00: refunded",
		"not paid": "sale pending 1.00, expiration success 1.00: expired",
	} {
		t.Run(meanwhile, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newTill(t)
				c := d.cashier()
				c.Charge = func(_ context.Context, p payments.Payment) (providers.TransactionInput, any, error) {
					d.move(p.Key)
					first := providers.EventInput{Amount: p.Amount, Type: providers.EventTypeSale, Status: providers.EventPending}
					return p.Transaction(first, providers.InfoInput{}), nil, nil
				}
				r := d.request("a")
				r.PaymentMethod = providers.PaymentMethod{Type: providers.MethodTypeBoleto, ID: "boleto"}
				if _, err := c.Process(t.Context(), r); err != nil {
					t.Fatal(err)
				}
				if meanwhile == "paid" {
					d.own(t, providers.EventTypeSale, providers.EventSuccess, 100)
				}
				if err := c.Cancel(t.Context(), "a"); err != nil {
					t.Error(err)
				}
				if got := d.events(t, "a"); got != want {
					t.Errorf("got %s, want %s", got, want)
				}
			})
		})
	}
}

// Refunds and a cancellation that cross at two replicas return no more than was taken, however slow the bank is.
func TestCashierTakesTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newTill(t)
		var back int64
		replica := func() *payments.Cashier {
			c := d.cashier()
			c.Repay = func(_ context.Context, r payments.Repayment) (providers.EventInput, error) {
				time.Sleep(3 * time.Second)
				d.mu.Lock()
				defer d.mu.Unlock()
				back += r.Amount.Value.Decimal().Shift(2).IntPart()
				return r.Event(providers.EventSuccess), nil
			}
			c.Void = func(_ context.Context, v payments.Cancellation) (providers.EventInput, error) {
				time.Sleep(3 * time.Second)
				d.mu.Lock()
				defer d.mu.Unlock()
				back += v.Amount.Value.Decimal().Shift(2).IntPart()
				return v.Event(providers.EventSuccess), nil
			}
			return c
		}
		one, other := replica(), replica()
		refund := d.paid(t, one)
		refunded, cancelled := make(chan error), make(chan error)
		go func() { refunded <- one.Refund(t.Context(), refund(60)) }()
		synctest.Wait()
		go func() { cancelled <- other.Cancel(t.Context(), "a") }()
		if err := errors.Join(<-refunded, <-cancelled); err != nil {
			t.Error(err)
		}
		const want = "sale success 1.00, refund success 0.60, refund success 0.40: refunded"
		if got := d.events(t, "a"); back != 100 || got != want {
			t.Errorf("the bank returned %d cents, the platform shows %s", back, got)
		}
	})
}

// A report that was applied and not answered is found, so a cancellation and a refund return the money once.
func TestCashierFindsItsTransaction(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newTill(t)
		c := d.cashier()
		c.OrderOf = d.ofCharge
		down := clienttest.Fault{Operation: "POST /orders/{order_id}/transactions", Status: http.StatusServiceUnavailable}
		if err := d.srv.Fault(down); err != nil {
			t.Fatal(err)
		}
		d.paid(t, c)
		d.srv.EndFaults()
		in := *d.entry(t, "a", payments.CallProcess).Transaction
		made, err := v202503.Transactions(d.client).Create(t.Context(), d.charge.OrderID, in)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Cancel(t.Context(), "a"); err != nil {
			t.Error(err)
		}
		r := d.refund(100)
		r.TransactionID = made.ID
		if err := c.Refund(t.Context(), r); !errors.Is(err, payments.RefundRefusalRejected) {
			t.Errorf("a refund after the cancellation: %v", err)
		}
		stop := run(t, c)
		time.Sleep(time.Hour)
		stop()
		d.ended(t, "a", payments.StateReported, payments.StateReported, 2)
		if got := d.events(t, "a"); got != "sale success 1.00, refund success 1.00: refunded" {
			t.Error(got)
		}
	})
}

// restored returns a ledger with the entries of an earlier point in time.
func restored(t *testing.T, entries ...payments.Entry) *payments.MemoryLedger {
	t.Helper()
	var l payments.MemoryLedger
	for _, e := range entries {
		if _, _, err := l.Begin(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	return &l
}

// After the ledger was restored to a moment during a refund, the refund is not reported again with another time. After
// it was restored to a moment before, the next refund has another key, and a repeated call is the same refund.
func TestCashierAfterARestore(t *testing.T) {
	for _, by := range []string{"refund", "cancellation"} {
		t.Run(by, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newTill(t)
				c := d.cashier()
				refund := d.paid(t, c)
				before := d.entry(t, "a", payments.CallProcess)
				var during payments.Entry
				keys := map[string]bool{}
				called := func(key string, about payments.About) {
					keys[key] = true
					all, err := c.Ledger.Find(t.Context(), payments.About{StoreID: about.StoreID, OrderID: d.charge.OrderID})
					if err != nil {
						t.Error(err)
					}
					for _, e := range all {
						if e.Key == key {
							during = e
						}
					}
				}
				c.Repay = func(_ context.Context, r payments.Repayment) (providers.EventInput, error) {
					called(r.Key, payments.About{StoreID: r.StoreID})
					return r.Event(providers.EventSuccess), nil
				}
				c.Void = func(_ context.Context, v payments.Cancellation) (providers.EventInput, error) {
					called(v.Key, v.About)
					return v.Event(providers.EventSuccess), nil
				}
				act := func() error {
					if by == "refund" {
						return c.Refund(t.Context(), refund(30))
					}
					return c.Cancel(t.Context(), "a")
				}
				if err := act(); err != nil {
					t.Fatal(err)
				}
				want := d.events(t, "a")
				time.Sleep(time.Hour)
				c.Ledger = restored(t, before, during)
				stop := run(t, c)
				time.Sleep(time.Hour)
				stop()
				if got := d.events(t, "a"); got != want || d.failed != nil || len(keys) != 1 {
					t.Errorf("after the restore: %s, failures %v, keys %v, want %s", got, d.failed, keys, want)
				}
				c.Ledger = restored(t, before)
				if err := act(); err != nil {
					t.Error(err)
				}
				want, moves := map[string]string{
					"refund":       "sale success 1.00, refund success 0.30, refund success 0.30: partially_refunded",
					"cancellation": "sale success 1.00, refund success 1.00: refunded",
				}[by], map[string]int{"refund": 2, "cancellation": 1}[by]
				if got := d.events(t, "a"); got != want || len(keys) != moves {
					t.Errorf("a later %s: %s with keys %v, want %s and %d", by, got, keys, want, moves)
				}
			})
		})
	}
}
