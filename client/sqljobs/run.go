package sqljobs

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"log/slog"
	"sync"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/rounds"
	"github.com/commerceplatform/commerce-go/internal/tables"
)

const (
	// term is how long others wait for the claim of a process that has died.
	term = 30 * time.Second
	// turn is how long a store has its place while others may wait.
	turn = 10 * time.Second
	// pass is the time between two passes without a look. A batch is late after a twentieth of it.
	pass = 20 * time.Minute
	// pruning is the time between two deletions of old jobs.
	pruning = time.Hour

	// ahead is mostPause in microseconds.
	ahead = "3600000000"

	// itemsOf is the condition of the items i of a job j.
	itemsOf = `i.app = j.app AND i.name = j.name AND i.store = j.store AND i.job = j.job`

	// ready is the condition of jobs that a process can claim. Because of LIMIT, the subquery uses an index for each
	// job.
	ready = ` ended = 0 AND paused = 0 AND (due <= $3 OR due > $3 + ` + ahead + `)
AND (holder = '' OR until <= $3 OR until - 2 * term > $3)
AND 1 = (SELECT 1 FROM commerce_job_item i WHERE ` + itemsOf + ` AND i.state = 0
AND (i.due <= $3 OR i.due > $3 + ` + ahead + ` OR i.begun = 1) LIMIT 1)`

	storesSQL = `SELECT DISTINCT store FROM commerce_job j WHERE app = $1 AND name = $2 AND` + ready
	jobsSQL   = `SELECT job FROM commerce_job j WHERE app = $1 AND name = $2 AND store = $4 AND` +
		ready + ` ORDER BY moved, added, job`
)

func (q *Queue) size() int     { return cmp.Or(q.Batch, DefaultBatch) }
func (q *Queue) attempts() int { return cmp.Or(q.Attempts, DefaultAttempts) }

func (q *Queue) limit() time.Duration { return cmp.Or(q.Limit, DefaultLimit) }

// Run works on the jobs of all stores until ctx ends, waits until its batches have ended, and returns nil. It returns
// an error at once if the configuration is invalid. All replicas of the app may call it; one of them works on a job at
// a time. One Run at a time is possible in a process.
func (q *Queue) Run(ctx context.Context) error {
	if err := q.Check(ctx); err != nil {
		return err
	}
	var looks sync.WaitGroup
	defer looks.Wait()
	looks.Go(func() { q.look(ctx) })
	q.round.Run(ctx, rounds.Plan[client.ID, struct{}]{
		Places: cmp.Or(q.Places, DefaultPlaces), Every: pass, Failed: q.report,
		List: q.waiting,
		Visit: func(ctx context.Context, s *rounds.Store[client.ID, struct{}]) error {
			more, err := q.visit(ctx, s.Key, time.Now().Add(turn))
			if err != nil && ctx.Err() == nil {
				q.report(ctx, s.Key, err)
			}
			if more {
				q.round.Wake()
			}
			return err
		},
	})
	return nil
}

// waiting iterates over the stores that have something to do.
func (q *Queue) waiting(ctx context.Context) iter.Seq2[client.ID, error] {
	return func(yield func(client.ID, error) bool) {
		stores, err := q.stores(ctx)
		for _, store := range stores {
			if !yield(store, nil) {
				return
			}
		}
		if err != nil {
			yield(0, failed(err))
		}
	}
}

// look begins a pass every Every, and deletes old jobs.
func (q *Queue) look(ctx context.Context) {
	ticks := time.NewTicker(cmp.Or(q.Every, DefaultEvery))
	defer ticks.Stop()
	var pruned time.Time
	for {
		if pruned.IsZero() || time.Since(pruned) > pruning {
			pruned = time.Now()
			if err := q.prune(ctx); err != nil {
				q.report(ctx, 0, err)
			}
		}
		select {
		case <-ticks.C:
			q.round.Wake()
		case <-ctx.Done():
			return
		}
	}
}

// RunOnce deletes old jobs, works on everything that is due now, one job after another, and returns the errors. Use it
// in a program that is started by a timer. Jobs that another process works on are left to it.
func (q *Queue) RunOnce(ctx context.Context) error {
	if err := q.Check(ctx); err != nil {
		return err
	}
	pruned := q.prune(ctx)
	stores, err := q.stores(ctx)
	all := []error{pruned, failed(err)}
	for _, store := range stores {
		_, err := q.visit(ctx, store, time.Time{})
		all = append(all, err)
	}
	return errors.Join(all...)
}

// Visits returns the results of the visits of each store by Run.
func (q *Queue) Visits() map[client.ID]client.Visited {
	return rounds.Results(q.round.All(), func(r rounds.Status) client.Visited { return client.Visited(r) })
}

func (q *Queue) stores(ctx context.Context) ([]client.ID, error) {
	now, err := q.clock(ctx, q.DB)
	if err != nil {
		return nil, err
	}
	return tables.Query(ctx, q.DB, q.tables().SQL(storesSQL), []any{q.App, q.Name, now}, tables.Value[client.ID])
}

// visit works on the jobs of a store until a time, if it is not zero, and reports whether that has come. It begins with
// the job that has waited longest, so a long job does not delay the others of its store.
func (q *Queue) visit(ctx context.Context, store client.ID, until time.Time) (more bool, err error) {
	now, err := q.clock(ctx, q.DB)
	if err != nil {
		return false, failed(err)
	}
	args := []any{q.App, q.Name, now, store}
	jobs, err := tables.Query(ctx, q.DB, q.tables().SQL(jobsSQL), args, tables.Value[string])
	all := []error{failed(err)}
	for _, job := range jobs {
		more, err = q.claimed(ctx, store, job, until)
		if all = append(all, failed(err)); more {
			break
		}
	}
	return more, errors.Join(all...)
}

// claimed works on a job that no other process works on.
func (q *Queue) claimed(ctx context.Context, store client.ID, job string, until time.Time) (more bool, err error) {
	c := tables.Claim{
		Tables: q.tables(), Table: "commerce_job", Key: []string{"app", "name", "store", "job"},
		Values: q.key(store, job), Term: term, Holder: tables.Holder(""),
	}
	start := time.Now()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	if ours, err := c.Take(ctx); err != nil || !ours {
		return false, err
	}
	held, release := c.Hold(ctx, start, func() bool { return false })
	defer release()
	w := &work{q, store, job, c.Holder, stop}
	if err := w.recover(held); err != nil {
		return false, err
	}
	for held.Err() == nil {
		if was, err := w.batch(held); err != nil || !was {
			return false, err
		}
		rounds.Moved(ctx)
		if !until.IsZero() && time.Now().After(until) {
			return true, nil
		}
	}
	return false, context.Cause(held)
}

func (q *Queue) report(ctx context.Context, store client.ID, err error) {
	switch {
	case ctx.Err() != nil: // ctx has ended, which is no failure
	case q.OnFailure != nil: // which may panic
		_ = rounds.Guard(func() error {
			q.OnFailure(ctx, store, err)
			return nil
		})
	default:
		slog.WarnContext(ctx, "client/sqljobs: jobs of a store failed, and are tried again", "queue", q.Name, "store", store, "error", err)
	}
}
