package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

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

// dispute is an opened dispute.
type dispute struct {
	ID          string
	Order       client.ID
	Transaction uuid.UUID
}

// openRecord opens or creates the file. Commits are on the disk when they return, because requests depend on them.
func openRecord(ctx context.Context, name string, store client.ID) (*record, error) {
	db, err := sql.Open("sqlite", "file:"+name+"?_pragma=journal_mode(wal)&_pragma=synchronous(full)"+
		"&_pragma=busy_timeout(5000)&_txlock=immediate")
	if err != nil {
		return nil, err
	}
	r := &record{db, store, &sqljournal.Journal[dispute]{DB: db, Name: "chargebacks", OnEnd: keepDispute}}
	_, err = db.ExecContext(ctx, `CREATE TABLE IF NOT EXISTS dispute (
		store_id INTEGER, chargeback TEXT, order_id INTEGER NOT NULL, transaction_id TEXT NOT NULL, id TEXT NOT NULL,
		PRIMARY KEY (store_id, chargeback)) STRICT`)
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
	_, err := tx.ExecContext(ctx, `INSERT INTO dispute (store_id, chargeback, order_id, transaction_id, id)
		VALUES ($1, $2, $3, $4, $5)`, in.StoreID, in.Key, d.Order, d.Transaction.String(), d.ID)
	return err
}

// dispute returns the dispute of a chargeback; nil if none was opened.
func (r *record) dispute(ctx context.Context, chargeback string) (*dispute, error) {
	d := new(dispute)
	err := r.db.QueryRowContext(ctx, `SELECT id, order_id, transaction_id FROM dispute
		WHERE store_id = $1 AND chargeback = $2`, r.store, chargeback).Scan(&d.ID, &d.Order, &d.Transaction)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return d, err
}
