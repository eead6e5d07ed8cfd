package payments_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/providers"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/internal/tier"
	"github.com/commerceplatform/commerce-go/payments"
	"github.com/commerceplatform/commerce-go/payments/paymentstest"
)

// books is a model of an order: its bank, its ledger, the platform and two replicas of the app, of which each can die.
type books struct {
	*till
	t        *testing.T
	rand     *rand.Rand
	bank     paymentstest.Bank
	shared   *payments.MemoryLedger
	replicas [2]*replica
	attempts []string
	backup   []payments.Entry
	acts     sync.WaitGroup
	faults   atomic.Bool   // whether the bank fails
	alone    chan struct{} // has room for one move of the app itself
	keys     int           // of them
}

// replica is a process of the app.
type replica struct {
	*payments.Cashier
	dead *atomic.Bool
	stop func()
}

// mortal is the ledger of a replica. After the death of the replica nothing is written.
type mortal struct {
	payments.Ledger
	dead *atomic.Bool
}

func (l mortal) Begin(ctx context.Context, e payments.Entry) (payments.Entry, bool, error) {
	if l.dead.Load() {
		return payments.Entry{}, false, errDied
	}
	return l.Ledger.Begin(ctx, e)
}

func (l mortal) Swap(ctx context.Context, e payments.Entry) (bool, error) {
	if l.dead.Load() {
		return false, errDied
	}
	return l.Ledger.Swap(ctx, e)
}

// The moves of the bank are those that the platform shows, and no more is returned than was taken, whatever fails.
func TestProofBooks(t *testing.T) {
	const stepsOfAnOrder = 50
	for seed := range tier.Unwatched(300, 10_000, 1_000_000) / stepsOfAnOrder {
		synctest.Test(t, func(t *testing.T) {
			b := newBooks(t, uint64(seed))
			for range stepsOfAnOrder {
				b.step()
			}
			b.settle()
			for _, r := range b.replicas {
				r.stop()
			}
		})
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

func newBooks(t *testing.T, seed uint64) *books {
	b := &books{till: newTill(t), t: t, rand: rand.New(rand.NewPCG(seed, 1)), shared: new(payments.MemoryLedger)}
	b.alone = make(chan struct{}, 1)
	luck := rand.New(rand.NewPCG(seed, 2))
	fails := func(context.Context, paymentstest.Move) error {
		b.mu.Lock()
		n := luck.IntN(100)
		b.mu.Unlock()
		time.Sleep(time.Duration(n) * 20 * time.Millisecond)
		if b.faults.Load() && n < 30 {
			return errors.New("the bank has not answered")
		}
		return nil
	}
	b.bank.Before, b.bank.After = fails, fails
	if seed%2 == 1 {
		b.bank.First = providers.EventTypeAuthorization
	}
	for i := range b.replicas {
		b.start(i)
	}
	return b
}

// start starts a replica.
func (b *books) start(i int) {
	dead := new(atomic.Bool)
	c := b.cashier()
	c.Ledger, c.OrderOf = mortal{b.shared, dead}, b.ofCharge
	c.Charge, c.Repay, c.Void = b.bank.Charge, b.repay, b.bank.Void
	b.replicas[i] = &replica{c, dead, run(b.t, c)}
}

// repay returns money of a payment, even if its entry was pruned.
func (b *books) repay(ctx context.Context, r payments.Repayment) (providers.EventInput, error) {
	if r.Payment == nil {
		t, err := v202503.Transactions(b.client).Get(ctx, r.OrderID, r.TransactionID)
		if err != nil {
			return providers.EventInput{}, err
		}
		r.Payment = &providers.TransactionInput{Info: providers.InfoInput{ExternalID: t.Info.ExternalID}}
	}
	return b.bank.Repay(ctx, r)
}

// step makes something happen, and lets some time pass.
func (b *books) step() {
	r := b.replicas[b.rand.IntN(2)]
	switch n := b.rand.IntN(24); {
	case n < 4 || len(b.attempts) == 0:
		if len(b.attempts) < 4 {
			b.attempts = append(b.attempts, fmt.Sprint("attempt-", len(b.attempts)))
		}
		of := b.any()
		b.call(func(ctx context.Context) error { _, err := r.Process(ctx, b.request(of)); return err })
	case n < 10:
		cents, of := b.cents(), b.any()
		b.call(func(ctx context.Context) error { return b.refund(ctx, r, of, cents) })
	case n < 12:
		of := b.any()
		b.call(func(ctx context.Context) error { return r.Cancel(ctx, of) })
	case n < 14:
		b.lose()
	case n == 14:
		b.faults.Store(!b.faults.Load())
	case n == 15:
		b.kill(b.rand.IntN(2))
	case n == 16:
		of, cents := b.any(), b.cents()
		b.acts.Go(func() { b.own(of, cents) })
	case n > 20:
		if of, cents := b.rival(); of != "" {
			b.acts.Go(func() { b.own(of, cents) })
		}
	case n == 17:
		b.backup = b.entries()
	case n == 18:
		b.restore()
	case n == 19:
		b.srv.EndFaults()
	case n == 20:
		if _, err := b.shared.Prune(context.Background(), time.Now().Add(-10*time.Minute)); err != nil {
			b.t.Error(err)
		}
		b.backup = nil
	}
	time.Sleep(time.Duration(b.rand.IntN(1 + int(5*time.Second))))
	if b.rand.IntN(5) == 0 {
		time.Sleep(time.Duration(b.rand.IntN(int(10 * time.Minute))))
	}
}

// cents returns one of few amounts, so that those of the cashier and of the app are often equal.
func (b *books) cents() int64 { return []int64{10, 25, 60, 100}[b.rand.IntN(4)] }

func (b *books) any() string { return b.attempts[b.rand.IntN(len(b.attempts))] }

// call makes a call of the platform, which waits for at most 18 seconds.
func (b *books) call(f func(context.Context) error) {
	b.acts.Go(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 18*time.Second)
		defer cancel()
		_ = f(ctx) // the books show what it did
	})
}

// refund requests a refund of the transaction that the platform shows for an attempt.
func (b *books) refund(ctx context.Context, r *replica, attempt string, cents int64) error {
	t, err := b.shown(ctx, attempt)
	if t == nil || err != nil {
		return err
	}
	in := b.till.refund(cents)
	in.TransactionID = t.ID
	return r.Refund(ctx, in)
}

// shown returns the transaction of an attempt, or nil.
func (b *books) shown(ctx context.Context, attempt string) (*providers.Transaction, error) {
	receipt := ""
	for _, e := range b.entries() {
		if e.Call == payments.CallProcess && string(e.PaymentAttemptID) == attempt {
			receipt = e.Key
		}
	}
	for t, err := range v202503.Transactions(b.client).List(b.charge.OrderID).All(ctx) {
		if err != nil || t.Info.ExternalID == receipt {
			return t, err
		}
	}
	return nil, nil
}

// entries returns all entries of the order.
func (b *books) entries() []payments.Entry {
	all, err := b.shared.Find(context.Background(), payments.About{StoreID: b.srv.StoreID()})
	if err != nil {
		b.t.Error(err)
	}
	return all
}

// lose makes the next requests of an operation fail, before or after they are applied.
func (b *books) lose() {
	operations := []string{
		"POST /orders/{order_id}/transactions", "POST /orders/{order_id}/transactions/{id}/events",
		"GET /orders/{order_id}/transactions/{id}", "GET /orders/{order_id}/transactions",
	}
	fault := clienttest.Fault{
		Operation: operations[b.rand.IntN(len(operations))], Status: http.StatusBadGateway, Count: 1 + b.rand.IntN(8),
		After: b.rand.IntN(2) == 0,
	}
	if err := b.srv.Fault(fault); err != nil {
		b.t.Error(err)
	}
}

// kill ends a replica at once, and starts another one.
func (b *books) kill(i int) {
	b.replicas[i].dead.Store(true)
	go b.replicas[i].stop()
	b.start(i)
}

// restore replaces the ledger by the backup. The platform repeats the payments that are missing in it.
func (b *books) restore() {
	if b.backup == nil {
		return
	}
	b.settle()
	for i := range b.replicas {
		b.replicas[i].stop()
	}
	b.shared = restored(b.t, b.backup...)
	for i := range b.replicas {
		b.start(i)
	}
	for _, attempt := range b.attempts {
		_, err := b.replicas[0].Process(context.Background(), b.request(attempt))
		if err != nil && !errors.Is(err, payments.ErrCancelled) {
			b.t.Errorf("%s after a restore: %v", attempt, err)
		}
	}
	b.settle()
}

// rival returns the attempt and the amount of a refund or a cancellation in progress; empty if there is none.
func (b *books) rival() (attempt string, cents int64) {
	attempts := map[uuid.UUID]client.Code{}
	all := b.entries()
	for _, e := range all {
		attempts[e.TransactionID] = cmp.Or(attempts[e.TransactionID], e.PaymentAttemptID)
	}
	for _, e := range all {
		if e.State.Open() && e.TransactionID != uuid.Nil && !e.Amount.Value.Decimal().IsZero() {
			return string(attempts[e.TransactionID]), e.Amount.Value.Decimal().Shift(2).IntPart()
		}
	}
	return "", 0
}

// own captures or returns a part of a payment, without the cashier and while it works. The amounts are those of the
// cashier. As an app must, it repeats the move and the report until they succeed.
func (b *books) own(attempt string, cents int64) {
	b.alone <- struct{}{}
	defer func() { <-b.alone }()
	ctx := context.Background()
	t, err := b.shown(ctx, attempt)
	if t == nil || err != nil || len(t.Events) == 0 {
		return
	}
	b.keys++
	m := paymentstest.Move{Key: fmt.Sprint("own ", b.keys), Of: t.Info.ExternalID, Kind: providers.EventTypeRefund}
	if m.Amount = b.till.refund(cents).Amount; t.Status == providers.StatusAuthorized {
		m.Kind = providers.EventTypeCapture
	}
	for err := b.bank.Move(ctx, m); err != nil; err = b.bank.Move(ctx, m) {
		if errors.Is(err, paymentstest.ErrTooMuch) {
			return
		}
		time.Sleep(time.Second)
	}
	in := providers.EventInput{
		Amount: m.Amount, Type: m.Kind, Status: providers.EventSuccess, AuthorizationCode: "OK-1",
		HappenedAt: client.At(time.Now()),
	}
	for range 100 {
		if _, _, err = v202503.Transactions(b.client).CreateEventOrGet(ctx, b.charge.OrderID, t.ID, in); err == nil {
			break
		}
		time.Sleep(time.Minute)
	}
	if err != nil {
		b.t.Errorf("own %s of %d: %v", m.Kind, cents, err)
	}
	time.Sleep(time.Second) // so that its own events differ in their time
}

// settle ends all failures, waits until nothing is open, and compares the bank with the platform.
func (b *books) settle() {
	b.srv.EndFaults()
	b.faults.Store(false)
	b.acts.Wait()
	open := func(e payments.Entry) bool { return e.State.Open() }
	for range 36 {
		if time.Sleep(5 * time.Minute); !slices.ContainsFunc(b.entries(), open) {
			break
		}
		b.person()
	}
	for _, e := range b.entries() {
		if e.State.Open() {
			b.t.Errorf("%s of %v is %s after %d tries: %s", e.Call, e.About, e.State, e.Tries, e.LastError)
		}
	}
	shown := map[string]bool{}
	for t, err := range v202503.Transactions(b.client).List(b.charge.OrderID).All(context.Background()) {
		if err != nil {
			b.t.Error(err)
			return
		}
		if t.ID != b.charge.TransactionID {
			shown[t.Info.ExternalID] = true
			b.compare(t)
		}
	}
	for _, m := range b.bank.Moves("") {
		if !shown[m.Of] {
			b.t.Errorf("the bank has a %s of %s, and the platform has no transaction", m.Kind, m.Amount.Value)
		}
	}
}

// person settles operations whose outcome the cashier cannot know. The bank has not moved their money.
func (b *books) person() {
	ctx, c := context.Background(), b.replicas[0].Cashier
	for s, err := range c.Stuck(ctx) {
		moved := slices.ContainsFunc(b.bank.Moves(""), func(m paymentstest.Move) bool { return m.Key == s.Key })
		if s.Rests { // this bank forgets no key
			err = c.Resume(ctx, s.Key)
		}
		if err != nil || moved || !strings.Contains(s.LastError, "nothing is left to release") {
			continue
		}
		if err := c.Settle(ctx, s.Key, "the bank has not moved it"); err != nil {
			b.t.Error(err)
		}
	}
}

// compare compares a transaction with the moves of the bank.
func (b *books) compare(t *providers.Transaction) {
	moved := map[providers.EventType]decimal.Decimal{}
	for _, m := range b.bank.Moves(t.Info.ExternalID) {
		moved[m.Kind] = moved[m.Kind].Add(m.Amount.Value.Decimal())
	}
	taken := moved[providers.EventTypeSale].Add(moved[providers.EventTypeCapture])
	for _, pair := range []struct {
		name  string
		shown *providers.Amount
		bank  decimal.Decimal
	}{
		{"captured", t.CapturedAmount, taken}, {"refunded", t.RefundedAmount, moved[providers.EventTypeRefund]},
		{"voided", t.VoidedAmount, moved[providers.EventTypeVoid]},
		{"authorized", t.AuthorizedAmount, moved[providers.EventTypeAuthorization]},
	} {
		shown := decimal.Zero
		if pair.shown != nil {
			shown = pair.shown.Value.Decimal()
		}
		if !shown.Equal(pair.bank) {
			b.t.Errorf("%s: the platform shows %s and the bank has %s: %v, %v", pair.name, shown, pair.bank,
				b.bank.Moves(t.Info.ExternalID), t.Events)
		}
	}
	if moved[providers.EventTypeRefund].GreaterThan(taken) {
		b.t.Errorf("taken %s, returned %s", taken, moved[providers.EventTypeRefund])
	}
}
