package statetest

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/sqljobs"
)

// jobsFailNoItem tests that a failure of an item that a batch does not have fails the batch, so it is not lost.
func jobsFailNoItem(t *testing.T, e Engine) {
	_, q := newBulk(t, e, 1, func(_ context.Context, b *sqljobs.Batch) error {
		b.Items[0].Key = "changed"
		b.Fail("1", errors.New("no price"))
		return nil
	})
	q.Attempts = 1
	succeed(t, q.RunOnce(t.Context()))
	failuresAre(t, q, `00000: Batch.Fail("1"): must be the Key of an item of the batch`)
}

// jobsSlow tests that an item whose batch does not end in time costs only itself.
func jobsSlow(t *testing.T, e Engine) {
	_, q := newBulk(t, e, 30, func(ctx context.Context, b *sqljobs.Batch) error {
		if slices.ContainsFunc(b.Items, func(i sqljobs.Item) bool { return i.Key == "00004" }) {
			<-ctx.Done()
		}
		return ctx.Err()
	})
	q.Attempts, q.Limit = 1, time.Second
	slow := 0
	for progressOf(t, q).Waiting() > 0 && slow < 10 {
		if err := q.RunOnce(t.Context()); err != nil {
			slow++
		}
	}
	if p := progressOf(t, q); p.Done != 29 || p.Failed != 1 || slow != 2 {
		t.Errorf("got %+v after %d slow batches, want 29 done and 1 failed after 2", p, slow)
	}
	failuresAre(t, q, "00004: the batch took longer than the Limit of its queue: context canceled")
}

// jobsWaitAlone tests that an item for which another system is unavailable delays no other, and that its wait ends.
func jobsWaitAlone(t *testing.T, e Engine) {
	outage := error(client.ErrServer)
	w, q := newBulk(t, e, 30, func(_ context.Context, b *sqljobs.Batch) error {
		if b.Items[0].Key == "00000" {
			b.Fail("00000", outage)
		}
		return nil
	})
	q.Attempts = 1
	succeed(t, q.RunOnce(t.Context()))
	if p := progressOf(t, q); p.Done != 29 || p.Waiting() != 1 {
		t.Errorf("in the outage: %+v", p)
	}
	has(t, w.DB, "SELECT due FROM commerce_job", int64(0))
	again := func(waits int) {
		exec(t, w.DB, "UPDATE commerce_job SET due = 0")
		exec(t, w.DB, "UPDATE commerce_job_item SET due = 0")
		succeed(t, q.RunOnce(t.Context()))
		has(t, w.DB, "SELECT max(waits) FROM commerce_job_item", int64(waits))
	}
	again(2)
	has(t, w.DB, "SELECT count(*) FROM commerce_job WHERE due > 0", int64(1)) // no item was done
	outage = client.ErrRateLimited
	again(0)
	outage = client.ErrServer
	exec(t, w.DB, "UPDATE commerce_job_item SET waits = 99 WHERE state = 0")
	again(100)
	if p := progressOf(t, q); p.Failed != 1 || p.Ended.IsZero() {
		t.Errorf("after 100 waits: %+v", p)
	}
	if n, err := q.Retry(t.Context(), bulkStore, "bulk"); n != 1 || err != nil {
		t.Errorf("Retry: %d, %v", n, err)
	}
	again(1)
}

// jobsClock tests that pauses end although the clock of the database was set back since.
func jobsClock(t *testing.T, e Engine) {
	w, q := newBulk(t, e, 1, func(context.Context, *sqljobs.Batch) error { return nil })
	const hours = "(SELECT max(added) FROM commerce_job) + 3600000000 * "
	exec(t, w.DB, "UPDATE commerce_job SET due = "+hours+"24")
	exec(t, w.DB, "UPDATE commerce_job_item SET due = "+hours+"24")
	succeed(t, q.RunOnce(t.Context()))
	if p := progressOf(t, q); p.Done != 1 {
		t.Errorf("with the pauses of a clock that was a day ahead: %+v", p)
	}
}

// jobsFair tests that the jobs of a store take turns.
func jobsFair(t *testing.T, e Engine) {
	var q *sqljobs.Queue
	var order []string
	_, q = newBulk(t, e, 30, func(ctx context.Context, b *sqljobs.Batch) error {
		if order = append(order, b.Job); len(order) == 1 {
			return q.Pause(ctx, bulkStore, "bulk")
		}
		return nil
	})
	succeed(t, q.RunOnce(t.Context()))
	succeed(t, q.Add(t.Context(), bulkStore, "small", items(1)...), q.Resume(t.Context(), bulkStore, "bulk"))
	succeed(t, q.RunOnce(t.Context()))
	if !slices.Equal(order, []string{"bulk", "small", "bulk"}) {
		t.Errorf("batches of %v, want the new job before the next batch of the old one", order)
	}
	for _, job := range []string{"bulk", "small"} {
		if n, err := q.Retry(t.Context(), bulkStore, job); n != 0 || err != nil {
			t.Errorf("Retry without failures: %d, %v", n, err)
		}
	}
	if _, err := q.Retry(t.Context(), bulkStore, "another"); !errors.Is(err, client.ErrNotFound) {
		t.Errorf("Retry of no job: %v", err)
	}
}

// jobsHook tests that Run continues although its hook panics.
func jobsHook(t *testing.T, e Engine) {
	w, q := newBulk(t, e, 1, func(context.Context, *sqljobs.Batch) error { return nil })
	exec(t, w.DB, "DROP TABLE commerce_job")
	failed := make(chan struct{}, 2)
	q.Every = time.Millisecond
	q.OnFailure = func(context.Context, client.ID, error) {
		select {
		case failed <- struct{}{}:
		default:
		}
		panic("hook")
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- q.Run(ctx) }()
	<-failed
	<-failed
	stop()
	succeed(t, <-ended)
}

// jobsDamaged tests that an item which cannot be read has failed, and that its job ends.
func jobsDamaged(t *testing.T, e Engine) {
	w, q := newBulk(t, e, 30, func(context.Context, *sqljobs.Batch) error { return nil })
	const damage = "UPDATE commerce_job_item SET attempt = 'x' WHERE item = '00003'"
	if _, err := w.DB.ExecContext(t.Context(), damage); err != nil {
		return // PostgreSQL has no such rows
	}
	reported := 0
	q.OnFailure = func(context.Context, client.ID, error) { reported++ }
	succeed(t, q.RunOnce(t.Context()))
	if p := progressOf(t, q); p.Done != 29 || p.Failed != 1 || p.Ended.IsZero() || reported != 1 {
		t.Errorf("got %+v and %d reports, want 29 done, 1 failed, and a report", p, reported)
	}
	for _, err := range q.Failures(t.Context(), bulkStore, "bulk") {
		if err == nil || !strings.Contains(err.Error(), `"00003" cannot be read`) {
			t.Errorf("Failures: %v, want the item that cannot be read", err)
		}
	}
}
