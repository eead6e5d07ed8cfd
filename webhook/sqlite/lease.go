package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"github.com/commerceplatform/commerce-go/webhook"
)

// Lease returns entries that are due.
func (in *Inbox) Lease(ctx context.Context, q webhook.LeaseQuery) ([]webhook.Lease, error) {
	if err := leaseTime(q.Term); err != nil {
		return nil, err
	}
	if q.Limit <= 0 {
		return nil, ctx.Err()
	}
	if err := in.lookThrough(ctx); err != nil {
		return nil, failed("lease", err)
	}
	if !in.busy.Swap(false) { // otherwise there are probably more entries
		if due, err := in.isDue(ctx, q); err != nil || !due {
			return nil, failed("lease", err) // an idle worker does not write
		}
	}
	var leases []webhook.Lease
	err := in.writeHeard(ctx, "lease", func(t *transaction) (err error) {
		leases, err = t.lease(q)
		return err
	})
	if err != nil {
		return nil, err
	}
	in.busy.Store(len(leases) == q.Limit)
	return leases, nil
}

func leaseTime(d time.Duration) error {
	if d <= 0 {
		return fmt.Errorf("sqlite: lease of %v: must be above 0", d)
	}
	return nil
}

func (t *transaction) lease(q webhook.LeaseQuery) (leases []webhook.Lease, err error) {
	t.stores.forget()
	const ended = "UPDATE inbox_lane SET token = NULL, until = NULL, key = NULL, turn = ?1 WHERE until <= ?1"
	if err := t.exec(ended, t.now); err != nil {
		return nil, err
	}
	err = t.share(q, func(lanes []string) (taken int, err error) {
		rows, err := t.firsts(lanes)
		if err != nil {
			return 0, err
		}
		for _, lane := range lanes {
			r := rows[lane]
			if r == nil {
				r, err = t.first(lane)
			}
			if r == nil && err == nil { // it has no due entry
				err = t.free(lane)
			} else if err == nil {
				var l webhook.Lease
				l, err = t.hold(r, q.Term)
				leases = append(leases, l)
				taken++
			}
			if err != nil {
				return taken, err
			}
		}
		return taken, nil
	})
	if err != nil {
		return nil, err
	}
	return leases, nil
}

const firstsSQL = "SELECT " + allColumns + ` FROM inbox_entry WHERE id IN (SELECT (
		SELECT e.id FROM inbox_entry e WHERE e.lane = j.value AND e.state = 'pending' AND e.due <= ?2
		ORDER BY e.due, e.id LIMIT 1)
	FROM json_each(?1) j)`

// firsts returns the result of first for several lanes in one statement. Lanes whose entry cannot be read are missing.
func (t *transaction) firsts(lanes []string) (map[string]*row, error) {
	if len(lanes) < 2 {
		return nil, nil
	}
	names, err := json.Marshal(lanes)
	if err != nil {
		return nil, err
	}
	found := make(map[string]*row, len(lanes))
	return found, t.each(firstsSQL, []any{string(names), t.now}, func(rows *sql.Rows) error {
		r := &row{}
		if r.scan(rows, allColumns) == nil && r.state == pending && r.due <= t.now {
			found[r.entry.Lane] = r
		}
		return nil // first reads it again and shelves it
	})
}

// first returns the entry of a lane that has been due longest, or nil.
func (t *transaction) first(lane string) (*row, error) {
	return t.read(allColumns, "SELECT id FROM inbox_entry WHERE lane = ? AND state = 'pending' AND due <= ? ORDER BY due, id LIMIT 1",
		[]any{lane, t.now}, func(r *row) bool { return r.entry.Lane == lane && r.state == pending && r.due <= t.now })
}

func (t *transaction) hold(r *row, d time.Duration) (webhook.Lease, error) {
	// Not below the time in microseconds, so that tokens of a restored file are above all that were given since.
	t.token = max(t.token+1, t.now/int64(time.Microsecond))
	until := later(t.now, d)
	unfinished := r.unfinished
	if r.unfinished++; unfinished == 0 {
		r.attempts++
	}
	r.taken, r.again = r.arrivals, 0
	if err := t.exec("UPDATE inbox_lane SET token = ?, until = ?, key = ? WHERE lane = ?", t.token, until, r.entry.Key, r.entry.Lane); err != nil {
		return webhook.Lease{}, err
	}
	if err := t.leased(r); err != nil {
		return webhook.Lease{}, err
	}
	t.kept.add(r, t.token, until)
	return webhook.Lease{
		Entry: r.entry, Token: uint64(t.token), Gen: uint64(r.gen), Attempt: r.attempts, Unfinished: unfinished,
		Until: instant(until), Age: time.Duration(t.now - r.since), Count: r.arrivals, FirstSeen: instant(r.first), LastSeen: instant(r.last),
	}, nil
}

// Extend makes the lease end after d from now. d must be above 0.
func (in *Inbox) Extend(ctx context.Context, l webhook.Lease, d time.Duration) error {
	if err := leaseTime(d); err != nil {
		return err
	}
	lost := false
	err := in.write(ctx, "extend", func(t *transaction) error {
		t.kept.forget(l.Key)
		n, err := t.count("UPDATE inbox_lane SET until = ? WHERE lane = ? AND token = ? AND until > ?", later(t.now, d), l.Lane, int64(l.Token), t.now)
		lost = n == 0
		return err
	})
	if err == nil && lost {
		return webhook.ErrLeaseLost
	}
	return err
}

// held returns the entry of a lease that is still valid, without its body, or nil.
func (t *transaction) held(l webhook.Lease) (*row, error) {
	if r := t.kept.take(l, t.now); r != nil {
		return r, nil
	}
	holds, err := t.one("SELECT 1 FROM inbox_lane WHERE lane = ? AND token = ? AND until > ? AND key = ?",
		[]any{l.Lane, int64(l.Token), t.now, l.Key}, new(int))
	if err != nil || !holds {
		return nil, err
	}
	r, err := t.row(l.Key)
	if err != nil || r == nil || r.state != pending { // it may have become unreadable
		return nil, err
	}
	return r, nil
}

// freeSQL also gives the store a turn in time, unless it has one.
const freeSQL = `UPDATE inbox_lane SET due = ?1, token = NULL, until = NULL, key = NULL,
	turn = iif(EXISTS (SELECT 1 FROM inbox_lane m WHERE m.store_id = inbox_lane.store_id AND m.turn <= max(?1, ?3)
		AND m.until IS NULL AND m.lane <> ?2), NULL, max(?1, ?3)) WHERE lane = ?2`

// emptySQL deletes a lane without pending entries.
const emptySQL = `DELETE FROM inbox_lane WHERE lane = ?1
	AND NOT EXISTS (SELECT 1 FROM inbox_entry WHERE lane = ?1 AND state = 'pending')`

// free ends the lease of a lane and computes its next due time.
func (t *transaction) free(lane string) error {
	if n, err := t.count(emptySQL, lane); n > 0 || err != nil {
		return err
	}
	var due int64
	const next = "FROM inbox_entry WHERE lane = ? AND state = 'pending' ORDER BY due LIMIT 1"
	more, err := t.one("SELECT due "+next, []any{lane}, &due)
	if err != nil { // it may be unreadable
		var r *row
		if r, err = t.read(headColumns, "SELECT id "+next, []any{lane}, func(r *row) bool { return r.entry.Lane == lane && r.state == pending }); err != nil {
			return err
		}
		if more = r != nil; more {
			due = r.due
		}
	}
	if !more {
		return t.exec("DELETE FROM inbox_lane WHERE lane = ?", lane)
	}
	t.due = true
	return t.exec(freeSQL, due, lane, t.now)
}
