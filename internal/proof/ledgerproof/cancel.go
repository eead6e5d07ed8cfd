package ledgerproof

import (
	"fmt"
	"net/url"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/payments"
)

// modes are when an attempt is cancelled.
var modes = []string{
	"before the payment", "after the payment", "during the payment", "during the payment, and not again",
	"after the payment, beside a refund",
}

func modeOf(n int) string { return modes[n%len(modes)] }

func cancelledAttempt(n int) string { return fmt.Sprintf("cancelled-%d", n) }

// amountOf returns the amount of an attempt that is cancelled: every other one of a mode is reserved only. What is
// refunded was taken.
func amountOf(n int) client.Money {
	if n/len(modes)%2 == 0 || modeOf(n) == modes[4] {
		return paid
	}
	return reserved
}

// cancelAll cancels attempts before, during and after their payment.
func cancelAll(t *testing.T, w *world) {
	w.faults(t, "POST /orders/{order_id}/transactions")
	w.faults(t, "POST /orders/{order_id}/transactions/{id}/events")
	first := len(w.orders) // the orders of this test
	var mu sync.Mutex
	answered := map[int]bool{}
	n := w.storm(t, cancelSteps, func(n int) {
		body := w.payment(w.order(t, first*orderSize+n), cancelledAttempt(n), amountOf(n))
		pay := func() { w.pay(t, n, body) }
		cancel := func() {
			done := w.cancel(t, n)
			mu.Lock()
			defer mu.Unlock()
			answered[n] = done
		}
		switch modeOf(n) {
		case "before the payment":
			cancel()
			pay()
		case "after the payment":
			pay()
			cancel()
		case "after the payment, beside a refund":
			pay()
			together(cancel, func() { w.refundOnce(t, n) })
		default:
			together(cancel, pay)
		}
	})
	count := map[string]int{}
	for i := range n {
		count[w.cancelled(t, i, answered[i])]++
	}
	recorded := 0
	for _, order := range w.orders[first:] {
		all, err := w.api.Transactions.List(order).Collect(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		recorded += len(all)
	}
	if want := n - count[neverCharged]; recorded != want {
		t.Errorf("the platform has %d transactions, want %d", recorded, want)
	}
	t.Logf("%d attempts: %v", n, count)
}

func together(one, other func()) {
	var all sync.WaitGroup
	all.Go(one)
	all.Go(other)
	all.Wait()
}

// entries returns the payment and the cancellation of an attempt, zero if there is none.
func (w *world) entries(t *testing.T, n int) (pay, cancel payments.Entry) {
	all, err := w.ledger.Find(t.Context(), payments.About{PaymentAttemptID: client.Code(cancelledAttempt(n))})
	if err != nil {
		t.Error(err)
	}
	for _, e := range all {
		switch e.Call {
		case payments.CallProcess:
			pay = e
		case payments.CallCancel:
			cancel = e
		}
	}
	return pay, cancel
}

// pay sends volleys until one is answered, or the payment is known to be cancelled.
func (w *world) pay(t *testing.T, n int, body string) {
	for range 1000 {
		first, second := w.signed(t, "/process", body)
		if len(w.volley(t.Context(), first, second, n)) > 0 {
			return
		}
		if pay, _ := w.entries(t, n); pay.State == payments.StateCancelled {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Errorf("payment %d was not answered", n)
}

// cancel sends volleys until one is answered, or one volley only. It reports whether it was answered.
func (w *world) cancel(t *testing.T, n int) bool {
	path := "/cancel?" + url.Values{"payment_attempt_id": {cancelledAttempt(n)}}.Encode()
	again := 3*n + 1 // until it is answered: see insist
	if modeOf(n) == "during the payment, and not again" {
		again = 3 * n
	}
	answer := w.insist(t, again, func() (call, call) { return w.signed(t, path, "") })
	if answer != "" && answer != "200 " {
		t.Errorf("the cancellation of %d was answered %q", n, answer)
	}
	return answer != ""
}

// refundOnce asks once for a refund of a payment that is reported.
func (w *world) refundOnce(t *testing.T, n int) {
	if pay, _ := w.entries(t, n); pay.TransactionID != uuid.Nil {
		first, _ := w.signed(t, "/refunds", w.refund(pay.TransactionID))
		w.volley(t.Context(), first, first, n)
	}
}

// Ends of an attempt.
const (
	neverCharged = "never charged"
	notCancelled = "not cancelled"
	released     = "charged and released"
	releasedRest = "charged, refunded in part, and the rest released"
)

// cancelled checks how an attempt has ended, and returns that.
func (w *world) cancelled(t *testing.T, n int, answered bool) string {
	t.Helper()
	pay, cancel := w.entries(t, n)
	name := cancelledAttempt(n)
	charges, releases := w.bank.moves(name), w.bank.moves(release(name))
	refunds := w.bank.moves(pay.TransactionID.String())
	wrong := func(what string) string {
		t.Errorf("attempt %d, cancelled %s: %s: charged %d times, refunded %d times, released %d times; the payment is %q, "+
			"the cancellation %q", n, modeOf(n), what, charges, refunds, releases, pay.State, cancel.State)
		return "wrong"
	}
	switch {
	case charges > 1 || releases > 1 || refunds > 1:
		return wrong("money moved twice")
	case answered && cancel.Key == "":
		return wrong("an answered cancellation is not in the ledger")
	case charges > 0 && pay.State != payments.StateReported:
		return wrong("a charge is not reported")
	case charges == 0 && releases+refunds > 0:
		return wrong("money was given back that was not taken")
	case charges > 0 && answered && modeOf(n) == "before the payment":
		return wrong("charged after it was cancelled")
	case charges == 0 && (cancel.State != payments.StateCancelled || pay.State != payments.StateCancelled && pay.Key != ""):
		return wrong("never charged, and not cancelled")
	case charges == 0:
		return neverCharged
	case cancel.Key == "" && releases > 0:
		return wrong("released without a cancellation")
	case cancel.Key == "":
		return notCancelled
	case releases == 0 || cancel.State != payments.StateReported:
		return wrong("not released, or not reported")
	}
	back := w.bank.amount(t, release(name))
	if refunds > 0 {
		back += w.bank.amount(t, pay.TransactionID.String())
	}
	if taken := w.bank.amount(t, name); back != taken {
		return wrong(fmt.Sprintf("%d cents were taken and %d given back", taken, back))
	}
	tx, err := w.api.Transactions.Get(t.Context(), pay.OrderID, pay.TransactionID)
	if err != nil {
		t.Fatal(err)
	}
	ended := slices.Contains([]payments.Status{payments.StatusRefunded, payments.StatusVoided}, tx.Status)
	if !ended || len(tx.Events) != 1+refunds+releases {
		return wrong(fmt.Sprintf("the platform has %d events and status %s", len(tx.Events), tx.Status))
	}
	if refunds > 0 {
		return releasedRest
	}
	return released
}
