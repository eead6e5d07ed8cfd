package sqlite

import (
	"context"
	"fmt"
	"strings"

	"github.com/commerceplatform/commerce-go/webhook"
)

// Accept stores all entries or none. Concurrent calls share a transaction and its sync; a call that is rejected does
// not fail the others. Entries of one call count as if they arrived one after another. After an error other than
// webhook.ErrFull, the entries may be stored already or later, so do not change them or their bodies.
func (in *Inbox) Accept(ctx context.Context, entries ...webhook.Entry) (outcomes []webhook.Outcome, err error) {
	for i := range entries {
		if err := check(&entries[i]); err != nil {
			return nil, fmt.Errorf("sqlite: %w", err)
		}
	}
	if err := ctx.Err(); err != nil || len(entries) == 0 {
		return nil, err
	}
	var met []webhook.Outcome
	var full bool
	err = in.write(ctx, "accept", func(t *transaction) (err error) {
		met, full, err = t.accept(entries)
		return err
	})
	switch {
	case err != nil:
		return nil, err
	case full:
		return nil, webhook.ErrFull
	}
	in.accepted.Add(int64(len(entries)))
	return met, nil
}

// InTime implements webhook.InTime.
func (in *Inbox) InTime(of webhook.Inbox) bool { return of == webhook.Inbox(in) }

func check(e *webhook.Entry) error {
	switch {
	case e.Key == "" || strings.ContainsRune(e.Key, 0):
		return fmt.Errorf("entry of lane %.80q: Key %.80q: must be a non-empty text without NUL", e.Lane, e.Key)
	case e.Lane == "" || strings.ContainsRune(e.Lane, 0):
		return fmt.Errorf("entry %.80q: Lane %.80q: must be a non-empty text without NUL", e.Key, e.Lane)
	case e.Kind != webhook.KindSignal && e.Kind != webhook.KindFact:
		return fmt.Errorf("entry %.80q: Kind is %q: must be %q or %q", e.Key, e.Kind, webhook.KindSignal, webhook.KindFact)
	case e.Settle < 0:
		return fmt.Errorf("entry %.80q: Settle is %v: must be 0 or more", e.Key, e.Settle)
	}
	for _, name := range e.Clears {
		if name == "" || strings.ContainsRune(string(name), '\n') {
			return fmt.Errorf("entry %.80q: Clears %.80q: must be names of events", e.Key, name)
		}
	}
	return nil
}

func (t *transaction) accept(entries []webhook.Entry) (met []webhook.Outcome, full bool, err error) {
	if full, err = t.full(entries); full || err != nil {
		return nil, full, err
	}
	met = make([]webhook.Outcome, len(entries))
	for i := range entries {
		if met[i], err = t.acceptOne(&entries[i]); err != nil {
			return nil, false, err
		}
	}
	return met, false, nil
}

// full reports whether one of the entries cannot be accepted. It is called before any of them is written.
func (t *transaction) full(entries []webhook.Entry) (bool, error) {
	room := t.in.highWater - t.pending
	if len(entries) <= room {
		return false, nil
	}
	added := make(map[string]bool)
	for i := range entries {
		e := &entries[i]
		there, err := t.row(e.Key)
		if err != nil {
			return false, err
		}
		if there != nil && !there.damaged || added[e.Key] {
			continue
		}
		if room <= 0 && !e.Protected {
			return true, nil
		}
		added[e.Key] = true
		if e.Unhandled == "" {
			room--
		}
	}
	return false, nil
}

func (t *transaction) acceptOne(e *webhook.Entry) (webhook.Outcome, error) {
	if added, err := t.addNew(e); added || err != nil {
		return webhook.OutcomeStored, err
	}
	r, err := t.row(e.Key)
	if err != nil {
		return "", err
	}
	if r != nil && r.damaged { // the arrival replaces it
		if err := t.delete(r); err != nil {
			return "", err
		}
		r = nil
	}
	if r != nil && e.Unhandled != "" {
		r.arrived(t.now)
		return r.unhandled(), t.update(r)
	}
	changes := r != nil && e.Kind != r.entry.Kind
	if r != nil && r.state == done && changes {
		if err := t.delete(r); err != nil {
			return "", err
		}
		r = nil
	}
	if r == nil {
		return t.add(e)
	}
	r.arrived(t.now)
	switch {
	case r.state == pending && (e.Kind == webhook.KindSignal || changes):
		return webhook.OutcomeJoined, t.renew(r, e)
	case r.state == pending:
		return webhook.OutcomeJoined, t.update(r)
	case r.state == dead && e.Kind == webhook.KindSignal:
		return webhook.OutcomeRevived, t.revive(r, e)
	default:
		return webhook.OutcomeKnown, t.update(r)
	}
}

// arrived counts an arrival.
func (r *row) arrived(now int64) {
	r.arrivals++
	r.last = now
	if r.again == 0 {
		r.again = now
	}
}

// unhandled returns the outcome of an arrival that no handler can have.
func (r *row) unhandled() webhook.Outcome {
	switch r.state {
	case pending:
		return webhook.OutcomeJoined
	case done:
		return webhook.OutcomeKnown
	default:
		return webhook.OutcomeShelved
	}
}

// addNew adds an entry if there is none with its key, which is the usual case. Otherwise add must be called.
func (t *transaction) addNew(e *webhook.Entry) (bool, error) {
	if e.Protected || e.Unhandled != "" {
		return false, nil
	}
	r := t.arriving(e)
	if added, err := t.insertNew(r); !added || err != nil {
		return false, err
	}
	t.pending++
	return true, t.touch(r)
}

// arriving returns the row of an entry that arrives for the first time.
func (t *transaction) arriving(e *webhook.Entry) *row {
	r := &row{
		entry: *e, state: pending, gen: 1, due: later(t.now, e.Settle), since: t.now,
		arrivals: 1, first: t.now, last: t.now,
	}
	r.entry.Trace = webhook.Traceparent(e.Trace)
	return r
}

func (t *transaction) add(e *webhook.Entry) (webhook.Outcome, error) {
	r := t.arriving(e)
	if e.Unhandled != "" {
		r.state, r.cause, r.died = dead, e.Unhandled, t.now
		t.bury(r)
		return webhook.OutcomeShelved, t.insert(r)
	}
	t.pending++
	if err := t.insert(r); err != nil {
		return "", err
	}
	return webhook.OutcomeStored, t.touch(r)
}

// renew makes an arrival a new generation of a pending entry.
func (t *transaction) renew(r *row, e *webhook.Entry) error {
	t.take(r, e)
	r.due = min(r.due, t.soonest(r))
	return t.rewrite(r, e.Body)
}

// revive makes a dead signal pending.
func (t *transaction) revive(r *row, e *webhook.Entry) error {
	lane := e.Lane
	t.take(r, e)
	r.entry.Lane = lane // the old lane is not leased for this entry
	r.due = t.soonest(r)
	t.restart(r)
	return t.rewrite(r, e.Body)
}

// take updates a row with an arrival. The row keeps its lane, which a worker may hold, and its protection.
func (t *transaction) take(r *row, e *webhook.Entry) {
	was := r.entry
	r.entry = *e
	r.entry.Lane, r.entry.Protected = was.Lane, e.Protected || was.Protected
	r.entry.Trace = webhook.Traceparent(e.Trace)
	r.gen++
	t.erased = t.erased || was.Protected
}

// soonest returns when an arrival makes a signal due.
func (t *transaction) soonest(r *row) int64 {
	due := later(t.now, r.entry.Settle)
	if r.failed != 0 {
		due = max(due, later(r.failed, webhook.ShortestBackoff))
	}
	return due
}

// restart makes a dead row pending, with 0 attempts.
func (t *transaction) restart(r *row) {
	r.state, r.since, r.attempts, r.unfinished, r.cause, r.died = pending, t.now, 0, 0, "", 0
	r.entry.Unhandled = ""
	t.pending++
}

func (t *transaction) rewrite(r *row, body []byte) error {
	if err := t.body(r, body); err != nil {
		return err
	}
	if err := t.update(r); err != nil {
		return err
	}
	return t.touch(r)
}
