package ledgerproof

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/internal/tier"
	"github.com/commerceplatform/commerce-go/payments"
)

// count is the number of payments, and of as many refunds.
func count() int { return tier.Size(6, 60, 1000) }

// deaths returns the steps at which replicas die in a storm: two random ones in make test, and else each of them.
func deaths(t *testing.T, steps []string) []string {
	steps = slices.Clone(steps)
	rand.Shuffle(len(steps), func(i, j int) { steps[i], steps[j] = steps[j], steps[i] })
	steps = steps[:tier.Size(2, len(steps), len(steps))]
	t.Logf("replicas die %q", steps)
	return slices.Concat(slices.Repeat([][]string{steps}, max(1, count()/250))...)
}

// atOnce is how many customers pay, or merchants pay back, at a time.
const atOnce = 8

// Run proves that money moves once and that the platform is notified once, of payments, refunds and cancellations.
func Run(t *testing.T, d Database) {
	w := newWorld(t, d)
	t.Run("Payments", func(t *testing.T) { payAll(t, w) })
	if !t.Failed() {
		t.Run("Refunds", func(t *testing.T) { refundAll(t, w) })
	}
	if !t.Failed() {
		t.Run("Cancellations", func(t *testing.T) { cancelAll(t, w) })
	}
}

// storm works on operations, from 0 on, until there were enough and the replicas have died at every step: replica 0 at
// every other one, replica 1 at the rest. Then it waits until no operation is open.
func (w *world) storm(t *testing.T, steps []string, work func(n int)) (operations int) {
	begun, steps := time.Now(), deaths(t, steps)
	w.end(t)
	var dying, working sync.WaitGroup
	for replica := range w.replicas {
		dying.Go(func() {
			for i := replica; i < len(steps); i += len(w.replicas) {
				p := w.start(t, replica, fmt.Sprintf("%s:%d", steps[i], 1+rand.N(2)))
				<-p.Ended()
				w.down(replica)
			}
			w.start(t, replica, "")
		})
	}
	died := make(chan struct{})
	go func() { dying.Wait(); close(died) }()
	next := make(chan int)
	for range atOnce {
		working.Go(func() {
			for n := range next {
				work(n)
			}
		})
	}
	for alive := true; operations < count() || alive && operations < 50*count(); operations++ {
		select {
		case <-died:
			alive = false
		default:
		}
		if operations == 300 { // of a long test: the API is down
			w.outage(t, 5*time.Second)
		}
		next <- operations
		if operations > count() {
			time.Sleep(20 * time.Millisecond) // the storm only lasts until the last death
		}
	}
	close(next)
	working.Wait()
	stormed := time.Since(begun)
	w.settle(t)
	t.Logf("a storm of %.1f s, and %.1f s in all until nothing was open", stormed.Seconds(), time.Since(begun).Seconds())
	return operations
}

// settle waits until nothing is open.
func (w *world) settle(t *testing.T) {
	t.Helper()
	for end := time.Now().Add(2 * time.Minute); ; time.Sleep(100 * time.Millisecond) {
		open, err := w.ledger.Open(t.Context(), "", 1000)
		if err != nil {
			t.Fatal(err)
		}
		if len(open) == 0 {
			return
		}
		if time.Now().After(end) {
			e := open[0]
			t.Fatalf("%d operations are open, the first: %+v, %s, try %d, %s", len(open), e.About, e.State, e.Tries, e.LastError)
		}
	}
}

// volley sends a call to both replicas at once, and another one for the same. It returns the answers that are not 503.
func (w *world) volley(ctx context.Context, first, second call, n int) (answers []string) {
	var mu sync.Mutex
	var all sync.WaitGroup
	for i, c := range []call{first, first, second} {
		all.Go(func() {
			status, body := w.send(ctx, (n+i)%len(w.replicas), c)
			if status != 0 && status != http.StatusServiceUnavailable {
				mu.Lock()
				defer mu.Unlock()
				answers = append(answers, fmt.Sprint(status, " ", body))
			}
		})
	}
	all.Wait()
	return answers
}

// insist sends volleys until one is answered, all answers of one operation being the same. Of every third operation it
// sends only the first volley that reaches a replica, and the rest is up to them.
func (w *world) insist(t *testing.T, n int, first func() (call, call)) (answered string) {
	for range 1000 {
		one, other := first()
		answers := w.volley(t.Context(), one, other, n)
		slices.Sort(answers)
		if all := slices.Compact(answers); len(all) > 1 || answered != "" && len(all) == 1 && all[0] != answered {
			t.Errorf("operation %d was answered %q, and before that %q", n, all, answered)
			return answered
		} else if len(all) == 1 {
			if answered != "" {
				return answered
			}
			answered = all[0] // and once more
			continue
		}
		if n%3 == 0 {
			return answered
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Errorf("operation %d was not answered", n)
	return ""
}

// faults lose answers of the platform, and let it refuse some.
func (w *world) faults(t *testing.T, operation string) {
	t.Helper()
	for _, f := range []clienttest.Fault{
		{Operation: operation, Skip: 5, Count: 2, Reset: true, After: true},
		{Operation: operation, Skip: 15, Count: 2, Status: http.StatusServiceUnavailable},
		{Operation: operation, Skip: 25, Count: 2, Reset: true},
	} {
		if err := w.platform.Fault(f); err != nil {
			t.Fatal(err)
		}
	}
}

// outage lets every call about transactions fail for a time.
func (w *world) outage(t *testing.T, d time.Duration) {
	for _, operation := range []string{
		"GET /orders/{order_id}/transactions", "POST /orders/{order_id}/transactions",
		"GET /orders/{order_id}/transactions/{id}", "POST /orders/{order_id}/transactions/{id}/events",
	} {
		down := clienttest.Fault{Operation: operation, Status: http.StatusServiceUnavailable}
		if err := w.platform.Fault(down); err != nil {
			t.Error(err)
		}
	}
	time.AfterFunc(d, w.platform.EndFaults)
}

func attempt(n int) string { return fmt.Sprintf("attempt-%d", n) }

// payment is the body of a call to pay.
func (w *world) payment(order client.ID, attempt string, amount client.Money) string {
	return fmt.Sprintf(`{"store_id":%d,"order_id":%d,"payment_provider_id":%q,"payment_attempt_id":%q,`+
		`"payment_method":{"type":"credit_card","id":"visa"},"amount":{"value":%q,"currency":"ARS"},"token":"tok"}`,
		w.settings.Store, order, w.provider, attempt, amount)
}

// refund is the body of a call to pay back.
func (w *world) refund(transaction uuid.UUID) string {
	return fmt.Sprintf(`{"store_id":%d,"payment_provider_id":%q,"transaction_id":%q,`+
		`"amount":{"value":%q,"currency":"ARS"}}`, w.settings.Store, w.provider, transaction, refunded)
}

func payAll(t *testing.T, w *world) {
	w.faults(t, "POST /orders/{order_id}/transactions")
	var mu sync.Mutex
	answered := map[int]bool{}
	n := w.storm(t, steps, func(n int) {
		body := w.payment(w.order(t, n), attempt(n), paid)
		answer := w.insist(t, n, func() (call, call) { return w.signed(t, "/process", body) })
		mu.Lock()
		defer mu.Unlock()
		answered[n] = answer != ""
		if len(answer) > 0 && answer[:3] != "201" {
			t.Errorf("payment %d was answered %q", n, answer)
		}
	})
	reported := map[string]int{} // by attempt
	for _, order := range w.orders {
		for tx, err := range w.api.Transactions.List(order).All(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			reported[tx.Info.ExternalID]++
		}
	}
	moved := 0
	for i := range n {
		moves, reports := w.bank.moves(attempt(i)), 0
		for key := range w.bank.keys[attempt(i)] {
			reports += reported["receipt-"+key]
		}
		moved += moves
		if moves != reports || moves > 1 || moves < 1 && answered[i] {
			t.Errorf("payment %d: moved %d times, reported %d times, answered %v", i, moves, reports, answered[i])
		}
	}
	t.Logf("%d attempts, %d paid once and reported once, %d calls to the bank, %d reports",
		n, moved, w.bank.calls, len(reported))
}

// refundAll pays back a part of each payment, and of some the same a second time.
func refundAll(t *testing.T, w *world) {
	w.faults(t, "POST /orders/{order_id}/transactions/{id}/events")
	transactions, orders := w.transactions(t)
	calls := w.bank.calls
	var mu sync.Mutex
	asked, answered := map[int]int{}, map[int]int{} // by transaction
	pay := func(n int) {
		id := transactions[n]
		first, second := w.signed(t, "/refunds", w.refund(id)) // the platform asks once
		answer := w.insist(t, n, func() (call, call) { return first, second })
		mu.Lock()
		defer mu.Unlock()
		asked[n]++
		if answer == "202 " {
			answered[n]++
		} else if answer != "" {
			t.Errorf("refund %d was answered %q", n, answer)
		}
	}
	n := w.storm(t, steps, func(n int) {
		if n < len(transactions) {
			pay(n)
		}
	})
	time.Sleep(window + 100*time.Millisecond)
	for n := 1; n < len(transactions); n += 10 {
		pay(n)
	}
	w.settle(t)
	moved := 0
	for i, id := range transactions {
		tx, err := w.api.Transactions.Get(t.Context(), orders[id], id)
		if err != nil {
			t.Fatal(err)
		}
		reports := 0
		for _, e := range tx.Events {
			if e.Type == payments.EventTypeRefund && e.Status == payments.EventSuccess {
				reports++
			}
		}
		moves := w.bank.moves(id.String())
		moved += moves
		if moves != reports || moves < answered[i] || moves > asked[i] {
			t.Errorf("transaction %d: asked %d times, paid back %d times, reported %d times, answered %d times",
				i, asked[i], moves, reports, answered[i])
		}
	}
	t.Logf("%d refunds of %d transactions, each moved and reported once, %d calls to the bank, %d rounds",
		moved, len(transactions), w.bank.calls-calls, n)
}

// transactions returns those that were paid, and their orders.
func (w *world) transactions(t *testing.T) (ids []uuid.UUID, orders map[uuid.UUID]client.ID) {
	orders = map[uuid.UUID]client.ID{}
	for _, order := range w.orders {
		for tx, err := range w.api.Transactions.List(order).All(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			ids = append(ids, tx.ID)
			orders[tx.ID] = order
		}
	}
	return ids, orders
}
