package postgres

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/commerceplatform/commerce-go/internal/browsing"
	"github.com/commerceplatform/commerce-go/webhook"
)

// Parts of statements that browse. Entries are read in the order of their keys. OFFSET 0 prevents the server from
// joining all lanes instead of looking up that of each entry.
const (
	laneOfSQL = ` LEFT JOIN LATERAL (SELECT l.until, l.key FROM inbox.lane l
	WHERE l.queue = e.queue AND l.lane = e.lane AND e.state = 'pending' AND l.until > statement_timestamp()
	OFFSET 0) l ON true`
	sinceSQL = "CASE e.state WHEN 'dead' THEN e.died_at ELSE e.pending_since END"
	shownSQL = "(e.state <> 'done' OR e.forget_at > statement_timestamp())"

	// stepSQL returns the number of entries that a call reads, the last key of them, and the rows that it selects. If
	// it selects none, there is one row with NULL in its place. The entries are limited by their number and not by a
	// last key. The server cannot estimate how many entries a range of keys has, and may search all of it for a dead
	// entry.
	stepSQL = `SELECT s.searched, s.last, statement_timestamp(), r.*
FROM (SELECT count(*) AS searched, coalesce(max(t.key), '') AS last FROM (SELECT e.key ` + readSQL + `) t) s
LEFT JOIN (`
	readSQL    = "FROM inbox.entry e WHERE %[1]s ORDER BY e.key LIMIT %[2]s"
	entriesSQL = "(SELECT * " + readSQL + ") e" + laneOfSQL

	storedColumns = `e.lane, e.key, e.kind, e.event, e.store_id, CASE WHEN %s THEN e.body END,
	e.window_ns, e.settle_ns, e.clears, e.protected, e.unhandled,
	e.trace, e.state, e.generation, e.attempts, e.arrivals, e.cause,
	e.first_seen, e.last_seen, ` + sinceSQL + `,
	e.due, e.due <= statement_timestamp(), e.failed_at, e.died_at, nullif(e.forget_at, 'infinity'),
	l.until, coalesce(l.key = e.key, false)`

	pageSQL = stepSQL + "SELECT %[4]s FROM " + entriesSQL + " WHERE %[3]s ORDER BY e.key LIMIT %[5]s) r ON true" +
		" ORDER BY r.key"

	lookupSQL = "SELECT " + storedColumns + ", e.failures FROM inbox.entry e" + laneOfSQL + " WHERE e.queue = $1 AND e.key = $2 AND " +
		shownSQL

	groupSQL = stepSQL + `SELECT CASE WHEN e.state <> 'pending' THEN e.state WHEN l.key = e.key THEN 'leased'
	WHEN e.due <= statement_timestamp() AND l.key IS NULL THEN 'due' ELSE 'waiting' END,
	e.event, e.store_id, e.cause, e.protected, count(*), min(` + sinceSQL + `)
FROM ` + entriesSQL + ` WHERE %[3]s GROUP BY 1, 2, 3, 4, 5) r ON true`

	// listedSQL locks dead entries in the order of their keys, each found by its whole key. It returns the keys of
	// entries that died at the listed time.
	listedSQL = `ARRAY(SELECT s.key FROM (SELECT (SELECT e.key FROM inbox.entry e
		WHERE e.queue = $1 AND e.key = k.key AND e.state = 'dead' AND e.died_at = k.died FOR UPDATE) AS key
	FROM (SELECT u.key, u.died FROM unnest($2::text[], $3::timestamptz[]) AS u (key, died) ORDER BY u.key COLLATE "C"
		OFFSET 0) k OFFSET 0) s
	WHERE s.key IS NOT NULL)`
	replayListedSQL = "SELECT inbox.replay($1, " + listedSQL + ")"
)

// stateSQL are the conditions of the states of a filter.
var stateSQL = map[webhook.EntryState]string{
	webhook.EntryPending: "e.state = 'pending'",
	webhook.EntryDue:     "e.state = 'pending' AND e.due <= statement_timestamp() AND l.key IS NULL",
	webhook.EntryLeased:  "e.state = 'pending' AND l.key = e.key",
	webhook.EntryWaiting: "e.state = 'pending' AND l.key IS DISTINCT FROM e.key" +
		" AND (e.due > statement_timestamp() OR l.key IS NOT NULL)",
	webhook.EntryDone: "e.state = 'done'",
	webhook.EntryDead: "e.state = 'dead'",
}

// browsed are conditions of the entries to read, which an index finds in the order of their keys, and of those to
// select from them, with the values of both.
type browsed struct {
	read, step, selected string
	values               []any
}

// value adds a value and returns its placeholder.
func (b *browsed) value(v any) string {
	b.values = append(b.values, v)
	return fmt.Sprintf("$%d", len(b.values))
}

// browsed returns the conditions of a filter, except its cause, for a step of entries.
func (in *Inbox) browsed(f webhook.EntryFilter, after string, step int) (b browsed) {
	b.selected = shownSQL
	if !storable(after) || !storable(f.KeyPrefix) || !storable(string(f.Event.Or(""))) || !storable(f.Record) || f.State != "" &&
		stateSQL[f.State] == "" {
		b.read, b.step = "false", b.value(step) // no entry can match: only the time is read
		return b
	}
	b.read = "e.queue = " + b.value(in.options.Queue) + " AND e.key > " + b.value(after)
	if f.State != "" {
		b.selected += " AND " + stateSQL[f.State]
	}
	if store, set := f.Store.Get(); set {
		b.selected += " AND e.store_id = " + b.value(int64(store))
	}
	if f.State == webhook.EntryDead { // dead entries have indexes of their own
		b.read += " AND e.state = 'dead'"
		if store, set := f.Store.Get(); set {
			b.read += " AND e.store_id = " + b.value(int64(store))
		}
	}
	if f.KeyPrefix != "" {
		b.read += " AND e.key >= " + b.value(f.KeyPrefix) + " AND e.key < " + b.value(following(f.KeyPrefix))
	}
	if event, set := f.Event.Get(); set {
		b.selected += " AND e.event = " + b.value(string(event))
	}
	if f.Record != "" {
		about := b.value(":" + f.Record)
		b.selected += " AND right(e.lane, length(" + about + "::text)) = " + about
	}
	if !f.Until.IsZero() {
		b.selected += " AND " + sinceSQL + " <= " + b.value(f.Until)
	}
	b.step = b.value(step)
	return b
}

// Browse lists entries by key.
func (in *Inbox) Browse(ctx context.Context, q webhook.BrowseQuery) (page webhook.BrowsePage, err error) {
	step, limit := browsing.Step, max(q.Limit, 0)
	if !q.Filter.Cause.IsZero() {
		step, limit = browsing.StepByCause, browsing.StepByCause
	}
	b := in.browsed(q.Filter, q.After, step)
	statement := fmt.Sprintf(pageSQL, b.read, b.step, b.selected, fmt.Sprintf(storedColumns, "false"), b.value(limit))
	last, entries, err := readStep(ctx, in, statement, b.values, &page, readStored)
	if err != nil || page.Searched == 0 || q.Limit <= 0 {
		page.Searched = 0
		return page, failed("browse", err)
	}
	if page.Searched == step {
		page.Next = last
	}
	if len(entries) == limit {
		page.Next = entries[limit-1].Key
	}
	for _, e := range entries {
		if !q.Filter.Match(e) {
			continue
		}
		page.Entries = append(page.Entries, e)
		if len(page.Entries) == q.Limit {
			page.Next = e.Key
			break
		}
	}
	return page, nil
}

// readStep returns the last key that a statement reads, and the rows that it selects.
func readStep[T any](ctx context.Context, in *Inbox, statement string, values []any, page *webhook.BrowsePage,
	read pgx.RowToFunc[T]) (last string, selected []T, err error) {
	err = in.run(ctx, func(b *pgx.Batch) {
		b.Queue(in.options.in(statement), values...).Query(func(rows pgx.Rows) error {
			defer rows.Close()
			row := selection{rows, []any{&page.Searched, &last, &page.At}}
			for selected = nil; rows.Next(); {
				if row.isNone() {
					err := row.Scan(make([]any, len(rows.FieldDescriptions())-len(row.head))...)
					return errors.Join(err, rows.Err())
				}
				one, err := read(row)
				if err != nil {
					return err
				}
				selected = append(selected, one)
			}
			return rows.Err()
		})
	})
	return last, selected, err
}

// selection is a row of stepSQL, as a row of what it selects.
type selection struct {
	pgx.CollectableRow
	head []any // receive the columns before
}

// isNone reports whether nothing is selected.
func (s selection) isNone() bool { return s.RawValues()[len(s.head)] == nil }

func (s selection) Scan(targets ...any) error {
	return s.CollectableRow.Scan(slices.Concat(s.head, targets)...)
}

// lookedUp returns the entries that lookupSQL selects.
func (in *Inbox) lookedUp(ctx context.Context, statement string, values []any) (entries []webhook.StoredEntry,
	err error) {
	err = in.run(ctx, func(b *pgx.Batch) {
		b.Queue(in.options.in(statement), values...).Query(func(rows pgx.Rows) (err error) {
			entries, err = pgx.CollectRows(rows, readLookedUp)
			return err
		})
	})
	return entries, err
}

// readLookedUp reads a row of lookupSQL.
func readLookedUp(row pgx.CollectableRow) (e webhook.StoredEntry, err error) {
	var failures []byte
	e, err = readStored(withFailures{row, &failures})
	e.Failures = browsing.Failures(failures)
	return e, err
}

// withFailures is a row with one more column.
type withFailures struct {
	pgx.CollectableRow
	failures *[]byte
}

func (w withFailures) Scan(targets ...any) error {
	return w.CollectableRow.Scan(append(targets, w.failures)...)
}

func readStored(row pgx.CollectableRow) (e webhook.StoredEntry, err error) {
	var lane, state string
	var columns entryColumns
	var generation int64
	var due time.Time
	var isDue, leased bool
	var failedAt, died, forget, until *time.Time
	targets := append([]any{&lane}, columns.targets()...)
	err = row.Scan(append(targets, &state, &generation, &e.Attempts, &e.Count, &e.Cause, &e.FirstSeen, &e.LastSeen,
		&e.Since,
		&due, &isDue, &failedAt, &died, &forget, &until, &leased)...)
	if err != nil {
		return e, err
	}
	e.Entry, e.Gen, e.State = columns.entry(lane), uint64(generation), webhook.EntryState(state)
	e.FailedAt, e.DiedAt = timeOf(failedAt), timeOf(died)
	if e.Protected {
		e.Body = nil
	}
	switch {
	case e.State == webhook.EntryDone:
		e.ForgetAt = timeOf(forget)
	case e.State == webhook.EntryDead:
	case leased:
		e.State, e.Due, e.LeasedUntil = webhook.EntryLeased, due, timeOf(until)
	case isDue && until == nil:
		e.State, e.Due = webhook.EntryDue, due
	default:
		e.State, e.Due = webhook.EntryWaiting, due
	}
	return e, nil
}

func timeOf(t *time.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	return *t
}

// Lookup returns the entry with a key.
func (in *Inbox) Lookup(ctx context.Context, key string, body bool) (webhook.StoredEntry, error) {
	var entries []webhook.StoredEntry
	var err error
	if storable(key) {
		entries, err = in.lookedUp(ctx, fmt.Sprintf(lookupSQL, map[bool]string{true: "NOT e.protected", false: "false"}[body]),
			[]any{in.options.Queue, key})
	}
	if err == nil && len(entries) == 0 {
		err = fmt.Errorf("%q: %w", key, webhook.ErrNoEntry)
	}
	if err != nil {
		return webhook.StoredEntry{}, failed("look up", err)
	}
	return entries[0], nil
}
