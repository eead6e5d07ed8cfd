package sqlite_test

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/webhook"
)

// A process that stands still for longer than its lease, as in a long pause of the garbage collector or a suspended
// machine, cannot end the entries it had, nor overwrite what was made of them meanwhile.
func TestProofStopped(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sleepers)
	for id := 1; id <= sleepers; id++ {
		e := w.handlers().Entry("", "", body(webhook.ProductUpdated.Name, int64(id)))
		if _, err := w.in.Accept(t.Context(), e); err != nil {
			t.Fatal(err)
		}
		w.heard[int64(id)] = 1
	}
	c := w.start(t, "sleeper")
	defer c.Kill(t)
	if got := c.Line(t); got != fmt.Sprint("leased ", sleepers) {
		t.Fatal(got)
	}
	c.Pause(t)
	var leases []webhook.Lease
	for len(leases) < sleepers { // as soon as those of the child end
		some, err := w.in.Lease(t.Context(), webhook.LeaseQuery{Limit: sleepers, Term: time.Hour})
		if err != nil {
			t.Fatal(err)
		}
		leases = append(leases, some...)
		if err := w.in.Wait(t.Context(), webhook.LeaseQuery{}, time.Second); err != nil {
			t.Fatal(err)
		}
	}
	for i, l := range leases {
		id := idOf(l)
		w.products[id].Add(1)
		if err := w.copy(t.Context(), id, l.Token); err != nil {
			t.Fatal(err)
		}
		if i%2 == 0 { // the others are still held when the child wakes up
			if _, err := w.in.Commit(t.Context(), l); err != nil {
				t.Fatal(err)
			}
		}
	}
	c.Wake(t)
	c.Say(t, "go on")
	got := c.Line(t)
	t.Log(got)
	if want := fmt.Sprintf("refused: %d commits, %d commits in transactions, %d effects", sleepers, sleepers, sleepers); got != want {
		t.Errorf("the child says %q, want %q", got, want)
	}
	for i, l := range leases {
		if i%2 == 1 {
			if _, err := w.in.Commit(t.Context(), l); err != nil {
				t.Error(err)
			}
		}
	}
	w.verify(t)
}

// sleepers is how many entries the child has when it falls asleep.
const sleepers = 100

// oversleep leases everything, is stopped, and tries to go on.
func oversleep(w *world) error {
	ctx := context.Background()
	leases, err := w.in.Lease(ctx, webhook.LeaseQuery{Limit: sleepers, Term: 500 * time.Millisecond})
	if err != nil {
		return err
	}
	fmt.Println("leased", len(leases))
	told := bufio.NewReader(os.Stdin) // and nothing else meanwhile: a process that is stopped in a write keeps the lock
	if _, _, err := told.ReadLine(); err != nil {
		return err
	}
	commits, inTx, effects := 0, 0, 0
	for _, l := range leases {
		if _, err := w.in.Commit(ctx, l); errors.Is(err, webhook.ErrLeaseLost) {
			commits++
		}
		err := w.in.Transact(ctx, func(tx *sql.Tx) error {
			_, err := w.in.CommitTx(ctx, tx, l)
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

// idOf reads the id of the product out of the body.
func idOf(l webhook.Lease) (id int64) {
	_, _ = fmt.Sscanf(string(l.Body), `{"store_id":123,"event":"product/updated","id":%d}`, &id)
	return id
}
