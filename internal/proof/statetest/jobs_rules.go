package statetest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/sqljobs"
	"github.com/commerceplatform/commerce-go/internal/tables"
	"github.com/commerceplatform/commerce-go/internal/tier"
)

// jobsOfTwoReplicas tests that a job which loses five processes is done once, as the database sees it.
func jobsOfTwoReplicas(t *testing.T, e Engine) {
	row := jobs()
	w := newWorld(t, e, e.New(t), row)
	size := tier.Size(500, 5000, 5000)
	first := newQueue(w, func(context.Context, *sqljobs.Batch) error { return nil })
	for range 2 {
		succeed(t, first.Add(t.Context(), bulkStore, "bulk", items(size)...))
	}
	const bad = 3 // items that fail in each attempt
	for kill := range 5 {
		seen := progressOf(t, first)
		w.dies(t, int32(195-31*kill), bad)
		now := progressOf(t, first)
		rows := len(column[int64](t, w.DB, "SELECT n FROM commerce_worked"))
		if now.Total != size || now.Done+now.Failed < seen.Done+seen.Failed || now.Done != rows {
			t.Errorf("after a kill: %+v, before: %+v", now, seen)
		}
		exec(t, w.DB, row.Expire)
	}
	for round := 0; progressOf(t, first).Waiting() > 0; round++ {
		if round > 50 {
			t.Fatalf("the job does not end: %+v", progressOf(t, first))
		}
		var both sync.WaitGroup
		for range 2 {
			q := w.bulk(w.opened(t, w.Address), bad)
			both.Go(func() {
				if err := q.RunOnce(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		both.Wait()
		exec(t, w.DB, "UPDATE commerce_job_item SET due = 0") // the pauses between attempts are over
	}
	if p := progressOf(t, first); p.Done != size-bad || p.Failed != bad || p.Ended.IsZero() {
		t.Errorf("at the end: %+v", p)
	}
	has(t, w.DB, "SELECT count(*) FROM commerce_worked", int64(size-bad))
	has(t, w.DB, "SELECT max(runs) FROM commerce_worked", int64(1))
	failuresAre(t, first, "00000: 0 has no price", "00001: 1 has no price", "00002: 2 has no price")
}

// bulk returns a queue of a process, in which the first items fail.
func (w *World) bulk(db *sql.DB, bad int) *sqljobs.Queue {
	return &sqljobs.Queue{
		DB: db, Name: "bulk",
		Do: func(_ context.Context, b *sqljobs.Batch) error {
			for _, i := range b.Items[:min(bad, len(b.Items))] {
				if i.Key < fmt.Sprintf("%05d", bad) {
					b.Fail(i.Key, errors.New(i.Value+" has no price"))
				}
			}
			return nil
		},
		OnEnd: func(ctx context.Context, tx *sql.Tx, b *sqljobs.Batch) error {
			for _, i := range b.Items {
				if _, err := tx.ExecContext(ctx, worked, must(client.ParseID(i.Value))); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

// dies has a process work that dies at a statement.
func (w *World) dies(t *testing.T, at int32, bad int) {
	base := w.opened(t, w.Address)
	ctx, cancel := context.WithCancel(t.Context())
	c := &cut{db: base, fate: diesAfter, at: at, died: cancel}
	db := sql.OpenDB(c)
	if err := w.bulk(db, bad).RunOnce(ctx); err == nil {
		t.Errorf("the process did not die at statement %d", at)
	}
	_ = db.Close() // a process that has died reports that
	if w.Ended != nil {
		w.Ended(t, w.Address)
	}
}

func progressOf(t *testing.T, q *sqljobs.Queue) client.Job {
	t.Helper()
	p, ok, err := q.Progress(t.Context(), bulkStore, "bulk")
	if err != nil || !ok {
		t.Fatalf("no progress: %v, %v", ok, err)
	}
	has(t, q.DB, miscounted, int64(0))
	return p
}

// failuresAre compares the failures with texts.
func failuresAre(t *testing.T, q *sqljobs.Queue, want ...string) {
	t.Helper()
	var got []string
	for f, err := range q.Failures(t.Context(), bulkStore, "bulk") {
		succeed(t, err)
		got = append(got, f.Key+": "+f.Reason)
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("failures %q, want %q", got, want)
	}
}

// newBulk returns a queue with a job of some items in a new database.
func newBulk(
	t *testing.T, e Engine, n int, do func(ctx context.Context, b *sqljobs.Batch) error,
) (*World, *sqljobs.Queue) {
	w := newWorld(t, e, e.New(t), jobs())
	q := newQueue(w, do)
	succeed(t, q.Add(t.Context(), bulkStore, "bulk", items(n)...))
	return w, q
}

// jobsFail tests attempts and Retry.
func jobsFail(t *testing.T, e Engine) {
	var broken atomic.Bool
	broken.Store(true)
	w, q := newBulk(t, e, 3, func(_ context.Context, b *sqljobs.Batch) error {
		if broken.Load() && len(b.Items) > 0 && b.Items[len(b.Items)-1].Key == "00002" {
			b.Fail("00002", errors.New("no\x00 \xffname"))
		}
		return nil
	})
	q.Attempts = 2
	succeed(t, q.RunOnce(t.Context()))
	if p := progressOf(t, q); p.Done != 2 || p.Failed != 0 || p.Waiting() != 1 {
		t.Errorf("after one attempt: %+v", p)
	}
	exec(t, w.DB, "UPDATE commerce_job_item SET due = 0")
	succeed(t, q.RunOnce(t.Context()))
	failuresAre(t, q, "00002: no name")
	broken.Store(false)
	if n, err := q.Retry(t.Context(), bulkStore, "bulk"); n != 1 || err != nil {
		t.Errorf("Retry: %d, %v", n, err)
	}
	succeed(t, q.RunOnce(t.Context()))
	if p := progressOf(t, q); p.Done != 3 || p.Ended.IsZero() {
		t.Errorf("after Retry: %+v", p)
	}
}

// jobsWait tests that an outage and the rate limit use up no attempts.
func jobsWait(t *testing.T, e Engine) {
	outage := error(client.ErrServer)
	w, q := newBulk(t, e, 30, func(_ context.Context, b *sqljobs.Batch) error { return outage })
	q.Attempts = 1
	for range 4 {
		succeed(t, q.RunOnce(t.Context()))
		has(t, w.DB, "SELECT count(*) FROM commerce_job WHERE due > added", int64(1))
		exec(t, w.DB, "UPDATE commerce_job SET due = 0")
		outage = client.ErrRateLimited
	}
	outage = nil
	succeed(t, q.RunOnce(t.Context()))
	if p := progressOf(t, q); p.Done != 30 {
		t.Errorf("after the outage: %+v", p)
	}
	has(t, w.DB, "SELECT max(attempt) FROM commerce_job_item", int64(5))
}

// jobsWithPoison tests that an item whose batch panics costs only itself.
func jobsWithPoison(t *testing.T, e Engine) {
	_, q := newBulk(t, e, 30, func(_ context.Context, b *sqljobs.Batch) error {
		for _, i := range b.Items {
			if i.Key == "00004" {
				panic("poison")
			}
		}
		return nil
	})
	q.Attempts = 1
	succeed(t, q.RunOnce(t.Context()))
	if p := progressOf(t, q); p.Done != 29 || p.Failed != 1 {
		t.Errorf("got %+v, want 29 done and 1 failed", p)
	}
	failuresAre(t, q, "00004: panic: poison")
}

// jobsUnfinished tests an item whose process died while it was alone, and the numbers of items of all jobs.
func jobsUnfinished(t *testing.T, e Engine) {
	w, q := newBulk(t, e, 3, func(context.Context, *sqljobs.Batch) error { return nil })
	q.Attempts = 1
	numbers := func(done, failed, waiting, paused int) {
		t.Helper()
		want := client.JobItems{Done: done, Failed: failed, Waiting: waiting, Paused: paused}
		if n, err := q.Items(t.Context()); n != want || err != nil {
			t.Errorf("Items: %+v, %v, want %+v", n, err, want)
		}
	}
	exec(t, w.DB, "UPDATE commerce_job_item SET begun = 1, alone = 1 WHERE item = '00001'")
	succeed(t, q.RunOnce(t.Context()))
	numbers(2, 1, 0, 0)
	failuresAre(t, q, "00001: left unfinished: its process ended, or lost the database")
	succeed(t, q.Add(t.Context(), bulkStore+1, "other", items(4)...))
	succeed(t, q.Pause(t.Context(), bulkStore, "bulk"))
	if n, err := q.Retry(t.Context(), bulkStore, "bulk"); n != 1 || err != nil {
		t.Errorf("Retry: %d, %v", n, err)
	}
	numbers(2, 0, 4, 1)
	succeed(t, q.RunOnce(t.Context()))
	numbers(6, 0, 0, 1)
	if p := progressOf(t, q); p.Total != 3 || p.Done != 2 || !p.Paused {
		t.Errorf("after Retry of a paused job: %+v", p)
	}
}

// jobsPause tests Pause during a batch, and Resume.
func jobsPause(t *testing.T, e Engine) {
	var q *sqljobs.Queue
	_, q = newBulk(t, e, 30, func(ctx context.Context, b *sqljobs.Batch) error {
		if b.Items[0].Key == "00000" {
			return q.Pause(ctx, bulkStore, "bulk")
		}
		return nil
	})
	succeed(t, q.RunOnce(t.Context()))
	if p := progressOf(t, q); p.Done != sqljobs.DefaultBatch || !p.Paused {
		t.Errorf("paused: %+v", p)
	}
	succeed(t, q.Resume(t.Context(), bulkStore, "bulk"), q.RunOnce(t.Context()))
	if p := progressOf(t, q); p.Done != 30 || p.Paused {
		t.Errorf("resumed: %+v", p)
	}
	if err := q.Pause(t.Context(), bulkStore, "another"); !errors.Is(err, client.ErrNotFound) {
		t.Errorf("Pause of no job: %v", err)
	}
}

// jobsEnd tests that Run works on jobs and deletes old ones, and that Forget deletes those of a store.
func jobsEnd(t *testing.T, e Engine) {
	done := make(chan struct{}, 2)
	w, q := newBulk(t, e, 1, func(context.Context, *sqljobs.Batch) error { return nil })
	succeed(t, q.RunOnce(t.Context()))
	exec(t, w.DB, "UPDATE commerce_job SET ended = 1")
	q.OnEnd = func(context.Context, *sql.Tx, *sqljobs.Batch) error { done <- struct{}{}; return nil }
	succeed(t, q.Add(t.Context(), bulkStore, "next", items(1)...))
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- q.Run(ctx) }()
	<-done
	for { // it is deleted at the start of Run
		if _, ok, err := q.Progress(t.Context(), bulkStore, "bulk"); !ok || err != nil {
			succeed(t, err)
			break
		}
	}
	stop()
	succeed(t, <-ended)
	has(t, w.DB, "SELECT job FROM commerce_job_item", "next")
	succeed(t, q.Add(t.Context(), bulkStore+1, "later", items(2)...))
	for store, want := range map[client.ID]string{bulkStore: "7 next 1", 0: "8 later 2, 7 next 1", 9: ""} {
		var got []string
		all, err := q.Jobs(t.Context(), store)
		for _, j := range all {
			got = append(got, fmt.Sprint(j.Store, " ", j.Name, " ", j.Total))
		}
		if strings.Join(got, ", ") != want || err != nil {
			t.Errorf("Jobs of %d: %q, %v, want %q", store, got, err, want)
		}
	}
	succeed(t, q.Forget(t.Context(), bulkStore), q.Forget(t.Context(), bulkStore+1))
	has(t, w.DB, "SELECT (SELECT count(*) FROM commerce_job) + (SELECT count(*) FROM commerce_job_item)", int64(0))
}

// jobsStop tests that a graceful end during a batch costs no attempt, and that the next process need not wait.
func jobsStop(t *testing.T, e Engine) {
	begun := make(chan struct{})
	w, q := newBulk(t, e, 3, func(ctx context.Context, b *sqljobs.Batch) error {
		close(begun)
		<-ctx.Done()
		b.Fail("00000", ctx.Err())
		return nil
	})
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- q.Run(ctx) }()
	<-begun
	stop()
	succeed(t, <-ended)
	if p := progressOf(t, q); p.Done != 2 || p.Failed != 0 {
		t.Errorf("at the end of Run: %+v", p)
	}
	attempts := 0
	next := newQueue(w, func(_ context.Context, b *sqljobs.Batch) error {
		attempts = b.Items[0].Attempt
		return nil
	})
	next.Attempts = 1
	succeed(t, next.RunOnce(t.Context()))
	if p := progressOf(t, next); p.Done != 3 || attempts != 2 {
		t.Errorf("the next process, with attempt %d: %+v", attempts, p)
	}
}

// jobsLost tests that a process whose claim has passed to another one ends no item.
func jobsLost(t *testing.T, e Engine) {
	var w *World
	var q *sqljobs.Queue
	w, q = newBulk(t, e, 3, func(context.Context, *sqljobs.Batch) error {
		exec(t, w.DB, "UPDATE commerce_job SET holder = 'another'")
		return nil
	})
	if err := q.RunOnce(t.Context()); !errors.Is(err, tables.ErrLost) {
		t.Errorf("got %v, want ErrLost", err)
	}
	if p := progressOf(t, q); p.Waiting() != 3 {
		t.Errorf("without the claim: %+v", p)
	}
}
