package paymentstest

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/payments"
)

// pruner is a ledger that deletes old operations, as sqlledger.Ledger and payments.MemoryLedger do.
type pruner interface {
	Prune(ctx context.Context, before time.Time) (int64, error)
}

// prune deletes old operations, but none with an operation of the payment that is open or young.
func prune(t *testing.T, one, other payments.Ledger) {
	p, ok := other.(pruner)
	if !ok {
		return
	}
	refunded, forgotten := uuid.MustParse("6f1c1c52-5f0e-4f7e-9a55-0d3b6f1f2a10"), uuid.MustParse("7f1c1c52-5f0e-4f7e-9a55-0d3b6f1f2a10")
	add := func(key, attempt string, of uuid.UUID, state payments.State) payments.Entry {
		e := payment(key)
		e.PaymentAttemptID, e.TransactionID, e.State = payment(attempt).PaymentAttemptID, of, state
		if attempt == "" {
			e.PaymentAttemptID = ""
		}
		return begun(t, one, e)
	}
	add("paid", "paid", refunded, payments.StateReported)
	refund := add("refund", "", refunded, payments.StateBegun)
	add("stopped", "stopped", uuid.Nil, payments.StateCancelled)
	stop := add("stop", "stopped", uuid.Nil, payments.StateBegun)
	add("old", "old", forgotten, payments.StateReported)
	add("its refund", "", forgotten, payments.StateReported)
	add("refused", "", uuid.Nil, payments.StateRefused)
	expect := func(before time.Time, want ...string) {
		t.Helper()
		if _, err := p.Prune(t.Context(), before); err != nil {
			t.Fatal(err)
		}
		if got := keysOf(t, one); !slices.Equal(got, want) {
			t.Errorf("after Prune: %v, want %v", got, want)
		}
	}
	const hour = time.Hour
	expect(time.Now().Add(-hour), "its refund", "old", "paid", "refund", "refused", "stop", "stopped")
	// The clock of SQLite has whole seconds.
	last, second := time.Now(), time.Now().Truncate(time.Second)
	for n := int64(0); n == 0 || !second.After(last); second = time.Now().Truncate(time.Second) {
		some, err := p.Prune(t.Context(), second)
		if err != nil {
			t.Fatal(err)
		}
		n += some
	}
	expect(second, "paid", "refund", "stop", "stopped")
	refund.State, stop.State = payments.StateReported, payments.StateCancelled
	swapped(t, one, refund)
	swapped(t, one, stop)
	expect(second, "paid", "refund", "stop", "stopped")
	expect(time.Now().Add(hour))
	if created := begun(t, one, payment("paid")); created.Version != 1 {
		t.Errorf("a deleted operation that begins again has version %d, want 1", created.Version)
	}
}

// keysOf returns the sorted keys of all operations of the store.
func keysOf(t *testing.T, l payments.Ledger) []string {
	t.Helper()
	all, err := l.Find(t.Context(), payments.About{StoreID: payment("").StoreID})
	if err != nil {
		t.Fatal(err)
	}
	return slices.Sorted(slices.Values(keys(all)))
}
