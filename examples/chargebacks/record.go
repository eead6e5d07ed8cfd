package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"

	"github.com/google/uuid"
	"github.com/oklog/ulid/v2"
	_ "modernc.org/sqlite" // the driver "sqlite"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/appdb"
	"github.com/commerceplatform/commerce-go/client/sqljournal"
)

// record is the state of earlier runs, in a SQLite file.
type record struct {
	db      *sql.DB
	store   client.ID
	journal *sqljournal.Journal[dispute] // of the opened disputes
}

// dispute is an opened dispute. Line is the sum of the line that opened it; empty if unknown.
type dispute struct {
	ID          string
	Order       client.ID
	Transaction uuid.UUID
	Line        string
}

const schema = `
CREATE TABLE IF NOT EXISTS dispute (
	store_id INTEGER, chargeback TEXT, line TEXT NOT NULL, order_id INTEGER NOT NULL, transaction_id TEXT NOT NULL,
	id TEXT NOT NULL, PRIMARY KEY (store_id, chargeback)) STRICT;
CREATE TABLE IF NOT EXISTS line ( -- that need not be looked at again
	store_id INTEGER, line TEXT, refusal TEXT NOT NULL, -- empty: it was done
	PRIMARY KEY (store_id, line)) STRICT`

// openRecord opens the file, or creates a file that only its owner may read. Commits are on the disk when they return,
// because requests depend on them.
func openRecord(ctx context.Context, name string, store client.ID) (*record, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := f.Close(); err != nil {
		return nil, err
	}
	settings := url.Values{
		"_pragma": {"journal_mode(wal)", "synchronous(full)", "busy_timeout(5000)"}, "_txlock": {"immediate"},
	}
	dsn := url.URL{Scheme: "file", Opaque: (&url.URL{Path: name}).EscapedPath(), RawQuery: settings.Encode()}
	db, err := sql.Open("sqlite", dsn.String())
	if err != nil {
		return nil, err
	}
	r := &record{db, store, &sqljournal.Journal[dispute]{DB: db, Name: "chargebacks", OnEnd: keepDispute}}
	_, err = db.ExecContext(ctx, schema)
	tables := appdb.Tables{DB: db, Parts: []appdb.Part{sqljournal.Tables}}
	if err := errors.Join(err, tables.Migrate(ctx)); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", name, err), db.Close())
	}
	return r, nil
}

// intent returns the intent to open the dispute of a chargeback. Its key makes it unique.
func (r *record) intent(chargeback string) client.Intent {
	return client.Intent{ID: ulid.Make(), StoreID: r.store, Path: "/disputes", Key: chargeback}
}

// keepDispute stores the ids of a dispute, in the transaction that ends its opening.
func keepDispute(ctx context.Context, tx *sql.Tx, in client.Intent, d *dispute) error {
	if d == nil {
		return nil // it was not opened
	}
	_, err := tx.ExecContext(ctx, `INSERT INTO dispute (store_id, chargeback, line, order_id, transaction_id, id)
		VALUES ($1, $2, $3, $4, $5, $6)`, in.StoreID, in.Key, d.Line, d.Order, d.Transaction.String(), d.ID)
	return err
}

// dispute returns the dispute of a chargeback; nil if none was opened.
func (r *record) dispute(ctx context.Context, chargeback string) (*dispute, error) {
	d := new(dispute)
	err := r.db.QueryRowContext(ctx, `SELECT id, order_id, transaction_id, line FROM dispute
		WHERE store_id = $1 AND chargeback = $2`, r.store, chargeback).Scan(&d.ID, &d.Order, &d.Transaction, &d.Line)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return d, err
}

// keepLine stores that a line was done, or why it was refused.
func (r *record) keepLine(ctx context.Context, line, refusal string) error {
	_, err := r.db.ExecContext(ctx, `INSERT INTO line (store_id, line, refusal) VALUES ($1, $2, $3)
		ON CONFLICT (store_id, line) DO UPDATE SET refusal = excluded.refusal`, r.store, line, refusal)
	return err
}

// line returns the stored refusal of a line, and whether the line is stored.
func (r *record) line(ctx context.Context, line string) (refusal string, known bool, err error) {
	err = r.db.QueryRowContext(ctx, `SELECT refusal FROM line
		WHERE store_id = $1 AND line = $2`, r.store, line).Scan(&refusal)
	if errors.Is(err, sql.ErrNoRows) {
		return "", false, nil
	}
	return refusal, err == nil, err
}

// settlement is the platform's answer about an opening without a known outcome; nil if there is no dispute.
type settlement struct {
	chargeback string
	made       *dispute
}

// settle ends an opening.
func (r *record) settle(ctx context.Context, s *settlement) error {
	for in, err := range r.journal.Open(ctx) {
		if err != nil {
			return err
		}
		if in.StoreID == r.store && in.Key == s.chargeback {
			return r.journal.End(ctx, in, s.made)
		}
	}
	return fmt.Errorf("settle %s: must be a chargeback whose opening has had no outcome for a minute or more", s.chargeback)
}
