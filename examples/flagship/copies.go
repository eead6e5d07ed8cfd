package main

import (
	"context"
	"database/sql"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/sqlcopy"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/webhook"
)

// wiring

// products is the copy of the products, with only the members that the app stores.
func (a *app) products() *sqlcopy.Table[client.Product] {
	// README: copies
	l := client.ByStore(a.Stores, func(c *client.Client) client.List[client.Product] {
		return v202503.Products(c).List(client.ProductFilter{Paging: client.Paging{Fields: productFields}})
	})
	return &sqlcopy.Table[client.Product]{DB: a.db, Name: "product", List: l, Put: putProduct, OnStep: end[client.Product]}
	// end
}

// orders is the copy of the orders, with only the members that the app stores.
func (a *app) orders() *sqlcopy.Table[client.Order] {
	l := client.ByStore(a.Stores, func(c *client.Client) client.List[client.Order] {
		return v202503.Orders(c).List(client.OrderFilter{Paging: client.Paging{Fields: orderFields}})
	})
	return &sqlcopy.Table[client.Order]{DB: a.db, Name: "purchase", List: l, Put: putOrder, OnStep: end[client.Order]}
}

// end of wiring

var copyTables = []string{
	`CREATE TABLE IF NOT EXISTS product (
		store_id BIGINT, id BIGINT,
		name     TEXT NOT NULL,
		tags     TEXT NOT NULL, -- separated by commas, with one at each end
		updated  TEXT NOT NULL,
		PRIMARY KEY (store_id, id))`,
	`CREATE TABLE IF NOT EXISTS purchase (
		store_id BIGINT, id BIGINT,
		customer BIGINT  NOT NULL, -- 0 if unknown
		erased   INTEGER NOT NULL, -- 1: the customer is never stored again
		status   TEXT    NOT NULL,
		paid     TEXT    NOT NULL, -- payment status
		total    TEXT    NOT NULL,
		currency TEXT    NOT NULL,
		gift     TEXT    NOT NULL, -- discount by promotions; empty if none
		day      TEXT    NOT NULL, -- of the purchase, in UTC
		updated  TEXT    NOT NULL,
		PRIMARY KEY (store_id, id))`,
	// How often each event had its effect, by the key of its delivery.
	`CREATE TABLE IF NOT EXISTS handled (
		key TEXT PRIMARY KEY, store_id BIGINT NOT NULL, event TEXT NOT NULL, runs INTEGER NOT NULL)`,
}

// productFields are the members that putProduct stores.
var productFields = []string{"id", "name", "tags", "updated_at"}

func putProduct(ctx context.Context, tx *sql.Tx, store client.ID, p *client.Product) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO product (store_id, id, name, tags, updated) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (store_id, id) DO UPDATE SET name = excluded.name, tags = excluded.tags, updated = excluded.updated`,
		store, p.ID, p.Name.Get("es", "en"), ","+strings.Join(p.TagList(), ",")+",", moment(p.UpdatedAt))
	return err
}

// orderFields are the members that putOrder stores. Of a customer it stores only the id.
var orderFields = []string{
	"id", "customer", "status", "payment_status", "total", "currency", "promotional_discount", "created_at", "updated_at",
}

func putOrder(ctx context.Context, tx *sql.Tx, store client.ID, o *client.Order) error {
	var customer client.ID
	if o.Customer != nil {
		customer = o.Customer.ID
	}
	gift := ""
	if off := o.PromotionalDiscount.V.TotalDiscountAmount; off.Cmp(client.Cents(0)) > 0 {
		gift = off.String()
	}
	_, err := tx.ExecContext(ctx, `
		INSERT INTO purchase (store_id, id, customer, erased, status, paid, total, currency, gift, day, updated)
		VALUES ($1, $2, $3, 0, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (store_id, id) DO UPDATE SET
		customer = CASE WHEN purchase.erased = 1 THEN 0 ELSE excluded.customer END, status = excluded.status,
		paid = excluded.paid, total = excluded.total, currency = excluded.currency, gift = excluded.gift,
		day = excluded.day, updated = excluded.updated`,
		store, o.ID, customer, string(o.Status), string(o.PaymentStatus), o.Total.String(), o.Currency, gift,
		dayOf(o.CreatedAt.Time), moment(o.UpdatedAt))
	return err
}

func moment(t client.Time) string { return t.UTC().Format(time.RFC3339Nano) }

// end counts that a delivery had its effect, in the transaction of the step that is made for the delivery and ends it.
func end[T any](ctx context.Context, tx *sql.Tx, step client.CopyStep[T]) error {
	if d, handles := webhook.LeaseOf(ctx); handles {
		_, err := tx.ExecContext(ctx, `INSERT INTO handled (key, store_id, event, runs) VALUES ($1, $2, $3, 1)
			ON CONFLICT (key) DO UPDATE SET runs = handled.runs + 1`, d.Key, d.StoreID, string(d.Event))
		if err != nil {
			return err
		}
	}
	return webhook.CommitStep(ctx, tx, step)
}
