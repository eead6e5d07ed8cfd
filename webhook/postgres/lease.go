package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/commerceplatform/commerce-go/webhook"
)

// leaseSQL leases free lanes, with the first due entry of each. A lease does not count until it is received.
const leaseSQL = `
SELECT t.o_lane, coalesce(t.o_token, 0), coalesce(t.o_until, 'epoch'), e.key, e.kind, e.event, e.store_id, e.body,
	e.window_ns, e.settle_ns, e.clears, e.protected, e.unhandled, e.trace, e.generation, e.attempts, e.unfinished,
	(extract(epoch FROM statement_timestamp() - e.pending_since) * 1000000)::bigint, e.arrivals, e.first_seen, e.last_seen
FROM inbox.lease($1, $2, $3, $4, $5 * interval '1 microsecond', coalesce($6::timestamptz, '-infinity'),
	coalesce($7::timestamptz, '-infinity')) t, LATERAL (SELECT (t.o_entry).*) e
ORDER BY e.due`

// healSQL corrects the due time of a lane without a due entry.
const healSQL = `SELECT inbox.heal_lane($1, $2)`

// extendSQL makes a lease end later.
const extendSQL = `
UPDATE inbox.lane l SET until = clock_timestamp() + $4 * interval '1 microsecond'
WHERE l.queue = $1 AND l.lane = $2 AND l.token = $3 AND l.until > clock_timestamp()`

// Lease returns entries that are due.
func (in *Inbox) Lease(ctx context.Context, q webhook.LeaseQuery) ([]webhook.Lease, error) {
	if err := leaseTime(q.Term); err != nil {
		return nil, err
	}
	if q.Limit <= 0 {
		return nil, ctx.Err()
	}
	if q.PerStore <= 0 {
		q.PerStore = q.Limit
	}
	var leases []webhook.Lease
	var stale []string
	turn, due := in.from()
	err := in.runAs(ctx, "off", func(b *pgx.Batch) {
		in.looked.queue(b, in, turn, due)
		arguments := []any{in.options.Queue, q.Limit, q.PerStore, without(q), q.Term.Microseconds(), turn, due}
		b.Queue(in.sql.lease, arguments...).Query(func(rows pgx.Rows) (err error) {
			leases, stale, err = readLeases(rows)
			return err
		})
	})
	if err != nil {
		return nil, failed("lease", err)
	}
	for _, lane := range stale {
		err := in.run(ctx, func(b *pgx.Batch) { b.Queue(in.sql.heal, in.options.Queue, lane) })
		if err != nil && len(leases) == 0 {
			return nil, failed("lease", err)
		}
	}
	if len(leases) == 0 {
		return nil, nil
	}
	leases, err = in.received(ctx, leases)
	return leases, failed("lease", err)
}

// without returns the stores that a query excludes.
func without(q webhook.LeaseQuery) []int64 {
	stores := make([]int64, len(q.Without))
	for i, id := range q.Without {
		stores[i] = int64(id)
	}
	return stores
}

func leaseTime(d time.Duration) error {
	if d < time.Microsecond || d > mostTime {
		return fmt.Errorf("postgres: lease of %v: must be %v to %v", d, time.Microsecond, mostTime)
	}
	return nil
}

// readLeases returns leases, and the lanes that were due without a due entry.
func readLeases(rows pgx.Rows) (leases []webhook.Lease, stale []string, err error) {
	for rows.Next() {
		var lane string
		var l webhook.Lease
		var e entryColumns
		var generation, attempts, unfinished, age, arrivals *int64
		var first, last *time.Time
		targets := append([]any{&lane, &l.Token, &l.Until}, e.targets()...)
		if err := rows.Scan(append(targets, &generation, &attempts, &unfinished, &age, &arrivals, &first, &last)...); err != nil {
			return nil, nil, err
		}
		if e.key == nil {
			stale = append(stale, lane)
			continue
		}
		l.Entry = e.entry(lane)
		l.Gen, l.Attempt, l.Unfinished = uint64(*generation), int(*attempts), int(*unfinished)
		if l.Unfinished == 0 { // otherwise the last attempt is repeated
			l.Attempt++
		}
		l.Age, l.Count = time.Duration(*age)*time.Microsecond, int(*arrivals)
		l.FirstSeen, l.LastSeen = *first, *last
		leases = append(leases, l)
	}
	return leases, stale, rows.Err()
}

// Extend makes the lease end after d from now. d must be above 0.
func (in *Inbox) Extend(ctx context.Context, l webhook.Lease, d time.Duration) error {
	if err := leaseTime(d); err != nil {
		return err
	}
	var extended bool
	err := in.run(ctx, func(b *pgx.Batch) {
		b.Queue(in.sql.extend, in.options.Queue, l.Lane, int64(l.Token), d.Microseconds()).Exec(func(tag pgconn.CommandTag) error {
			extended = tag.RowsAffected() == 1
			return nil
		})
	})
	switch {
	case err != nil:
		return failed("extend", err)
	case !extended:
		return webhook.ErrLeaseLost
	}
	in.wake.all()
	return nil
}
