package sqljobs

import (
	"context"
	"database/sql"
	"fmt"
	"iter"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/tables"
)

const (
	progressSQL = `SELECT j.job, j.added, j.began, j.moved, j.ended, j.paused, COUNT(i.item),` + `
COALESCE(SUM(CASE WHEN i.state = 1 THEN 1 ELSE 0 END), 0), COALESCE(SUM(CASE WHEN i.state = 2 THEN 1 ELSE 0 END), 0)
FROM commerce_job j LEFT JOIN commerce_job_item i ON ` + itemsOf + `
WHERE j.app = $1 AND j.name = $2 AND j.store = $3 AND (j.job = $4 OR $4 = '')
GROUP BY j.job, j.added, j.began, j.moved, j.ended, j.paused` + ` ORDER BY j.added DESC, j.job LIMIT 500`

	failuresSQL = `SELECT item, value, attempt, changed, reason FROM commerce_job_item` + `
WHERE item > $1 AND app = $3 AND name = $4 AND store = $5 AND job = $6 AND state = 2 ORDER BY item LIMIT $2`

	pauseSQL = `UPDATE commerce_job SET paused = $5 WHERE ` + ofJob

	holdSQL  = `UPDATE commerce_job SET added = added WHERE ` + ofJob
	retrySQL = `UPDATE commerce_job_item SET state = 0, tries = 0, due = 0 WHERE ` + ofJob + ` AND state = 2`

	oldSQL   = `SELECT job, store FROM commerce_job WHERE app = $1 AND name = $2 AND ended > 0 AND ended < $3 LIMIT 100`
	goneSQL  = `DELETE FROM commerce_job WHERE ` + ofJob + ` AND ended > 0 AND ended < $5`
	emptySQL = `DELETE FROM commerce_job_item WHERE ` + ofJob

	forgetSQL      = `DELETE FROM commerce_job WHERE app = $1 AND name = $2 AND store = $3`
	forgetItemsSQL = `DELETE FROM commerce_job_item WHERE app = $1 AND name = $2 AND store = $3`
)

// Progress is the state of a job at one moment. Its times are those of the database.
type Progress struct {
	Job    string    // its name
	Total  int       // items
	Done   int       // items that are done
	Failed int       // items that have failed; see Failures
	Added  time.Time // when the job was added
	Began  time.Time // when its first batch began; zero if none has
	Moved  time.Time // when its last batch ended; zero if none has
	Ended  time.Time // when its last item was done or had failed; zero while items wait
	Paused bool      // see Queue.Pause
}

// Waiting returns the number of items that are neither done nor have failed.
func (p Progress) Waiting() int { return p.Total - p.Done - p.Failed }

// Rate returns the average of items per second that were done or have failed since the first batch, 0 if unknown.
func (p Progress) Rate() float64 {
	if took := p.Moved.Sub(p.Began).Seconds(); took > 0 && !p.Began.IsZero() {
		return float64(p.Done+p.Failed) / took
	}
	return 0
}

// Progress returns the progress of a job, and whether there is such a job.
func (q *Queue) Progress(ctx context.Context, store client.ID, job string) (p Progress, ok bool, err error) {
	all, err := q.progress(ctx, store, job)
	if err != nil || len(all) == 0 || job == "" {
		return p, false, err
	}
	return all[0], true, nil
}

// Jobs returns the progress of the jobs of a store, newest first, at most 500.
func (q *Queue) Jobs(ctx context.Context, store client.ID) ([]Progress, error) {
	return q.progress(ctx, store, "")
}

func (q *Queue) progress(ctx context.Context, store client.ID, job string) ([]Progress, error) {
	if err := q.Check(ctx); err != nil {
		return nil, err
	}
	all, err := tables.Query(ctx, q.DB, q.tables().SQL(progressSQL), q.key(store, job), readProgress)
	return all, failed(err)
}

func readProgress(scan tables.Scan) (p Progress, err error) {
	var added, began, moved, ended, paused int64
	err = scan(&p.Job, &added, &began, &moved, &ended, &paused, &p.Total, &p.Done, &p.Failed)
	p.Added, p.Began, p.Moved, p.Ended = timeOf(added), timeOf(began), timeOf(moved), timeOf(ended)
	p.Paused = paused > 0
	return p, err
}

// Failure is an item that has failed.
type Failure struct {
	Item
	Reason string    // of its last failure, at most 500 bytes
	At     time.Time // of that failure
}

// Failures yields the items of a job that have failed, by key. It reads them in pages.
func (q *Queue) Failures(ctx context.Context, store client.ID, job string) iter.Seq2[Failure, error] {
	return func(yield func(Failure, error) bool) {
		if err := q.Check(ctx); err != nil {
			yield(Failure{}, err)
			return
		}
		read := func(scan tables.Scan) (f Failure, err error) {
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
	if err == nil && n == 0 {
		err = fmt.Errorf("job %.100q of store %d: there is no such job: %w", job, store, client.ErrNotFound)
	}
	q.round.Wake()
	return failed(err)
}

// Retry has the failed items of a job run again, with all their attempts, and returns their number.
func (q *Queue) Retry(ctx context.Context, store client.ID, job string) (n int64, err error) {
	if err := q.Check(ctx); err != nil {
		return 0, err
	}
	err = q.tables().Run(ctx, func(tx *sql.Tx) error {
		if _, err := q.exec(ctx, tx, store, job, holdSQL); err != nil {
			return err
		}
		if n, err = q.exec(ctx, tx, store, job, retrySQL); err != nil {
			return err
		}
		_, err := q.exec(ctx, tx, store, job, reopenSQL)
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
