package paymentstest

import (
	"context"
	"fmt"
	"reflect"
	"sync"
	"testing"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client/providers"
	"github.com/commerceplatform/commerce-go/payments"
)

// cancellation returns the entry of a new cancellation, which contains only the attempt of a payment.
func cancellation(key, of string) payments.Entry {
	e := payment(key)
	e.Call, e.About, e.Amount = payments.CallCancel, payments.About{PaymentAttemptID: payment(of).PaymentAttemptID}, providers.Amount{}
	return e
}

// cancel finds a cancellation by its attempt, and by the ids of the payment once it has them.
func cancel(t *testing.T, one, other payments.Ledger) {
	e := begun(t, one, cancellation("cancel", "pay"))
	find := func(about payments.About, want ...string) {
		t.Helper()
		got, err := other.Find(t.Context(), about)
		if err != nil || !reflect.DeepEqual(keys(got), want) {
			t.Errorf("Find %+v: %v, %v, want %v", about, keys(got), err, want)
		}
	}
	find(e.About, "cancel")
	begun(t, other, payment("pay"))
	find(e.About, "cancel", "pay")
	find(payments.About{StoreID: 7}, "pay")
	e.About = payment("pay").About
	e.TransactionID = uuid.MustParse("6f1c1c52-5f0e-4f7e-9a55-0d3b6f1f2a10")
	e.State, e.Amount = payments.StateReported, payment("pay").Amount
	swapped(t, one, e)
	find(payments.About{StoreID: 7, TransactionID: e.TransactionID}, "cancel")
	find(payments.About{StoreID: 7, OrderID: 8}, "cancel", "pay")
}

// cancelAtOnce begins a payment and its cancellation concurrently. If each could miss the other, the payment would be
// charged after it was cancelled.
func cancelAtOnce(t *testing.T, one, other payments.Ledger) {
	for n := range 50 {
		pay := payment(fmt.Sprint("pay ", n))
		entries := [2]payments.Entry{pay, cancellation(fmt.Sprint("cancel ", n), pay.Key)}
		var seen [2]int
		var all sync.WaitGroup
		for i, l := range [2]payments.Ledger{one, other} {
			all.Go(func() {
				_, created, err := l.Begin(context.Background(), entries[i])
				if err != nil || !created {
					t.Errorf("Begin: created %v, %v", created, err)
				}
				got, err := l.Find(context.Background(), payments.About{PaymentAttemptID: pay.PaymentAttemptID})
				if err != nil {
					t.Error(err)
				}
				seen[i] = len(got)
			})
		}
		all.Wait()
		if seen[0] < 1 || seen[1] < 1 || seen[0]+seen[1] < 3 {
			t.Fatalf("a payment and its cancellation began at once: they found %v entries, want 2 at least once", seen)
		}
	}
}
