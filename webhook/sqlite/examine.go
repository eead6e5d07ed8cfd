package sqlite

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// smallFile is the largest number of pages of a file that Open examines completely and compares with the entries. That
// takes some milliseconds per MiB.
const smallFile = 2000

var errPages = errors.New("pages of the file are damaged")

// small reports whether the file is small.
func (w *writer) small() (bool, error) {
	var pages int
	err := w.conn.QueryRowContext(context.Background(), "SELECT page_count FROM pragma_page_count").Scan(&pages)
	return pages <= smallFile, err
}

// examine makes SQLite examine a file. Data that is derived from the entries is rebuilt if that helps. Remaining damage
// is reported, unless a write could destroy more.
func (w *writer) examine() error {
	found, err := w.damages()
	if err != nil || len(found) == 0 {
		return err
	}
	w.in.report(fmt.Errorf("sqlite: inbox %s: %w: %s", w.in.place.path, errPages, strings.Join(found, "; ")))
	if err := unsafeToWrite(found); err != nil {
		return err
	}
	if err := w.exclusive(w.reindex); err != nil {
		return err
	}
	if found, err = w.damages(); err == nil {
		err = unsafeToWrite(found)
	}
	return err
}

// damages returns some of the damage that SQLite finds.
func (w *writer) damages() (found []string, err error) {
	rows, err := w.conn.QueryContext(context.Background(), "PRAGMA integrity_check(10)")
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // rows.Err reports it
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, err
		}
		if text != "ok" {
			found = append(found, text)
		}
	}
	return found, rows.Err()
}

// unsafeToWrite returns errPages if a page has two uses or may get a second one, because writing one would destroy the
// other.
func unsafeToWrite(found []string) error {
	for _, text := range found {
		for _, sign := range []string{"2nd reference", "Freelist", "invalid page number", "out of range"} {
			if strings.Contains(text, sign) {
				return fmt.Errorf("%w: %s", errPages, text)
			}
		}
	}
	return nil
}
