package sqljobs

import (
	"context"
	"database/sql"
	"fmt"
	"iter"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/tables"
)

const (
	// listSQL and listedSQL are the begin and the end of a statement about the jobs of an app.
	listSQL = `SELECT job, store, added, began, moved, ended, paused, total, done, failed FROM commerce_job
WHERE app = $1 AND name = $2`

	listedSQL = ` ORDER BY ended > 0, added DESC, job LIMIT 100`

	itemsSQL = `SELECT paused, SUM(done), SUM(failed), SUM(total - done - failed) FROM commerce_job
WHERE app = $1 AND name = $2 GROUP BY paused`

	failuresSQL = `SELECT item, value, attempt, changed, reason FROM commerce_job_item` + `
WHERE item > $1 AND app = $3 AND name = $4 AND store = $5 AND job = $6 AND state = 2 ORDER BY item LIMIT $2`

	pauseSQL = `UPDATE commerce_job SET paused = $5 WHERE ` + ofJob

	holdSQL  = `UPDATE commerce_job SET added = added WHERE ` + ofJob
	retrySQL = `UPDATE commerce_job_item SET state = 0, tries = 0, waits = 0, due = 0 WHERE ` + ofJob + ` AND state = 2`

	oldSQL   = `SELECT job, store FROM commerce_job WHERE app = $1 AND name = $2 AND ended > 0 AND ended < $3 LIMIT 100`
	goneSQL  = `DELETE FROM commerce_job WHERE ` + ofJob + ` AND ended > 0 AND ended < $5`
	emptySQL = `DELETE FROM commerce_job_item WHERE ` + ofJob

	forgetSQL      = `DELETE FROM commerce_job WHERE app = $1 AND name = $2 AND store = $3`
	forgetItemsSQL = `DELETE FROM commerce_job_item WHERE app = $1 AND name = $2 AND store = $3`
)

// Progress returns the progress of a job, and whether there is such a job.
func (q *Queue) Progress(ctx context.Context, store client.ID, job string) (j client.Job, ok bool, err error) {
	all, err := q.list(ctx, " AND store = $3 AND job = $4", store, job)
	if err != nil || len(all) == 0 {
		return j, false, err
	}
	return all[0], true, nil
}

// Jobs returns the progress of the jobs of a store, or of all stores if it is 0. It begins with the jobs that have not
// ended, newest first, and returns at most 100.
func (q *Queue) Jobs(ctx context.Context, store client.ID) ([]client.Job, error) {
	if store == 0 {
		return q.list(ctx, "")
	}
	return q.list(ctx, " AND store = $3", store)
}

// list returns the jobs for which a condition is true, whose values are $3 and $4.
func (q *Queue) list(ctx context.Context, where string, values ...any) ([]client.Job, error) {
	if err := q.Check(ctx); err != nil {
		return nil, err
	}
	statement := q.tables().SQL(listSQL + where + listedSQL)
	all, err := tables.Query(ctx, q.DB, statement, append([]any{q.App, q.Name}, values...), readJob)
	return all, failed(err)
}

func readJob(scan tables.Scan) (j client.Job, err error) {
	var added, began, moved, ended, paused int64
	err = scan(&j.Name, &j.Store, &added, &began, &moved, &ended, &paused, &j.Total, &j.Done, &j.Failed)
	j.Added, j.Began, j.Moved, j.Ended = timeOf(added), timeOf(began), timeOf(moved), timeOf(ended)
	j.Paused = paused > 0
	return j, err
}

// Items returns the numbers of items of all jobs, for otelcommerce.Telemetry.InstrumentJobs.
func (q *Queue) Items(ctx context.Context) (n client.JobItems, err error) {
	if err := q.Check(ctx); err != nil {
		return n, err
	}
	args := []any{q.App, q.Name}
	_, err = tables.Query(ctx, q.DB, q.tables().SQL(itemsSQL), args, func(scan tables.Scan) (paused int, err error) {
		var done, failed, left int
		err = scan(&paused, &done, &failed, &left)
		n.Done, n.Failed = n.Done+done, n.Failed+failed
		if paused > 0 {
			n.Paused = left
		} else {
			n.Waiting = left
		}
		return paused, err
	})
	return n, failed(err)
}

// Failures yields the items of a job that have failed, by key. It reads them in pages.
func (q *Queue) Failures(ctx context.Context, store client.ID, job string) iter.Seq2[client.JobFailure, error] {
	return func(yield func(client.JobFailure, error) bool) {
		if err := q.Check(ctx); err != nil {
			yield(client.JobFailure{}, err)
			return
		}
		read := func(scan tables.Scan) (f client.JobFailure, err error) {
			var at int64
			err = scan(&f.Key, &f.Value, &f.Attempt, &at, &f.Reason)
			f.At = timeOf(at)
			return f, err
		}
		for f, err := range tables.Pages(ctx, q.DB, q.tables().SQL(failuresSQL), "", q.key(store, job), read) {
			if !yield(f, failed(err)) {
				return
			}
		}
	}
}

// Pause stops a job after the batch in progress, until Resume.
func (q *Queue) Pause(ctx context.Context, store client.ID, job string) error {
	return q.paused(ctx, store, job, 1)
}

// Resume continues a job that was paused.
func (q *Queue) Resume(ctx context.Context, store client.ID, job string) error {
	return q.paused(ctx, store, job, 0)
}

func (q *Queue) paused(ctx context.Context, store client.ID, job string, to int) error {
	if err := q.Check(ctx); err != nil {
		return err
	}
	n, err := q.exec(ctx, q.DB, store, job, pauseSQL, to)
	q.round.Wake()
	return failed(found(n, err, store, job))
}

// found returns an error if a statement about a job has changed no row.
func found(n int64, err error, store client.ID, job string) error {
	if err == nil && n == 0 {
		err = fmt.Errorf("job %.100q of store %d: there is no such job: %w", job, store, client.ErrNotFound)
	}
	return err
}

// Retry has the failed items of a job run again, with all their attempts, and returns their number.
func (q *Queue) Retry(ctx context.Context, store client.ID, job string) (n int64, err error) {
	if err := q.Check(ctx); err != nil {
		return 0, err
	}
	err = q.tables().Run(ctx, func(tx *sql.Tx) error {
		there, err := q.exec(ctx, tx, store, job, holdSQL)
		if err := found(there, err, store, job); err != nil {
			return err
		}
		if n, err = q.exec(ctx, tx, store, job, retrySQL); err != nil {
			return err
		}
		_, err = q.exec(ctx, tx, store, job, reopenSQL, 0, n)
		return err
	})
	q.round.Wake()
	return n, failed(err)
}

// Forget deletes all jobs of a store. Call it when the data of the store must be erased. A batch in progress is not
// stopped.
func (q *Queue) Forget(ctx context.Context, store client.ID) error {
	if err := q.Check(ctx); err != nil {
		return err
	}
	return failed(q.tables().Run(ctx, func(tx *sql.Tx) error {
		for _, statement := range []string{forgetSQL, forgetItemsSQL} {
			if _, err := q.tables().Exec(ctx, tx, statement, q.App, q.Name, store); err != nil {
				return err
			}
		}
		return nil
	}))
}

// prune deletes jobs that ended before Keep.
func (q *Queue) prune(ctx context.Context) error {
	now, err := q.clock(ctx, q.DB)
	if err != nil {
		return failed(err)
	}
	keep := q.Keep
	if keep == 0 {
		keep = DefaultKeep
	}
	before := now - keep.Microseconds()
	for {
		args := []any{q.App, q.Name, before}
		old, err := tables.Query(ctx, q.DB, q.tables().SQL(oldSQL), args, func(scan tables.Scan) (w work, err error) {
			err = scan(&w.job, &w.store)
			return w, err
		})
		if err != nil || len(old) == 0 {
			return failed(err)
		}
		for _, w := range old {
			if err := q.drop(ctx, w.store, w.job, before); err != nil {
				return failed(err)
			}
		}
	}
}

// drop deletes a job with its items, unless it was continued meanwhile.
func (q *Queue) drop(ctx context.Context, store client.ID, job string, before int64) error {
	return q.tables().Run(ctx, func(tx *sql.Tx) error {
		n, err := q.exec(ctx, tx, store, job, goneSQL, before)
		if err == nil && n > 0 {
			_, err = q.exec(ctx, tx, store, job, emptySQL)
		}
		return err
	})
}
