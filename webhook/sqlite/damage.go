package sqlite

import (
	"database/sql"
	"fmt"

	code "modernc.org/sqlite/lib"

	"github.com/commerceplatform/commerce-go/webhook"
)

// read returns the row whose id a query finds, or nil. A row that cannot be read, because the file was damaged or
// edited, becomes a dead entry, so that it does not block the others. All columns are read from the table, which the
// checksum covers. A row that does not fit was named by a damaged index.
func (t *transaction) read(columns, query string, args []any, fits func(r *row) bool) (*row, error) {
	for last := int64(0); ; {
		var r *row
		var illegible error
		err := t.each("SELECT "+columns+" FROM inbox_entry WHERE id = ("+query+")", args, func(rows *sql.Rows) error {
			r = &row{}
			illegible = r.scan(rows, columns)
			return illegible
		})
		if illegible == nil || r.id == 0 || r.id == last {
			if err == nil && r != nil && !fits(r) {
				err = errIndex
			}
			if err == nil && r == nil {
				err = t.absent(query, args)
			}
			return r, err
		}
		last = r.id
		if err := t.shelve(r.id, illegible); err != nil {
			return nil, err
		}
	}
}

// absent returns errIndex if an index names a row that the table does not have.
func (t *transaction) absent(query string, args []any) error {
	named, err := t.one(query, args, new(int64))
	if err == nil && named {
		return errIndex
	}
	return err
}

func unreadable(e error) string { return fmt.Sprintf("unreadable: %.200v", e) }

// shelve makes a row dead and readable: values that are not numbers become numbers. Its checksum is removed, so that it
// is never taken for an accepted entry. The key is set to itself, because SQLite then looks it up in its index.
func (t *transaction) shelve(id int64, why error) error {
	t.kept.drop() // the key may have changed
	var waiting bool
	if _, err := t.one("SELECT state = 'pending' FROM inbox_entry WHERE id = ?", []any{id}, &waiting); err != nil {
		return err
	}
	if waiting {
		t.pending--
	}
	err := t.exec(shelveSQL+", key = key WHERE id = ?", unreadable(why), t.now, id)
	if primary(err) == code.SQLITE_CONSTRAINT { // another row has the key now
		err = t.exec(shelveSQL+" WHERE id = ?", unreadable(why), t.now, id)
	}
	return err
}

var shelveSQL = func() string {
	set := "sum = NULL, state = 'dead', cause = ?, died_at = ?, body = coalesce(body, x''), protected = protected IS NOT 0"
	for _, text := range []string{"lane", "kind", "event", "clears", "unhandled"} {
		set += ", " + text + " = coalesce(" + text + ", '')"
	}
	for _, number := range []string{"store_id", "keep", "settle", "generation", "due", "since", "attempts", "unfinished", "arrivals",
		"first_seen", "last_seen", "run_arrivals", "again_seen", "failed_at", "forget_at"} {
		set += ", " + number + " = CAST(coalesce(" + number + ", 0) AS INTEGER)"
	}
	return "UPDATE inbox_entry SET " + set
}()

// letter reads a row of a dead entry. An unreadable or damaged row is returned with only its key and the reason.
func letter(rows *sql.Rows) (webhook.DeadLetter, error) {
	var r row
	if err := r.scan(rows, allColumns); err != nil {
		if r.entry.Key == "" {
			return webhook.DeadLetter{}, err
		}
		return webhook.DeadLetter{Entry: webhook.Entry{Key: r.entry.Key}, Cause: unreadable(err)}, nil
	}
	if r.damaged {
		return webhook.DeadLetter{Entry: webhook.Entry{Key: r.entry.Key}, Cause: r.cause, DiedAt: instant(r.died)}, nil
	}
	return webhook.DeadLetter{
		Entry: r.entry, Attempts: r.attempts, Count: r.arrivals, Cause: r.cause,
		FirstSeen: instant(r.first), LastSeen: instant(r.last), DiedAt: instant(r.died),
	}, nil
}
