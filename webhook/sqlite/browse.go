package sqlite

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/commerceplatform/commerce-go/internal/browsing"
	"github.com/commerceplatform/commerce-go/webhook"
)

// Parts of statements that browse. Conditions use the names of computed columns. Entries are read in the order of their
// keys. A + before a column prevents SQLite from using another index and sorting.
const (
	laneUntilSQL = "(SELECT l.until FROM inbox_lane l WHERE l.lane = inbox_entry.lane AND inbox_entry.state = 'pending')"
	laneKeySQL   = "(SELECT l.key FROM inbox_lane l WHERE l.lane = inbox_entry.lane AND inbox_entry.state = 'pending')"
	sinceSQL     = "CASE +state WHEN 'dead' THEN died_at ELSE since END"
	shownSQL     = "(+state <> 'done' OR forget_at = 0 OR forget_at > :now)"

	// boundSQL returns the last key that a call reads.
	boundSQL = "SELECT count(*), coalesce(max(key), '')" +
		" FROM (SELECT key FROM inbox_entry WHERE %s ORDER BY key LIMIT 0 + :step)"
	pageSQL = "SELECT " + headColumns + ", " + laneUntilSQL + " AS lane_until, " + laneKeySQL +
		" AS lane_key FROM inbox_entry WHERE %s ORDER BY key LIMIT 0 + :limit"
	groupSQL = `SELECT CASE WHEN +state <> 'pending' THEN state WHEN lane_until > :now AND lane_key = key THEN 'leased'
			WHEN due <= :now AND coalesce(lane_until, 0) <= :now THEN 'due' ELSE 'waiting' END AS now_state,
			event, store_id, cause, protected, count(*), min(` + sinceSQL + `)
		FROM (SELECT key, lane, event, store_id, cause, protected, state, due, since, died_at, forget_at,
			` + laneUntilSQL + ` AS lane_until,
			` + laneKeySQL + ` AS lane_key
			FROM inbox_entry WHERE %s) WHERE %s GROUP BY 1, 2, 3, 4, 5`
)

// stateFilterSQL are the conditions of the states of a filter.
var stateFilterSQL = map[webhook.EntryState]string{
	webhook.EntryPending: " AND +state = 'pending'",
	webhook.EntryDue:     " AND +state = 'pending' AND due <= :now AND coalesce(lane_until, 0) <= :now",
	webhook.EntryLeased:  " AND +state = 'pending' AND lane_until > :now AND lane_key = key",
	webhook.EntryWaiting: " AND +state = 'pending' AND NOT (coalesce(lane_until, 0) > :now AND lane_key = key)" +
		" AND NOT (due <= :now AND coalesce(lane_until, 0) <= :now)",
	webhook.EntryDone: " AND +state = 'done'",
	webhook.EntryDead: " AND +state = 'dead'",
}

// browsed are the conditions of a filter, except its cause, and their values.
type browsed struct {
	from   string // the beginning of the entries to read
	to     string // their end, replaced once the last key is known
	filter string // selects from these entries
	values []any
}

func (in *Inbox) browsed(f webhook.EntryFilter, after string, now int64) (b browsed, ok bool) {
	b.from, b.filter = "key > :from", shownSQL
	if after < f.KeyPrefix {
		b.from, after = "key >= :from", f.KeyPrefix
	}
	b.set("now", now)
	b.set("from", after)
	if f.KeyPrefix != "" {
		b.to = " AND key < :to"
		b.set("to", following(f.KeyPrefix))
	}
	if f.State != "" {
		condition, known := stateFilterSQL[f.State]
		if !known {
			return b, false
		}
		b.filter += condition
	}
	event, byEvent := f.Event.Get()
	if byEvent {
		b.filter += " AND event = :event"
		b.set("event", string(event))
	}
	store, byStore := f.Store.Get()
	if byStore {
		b.filter += " AND +store_id = :store"
		b.set("store", int64(store))
	}
	if !f.Until.IsZero() {
		b.filter += " AND " + sinceSQL + " <= :until"
		b.set("until", f.Until.UnixNano())
	}
	if f.Record != "" {
		b.filter += " AND substr(+lane, -length(:record)) = :record"
		b.set("record", ":"+f.Record)
	}
	if f.State == webhook.EntryDead { // dead entries have indexes of their own
		b.from = "state = 'dead' AND " + b.from
		if byStore {
			b.from = "store_id = :store AND " + b.from
		}
	}
	return b, true
}

func (b *browsed) set(name string, value any) { b.values = append(b.values, sql.Named(name, value)) }

// Browse lists entries by key.
func (in *Inbox) Browse(ctx context.Context, q webhook.BrowseQuery) (webhook.BrowsePage, error) {
	now := in.clock.now()
	page := webhook.BrowsePage{At: instant(now)}
	_, err := in.sound()
	b, ok := in.browsed(q.Filter, q.After, now)
	if err != nil || !ok || q.Limit <= 0 {
		return page, failed("browse", err)
	}
	step, limit := browsing.Step, q.Limit
	if !q.Filter.Cause.IsZero() {
		step, limit = browsing.StepByCause, browsing.StepByCause
	}
	last, err := in.bound(ctx, &b, step, &page)
	if err != nil || page.Searched == 0 {
		return page, failed("browse", err)
	}
	b.set("limit", limit)
	if page.Searched == step {
		page.Next = last
	}
	err = in.stored(ctx, fmt.Sprintf(pageSQL, b.from+b.to+" AND "+b.filter), b.values, now,
		func(e webhook.StoredEntry) bool {
			if !q.Filter.Match(e) {
				return true
			}
			page.Entries = append(page.Entries, e)
			if len(page.Entries) < q.Limit {
				return true
			}
			if e.Key < last || page.Searched == step {
				page.Next = e.Key
			}
			return false
		})
	return page, failed("browse", err)
}

// bound returns the last key that a call reads, and makes b end there.
func (in *Inbox) bound(ctx context.Context, b *browsed, step int, page *webhook.BrowsePage) (last string, err error) {
	values := append(b.values[:len(b.values):len(b.values)], sql.Named("step", step))
	err = in.db.QueryRowContext(ctx, fmt.Sprintf(boundSQL, b.from+b.to), values...).Scan(&page.Searched, &last)
	b.end(last)
	return last, err
}

// end replaces the end of the entries to read by a key.
func (b *browsed) end(last string) {
	b.to = " AND key <= :last"
	b.set("last", last)
}

// stored calls f with the entries that a query selects until f returns false. The columns are headColumns or
// allColumns, and those of the lane.
func (in *Inbox) stored(ctx context.Context, query string, values []any, now int64,
	f func(webhook.StoredEntry) bool) error {
	rows, err := in.db.QueryContext(ctx, query, values...)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }() // rows.Err reports it
	for rows.Next() {
		e, err := storedEntry(rows, headColumns, now)
		if err != nil {
			return err
		}
		if !f(e) {
			return nil
		}
	}
	return rows.Err()
}

// storedEntry reads a row. An unreadable or damaged row is returned as dead, with only its key and the reason.
// More receives columns after those of the lane.
func storedEntry(rows *sql.Rows, columns string, now int64, more ...any) (webhook.StoredEntry, error) {
	var r row
	var until sql.NullInt64
	var leased sql.NullString
	err := r.scan(rows, columns, append([]any{&until, &leased}, more...)...)
	switch {
	case err != nil && r.entry.Key == "":
		return webhook.StoredEntry{}, err
	case err != nil:
		return webhook.StoredEntry{Entry: webhook.Entry{Key: r.entry.Key}, State: webhook.EntryDead,
			Cause: unreadable(err)}, nil
	case r.damaged:
		died := instant(r.died)
		return webhook.StoredEntry{Entry: webhook.Entry{Key: r.entry.Key}, State: webhook.EntryDead, Cause: r.cause,
			Since: died, DiedAt: died}, nil
	}
	e := webhook.StoredEntry{
		Entry: r.entry, Gen: uint64(r.gen), Attempts: r.attempts, Count: r.arrivals, Cause: r.cause,
		FirstSeen: instant(r.first), LastSeen: instant(r.last), Since: instant(r.since), FailedAt: instant(r.failed),
	}
	switch r.state {
	case done:
		e.State, e.ForgetAt = webhook.EntryDone, instant(r.forget)
	case dead:
		e.State, e.DiedAt, e.Since = webhook.EntryDead, instant(r.died), instant(r.died)
	default:
		e.State, e.Due = webhook.EntryWaiting, instant(r.due)
		held := until.Valid && until.Int64 > now
		switch {
		case held && leased.String == r.entry.Key:
			e.State, e.LeasedUntil = webhook.EntryLeased, instant(until.Int64)
		case !held && r.due <= now:
			e.State = webhook.EntryDue
		}
	}
	return e, nil
}

// Lookup returns the entry with a key.
func (in *Inbox) Lookup(ctx context.Context, key string, body bool) (e webhook.StoredEntry, err error) {
	if _, err := in.sound(); err != nil {
		return e, failed("look up", err)
	}
	columns := headColumns
	if body {
		columns = allColumns
	}
	now := in.clock.now()
	rows, err := in.db.QueryContext(ctx, "SELECT "+columns+", "+laneUntilSQL+", "+laneKeySQL+", failures"+
		" FROM inbox_entry WHERE key = ? AND (state <> 'done' OR forget_at = 0 OR forget_at > ?)", key, now)
	if err != nil {
		return e, failed("look up", err)
	}
	defer func() { _ = rows.Close() }() // rows.Err reports it
	if !rows.Next() {
		if err = rows.Err(); err == nil {
			err = fmt.Errorf("%q: %w", key, webhook.ErrNoEntry)
		}
		return e, failed("look up", err)
	}
	var failures []byte
	e, err = storedEntry(rows, columns, now, &failures)
	e.Failures = browsing.Failures(failures)
	if e.Protected {
		e.Body = nil
	}
	return e, failed("look up", err)
}
