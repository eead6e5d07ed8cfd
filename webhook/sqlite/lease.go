package sqlite

import (
	"context"
	"fmt"
	"time"

	"github.com/commerceplatform/commerce-go/webhook"
)

// Lease hands out at most limit entries that are due. The time must be above 0.
func (in *Inbox) Lease(ctx context.Context, limit int, d time.Duration) ([]webhook.Lease, error) {
	if err := leaseTime(d); err != nil {
		return nil, err
	}
	if limit <= 0 {
		return nil, ctx.Err()
	}
	if due, err := in.isDue(ctx); err != nil || !due {
		return nil, failed("lease", err) // an idle worker does not write
	}
	var leases []webhook.Lease
	err := in.write(ctx, "lease", func(t *transaction) (err error) {
		leases, err = t.lease(limit, d)
		return err
	})
	if err != nil {
		return nil, err
	}
	return leases, nil
}

func leaseTime(d time.Duration) error {
	if d <= 0 {
		return fmt.Errorf("sqlite: lease for %v: want more than 0", d)
	}
	return nil
}

func (t *transaction) lease(limit int, d time.Duration) ([]webhook.Lease, error) {
	if err := t.exec("UPDATE inbox_lane SET token = NULL, until = NULL, key = NULL WHERE until <= ?", t.now); err != nil {
		return nil, err
	}
	lanes, err := t.texts("SELECT lane FROM inbox_lane WHERE until IS NULL AND due <= ? ORDER BY due LIMIT ?", t.now, limit)
	if err != nil {
		return nil, err
	}
	var leases []webhook.Lease
	for _, lane := range lanes {
		r, err := t.first(lane)
		if err != nil {
			return nil, err
		}
		if r == nil { // nothing in it is due any more
			if err := t.free(lane); err != nil {
				return nil, err
			}
			continue
		}
		l, err := t.hold(r, d)
		if err != nil {
			return nil, err
		}
		leases = append(leases, l)
	}
	return leases, nil
}

// first returns the entry of a lane that is due longest, or nil.
func (t *transaction) first(lane string) (*row, error) {
	return t.read(allColumns, "SELECT id FROM inbox_entry WHERE lane = ? AND state = 'pending' AND due <= ? ORDER BY due, id LIMIT 1",
		[]any{lane, t.now}, func(r *row) bool { return r.entry.Lane == lane && r.state == pending && r.due <= t.now })
}

func (t *transaction) hold(r *row, d time.Duration) (webhook.Lease, error) {
	t.token++
	until := later(t.now, d)
	r.attempts++
	r.taken, r.again = r.arrivals, 0
	if err := t.exec("UPDATE inbox_lane SET token = ?, until = ?, key = ? WHERE lane = ?", t.token, until, r.entry.Key, r.entry.Lane); err != nil {
		return webhook.Lease{}, err
	}
	return webhook.Lease{
		Entry: r.entry, Token: uint64(t.token), Gen: uint64(r.gen), Attempt: r.attempts, Until: instant(until),
		Age: time.Duration(t.now - r.since), Count: r.arrivals, FirstSeen: instant(r.first), LastSeen: instant(r.last),
	}, t.update(r)
}

// Extend makes the lease end after d from now. The time must be above 0.
func (in *Inbox) Extend(ctx context.Context, l webhook.Lease, d time.Duration) error {
	if err := leaseTime(d); err != nil {
		return err
	}
	lost := false
	err := in.write(ctx, "extend", func(t *transaction) error {
		n, err := t.count("UPDATE inbox_lane SET until = ? WHERE lane = ? AND token = ? AND until > ?", later(t.now, d), l.Lane, int64(l.Token), t.now)
		lost = n == 0
		return err
	})
	if err == nil && lost {
		return webhook.ErrLeaseLost
	}
	return err
}

// held returns the entry of a lease that still holds, without its body, or nil.
func (t *transaction) held(l webhook.Lease) (*row, error) {
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

// free ends the lease of a lane and finds out when it is due next.
func (t *transaction) free(lane string) error {
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
	return t.exec("UPDATE inbox_lane SET due = ?, token = NULL, until = NULL, key = NULL WHERE lane = ?", due, lane)
}
