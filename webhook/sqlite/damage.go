package sqlite

import (
	"database/sql"
	"fmt"

	"github.com/commerceplatform/commerce-go/webhook"
)

// read returns the row that a query of headColumns finds, with what is scanned after
// them, or nil. A row that cannot be read, because the file was damaged or somebody edited it,
// becomes a dead entry, so that it does not keep the others back.
func (t *transaction) read(query string, args []any, more func(r *row) []any) (*row, error) {
	for last := int64(0); ; {
		var r *row
		var illegible error
		err := t.each(query, args, func(rows *sql.Rows) error {
			r = &row{}
			illegible = r.scan(rows, more(r)...)
			return illegible
		})
		if illegible == nil || r.id == 0 || r.id == last {
			return r, err
		}
		last = r.id
		if err := t.shelve(r.id, illegible); err != nil {
			return nil, err
		}
	}
}

func nothingMore(*row) []any    { return nil }
func itsBody(r *row) []any      { return []any{&r.entry.Body} }
func unreadable(e error) string { return fmt.Sprintf("unreadable: %.200v", e) }

// shelve makes a row dead, and legible: what is no number becomes one.
func (t *transaction) shelve(id int64, why error) error {
	var waiting bool
	if _, err := t.one("SELECT state = 'pending' FROM inbox_entry WHERE id = ?", []any{id}, &waiting); err != nil {
		return err
	}
	if waiting {
		t.pending--
	}
	return t.exec(`UPDATE inbox_entry SET state = 'dead', cause = ?, died_at = ?, protected = protected IS NOT 0,
		store_id = CAST(store_id AS INTEGER), keep = CAST(keep AS INTEGER), settle = CAST(settle AS INTEGER), generation = CAST(generation AS INTEGER),
		due = CAST(due AS INTEGER), since = CAST(since AS INTEGER), attempts = CAST(attempts AS INTEGER), arrivals = CAST(arrivals AS INTEGER),
		first_seen = CAST(first_seen AS INTEGER), last_seen = CAST(last_seen AS INTEGER), run_arrivals = CAST(run_arrivals AS INTEGER),
		again_seen = CAST(again_seen AS INTEGER), failed_at = CAST(failed_at AS INTEGER), forget_at = CAST(forget_at AS INTEGER) WHERE id = ?`,
		unreadable(why), t.now, id)
}

// letter reads a row of a dead entry. One that cannot be read is told with its key and the reason.
func letter(rows *sql.Rows) (webhook.DeadLetter, error) {
	var r row
	if err := r.scan(rows, &r.entry.Body); err != nil {
		if r.entry.Key == "" {
			return webhook.DeadLetter{}, err
		}
		return webhook.DeadLetter{Entry: webhook.Entry{Key: r.entry.Key}, Cause: unreadable(err)}, nil
	}
	return webhook.DeadLetter{
		Entry: r.entry, Attempts: r.attempts, Count: r.arrivals, Cause: r.cause,
		FirstSeen: instant(r.first), LastSeen: instant(r.last), DiedAt: instant(r.died),
	}, nil
}
