package payments_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/payments"
	"github.com/commerceplatform/commerce-go/payments/paymentstest"
)

// lagging is a ledger whose Find reads a standby that is a second late.
type lagging struct {
	payments.MemoryLedger
	mu     sync.Mutex
	writes []written
}

type written struct {
	payments.Entry
	at time.Time
}

func (l *lagging) note(e payments.Entry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.writes = append(l.writes, written{e, time.Now()})
}

func (l *lagging) Begin(ctx context.Context, e payments.Entry) (payments.Entry, bool, error) {
	stored, created, err := l.MemoryLedger.Begin(ctx, e)
	if created {
		l.note(stored)
	}
	return stored, created, err
}

func (l *lagging) Swap(ctx context.Context, e payments.Entry) (bool, error) {
	swapped, err := l.MemoryLedger.Swap(ctx, e)
	if swapped {
		e.Version++
		l.note(e)
	}
	return swapped, err
}

func (l *lagging) Find(ctx context.Context, about payments.About) ([]payments.Entry, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var standby payments.MemoryLedger
	for _, w := range l.writes {
		if time.Since(w.at) < time.Second {
			continue
		}
		if _, created, err := standby.Begin(ctx, w.Entry); err != nil || created {
			continue
		}
		w.Entry.Version--
		if _, err := standby.Swap(ctx, w.Entry); err != nil {
			return nil, err
		}
	}
	return standby.Find(ctx, about)
}

// repeated calls act as the platform does, until it succeeds.
func repeated(t *testing.T, act func() error) {
	t.Helper()
	var err error
	for range 10 {
		if err = act(); err == nil {
			return
		}
		time.Sleep(5 * time.Second)
	}
	t.Error(err)
}

func (d *till) bankOf(c *payments.Cashier) *paymentstest.Bank {
	bank := new(paymentstest.Bank)
	c.Charge, c.Repay, c.Void = bank.Charge, bank.Repay, bank.Void
	return bank
}

// A ledger whose Find reads a late standby violates the requirements of Ledger. Calls in sequence, and refunds at the
// same time, are nevertheless not repeated and not blocked.
func TestCashierWithALateStandby(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newTill(t)
		one, two := d.cashier(), d.cashier()
		bank := d.bankOf(one)
		two.Charge, two.Repay, two.Void = one.Charge, one.Repay, one.Void
		l := new(lagging)
		one.Ledger, two.Ledger = l, l
		stopOne, stopTwo := run(t, one), run(t, two)
		repeated(t, func() error {
			_, err := one.Process(t.Context(), d.request("a"))
			return err
		})
		repeated(t, func() error {
			_, err := two.Process(t.Context(), d.request("a"))
			return err
		})
		time.Sleep(2 * time.Second)
		paid, err := l.Find(t.Context(), payments.About{PaymentAttemptID: "a"})
		if err != nil || len(paid) != 1 {
			t.Fatalf("%d payments, %v", len(paid), err)
		}
		refund := func(c *payments.Cashier, cents int64) func() error {
			r := d.refund(cents)
			r.TransactionID = paid[0].TransactionID
			return func() error { return c.Refund(t.Context(), r) }
		}
		var both sync.WaitGroup
		both.Go(func() { repeated(t, refund(one, 30)) })
		both.Go(func() { repeated(t, refund(two, 20)) })
		both.Wait()
		repeated(t, refund(one, 10))
		repeated(t, func() error { return two.Cancel(t.Context(), "a") })
		time.Sleep(time.Hour)
		stopOne()
		stopTwo()
		d.balanced(t, bank, paid[0], 5)
		if open, err := l.Open(t.Context(), "", 10); len(open) > 0 || err != nil {
			t.Errorf("open: %v, %v", open, err)
		}
	})
}

// balanced verifies that a number of moves of the bank are the events of the only transaction.
func (d *till) balanced(t *testing.T, bank *paymentstest.Bank, paid payments.Entry, moves int) {
	t.Helper()
	shown, err := v202503.Transactions(d.client).Get(t.Context(), d.charge.OrderID, paid.TransactionID)
	if err != nil {
		t.Fatal(err)
	}
	var events, moved []string
	for _, e := range shown.Events {
		events = append(events, fmt.Sprintf("%s %s", e.Type, e.Amount.Value))
	}
	for _, m := range bank.Moves("") {
		moved = append(moved, fmt.Sprintf("%s %s", m.Kind, m.Amount.Value))
	}
	slices.Sort(events)
	slices.Sort(moved)
	if !slices.Equal(events, moved) || len(moved) != moves || d.reported(t) != 1 {
		t.Errorf("the bank has moved %v, and the platform shows %v in %d transactions", moved, events, d.reported(t))
	}
}

// A process with a MemoryLedger restarts and forgets its operations. Repeated calls then move and report nothing again,
// and the payment can be refunded and cancelled as before.
func TestCashierForgetsAtARestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newTill(t)
		c := d.cashier()
		bank := d.bankOf(c)
		c.OrderOf = d.ofCharge
		if _, err := c.Process(t.Context(), d.request("a")); err != nil {
			t.Fatal(err)
		}
		paid := d.entry(t, "a", payments.CallProcess)
		r := d.refund(30)
		r.TransactionID = paid.TransactionID
		if err := c.Refund(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		restart := func() {
			c = &payments.Cashier{
				Charge: c.Charge, Repay: c.Repay, Void: c.Void, Transactions: c.Transactions, OrderOf: c.OrderOf,
			}
		}
		restart()
		if _, err := c.Process(t.Context(), d.request("a")); err != nil {
			t.Error(err)
		}
		d.balanced(t, bank, paid, 2)
		time.Sleep(time.Hour)
		r.Amount = d.refund(20).Amount
		if err := c.Refund(t.Context(), r); err != nil {
			t.Error(err)
		}
		restart()
		if _, err := c.Process(t.Context(), d.request("a")); err != nil {
			t.Error(err)
		}
		if err := c.Cancel(t.Context(), "a"); err != nil {
			t.Error(err)
		}
		d.balanced(t, bank, paid, 4)
	})
}
