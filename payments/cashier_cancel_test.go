package payments_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/providers"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/payments"
)

// entry returns the entry of an attempt for a kind of call.
func (d *till) entry(t *testing.T, attempt string, call payments.Call) payments.Entry {
	t.Helper()
	all, err := d.ledger.Find(t.Context(), payments.About{PaymentAttemptID: client.Code(attempt)})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range all {
		if e.Call == call {
			return e
		}
	}
	t.Fatalf("no entry of attempt %s for %s", attempt, call)
	return payments.Entry{}
}

// ended checks the states of a payment and its cancellation, and how often money moved in all. Nothing may be open.
func (d *till) ended(t *testing.T, attempt string, payment, cancellation payments.State, moves int) {
	t.Helper()
	paid, e := d.entry(t, attempt, payments.CallProcess), d.entry(t, attempt, payments.CallCancel)
	if paid.State != payment || e.State != cancellation || len(d.moved) != moves {
		t.Errorf("the payment is %s, the cancellation %s (%s), moved %v, want %s, %s and %d",
			paid.State, e.State, e.LastError, d.moved, payment, cancellation, moves)
	}
	if strings.Contains(string(paid.Request), "secret") {
		t.Errorf("stored request %s", paid.Request)
	}
	for key, n := range d.moved {
		if n != 1 {
			t.Errorf("%d calls with key %s, want 1", n, key)
		}
	}
}

// events returns what the platform knows of the payment of an attempt.
func (d *till) events(t *testing.T, attempt string) string {
	t.Helper()
	paid := d.entry(t, attempt, payments.CallProcess)
	tx, err := v202503.Transactions(d.client).Get(t.Context(), d.charge.OrderID, paid.TransactionID)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range tx.Events {
		all = append(all, fmt.Sprint(e.Type, " ", e.Status, " ", e.Amount.Value))
	}
	return strings.Join(all, ", ") + ": " + string(tx.Status)
}

// An attempt that was cancelled is not charged when it arrives, at any replica.
func TestCashierCancelsBeforeThePayment(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newTill(t)
		for range 2 {
			if err := d.cashier().Cancel(t.Context(), "a"); err != nil {
				t.Error(err)
			}
		}
		for range 2 {
			if _, err := d.cashier().Process(t.Context(), d.request("a")); !errors.Is(err, payments.ErrCancelled) {
				t.Errorf("got %v, want ErrCancelled", err)
			}
		}
		stop := run(t, d.cashier())
		time.Sleep(time.Hour)
		stop()
		d.ended(t, "a", payments.StateCancelled, payments.StateCancelled, 0)
		if d.reported(t) != 0 || d.failed != nil {
			t.Errorf("reported %d times, failures %v", d.reported(t), d.failed)
		}
	})
}

// Cancellations that overlap at two replicas and come again release a payment once, by a void or a refund.
func TestCashierCancelsOnce(t *testing.T) {
	for kind, want := range map[providers.EventType]string{
		providers.EventTypeSale:          "sale success 1.00, refund success 1.00: refunded",
		providers.EventTypeAuthorization: "authorization success 1.00, void success 1.00: voided",
	} {
		t.Run(string(kind), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newTill(t)
				one, other := d.cashier(), d.cashier()
				one.Charge = func(_ context.Context, p payments.Payment) (providers.TransactionInput, any, error) {
					d.move(p.Key)
					in := sale(p)
					in.FirstEvent.Type = kind
					return in, "paid", nil
				}
				if _, err := one.Process(t.Context(), d.request("a")); err != nil {
					t.Fatal(err)
				}
				var all sync.WaitGroup
				for n := range 20 {
					all.Go(func() {
						if err := []*payments.Cashier{one, other}[n%2].Cancel(t.Context(), "a"); err != nil {
							t.Error(err)
						}
					})
				}
				all.Wait()
				d.ended(t, "a", payments.StateReported, payments.StateReported, 2)
				if got := d.events(t, "a"); got != want {
					t.Errorf("got %s, want %s", got, want)
				}
				if got, err := one.Process(t.Context(), d.request("a")); got == nil || err != nil {
					t.Errorf("the payment again: %v, %v, want its answer", got, err)
				}
				if e := d.entry(t, "a", payments.CallCancel); e.StoreID != d.srv.StoreID() || e.OrderID != d.charge.OrderID {
					t.Errorf("the cancellation is about %v", e.About)
				}
			})
		})
	}
}

// A cancellation that arrives while the attempt is being charged waits for the outcome. If that takes longer than the
// answer may, Run completes it.
func TestCashierCancelsDuringThePayment(t *testing.T) {
	for name, takes := range map[string]time.Duration{"soon": 3 * time.Second, "late": time.Minute} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newTill(t)
				slow := d.cashier()
				slow.Charge = func(_ context.Context, p payments.Payment) (providers.TransactionInput, any, error) {
					time.Sleep(takes)
					d.move(p.Key)
					return sale(p), nil, nil
				}
				stop := run(t, d.cashier())
				paid := make(chan error)
				go func() { _, err := slow.Process(t.Context(), d.request("a")); paid <- err }()
				synctest.Wait()
				ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
				err := d.cashier().Cancel(ctx, "a")
				cancel()
				if late := name == "late"; late != errors.Is(err, payments.ErrInProgress) || !late && err != nil {
					t.Errorf("got %v", err)
				}
				if err := <-paid; err != nil {
					t.Error(err)
				}
				begun := time.Now()
				if err := d.cashier().Cancel(t.Context(), "a"); err != nil { // the platform asks again
					t.Error(err)
				}
				if took := time.Since(begun); took >= time.Second {
					t.Errorf("asked again, the cancellation took %v, want none of the lease", took)
				}
				time.Sleep(5 * time.Minute)
				stop()
				d.ended(t, "a", payments.StateReported, payments.StateReported, 2)
				if got := d.events(t, "a"); !strings.HasSuffix(got, ": refunded") {
					t.Error(got)
				}
			})
		})
	}
}

// dead is the ledger of a replica that stops before its nth write.
type dead struct {
	payments.Ledger
	writes *int
}

func (l dead) Swap(ctx context.Context, e payments.Entry) (bool, error) {
	if *l.writes--; *l.writes < 0 {
		return false, errors.New("the replica has died")
	}
	return l.Ledger.Swap(ctx, e)
}

// A replica that dies before it calls Charge has moved nothing, so a cancellation ends the payment. One that dies after
// it may have, so the payment is completed first.
func TestCashierCancelsAfterADeath(t *testing.T) {
	for name, test := range map[string]struct {
		writes       int
		not          error // of Charge for a cancelled attempt
		payment      payments.State
		cancellation payments.State
		moves        int
	}{
		"before Charge": {0, nil, payments.StateCancelled, payments.StateCancelled, 0},
		"in Charge":     {1, nil, payments.StateReported, payments.StateReported, 2},
		"not charged":   {1, payments.ErrNotCharged, payments.StateCancelled, payments.StateCancelled, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newTill(t)
				dying, writes := d.cashier(), test.writes
				dying.Ledger = dead{&d.ledger, &writes}
				dying.Charge = func(context.Context, payments.Payment) (providers.TransactionInput, any, error) {
					return providers.TransactionInput{}, nil, errors.New("no answer")
				}
				ctx, cancel := context.WithTimeout(t.Context(), time.Second)
				defer cancel()
				if _, err := dying.Process(ctx, d.request("a")); err == nil {
					t.Error("no error of a replica that has died")
				}
				alive := d.cashier()
				charge := alive.Charge
				alive.Charge = func(ctx context.Context, p payments.Payment) (providers.TransactionInput, any, error) {
					if !p.Cancelled {
						t.Error("Charge is called without Cancelled")
					}
					if test.not != nil {
						return providers.TransactionInput{}, nil, test.not
					}
					return charge(ctx, p)
				}
				stop := run(t, alive)
				if err := alive.Cancel(t.Context(), "a"); err != nil {
					t.Error(err)
				}
				stop()
				d.ended(t, "a", test.payment, test.cancellation, test.moves)
			})
		})
	}
}

// A replica that dies in Void is continued with the same key.
func TestCashierCompletesACancellation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newTill(t)
		if _, err := d.cashier().Process(t.Context(), d.request("a")); err != nil {
			t.Fatal(err)
		}
		dying := d.cashier()
		dying.Void = func(context.Context, payments.Cancellation) (providers.EventInput, error) {
			return providers.EventInput{}, errors.New("no answer")
		}
		if err := dying.Cancel(t.Context(), "a"); err == nil {
			t.Error("no error of a Void that failed")
		}
		if e := d.entry(t, "a", payments.CallCancel); e.State != payments.StateBegun || e.LastError != "no answer" {
			t.Errorf("%s, %q", e.State, e.LastError)
		}
		stop := run(t, d.cashier())
		time.Sleep(time.Minute)
		stop()
		d.ended(t, "a", payments.StateReported, payments.StateReported, 2)
	})
}

// While the API is down the money is released at once, and the cancellation is reported after the payment.
func TestCashierReportsACancellationLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newTill(t)
		down := clienttest.Fault{Operation: "POST /orders/{order_id}/transactions", Status: http.StatusServiceUnavailable}
		if err := d.srv.Fault(down); err != nil {
			t.Fatal(err)
		}
		c := d.cashier()
		if _, err := c.Process(t.Context(), d.request("a")); err != nil {
			t.Error(err)
		}
		if err := c.Cancel(t.Context(), "a"); err != nil {
			t.Error(err)
		}
		d.ended(t, "a", payments.StateMoved, payments.StateMoved, 2)
		unreported := 0
		for _, err := range c.Unreported(t.Context()) {
			if unreported++; err != nil {
				t.Error(err)
			}
		}
		if unreported != 2 {
			t.Errorf("%d operations are not reported, want 2", unreported)
		}
		stop := run(t, c)
		time.Sleep(30 * time.Minute)
		d.ended(t, "a", payments.StateMoved, payments.StateMoved, 2)
		d.srv.EndFaults()
		time.Sleep(25 * time.Minute)
		stop()
		d.ended(t, "a", payments.StateReported, payments.StateReported, 2)
		if got := d.events(t, "a"); got != "sale success 1.00, refund success 1.00: refunded" {
			t.Error(got)
		}
		if got := d.failures(); strings.Contains(got, "cancel call") {
			t.Errorf("the cancellation was reported before the payment: %s", got)
		}
	})
}

// A refund before the cancellation is not returned again, one after it is refused, and one that has not moved anything
// is ended.
func TestCashierCancelsWhatWasNotRefunded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newTill(t)
		c := d.cashier()
		if _, err := c.Process(t.Context(), d.request("a")); err != nil {
			t.Fatal(err)
		}
		refund := func(cents int64) payments.RefundRequest {
			r := d.refund(cents)
			r.TransactionID = d.entry(t, "a", payments.CallProcess).TransactionID
			return r
		}
		if err := c.Refund(t.Context(), refund(30)); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		dying, none := d.cashier(), 0
		dying.Ledger = dead{&d.ledger, &none}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		if err := dying.Refund(ctx, refund(20)); err == nil || errors.As(err, new(payments.RefundRefusal)) {
			t.Errorf("of a replica that has died: %v, want another error", err)
		}
		cancel()
		if err := c.Cancel(t.Context(), "a"); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		for _, cents := range []int64{20, 10} {
			if err := c.Refund(t.Context(), refund(cents)); !errors.Is(err, payments.RefundRefusalRejected) {
				t.Errorf("a refund after the cancellation: %v, want RefundRefusalRejected", err)
			}
		}
		d.ended(t, "a", payments.StateReported, payments.StateReported, 3)
		if got := d.events(t, "a"); got != "sale success 1.00, refund success 0.30, refund success 0.70: refunded" {
			t.Error(got)
		}
	})
}

// A refund and a cancellation of the same amount in the same second are two events.
func TestCashierReportsACancellationBesideARefund(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newTill(t)
		c := d.cashier()
		if _, err := c.Process(t.Context(), d.request("a")); err != nil {
			t.Fatal(err)
		}
		r := d.refund(50)
		r.TransactionID = d.entry(t, "a", payments.CallProcess).TransactionID
		if err := errors.Join(c.Refund(t.Context(), r), c.Cancel(t.Context(), "a")); err != nil {
			t.Fatal(err)
		}
		if got := d.events(t, "a"); got != "sale success 1.00, refund success 0.50, refund success 0.50: refunded" {
			t.Error(got)
		}
	})
}

// There is nothing to release of a payment that was declined. One whose Void returned an EventFailure can be refunded.
func TestCashierCancelsInVain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newTill(t)
		c := d.cashier()
		charge := c.Charge
		c.Charge = func(ctx context.Context, p payments.Payment) (providers.TransactionInput, any, error) {
			in, answer, err := charge(ctx, p)
			if p.PaymentAttemptID == "declined" {
				in.FirstEvent.Status, in.FirstEvent.FailureCode = providers.EventFailure, "card_rejected"
			}
			return in, answer, err
		}
		c.Void = func(_ context.Context, v payments.Cancellation) (providers.EventInput, error) {
			in := v.Event(providers.EventFailure)
			in.FailureCode = "too_late"
			return in, nil
		}
		for _, attempt := range []string{"declined", "settled"} {
			if _, err := c.Process(t.Context(), d.request(attempt)); err != nil {
				t.Fatal(err)
			}
			if err := c.Cancel(t.Context(), attempt); err != nil {
				t.Error(err)
			}
		}
		d.ended(t, "declined", payments.StateReported, payments.StateCancelled, 2)
		d.ended(t, "settled", payments.StateReported, payments.StateReported, 2)
		r := d.refund(100)
		r.TransactionID = d.entry(t, "settled", payments.CallProcess).TransactionID
		if err := c.Refund(t.Context(), r); err != nil {
			t.Errorf("a refund after a Void that was refused: %v", err)
		}
		if got := d.events(t, "settled"); got != "sale success 1.00, refund failure 1.00, refund success 1.00: refunded" {
			t.Error(got)
		}
	})
}

// A cancellation that does not say what to release releases nothing.
func TestCashierRefusesToCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newTill(t)
		c := d.cashier()
		if err := c.Cancel(t.Context(), ""); !errors.Is(err, payments.ErrMalformed) {
			t.Errorf("without an attempt: %v", err)
		}
		there := d.request("a")
		elsewhere := there
		elsewhere.StoreID++
		for _, r := range []payments.ProcessRequest{there, elsewhere} {
			if _, err := c.Process(t.Context(), r); err != nil {
				t.Fatal(err)
			}
		}
		if err := c.Cancel(t.Context(), "a"); err == nil || !strings.Contains(err.Error(), "exists in store") {
			t.Errorf("of two stores: %v", err)
		}
		if len(d.moved) != 2 {
			t.Errorf("moved %v, want the two payments", d.moved)
		}
		c.Void = nil
		if err := c.Cancel(t.Context(), "b"); err == nil || !strings.Contains(err.Error(), "no Void") {
			t.Errorf("without Void: %v", err)
		}
	})
}

func TestCancellationEvent(t *testing.T) {
	for _, test := range []struct {
		method providers.MethodType
		first  providers.EventType
		status providers.EventStatus
		want   providers.EventType
	}{
		{providers.MethodTypeCreditCard, providers.EventTypeSale, providers.EventSuccess, providers.EventTypeRefund},
		{providers.MethodTypeCreditCard, providers.EventTypeSale, providers.EventPending, providers.EventTypeVoid},
		{providers.MethodTypeCreditCard, providers.EventTypeAuthorization, providers.EventSuccess, providers.EventTypeVoid},
		{providers.MethodTypePix, providers.EventTypeSale, providers.EventPending, providers.EventTypeExpiration},
		{providers.MethodTypePix, providers.EventTypeSale, providers.EventSuccess, providers.EventTypeRefund},
		{providers.MethodTypeWallet, providers.EventTypeSale, providers.EventPending, providers.EventTypeSale},
	} {
		v := payments.Cancellation{Payment: providers.TransactionInput{
			PaymentMethod: providers.PaymentMethodInput{Type: test.method},
			FirstEvent:    providers.EventInput{Type: test.first, Status: test.status},
		}}
		if got := v.Event(providers.EventSuccess).Type; got != test.want {
			t.Errorf("%s, %s %s: got %s, want %s", test.method, test.first, test.status, got, test.want)
		}
	}
}
