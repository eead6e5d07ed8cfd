package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"github.com/commerceplatform/commerce-go/internal/browsing"
	"github.com/commerceplatform/commerce-go/webhook"
)

// Commit ends a lease whose entry was handled.
func (in *Inbox) Commit(ctx context.Context, l webhook.Lease) (again bool, err error) {
	var r ending
	err = in.write(ctx, "commit", func(t *transaction) (err error) {
		r, err = t.commit(l)
		return err
	})
	if err != nil {
		return false, err
	}
	return in.ended(r)
}

// CommitTx commits inside a transaction of the caller, made by DB: its writes and the end of the entry are committed
// together or not at all. Call it last, and commit tx; roll back if it fails.
func (in *Inbox) CommitTx(ctx context.Context, tx *sql.Tx, l webhook.Lease) (again bool, err error) {
	if tx == nil {
		return false, errors.New("sqlite: commit: tx is nil: must be a transaction")
	}
	if err := ctx.Err(); err != nil {
		return false, failed("commit", err)
	}
	t := &transaction{q: tx, in: in}
	r, err := func() (ending, error) {
		if err := t.load(); err != nil {
			return ending{}, err
		}
		r, err := t.commit(l)
		if err != nil {
			return ending{}, err
		}
		return r, t.save()
	}()
	if err != nil {
		return false, failed("commit", in.judge(err))
	}
	if t.erased {
		in.erasing.later() // after tx is committed
	}
	return in.ended(r)
}

// ending is the result of ending a lease.
type ending struct{ lost, again bool }

// ended is the result of a commit.
func (in *Inbox) ended(e ending) (again bool, err error) {
	if e.lost {
		return false, webhook.ErrLeaseLost
	}
	in.handled.Add(1)
	return e.again, nil
}

func (t *transaction) commit(l webhook.Lease) (ending, error) {
	r, err := t.held(l)
	if err != nil || r == nil {
		return ending{lost: r == nil}, err
	}
	again := uint64(r.gen) != l.Gen
	if again {
		t.renewed(r)
		r.due, r.failed, r.cause = t.now, 0, ""
		err = t.update(r)
	} else {
		err = t.finish(r)
	}
	if err != nil {
		return ending{}, err
	}
	if err := t.clear(r, l.Clears); err != nil {
		return ending{}, err
	}
	return ending{again: again}, t.free(r.entry.Lane)
}

// renewed changes a row as if only the arrivals since the lease existed.
func (t *transaction) renewed(r *row) {
	r.since, r.attempts, r.unfinished = t.now, 0, 0
	r.arrivals = max(r.arrivals-r.taken, 1)
	if r.first = r.again; r.again == 0 {
		r.first = r.last
	}
}

// finish settles a pending row: a signal is deleted, a fact is remembered without its body.
func (t *transaction) finish(r *row) error {
	t.pending--
	if r.entry.Kind == webhook.KindSignal || r.entry.Window == 0 {
		return t.delete(r)
	}
	r.state, r.cause, r.failed, r.forget, r.unfinished = done, "", 0, 0, 0
	r.entry.Trace = ""
	if r.entry.Window > 0 {
		r.forget = later(t.now, r.entry.Window)
	}
	if err := t.body(r, nil); err != nil {
		return err
	}
	return t.update(r)
}

// clear settles the other pending entries of the lane and store of r that have one of the events.
func (t *transaction) clear(r *row, events []webhook.Name) error {
	for _, event := range events {
		keys, err := t.texts("SELECT key FROM inbox_entry WHERE lane = ? AND state = 'pending' AND store_id = ? AND event = ? AND id <> ?",
			r.entry.Lane, int64(r.entry.StoreID), string(event), r.id)
		if err != nil {
			return err
		}
		for _, key := range keys {
			other, err := t.row(key)
			if err != nil {
				return err
			}
			if other == nil || other.state != pending { // it is unreadable
				continue
			}
			if err := t.finish(other); err != nil {
				return err
			}
		}
	}
	return nil
}

// Fail ends a lease whose entry was not handled. A Delay below 0 counts as 0.
func (in *Inbox) Fail(ctx context.Context, l webhook.Lease, f webhook.Failed) error {
	lost := false
	err := in.write(ctx, "fail", func(t *transaction) error {
		r, err := t.held(l)
		if lost = r == nil; lost || err != nil {
			return err
		}
		if f.Dropped && r.arrivals == r.taken {
			t.pending--
			err = t.delete(r)
		} else {
			err = t.note(r, f)
			t.fail(r, l, f)
			err = errors.Join(err, t.update(r))
		}
		if err != nil {
			return err
		}
		return t.free(r.entry.Lane)
	})
	if err == nil && lost {
		return webhook.ErrLeaseLost
	}
	return err
}

// note adds an attempt that failed to the failures of a row.
func (t *transaction) note(r *row, f webhook.Failed) error {
	if f.Released || f.Waits || f.Dropped {
		return nil
	}
	var text []byte
	if _, err := t.one("SELECT failures FROM inbox_entry WHERE id = ?", []any{r.id}, &text); err != nil {
		return err
	}
	all := browsing.Failed(browsing.Failures(text), webhook.EntryFailure{
		At: instant(t.now), Attempt: r.attempts, Cause: f.Cause,
	})
	text, err := json.Marshal(all)
	if err != nil {
		return err
	}
	return t.exec("UPDATE inbox_entry SET failures = ? WHERE id = ?", string(text), r.id)
}

func (t *transaction) fail(r *row, l webhook.Lease, f webhook.Failed) {
	switch {
	case f.Released:
		if r.unfinished--; r.unfinished == 0 {
			r.attempts--
		}
		r.due = later(t.now, max(f.Delay, 0))
		return
	case f.Dropped: // but it arrived again
		t.renewed(r)
		r.due, r.failed, r.cause = t.now, 0, ""
		return
	case f.Waits:
		r.attempts--
		r.unfinished = 0
		r.due, r.cause = later(t.now, max(f.Delay, 0)), f.Cause
		r.failed = r.due - int64(webhook.ShortestBackoff) // arrivals do not make it due earlier
		return
	}
	r.failed, r.cause, r.unfinished = t.now, f.Cause, 0
	switch {
	case f.Dead && uint64(r.gen) != l.Gen: // the later arrivals have had no attempt
		r.since, r.attempts = t.now, 0
		r.due = t.soonest(r)
	case f.Dead:
		r.state, r.died = dead, t.now
		t.bury(r)
		t.pending--
	default:
		r.due = later(t.now, max(f.Delay, 0))
	}
}
