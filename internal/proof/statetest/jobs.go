package statetest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/sqljobs"
	"github.com/commerceplatform/commerce-go/internal/rounds"
)

func jobs() Row {
	return Row{
		Name: "jobs",
		Rules: []rule{
			{"Killed", jobsOfTwoReplicas}, {"Failures", jobsFail}, {"Waits", jobsWait}, {"Poison", jobsWithPoison},
			{"Pause", jobsPause}, {"Prune", jobsEnd}, {"Stops", jobsStop}, {"Lost", jobsLost},
			{"NoItem", jobsFailNoItem}, {"Slow", jobsSlow}, {"WaitsAlone", jobsWaitAlone}, {"Clock", jobsClock},
			{"Fair", jobsFair}, {"Hook", jobsHook}, {"Damaged", jobsDamaged}, {"Unfinished", jobsUnfinished},
		},
		Tables: []string{"commerce_job", "commerce_job_item", "commerce_worked"},
		Schema: "CREATE TABLE IF NOT EXISTS commerce_worked (n BIGINT PRIMARY KEY, runs BIGINT NOT NULL)",
		Calls:  true,
		Expire: "UPDATE commerce_job SET until = 1",
		Open: func(w *World, db *sql.DB) Face {
			f := &jobsFace{w: w, Queue: &sqljobs.Queue{DB: db, Name: "work", Prefix: w.Prefix, App: w.App, Attempts: 1}}
			f.Do = func(context.Context, *sqljobs.Batch) error {
				err := rounds.Guard(w.call)
				f.failed.Store(&err)
				return err
			}
			f.OnEnd = f.end
			return f
		},
	}
}

// jobsFace has a job with one item for each act.
type jobsFace struct {
	w *World
	*sqljobs.Queue
	failed atomic.Pointer[error] // of the app's function, which writers call at a time
}

const worked = `INSERT INTO commerce_worked (n, runs) VALUES ($1, 1)
ON CONFLICT (n) DO UPDATE SET runs = commerce_worked.runs + 1`

// miscounted counts the jobs whose row does not agree with the rows of their items.
const miscounted = `SELECT count(*) FROM commerce_job j WHERE (total, done, failed) <> (` + `
SELECT count(*), count(CASE WHEN state = 1 THEN 1 END), count(CASE WHEN state = 2 THEN 1 END)` + `
FROM commerce_job_item i WHERE i.app = j.app AND i.name = j.name AND i.store = j.store AND i.job = j.job)`

func (f *jobsFace) end(ctx context.Context, tx *sql.Tx, b *sqljobs.Batch) error {
	for range b.Items {
		var n int
		if _, err := fmt.Sscan(b.Job, &n); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, f.w.own(worked), n); err != nil {
			return err
		}
	}
	return nil
}

func (f *jobsFace) Act(ctx context.Context, n int) error {
	job := fmt.Sprint(n)
	if err := f.Add(ctx, 1, job, sqljobs.Item{Key: "only"}); err != nil {
		return err
	}
	if _, err := f.Retry(ctx, 1, job); err != nil {
		return err
	}
	for { // another process may work on it
		err := errors.Join(f.RunOnce(ctx), ctx.Err())
		p, _, failed := f.Progress(ctx, 1, job)
		switch {
		case p.Done == 1 || err != nil || failed != nil:
			return errors.Join(err, failed)
		case p.Failed == 1:
			return fmt.Errorf("the item has failed: %w", f.cause())
		}
	}
}

// cause is the last error of the app's function in this process.
func (f *jobsFace) cause() error {
	if err := f.failed.Load(); err != nil {
		return *err
	}
	return nil
}

func (f *jobsFace) Has(ctx context.Context, n int) (bool, error) {
	p, _, err := f.Progress(ctx, 1, fmt.Sprint(n))
	if err != nil {
		return false, err
	}
	var runs int
	query := f.w.own("SELECT coalesce(max(runs), 0) FROM commerce_worked WHERE n = $1")
	if err := f.DB.QueryRowContext(ctx, query, n).Scan(&runs); err != nil {
		return false, err
	}
	var wrong int
	if err := f.DB.QueryRowContext(ctx, f.w.sql(miscounted)).Scan(&wrong); err != nil {
		return false, err
	}
	if wrong > 0 {
		return false, fmt.Errorf("the rows of %d jobs do not agree with their items", wrong)
	}
	if runs != p.Done {
		return false, fmt.Errorf("%d items are done, and their rows were written %d times", p.Done, runs)
	}
	return runs == 1, nil
}

// newQueue returns a queue of this process.
func newQueue(w *World, do func(ctx context.Context, b *sqljobs.Batch) error) *sqljobs.Queue {
	return &sqljobs.Queue{DB: w.DB, Name: "bulk", Do: do}
}

// items returns n items.
func items(n int) (all []sqljobs.Item) {
	for i := range n {
		all = append(all, sqljobs.Item{Key: fmt.Sprintf("%05d", i), Value: fmt.Sprint(i)})
	}
	return all
}

const bulkStore = client.ID(7)
