package sqlite

import (
	"database/sql"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/client/value"
	"github.com/commerceplatform/commerce-go/webhook"
)

// The states of an entry.
const (
	pending = "pending"
	done    = "done"
	dead    = "dead"
)

// row is the entry of a key.
type row struct {
	id       int64
	entry    webhook.Entry
	state    string
	gen      int64
	due      int64
	since    int64
	attempts int
	// unfinished counts the leases since the last Commit or Fail. The present lease is included.
	unfinished int
	arrivals   int
	first      int64
	last       int64
	taken      int
	again      int64
	failed     int64
	cause      string
	died       int64
	forget     int64
	bodySum    uint32 // of the body
	damaged    bool   // its content is damaged; such a row is dead
	trace      any    // the columns trace and trace_sum as they were read
	traceSum   any
}

const (
	headColumns = "id, key, lane, kind, event, store_id, keep, settle, clears, protected, unhandled, state, generation, " +
		"due, since, attempts, unfinished, arrivals, first_seen, last_seen, run_arrivals, again_seen, failed_at, cause, died_at, forget_at, sum, trace, trace_sum"
	allColumns = headColumns + ", coalesce((SELECT p.body FROM inbox_protected p WHERE p.id = inbox_entry.id AND inbox_entry.protected), body)"
)

// scan reads headColumns or allColumns, and verifies them. More columns may follow.
func (r *row) scan(rows *sql.Rows, columns string, more ...any) error {
	var kind, event, clears string
	var store, keep, settle int64
	var sum sql.NullInt64
	e := &r.entry
	targets := []any{&r.id, &e.Key, &e.Lane, &kind, &event, &store, &keep, &settle, &clears, &e.Protected, &e.Unhandled,
		&r.state, &r.gen, &r.due, &r.since, &r.attempts, &r.unfinished, &r.arrivals, &r.first, &r.last, &r.taken, &r.again, &r.failed, &r.cause,
		&r.died, &r.forget, &sum, &r.trace, &r.traceSum}
	if columns == allColumns {
		targets = append(targets, &e.Body)
	}
	err := rows.Scan(append(targets, more...)...)
	e.Kind, e.Event, e.StoreID = webhook.Kind(kind), webhook.Name(event), value.ID(store)
	e.Window, e.Settle = time.Duration(keep), time.Duration(settle)
	e.Clears = nil
	for name := range strings.Lines(clears) {
		e.Clears = append(e.Clears, webhook.Name(strings.TrimSuffix(name, "\n")))
	}
	if err != nil {
		return err
	}
	r.readTrace()
	return r.verify(sum, columns == allColumns)
}

// row returns the row of a key without its body, or nil. A fact whose window is over is deleted.
func (t *transaction) row(key string) (*row, error) {
	r, err := t.keyed(key, headColumns)
	if err != nil || r == nil {
		return nil, err
	}
	if r.state == done && r.forget != 0 && r.forget <= t.now {
		return nil, t.delete(r)
	}
	return r, nil
}

func (t *transaction) keyed(key, columns string) (*row, error) {
	return t.read(columns, "SELECT id FROM inbox_entry WHERE key = ?", []any{key}, func(r *row) bool { return r.entry.Key == key })
}

// clears returns the names, one per line.
func (r *row) clears() string {
	if len(r.entry.Clears) == 0 {
		return ""
	}
	var lines strings.Builder
	for _, name := range r.entry.Clears {
		lines.WriteString(string(name) + "\n")
	}
	return lines.String()
}

func (r *row) columns() []any {
	e := &r.entry
	trace, sum := r.traceColumns()
	return []any{e.Lane, string(e.Kind), string(e.Event), int64(e.StoreID), int64(e.Window), int64(e.Settle), r.clears(),
		e.Protected, e.Unhandled,
		r.state, r.gen, r.due, r.since, r.attempts, r.unfinished, r.arrivals, r.first, r.last, r.taken, r.again, r.failed, r.cause, r.died, r.forget, r.sum(),
		trace, sum}
}

// insertNewSQL inserts an entry that arrives for the first time, unless there is one with its key.
const insertNewSQL = `INSERT INTO inbox_entry (key, lane, kind, event, store_id, body, keep, settle, clears, due,
		since, first_seen, last_seen, sum, trace, trace_sum, protected, unhandled, state, generation, attempts, arrivals, run_arrivals,
		again_seen, failed_at, cause, died_at, forget_at)
	VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?11, ?11, ?11, ?12, ?13, ?14, 0, '', 'pending', 1, 0, 1, 0, 0, 0, '', 0, 0)
	ON CONFLICT (key) DO NOTHING`

// insertNew reports whether there was no row with the key.
func (t *transaction) insertNew(r *row) (bool, error) {
	e := &r.entry
	r.bodySum = checksum(e.Body)
	trace, sum := r.traceColumns()
	n, err := t.count(insertNewSQL, e.Key, e.Lane, string(e.Kind), string(e.Event), int64(e.StoreID), blob(e.Body),
		int64(e.Window), int64(e.Settle), r.clears(), r.due, r.since, r.sum(), trace, sum)
	return n > 0, err
}

func (t *transaction) insert(r *row) error {
	body := r.entry.Body
	r.bodySum = checksum(body)
	if r.entry.Protected {
		body = nil
	}
	id, err := t.inserted(`INSERT INTO inbox_entry (lane, kind, event, store_id, keep, settle, clears, protected, unhandled,
		state, generation, due, since, attempts, unfinished, arrivals, first_seen, last_seen, run_arrivals, again_seen, failed_at, cause, died_at, forget_at, sum,
		trace, trace_sum, key, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		append(r.columns(), r.entry.Key, blob(body))...)
	if err != nil || !r.entry.Protected {
		return err
	}
	return t.protect(id, r.entry.Body)
}

// update writes a row back, without its body.
func (t *transaction) update(r *row) error {
	t.kept.forget(r.entry.Key)
	return t.exec(`UPDATE inbox_entry SET lane = ?, kind = ?, event = ?, store_id = ?, keep = ?, settle = ?, clears = ?, protected = ?, unhandled = ?,
		state = ?, generation = ?, due = ?, since = ?, attempts = ?, unfinished = ?, arrivals = ?, first_seen = ?, last_seen = ?, run_arrivals = ?, again_seen = ?,
		failed_at = ?, cause = ?, died_at = ?, forget_at = ?, sum = ?, trace = ?, trace_sum = ? WHERE id = ?`, append(r.columns(), r.id)...)
}

const leasedSQL = "UPDATE inbox_entry SET attempts = ?, unfinished = ?, run_arrivals = ?, again_seen = ?, sum = ? WHERE id = ?"

// leased writes the columns that a lease changes. No index has these columns.
func (t *transaction) leased(r *row) error {
	return t.exec(leasedSQL, r.attempts, r.unfinished, r.taken, r.again, r.sum(), r.id)
}

// body replaces the body of a row, which must be updated afterwards; nil removes it.
func (t *transaction) body(r *row, body []byte) error {
	r.bodySum = checksum(body)
	if !r.entry.Protected {
		return t.exec("UPDATE inbox_entry SET body = ? WHERE id = ?", blob(body), r.id)
	}
	if err := t.exec("UPDATE inbox_entry SET body = x'' WHERE id = ?", r.id); err != nil {
		return err
	}
	if body == nil {
		return t.unprotect(r.id)
	}
	return t.protect(r.id, body)
}

func (t *transaction) delete(r *row) error {
	t.kept.forget(r.entry.Key)
	if r.entry.Protected || r.damaged { // it may have been protected
		if err := t.unprotect(r.id); err != nil {
			return err
		}
	}
	return t.exec("DELETE FROM inbox_entry WHERE id = ?", r.id)
}

// protect stores a body in place of another, if there is one, so that it can be erased.
func (t *transaction) protect(id int64, body []byte) error {
	return t.exec(`INSERT INTO inbox_protected (id, front, body) VALUES (?, zeroblob((SELECT page_size FROM pragma_page_size)), ?)
		ON CONFLICT (id) DO UPDATE SET body = excluded.body`, id, blob(body))
}

func (t *transaction) unprotect(id int64) error {
	t.erased = true
	return t.exec("DELETE FROM inbox_protected WHERE id = ?", id)
}

// blob returns b as a value that is not NULL.
func blob(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}
