package sqlite

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// smallFile is the number of pages up to which Open examines all of a file, and compares all of it with the entries.
// That takes some milliseconds for each MiB.
const smallFile = 2000

var errPages = errors.New("pages of the file are damaged")

// small reports whether the file is a small one.
func (w *writer) small() (bool, error) {
	var pages int
	err := w.conn.QueryRowContext(context.Background(), "SELECT page_count FROM pragma_page_count").Scan(&pages)
	return pages <= smallFile, err
}

// examine has SQLite examine a file. What follows from the entries is made again if that helps. What is left is
// reported, unless a write could destroy more.
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

// damages returns what SQLite finds, some of it.
func (w *writer) damages() (found []string, err error) {
	rows, err := w.conn.QueryContext(context.Background(), "PRAGMA integrity_check(10)")
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // rows.Err tells
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

// unsafeToWrite returns errPages if a page has two uses, or may get a second one: to write one would destroy the other.
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
