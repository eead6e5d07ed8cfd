package main

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"slices"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/webhook"
)

// tables are those of the app, for SQLite and PostgreSQL.
var tables = []string{
	`CREATE TABLE IF NOT EXISTS product (
		store_id BIGINT, id BIGINT,
		name     TEXT    NOT NULL,
		gift     INTEGER NOT NULL, -- 1: tagged "gift"
		updated  TEXT    NOT NULL,
		PRIMARY KEY (store_id, id))`,
	`CREATE TABLE IF NOT EXISTS purchase (
		store_id BIGINT, id BIGINT,
		customer BIGINT NOT NULL, -- 0: not known
		status   TEXT   NOT NULL,
		paid     TEXT   NOT NULL, -- payment status
		total    TEXT   NOT NULL,
		updated  TEXT   NOT NULL,
		PRIMARY KEY (store_id, id))`,
	// How often each event had its effect, by the key of its delivery.
	`CREATE TABLE IF NOT EXISTS handled (
		key TEXT PRIMARY KEY, store_id BIGINT NOT NULL, event TEXT NOT NULL, runs INTEGER NOT NULL)`,
	// Customers who have asked for their data, until the merchant has answered.
	`CREATE TABLE IF NOT EXISTS data_request (
		store_id BIGINT, id BIGINT, customer BIGINT NOT NULL, PRIMARY KEY (store_id, id))`,
}

// createTables creates the tables of the app. PostgreSQL refuses what another replica is creating at that moment, so it
// tries again.
func createTables(ctx context.Context, db *sql.DB) (err error) {
	for range 5 {
		err = nil
		for _, statement := range tables {
			_, failed := db.ExecContext(ctx, statement)
			err = errors.Join(err, failed)
		}
		if err == nil || ctx.Err() != nil {
			return err
		}
		time.Sleep(100 * time.Millisecond)
	}
	return err
}

// productFields are the members that putProduct stores.
func productFields() []string { return []string{"id", "name", "tags", "updated_at"} }

func putProduct(store client.ID) func(context.Context, *sql.Tx, *client.Product) error {
	return func(ctx context.Context, tx *sql.Tx, p *client.Product) error {
		gift := 0
		if slices.Contains(p.TagList(), "gift") {
			gift = 1
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO product (store_id, id, name, gift, updated) VALUES ($1, $2, $3, $4, $5)
			ON CONFLICT (store_id, id) DO UPDATE SET name = excluded.name, gift = excluded.gift, updated = excluded.updated`,
			store, p.ID, p.Name.Get("es", "en"), gift, p.UpdatedAt.UTC().Format(time.RFC3339Nano))
		return err
	}
}

// orderFields are the members that putOrder stores: of a customer the id alone.
func orderFields() []string {
	return []string{"id", "customer", "status", "payment_status", "total", "updated_at"}
}

func putOrder(store client.ID) func(context.Context, *sql.Tx, *client.Order) error {
	return func(ctx context.Context, tx *sql.Tx, o *client.Order) error {
		var customer client.ID
		if o.Customer != nil {
			customer = o.Customer.ID
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO purchase (store_id, id, customer, status, paid, total, updated)
			VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (store_id, id) DO UPDATE SET customer = excluded.customer,
			status = excluded.status, paid = excluded.paid, total = excluded.total, updated = excluded.updated`,
			store, o.ID, customer, string(o.Status), string(o.PaymentStatus), o.Total.String(),
			o.UpdatedAt.UTC().Format(time.RFC3339Nano))
		return err
	}
}

// note counts that a delivery had its effect, in the transaction of the step that is made for it and that ends it.
func note[T any](ctx context.Context, tx *sql.Tx, step client.CopyStep[T]) error {
	if d, handles := webhook.LeaseOf(ctx); handles {
		_, err := tx.ExecContext(ctx, `INSERT INTO handled (key, store_id, event, runs) VALUES ($1, $2, $3, 1)
			ON CONFLICT (key) DO UPDATE SET runs = handled.runs + 1`, d.Key, d.StoreID, string(d.Event))
		if err != nil {
			return err
		}
	}
	return webhook.CommitStep(ctx, tx, step)
}

// redactStore deletes all that is known of a store.
func (a *app) redactStore(ctx context.Context, d webhook.Delivery[webhook.StoreRedact]) error {
	err := a.forgetCopies(ctx, d.StoreID)
	for _, table := range []string{"product", "purchase", "handled", "data_request"} {
		_, failed := a.db.ExecContext(ctx, "DELETE FROM "+table+" WHERE store_id = $1", d.StoreID)
		err = errors.Join(err, failed)
	}
	return err
}

// redactCustomer forgets who made purchases.
func (a *app) redactCustomer(ctx context.Context, d webhook.Delivery[webhook.CustomerRedact]) error {
	_, err := a.db.ExecContext(ctx, "UPDATE purchase SET customer = 0 WHERE store_id = $1 AND customer = $2",
		d.StoreID, d.Payload.Customer.ID)
	return err
}

// noteDataRequest notes a request, which the merchant sees on the page of the app and answers.
func (a *app) noteDataRequest(ctx context.Context, d webhook.Delivery[webhook.DataRequest]) error {
	slog.InfoContext(ctx, "a customer has asked for their data", "store", d.StoreID)
	_, err := a.db.ExecContext(ctx,
		"INSERT INTO data_request (store_id, id, customer) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
		d.StoreID, d.Payload.DataRequest.ID, d.Payload.Customer.ID)
	return err
}
