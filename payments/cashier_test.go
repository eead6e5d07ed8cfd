package payments_test

import (
	"context"
	"encoding/json"
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

// till is a store with an order of 25.50 that is paid, and a bank that moves the money of each key once.
type till struct {
	srv    *clienttest.Server
	charge clienttest.Charge
	client *client.Client
	first  *providers.Transaction
	ledger payments.MemoryLedger

	mu     sync.Mutex
	moved  map[string]int // calls by key
	failed []error        // that OnFailure was called with
}

func newTill(t *testing.T) *till {
	t.Helper()
	d := &till{srv: clienttest.New(t, clienttest.Options{RealTime: true}), moved: map[string]int{}}
	var err error
	if d.charge, err = d.srv.Charge(client.Cents(2550)); err != nil {
		t.Fatal(err)
	}
	d.client = d.srv.Client()
	if d.first, err = v202503.Transactions(d.client).Get(t.Context(), d.charge.OrderID, d.charge.TransactionID); err != nil {
		t.Fatal(err)
	}
	return d
}

func (d *till) move(key string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.moved[key]++
}

func (d *till) failures() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return fmt.Sprint(d.failed)
}

// cashier returns one of a replica.
func (d *till) cashier() *payments.Cashier {
	return &payments.Cashier{
		Ledger: &d.ledger,
		Charge: func(_ context.Context, p payments.Payment) (providers.TransactionInput, any, error) {
			d.move(p.Key)
			return sale(p), map[string]int{"try": p.Try}, nil
		},
		Repay: func(_ context.Context, r payments.Repayment) (providers.EventInput, error) {
			d.move(r.Key)
			return r.Event(providers.EventSuccess), nil
		},
		Void: func(_ context.Context, v payments.Cancellation) (providers.EventInput, error) {
			d.move(v.Key)
			return v.Event(providers.EventSuccess), nil
		},
		Transactions: func(context.Context, client.ID) (*providers.TransactionService, error) {
			return v202503.Transactions(d.client), nil
		},
		OnFailure: func(_ context.Context, f *payments.Failure) {
			d.mu.Lock()
			defer d.mu.Unlock()
			d.failed = append(d.failed, f)
		},
	}
}

func sale(p payments.Payment) providers.TransactionInput {
	return p.Transaction(
		providers.EventInput{
			Amount: p.Amount, Type: providers.EventTypeSale, Status: providers.EventSuccess, AuthorizationCode: "OK-1",
		},
		providers.InfoInput{Installments: client.Set(providers.InstallmentsInput{Quantity: 1})},
	)
}

func (d *till) request(attempt string) payments.ProcessRequest {
	return payments.ProcessRequest{
		StoreID: d.srv.StoreID(), OrderID: d.charge.OrderID, PaymentProviderID: d.first.PaymentProviderID,
		PaymentAttemptID: client.Code(attempt),
		PaymentMethod:    providers.PaymentMethod{Type: providers.MethodTypeCreditCard, ID: "visa"},
		Amount:           providers.Amount{Value: client.Cents(100), Currency: d.first.CapturedAmount.Currency},
		Extra:            client.Extra{"card_token": json.RawMessage(`"tok-secret"`)},
	}
}

// reported counts the transactions of the order beside the first one.
func (d *till) reported(t *testing.T) int {
	t.Helper()
	all, err := v202503.Transactions(d.client).List(d.charge.OrderID).Collect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return len(all) - 1
}

// run runs a cashier until the function that it returns is called.
func run(t *testing.T, c *payments.Cashier) (stop func()) {
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- c.Run(ctx) }()
	return func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}

func (d *till) only(t *testing.T) payments.Entry {
	t.Helper()
	all, err := d.ledger.Find(t.Context(), payments.About{StoreID: d.srv.StoreID()})
	if err != nil || len(all) != 1 {
		t.Fatalf("%d entries, %v, want one", len(all), err)
	}
	return all[0]
}

// Calls that overlap at two replicas and come again later are one payment with one answer.
func TestCashierChargesOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newTill(t)
		one, other := d.cashier(), d.cashier()
		var all sync.WaitGroup
		for n := range 20 {
			all.Go(func() {
				got, err := []*payments.Cashier{one, other}[n%2].Process(t.Context(), d.request("a"))
				if text, _ := json.Marshal(got); err != nil || string(text) != `{"try":1}` {
					t.Errorf("got %s, %v", text, err)
				}
			})
		}
		all.Wait()
		e := d.only(t)
		if len(d.moved) != 1 || d.moved[e.Key] != 1 || d.reported(t) != 1 {
			t.Errorf("moved %v, reported %d times, want once", d.moved, d.reported(t))
		}
		if e.State != payments.StateReported || e.ReportedAt.IsZero() || strings.Contains(string(e.Request), "secret") {
			t.Errorf("%s at %v, request %s", e.State, e.ReportedAt, e.Request)
		}
		if e.Key != "1505d677-8379-59af-b831-620ea6a4ced6" {
			t.Errorf("the key %s is not that of the release before: operations in progress would be charged again", e.Key)
		}
		if d.failed != nil {
			t.Error(d.failed)
		}
	})
}

// Money that moved while the API was down is answered as taken, found, and reported by the loop, also of another
// replica.
func TestCashierReportsLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newTill(t)
		down := clienttest.Fault{Operation: "POST /orders/{order_id}/transactions", Status: http.StatusServiceUnavailable}
		if err := d.srv.Fault(down); err != nil {
			t.Fatal(err)
		}
		if got, err := d.cashier().Process(t.Context(), d.request("a")); got == nil || err != nil {
			t.Errorf("got %v, %v, want the answer of a payment that was taken", got, err)
		}
		if got := d.failures(); !strings.Contains(got, "attempt a, order") || !strings.Contains(got, "report to") {
			t.Errorf("failures: %v", d.failed)
		}
		for e, err := range d.cashier().Unreported(t.Context()) {
			if err != nil || e.PaymentAttemptID != "a" || e.LastError == "" {
				t.Errorf("unreported: %+v, %q, %v", e.About, e.LastError, err)
			}
		}
		stop := run(t, d.cashier())
		time.Sleep(30 * time.Minute)
		if n := strings.Count(d.failures(), "report to the platform"); n < 5 || n > 8 {
			t.Errorf("%d reports in half an hour, want about 6", n)
		}
		d.srv.EndFaults()
		time.Sleep(11 * time.Minute)
		stop()
		if d.reported(t) != 1 || len(d.moved) != 1 || d.only(t).State != payments.StateReported {
			t.Errorf("moved %v, reported %d times", d.moved, d.reported(t))
		}
	})
}

// A replica that stops in the middle loses the operation after a lease. What it does later changes nothing.
func TestCashierTakesOver(t *testing.T) {
	for _, by := range []string{"the loop", "a repeated call"} {
		t.Run(by, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newTill(t)
				paused, wake := d.cashier(), make(chan struct{})
				paused.Ledger = stopped{&d.ledger, wake} // it also cannot keep its lease
				paused.Charge = func(ctx context.Context, p payments.Payment) (providers.TransactionInput, any, error) {
					<-wake
					d.move(p.Key)
					in := sale(p)
					in.Info.ExternalID = "of the replica that was stopped"
					return in, nil, nil
				}
				late := make(chan error)
				go func() { _, err := paused.Process(t.Context(), d.request("a")); late <- err }()
				synctest.Wait()
				begun := time.Now()
				if by == "the loop" {
					stop := run(t, d.cashier())
					time.Sleep(payments.DefaultLease + 10*time.Second)
					stop()
				} else if _, err := d.cashier().Process(t.Context(), d.request("a")); err != nil {
					t.Error(err)
				}
				if took := time.Since(begun); took < payments.DefaultLease {
					t.Errorf("taken over after %v", took)
				}
				close(wake)
				if err := <-late; err != nil {
					t.Errorf("the replica that was stopped: %v, want the answer of the one that took over", err)
				}
				e := d.only(t)
				if len(d.moved) != 1 || d.reported(t) != 1 || e.State != payments.StateReported ||
					e.Transaction.Info.ExternalID != e.Key {
					t.Errorf("moved %v, reported %d times, %+v", d.moved, d.reported(t), e.Transaction)
				}
			})
		})
	}
}

// stopped is the ledger of a replica that cannot write for a time.
type stopped struct {
	payments.Ledger
	wake chan struct{}
}

func (l stopped) Swap(ctx context.Context, e payments.Entry) (bool, error) {
	select {
	case <-l.wake:
		return l.Ledger.Swap(ctx, e)
	case <-ctx.Done():
		return false, ctx.Err()
	}
}

// An operation that takes long is not taken over while its replica lives.
func TestCashierKeepsItsLease(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newTill(t)
		slow := d.cashier()
		slow.Charge = func(ctx context.Context, p payments.Payment) (providers.TransactionInput, any, error) {
			time.Sleep(10 * payments.DefaultLease)
			d.move(p.Key)
			return sale(p), nil, ctx.Err()
		}
		stop := run(t, d.cashier())
		if _, err := slow.Process(t.Context(), d.request("a")); err != nil {
			t.Error(err)
		}
		stop()
		if e := d.only(t); d.moved[e.Key] != 1 || e.Tries != 1 {
			t.Errorf("moved %v, in try %d", d.moved, e.Tries)
		}
	})
}

// deaf is a ledger whose answers are lost after it has done its work, every other time.
type deaf struct {
	payments.Ledger
	n *int
}

func (l deaf) Swap(ctx context.Context, e payments.Entry) (bool, error) {
	ok, err := l.Ledger.Swap(ctx, e)
	if *l.n++; *l.n%2 == 1 {
		return false, errors.New("connection reset")
	}
	return ok, err
}

// A write whose answer was lost is found to be applied.
func TestCashierFindsItsLostWrites(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newTill(t)
		c := d.cashier()
		c.Ledger = deaf{&d.ledger, new(int)}
		if _, err := c.Process(t.Context(), d.request("a")); err != nil {
			t.Error(err)
		}
		if e := d.only(t); d.moved[e.Key] != 1 || e.State != payments.StateReported || d.reported(t) != 1 {
			t.Errorf("moved %v, %s, reported %d times", d.moved, e.State, d.reported(t))
		}
	})
}

// Whatever is not known to be recorded is not charged, and an outcome that cannot be reported is an error.
func TestCashierRefuses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newTill(t)
		c := d.cashier()
		without := func(change func(*payments.ProcessRequest)) payments.ProcessRequest {
			r := d.request("a")
			change(&r)
			return r
		}
		for _, test := range []struct {
			r    payments.ProcessRequest
			want string
		}{
			{without(func(r *payments.ProcessRequest) { r.StoreID = 0 }), "store_id is missing"},
			{without(func(r *payments.ProcessRequest) { r.OrderID = 0 }), "order_id is missing"},
			{without(func(r *payments.ProcessRequest) { r.PaymentAttemptID = "" }), "payment_attempt_id is missing"},
			{without(func(r *payments.ProcessRequest) { r.Amount.Value = client.MustMoney("10.005") }), "at most two decimals"},
			{without(func(r *payments.ProcessRequest) { r.Amount.Value = client.Cents(0) }), "more than 0"},
			{without(func(r *payments.ProcessRequest) { r.Amount.Value = client.Cents(-1) }), "more than 0"},
			{without(func(r *payments.ProcessRequest) { r.Amount.Currency = "ars" }), "an ISO 4217 code"},
			{without(func(r *payments.ProcessRequest) { r.PaymentMethod.Type = "" }), "payment_method"},
			{without(func(r *payments.ProcessRequest) { r.PaymentMethod.ID = "" }), "payment_method.id"},
		} {
			_, err := c.Process(t.Context(), test.r)
			if !errors.Is(err, payments.ErrMalformed) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %s", err, test.want)
			}
		}
		if len(d.moved) != 0 {
			t.Errorf("moved %v", d.moved)
		}
		if _, err := c.Process(t.Context(), d.request("a")); err != nil {
			t.Fatal(err)
		}
		_, err := c.Process(t.Context(), without(func(r *payments.ProcessRequest) { r.Amount.Value = client.Cents(1000) }))
		if !errors.Is(err, payments.ErrDiffers) || len(d.moved) != 1 {
			t.Errorf("got %v, moved %v, want ErrDiffers", err, d.moved)
		}
		charge := c.Charge
		c.Charge = func(ctx context.Context, p payments.Payment) (providers.TransactionInput, any, error) {
			in, answer, err := charge(ctx, p)
			in.FirstEvent.AuthorizationCode = ""
			return in, answer, err
		}
		if _, err := c.Process(t.Context(), d.request("b")); !errors.Is(err, client.ErrValidation) {
			t.Errorf("got %v, want an error about the authorization code", err)
		}
		c.Charge = func(ctx context.Context, p payments.Payment) (providers.TransactionInput, any, error) {
			in, answer, err := charge(ctx, p)
			in.Info.ExternalID = "the same for all"
			return in, answer, err
		}
		for _, attempt := range []string{"c", "d"} {
			if _, err := c.Process(t.Context(), d.request(attempt)); err != nil {
				t.Error(err)
			}
		}
		if !strings.Contains(d.failures(), `of operation `+d.entry(t, "c", payments.CallProcess).Key) {
			t.Errorf("failures: %v", d.failed)
		}
		if err := (&payments.Cashier{Lease: -1}).Check(); err == nil || !strings.Contains(err.Error(), "no Charge") {
			t.Errorf("Check: %v", err)
		}
	})
}

// A request is stored without what Redact removes; the first call of Charge has it.
func TestCashierRedacts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newTill(t)
		c := d.cashier()
		c.Redact = func(r *payments.ProcessRequest) { delete(r.Extra, "card_token") }
		c.Charge = func(_ context.Context, p payments.Payment) (providers.TransactionInput, any, error) {
			if e := d.only(t); strings.Contains(string(e.Request), "secret") || len(p.Extra) != 1 {
				t.Errorf("stored %s, charged with %v", e.Request, p.Extra)
			}
			return sale(p), nil, nil
		}
		if _, err := c.Process(t.Context(), d.request("a")); err != nil {
			t.Error(err)
		}
	})
}

// An operator closes an operation in progress: it is not written again, and a repeated call is not charged.
func TestCashierLeavesClosedOperations(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newTill(t)
		c := d.cashier()
		charge := c.Charge
		c.Charge = func(ctx context.Context, p payments.Payment) (providers.TransactionInput, any, error) {
			e := d.only(t)
			e.State = payments.StateClosed
			if ok, err := d.ledger.Swap(ctx, e); !ok || err != nil {
				t.Errorf("close: %v, %v", ok, err)
			}
			return charge(ctx, p)
		}
		for range 2 {
			if _, err := c.Process(t.Context(), d.request("a")); !errors.Is(err, payments.ErrClosed) {
				t.Errorf("got %v, want ErrClosed", err)
			}
		}
		if e := d.only(t); e.State != payments.StateClosed || d.moved[e.Key] != 1 || d.reported(t) != 0 {
			t.Errorf("%s, moved %v, reported %d times", e.State, d.moved, d.reported(t))
		}
	})
}
