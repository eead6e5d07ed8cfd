package sqljobs

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/rounds"
	"github.com/commerceplatform/commerce-go/internal/tables"
)

const (
	// unfinishedSQL ends the batch of a process that has died. Its items are run alone from now on, so that one that
	// ends its process costs no other an attempt. Only items that were alone have failed.
	unfinishedSQL = `UPDATE commerce_job_item SET begun = 0, tries = tries + alone, alone = 1, due = 0, ` + `
state = CASE WHEN tries + alone >= $5 THEN 2 ELSE 0 END, changed = $6, reason = $7
WHERE ` + ofJob + ` AND begun = 1`

	// lostSQL counts the items that unfinishedSQL lets fail. It must be executed before.
	lostSQL = `SELECT count(*) FROM commerce_job_item WHERE ` + ofJob + ` AND begun = 1 AND tries + alone >= $5`

	// fenceSQL begins each transaction of a holder. It makes others wait that change the job, and changes no row if
	// the claim was lost.
	fenceSQL = `UPDATE commerce_job SET moved = moved WHERE ` + ofJob + ` AND holder = $5`

	// startSQL also changes no row if the job must not continue.
	startSQL = `UPDATE commerce_job SET began = CASE WHEN began = 0 THEN $6 ELSE began END WHERE ` + ofJob + `
AND holder = $5 AND paused = 0 AND ended = 0 AND (due <= $6 OR due > $6 + ` + ahead + `)`

	nextSQL = `SELECT item, value, attempt, tries, alone, waits FROM commerce_job_item WHERE ` + ofJob + `
AND state = 0 AND begun = 0 AND (due <= $5 OR due > $5 + ` + ahead + `) ORDER BY alone, item LIMIT $6`

	beginSQL = `UPDATE commerce_job_item SET begun = 1, attempt = attempt + 1 WHERE ` + ofJob
	doneSQL  = `UPDATE commerce_job_item SET begun = 0, state = 1, reason = '', changed = $5 WHERE ` + ofJob

	// heldSQL counts the items of the batch that has begun and not ended. A job has one such batch at a time.
	heldSQL = `SELECT count(*) FROM commerce_job_item WHERE ` + ofJob + ` AND begun = 1`

	// laterSQL ends the batch of an item that is not done.
	laterSQL = `UPDATE commerce_job_item SET begun = 0, state = $6, tries = $7, alone = $8, waits = $9, due = $10,
reason = $11, changed = $12 WHERE ` + ofJob + ` AND item = $5`

	movedSQL = `UPDATE commerce_job SET moved = $5, waits = 0 WHERE ` + ofJob
	waitsSQL = `SELECT waits FROM commerce_job WHERE ` + ofJob
	waitSQL  = `UPDATE commerce_job SET due = $5, waits = waits + 1 WHERE ` + ofJob

	// endSQL counts items that are done or have failed, and ends the job if no item waits.
	endSQL = `UPDATE commerce_job SET done = done + $6, failed = failed + $7, ` + `
ended = CASE WHEN ended > 0 OR EXISTS (SELECT 1 FROM commerce_job_item WHERE ` + ofJob + ` AND state = 0)
THEN ended ELSE $5 END WHERE ` + ofJob
)

// work is a job that this process has claimed.
type work struct {
	*Queue
	store  client.ID
	job    string
	holder string
	stop   context.CancelCauseFunc // ends the claim
}

func (w *work) do(ctx context.Context, db tables.DB, statement string, more ...any) (int64, error) {
	return w.exec(ctx, db, w.store, w.job, statement, more...)
}

// within executes f in a transaction, if the claim lasts.
func (w *work) within(ctx context.Context, f func(tx *sql.Tx, now int64) error) error {
	return w.tables().Run(ctx, func(tx *sql.Tx) error {
		n, err := w.do(ctx, tx, fenceSQL, w.holder)
		if err == nil && n == 0 {
			err = tables.ErrLost
		}
		if err != nil {
			return err
		}
		now, err := w.clock(ctx, tx)
		if err != nil {
			return err
		}
		return f(tx, now)
	})
}

// recover ends the batch of the process that had the claim before, if it has died.
func (w *work) recover(ctx context.Context) error {
	const reason = "left unfinished: its process ended, or lost the database"
	return w.within(ctx, func(tx *sql.Tx, now int64) error {
		args := append(w.key(w.store, w.job), w.attempts())
		lost, _, err := tables.One(ctx, tx, w.tables().SQL(lostSQL), args, tables.Value[int64])
		if err != nil {
			return err
		}
		n, err := w.do(ctx, tx, unfinishedSQL, w.attempts(), now, reason)
		if err == nil && n > 0 {
			err = w.end(ctx, tx, now, 0, lost)
		}
		return err
	})
}

// result is what Do has made of a batch.
type result struct {
	items   []Item
	errs    map[string]error // of items
	failure error            // of the batch
	cut     bool             // the process is stopping, so no item is at fault
	late    bool             // Do took too long, so one of the items may be at fault
}

// of returns why an item is not done, nil if it is.
func (r *result) of(i Item) error {
	if r.failure != nil {
		return r.failure
	}
	return r.errs[i.Key]
}

// batch works on one batch, and reports whether there was one.
func (w *work) batch(ctx context.Context) (bool, error) {
	b, err := w.begin(ctx)
	if err != nil || b == nil {
		return false, err
	}
	slow := time.AfterFunc(w.limit(), func() { w.stop(errSlow) })
	defer slow.Stop() // after OnEnd, which may hang too
	r := w.run(ctx, b)
	for try := 0; ; try++ {
		end, stop := context.WithTimeout(context.WithoutCancel(ctx), endTime)
		failure := w.within(end, func(tx *sql.Tx, now int64) error {
			held, _, failure := tables.One(end, tx, w.tables().SQL(heldSQL), w.key(w.store, w.job), tables.Value[int])
			if failure != nil || held == 0 { // the try before has ended the batch, and only its answer was lost
				return failure
			}
			return w.settle(end, tx, r, now)
		})
		stop()
		own, ours := errors.AsType[*endError](failure)
		switch {
		case failure == nil || errors.Is(failure, tables.ErrLost):
			return failure == nil, failure
		case ours: // no item is done
			r.failure = own.error
		case try > 0:
			return false, failure
		}
	}
}

// run calls Do. If that takes too long, its context ends, and the claim too, so that another process can continue if Do
// never returns.
func (w *work) run(ctx context.Context, b *Batch) *result {
	r := &result{items: slices.Clone(b.Items)}
	r.failure = rounds.Guard(func() error { return w.Do(ctx, b) })
	cause := context.Cause(ctx)
	r.late = errors.Is(cause, errSlow) || errors.Is(cause, rounds.ErrLate)
	r.cut = cause != nil && !r.late
	r.errs = b.failures()
	for key := range r.errs {
		if r.failure == nil && !slices.ContainsFunc(r.items, func(i Item) bool { return i.Key == key }) {
			r.failure = fmt.Errorf("Batch.Fail(%.100q): must be the Key of an item of the batch", key)
		}
	}
	if r.late && r.failure != nil {
		r.failure = fmt.Errorf("%w: %w", cause, r.failure)
	}
	return r
}

// errSlow is the cause of a context whose batch has taken longer than Queue.Limit.
var errSlow = errors.New("the batch took longer than the Limit of its queue")

// endTime limits the end of a batch whose context may have ended.
const endTime = 10 * time.Second

// endError is an error of OnEnd.
type endError struct{ error }

// Unwrap returns the error, so that a transaction is repeated that the database has rolled back because of others.
func (e *endError) Unwrap() error { return e.error }

// begin notes the items of the next batch, nil if there is none.
func (w *work) begin(ctx context.Context) (b *Batch, err error) {
	var bad []*tables.UnreadableError
	err = w.within(ctx, func(tx *sql.Tx, now int64) error {
		b, bad = nil, nil
		n, err := w.do(ctx, tx, startSQL, w.holder, now)
		if err != nil || n == 0 {
			return err
		}
		args := append(w.key(w.store, w.job), now, w.size())
		items, err := tables.Query(ctx, tx, w.tables().SQL(nextSQL), args, readItem)
		if bad, err = readable(err); err == nil {
			err = w.refuse(ctx, tx, bad, now)
		}
		if err != nil || len(items) == 0 {
			return err
		}
		for i, item := range items {
			if item.alone {
				items = items[:max(i, 1)]
				break
			}
		}
		b = &Batch{Store: w.store, Job: w.job, Items: items}
		which, keys := among(items, 5)
		_, err = w.do(ctx, tx, beginSQL+which, keys...)
		return err
	})
	for _, row := range bad {
		w.report(ctx, w.store, row)
	}
	return b, err
}

// refuse lets items fail that cannot be read, so that their job ends without them.
func (w *work) refuse(ctx context.Context, tx *sql.Tx, bad []*tables.UnreadableError, now int64) error {
	for _, row := range bad {
		if _, err := w.do(ctx, tx, laterSQL, row.Key, 2, 0, 0, 0, 0, reasonOf(row), now); err != nil {
			return err
		}
	}
	if len(bad) == 0 {
		return nil
	}
	return w.end(ctx, tx, now, 0, int64(len(bad)))
}

// end counts items whose state has changed, and ends the job if they were the last.
func (w *work) end(ctx context.Context, tx *sql.Tx, now, done, failed int64) error {
	_, err := w.do(ctx, tx, endSQL, now, done, failed)
	return err
}

func readItem(scan tables.Scan) (i Item, err error) {
	var alone int
	err = scan(&i.Key, &i.Value, &i.Attempt, &i.tries, &alone, &i.waits)
	i.alone = alone > 0
	i.Attempt++
	return i, err
}

// among returns a condition of the items of a batch, which are in the order of the database, and its values from $n on.
// Because of the range, PostgreSQL does not read the whole job if it has no statistics of a table yet.
func among(items []Item, n int) (condition string, keys []any) {
	keys = []any{items[0].Key, items[len(items)-1].Key}
	for _, i := range items {
		keys = append(keys, i.Key)
	}
	return fmt.Sprintf(" AND item >= $%d AND item <= $%d AND item IN (%s)", n, n+1, numbered(n+2, len(items))), keys
}

// settle ends a batch. If another system was unavailable and no item is done, the job waits.
func (w *work) settle(ctx context.Context, tx *sql.Tx, r *result, now int64) error {
	done := &Batch{Store: w.store, Job: w.job}
	var unavailable error
	var ended, lost int64
	for _, i := range r.items {
		err := r.of(i)
		if err == nil {
			done.Items = append(done.Items, i)
			continue
		}
		if r.waits(err) {
			unavailable = err
		}
		failed, err := w.later(ctx, tx, i, now, r)
		if err != nil {
			return err
		}
		if failed {
			lost++
		}
	}
	var err error
	if len(done.Items) > 0 {
		which, keys := among(done.Items, 6)
		if ended, err = w.do(ctx, tx, doneSQL+which, append([]any{now}, keys...)...); err != nil {
			return err
		}
		if err := w.onEnd(ctx, tx, done); err != nil {
			return &endError{err}
		}
	}
	if len(done.Items) == 0 && unavailable != nil {
		err = w.wait(ctx, tx, now, unavailable)
	} else {
		_, err = w.do(ctx, tx, movedSQL, now)
	}
	if err != nil {
		return err
	}
	return w.end(ctx, tx, now, ended, lost)
}

func (w *work) onEnd(ctx context.Context, tx *sql.Tx, done *Batch) error {
	if w.OnEnd == nil {
		return nil
	}
	return rounds.Guard(func() error { return w.OnEnd(ctx, tx, done) })
}

// waits reports whether an item waits because of an error that is no fault of its own.
func (r *result) waits(err error) bool { return !r.cut && !r.late && waiting(err) }

// later ends the batch of an item that is not done. If the whole batch has failed, that may be the fault of another
// item, so this one is run alone next. It reports whether the item has failed.
func (w *work) later(ctx context.Context, tx *sql.Tx, i Item, now int64, r *result) (failed bool, _ error) {
	err, whole := r.of(i), r.failure != nil
	state, alone, waits, due := 0, i.alone, 0, now
	switch {
	case r.cut:
		waits = i.waits
	case r.waits(err):
		if !whole { // otherwise the job waits
			due += pause(err, i.waits).Microseconds()
		}
		if client.Unavailable(err) {
			waits = i.waits + 1
		}
		if waits >= mostWaits {
			state = 2
		}
	case (whole || r.late) && len(r.items) > 1:
		alone = true
	default:
		i.tries++
		due += backoff(i.tries - 1).Microseconds()
		if i.tries >= w.attempts() {
			state = 2
		}
	}
	flag := 0
	if alone {
		flag = 1
	}
	_, err = w.do(ctx, tx, laterSQL, i.Key, state, i.tries, flag, waits, due, reasonOf(err), now)
	return state == 2, err
}

// wait has the job wait, because another system is unavailable.
func (w *work) wait(ctx context.Context, tx *sql.Tx, now int64, failure error) error {
	n, _, err := tables.One(ctx, tx, w.tables().SQL(waitsSQL), w.key(w.store, w.job), tables.Value[int])
	if err != nil {
		return err
	}
	_, err = w.do(ctx, tx, waitSQL, now+pause(failure, n).Microseconds())
	return err
}

// waiting reports whether no item is at fault.
func waiting(err error) bool { return client.Unavailable(err) || errors.Is(err, client.ErrRateLimited) }

// mostWaits is the number of waits in a row after which an item has failed, about two days.
const mostWaits = 100

// mostPause is the longest pause. A due time that is further ahead is that of a clock which was set back since.
const mostPause = time.Hour

// pause is how long to wait after a failure, the nth in a row from 0.
func pause(err error, n int) time.Duration {
	pause := backoff(n)
	if e, ok := errors.AsType[*client.Error](err); ok && e.RetryAfter > 0 {
		pause = e.RetryAfter
		if !errors.Is(err, client.ErrRateLimited) {
			pause = max(pause, backoff(n))
		}
	}
	return min(pause, mostPause)
}

// backoff is 30 seconds for n 0, doubled for each n, and half an hour at most.
func backoff(n int) time.Duration { return min(30*time.Second<<min(n, 10), 30*time.Minute) }

// reasonOf returns a text that any database stores.
func reasonOf(err error) string {
	all := strings.ReplaceAll(fmt.Sprint(err), "\x00", "")
	return strings.ToValidUTF8(all[:min(len(all), mostReason)], "")
}
