package postgres

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/commerceplatform/commerce-go/webhook"
)

// A process that stands still for longer than its lease, as in a long pause of the garbage collector or a stopped
// machine, cannot end the entries it had, nor overwrite what was made of them meanwhile.
func TestProofStopped(t *testing.T) {
	t.Parallel()
	n := sleepers
	pool, queue := newPool(t, database.URL(), 8), newQueue(t)
	w := newWorld(t, pool, queue, n)
	in, err := Open(t.Context(), pool, Options{Queue: queue})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = in.Close() })
	for id := range n {
		if _, err := in.Accept(t.Context(), w.entry(int64(id+1))); err != nil {
			t.Fatal(err)
		}
	}
	c := start(t, "sleeper", database.URL(), queue)
	defer c.Kill(t)
	if got := c.Line(t); got != fmt.Sprint("leased ", n) {
		t.Fatal(got)
	}
	c.Pause(t)
	var leases []webhook.Lease
	for len(leases) < n { // as soon as those of the child end
		some, err := in.Lease(t.Context(), webhook.LeaseQuery{Limit: n, Term: time.Hour})
		if err != nil {
			t.Fatal(err)
		}
		leases = append(leases, some...)
		if err := in.Wait(t.Context(), webhook.LeaseQuery{}, time.Second); err != nil {
			t.Fatal(err)
		}
	}
	for i, l := range leases {
		id := idOf(l)
		if _, err := w.change(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		if err := w.copy(t.Context(), id, l.Token); err != nil {
			t.Fatal(err)
		}
		if i%2 == 0 { // the others are still held when the child wakes up
			if _, err := in.Commit(t.Context(), l); err != nil {
				t.Fatal(err)
			}
		}
	}
	c.Wake(t)
	c.Say(t, "go on")
	got := c.Line(t)
	t.Log(got)
	if want := fmt.Sprintf("refused: %d commits, %d commits in transactions, %d effects", n, n, n); got != want {
		t.Errorf("the child says %q, want %q", got, want)
	}
	for i, l := range leases {
		if i%2 == 1 {
			if _, err := in.Commit(t.Context(), l); err != nil {
				t.Error(err)
			}
		}
	}
	w.verify(t)
}

// sleepers is how many entries the child has when it falls asleep.
const sleepers = 100

// oversleep leases everything, is stopped, and tries to go on.
func oversleep(w *world, in *Inbox) error {
	ctx := context.Background()
	leases, err := in.Lease(ctx, webhook.LeaseQuery{Limit: sleepers, Term: 500 * time.Millisecond})
	if err != nil {
		return err
	}
	fmt.Println("leased", len(leases))
	told := bufio.NewReader(os.Stdin)
	if _, _, err := told.ReadLine(); err != nil { // comes after the stop, however long the other process takes to that
		return err
	}
	commits, inTx, effects := 0, 0, 0
	for _, l := range leases {
		if _, err := in.Commit(ctx, l); errors.Is(err, webhook.ErrLeaseLost) {
			commits++
		}
		err := pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
			_, err := in.CommitTx(ctx, tx, l)
			return err
		})
		if errors.Is(err, webhook.ErrLeaseLost) {
			inTx++
		}
		if errors.Is(w.copy(ctx, idOf(l), l.Token), errStale) {
			effects++
		}
	}
	fmt.Printf("refused: %d commits, %d commits in transactions, %d effects\n", commits, inTx, effects)
	_, _, _ = told.ReadLine() // until it is killed
	return nil
}

// entry is the signal of a product.
func (w *world) entry(id int64) webhook.Entry {
	return w.handlers().Entry("", "", body(webhook.ProductUpdated.Name, id))
}

// idOf reads the id of the product out of the body.
func idOf(l webhook.Lease) (id int64) {
	_, _ = fmt.Sscanf(string(l.Body), `{"store_id":123,"event":"product/updated","id":%d}`, &id) // 0 is no product
	return id
}
