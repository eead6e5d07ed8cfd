package sqlite_test

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"sync"
	"testing"

	"github.com/commerceplatform/commerce-go/webhook"
)

// table is a queue as an app would write it by hand: inserts, claims and deletions that come while a transaction is
// being synced share the next one. It has no turns, generations, checksums or checks of the files.
type table struct {
	db    *sql.DB
	conn  *sql.Conn
	stmts map[string]*sql.Stmt
	calls chan tableCall
	ended chan struct{}
}

type tableCall struct {
	run  func() error
	done chan error
}

const (
	tableSQL = `CREATE TABLE delivery (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, body BLOB NOT NULL, claimed INTEGER);
		CREATE INDEX delivery_free ON delivery (id) WHERE claimed IS NULL`
	tableInsert = "INSERT INTO delivery (key, body) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET body = excluded.body"
	tableClaim  = `UPDATE delivery SET claimed = 1 WHERE id IN (SELECT id FROM delivery WHERE claimed IS NULL ORDER BY id LIMIT ?)
		RETURNING id, body`
	tableDelete = "DELETE FROM delivery WHERE id = ?"
)

func newTable(b *testing.B) *table {
	b.Helper()
	db, err := sql.Open("sqlite", "file:"+file(b)+"-table?_pragma=journal_mode(wal)&_pragma=synchronous(full)")
	if err != nil {
		b.Fatal(err)
	}
	t := &table{db, nil, make(map[string]*sql.Stmt), make(chan tableCall, 256), make(chan struct{})}
	if t.conn, err = db.Conn(b.Context()); err != nil {
		b.Fatal(err)
	}
	if _, err := t.conn.ExecContext(b.Context(), tableSQL); err != nil {
		b.Fatal(err)
	}
	for _, query := range []string{tableInsert, tableClaim, tableDelete, "BEGIN IMMEDIATE", "COMMIT"} {
		if t.stmts[query], err = t.conn.PrepareContext(b.Context(), query); err != nil {
			b.Fatal(err)
		}
	}
	go t.run()
	return t
}

func (t *table) close() {
	close(t.calls)
	<-t.ended
	_ = errors.Join(t.conn.Close(), t.db.Close()) // a benchmark
}

func (t *table) run() {
	defer close(t.ended)
	for first := range t.calls {
		group := []tableCall{first}
		for more := true; more && len(group) < cap(t.calls); {
			select {
			case c, open := <-t.calls:
				if more = open; open {
					group = append(group, c)
				}
			default:
				more = false
			}
		}
		_, err := t.stmts["BEGIN IMMEDIATE"].Exec()
		for _, c := range group {
			err = errors.Join(err, c.run())
		}
		_, ended := t.stmts["COMMIT"].Exec()
		for _, c := range group {
			c.done <- errors.Join(err, ended)
		}
	}
}

func (t *table) write(f func() error) error {
	c := tableCall{f, make(chan error, 1)}
	t.calls <- c
	return <-c.done
}

func (t *table) accept(_ context.Context, e webhook.Entry) error {
	return t.write(func() error {
		_, err := t.stmts[tableInsert].Exec(e.Key, e.Body)
		return err
	})
}

// works claims entries, and deletes each in a goroutine of its own, until that were so many.
func (t *table) works(b *testing.B, most, entries int) (ended func()) {
	b.Helper()
	over := make(chan error, 1)
	go func() {
		places := make(chan struct{}, most)
		var runs sync.WaitGroup
		for left := entries; left > 0; {
			places <- struct{}{}
			<-places // one is free
			ids, err := t.claim(min(most-len(places), left))
			if err != nil {
				over <- err
				return
			}
			left -= len(ids)
			for _, id := range ids {
				places <- struct{}{}
				runs.Go(func() {
					defer func() { <-places }()
					if err := t.write(func() error { _, err := t.stmts[tableDelete].Exec(id); return err }); err != nil {
						b.Error(err)
					}
				})
			}
		}
		runs.Wait()
		over <- nil
	}()
	return func() {
		if err := <-over; err != nil {
			b.Fatal(err)
		}
	}
}

func (t *table) claim(most int) (ids []int64, err error) {
	err = t.write(func() error {
		rows, err := t.stmts[tableClaim].Query(most)
		if err != nil {
			return err
		}
		defer func() { _ = rows.Close() }() // rows.Err tells
		for rows.Next() {
			var id int64
			var body []byte
			if err := rows.Scan(&id, &body); err != nil {
				return err
			}
			ids = append(ids, id)
		}
		return rows.Err()
	})
	return ids, err
}

func middle(all []float64) float64 {
	slices.Sort(all)
	return all[len(all)/2]
}
