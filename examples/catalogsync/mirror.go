package main

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"net/url"
	"os"
	"time"

	_ "modernc.org/sqlite" // the driver "sqlite"

	"github.com/commerceplatform/commerce-go/client"
)

// mirror is the SQLite file.
type mirror struct{ db *sql.DB }

//go:embed schema.sql
var schema string

// schemaVersion is kept in the file; 0 is a file without tables.
const schemaVersion = 1

// openMirror opens the file, or makes one that only its owner may read.
func openMirror(ctx context.Context, file string) (*mirror, error) {
	f, err := os.OpenFile(file, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := f.Close(); err != nil {
		return nil, err
	}
	// In WAL mode others may read while the program writes. NORMAL is enough: what a power failure may cost is the
	// latest transactions as a whole, records and cursor alike.
	settings := url.Values{
		"_pragma": {"journal_mode(wal)", "synchronous(normal)", "busy_timeout(5000)"},
		"_txlock": {"immediate"},
	}
	dsn := url.URL{Scheme: "file", Opaque: (&url.URL{Path: file}).EscapedPath(), RawQuery: settings.Encode()}
	db, err := sql.Open("sqlite", dsn.String())
	if err != nil {
		return nil, err
	}
	m := &mirror{db}
	if err := m.prepare(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", file, err), m.close())
	}
	return m, nil
}

// prepare makes the tables of a new file.
func (m *mirror) prepare(ctx context.Context) error {
	return m.tx(ctx, func(tx *sql.Tx) error {
		var version int
		if err := tx.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
			return err
		}
		switch version {
		case schemaVersion:
			return nil
		case 0:
			_, err := tx.ExecContext(ctx, schema+fmt.Sprintf("PRAGMA user_version = %d;", schemaVersion))
			return err
		}
		return fmt.Errorf("schema version %d: want %d", version, schemaVersion)
	})
}

// claim makes the file that of a store. It fails if it is of another.
func (m *mirror) claim(ctx context.Context, baseURL string, store client.ID) error {
	return m.tx(ctx, func(tx *sql.Tx) error {
		var base string
		var id client.ID
		err := tx.QueryRowContext(ctx, "SELECT base_url, store_id FROM source").Scan(&base, &id)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			_, err := tx.ExecContext(ctx, "INSERT INTO source VALUES (?, ?)", baseURL, store)
			return err
		case err != nil:
			return err
		case base != baseURL || id != store:
			return fmt.Errorf("the file mirrors store %d of %s, not %d of %s", id, base, store, baseURL)
		}
		return nil
	})
}

// put writes records, and how far the pass has come if there is one, in one transaction.
func (m *mirror) put(ctx context.Context, resource string, records []record, p *pass) error {
	return m.tx(ctx, func(tx *sql.Tx) error {
		upsert, err := tx.PrepareContext(ctx, "INSERT INTO "+resource+" (id, updated_at, document) VALUES (?, ?, ?)"+
			" ON CONFLICT (id) DO UPDATE SET updated_at = excluded.updated_at, document = excluded.document")
		if err != nil {
			return err
		}
		defer func() { _ = upsert.Close() }() // with the transaction
		for _, r := range records {
			if _, err := upsert.ExecContext(ctx, r.id, stamp(r.updated), r.document); err != nil {
				return fmt.Errorf("record %d: %w", r.id, err)
			}
		}
		if p == nil {
			return nil
		}
		_, err = tx.ExecContext(ctx, "INSERT OR REPLACE INTO sync VALUES (?, ?, ?, ?, ?)",
			resource, p.phase, p.cursor, stamp(p.newest), stamp(p.watermark))
		return err
	})
}

// remove deletes a record and reports whether it was there.
func (m *mirror) remove(ctx context.Context, resource string, id client.ID) (bool, error) {
	result, err := m.db.ExecContext(ctx, "DELETE FROM "+resource+" WHERE id = ?", id)
	if err != nil {
		return false, err
	}
	n, err := result.RowsAffected()
	return n > 0, err
}

// pass returns how far the reading of a resource has come.
func (m *mirror) pass(ctx context.Context, resource string) (pass, error) {
	var p pass
	var newest, watermark string
	err := m.db.QueryRowContext(ctx, "SELECT phase, cursor, newest, watermark FROM sync WHERE resource = ?", resource).
		Scan(&p.phase, &p.cursor, &newest, &watermark)
	if errors.Is(err, sql.ErrNoRows) {
		return pass{phase: crawling}, nil
	}
	if err != nil {
		return p, err
	}
	if p.newest, err = readStamp(newest); err != nil {
		return p, err
	}
	p.watermark, err = readStamp(watermark)
	return p, err
}

// count returns the number of records up to an id.
func (m *mirror) count(ctx context.Context, resource string, upTo client.ID) (n int, err error) {
	err = m.db.QueryRowContext(ctx, "SELECT count(*) FROM "+resource+" WHERE id <= ?", upTo).Scan(&n)
	return n, err
}

// newest returns the latest time of change; zero if there is no record.
func (m *mirror) newest(ctx context.Context, resource string) (time.Time, error) {
	var latest string
	err := m.db.QueryRowContext(ctx, "SELECT coalesce(max(updated_at), '') FROM "+resource).Scan(&latest)
	if err != nil {
		return time.Time{}, err
	}
	return readStamp(latest)
}

// ids returns the ids of all records.
func (m *mirror) ids(ctx context.Context, resource string) (map[client.ID]bool, error) {
	rows, err := m.db.QueryContext(ctx, "SELECT id FROM "+resource)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // rows.Err tells what went wrong
	all := map[client.ID]bool{}
	for rows.Next() {
		var id client.ID
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		all[id] = true
	}
	return all, rows.Err()
}

// has reports whether a record is mirrored just as it is.
func (m *mirror) has(ctx context.Context, resource string, r record) (same bool, err error) {
	err = m.db.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM "+resource+" WHERE id = ? AND updated_at = ? AND document = ?)",
		r.id, stamp(r.updated), r.document).Scan(&same)
	return same, err
}

func (m *mirror) close() error { return m.db.Close() }

func (m *mirror) tx(ctx context.Context, do func(*sql.Tx) error) error {
	tx, err := m.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := do(tx); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

// stamp writes a time so that texts sort like times; the zero time is empty.
func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

func readStamp(s string) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	return time.Parse(time.RFC3339, s)
}
