package sqlcopy

import (
	"context"
	"database/sql"
	"log/slog"

	"github.com/commerceplatform/commerce-go/client"
)

// Table is a table of the app that holds one kind of record for all stores that have installed the app. It creates the
// copy of each store for client.Copies, webhook.OnCopied and webhook.ChangedIn:
//
//	products := &sqlcopy.Table[client.Product]{
//		DB: db, Name: "product", OnStep: webhook.CommitStep[client.Product],
//		List: client.ByStore(stores, func(c *client.Client) client.List[client.Product] {
//			return v202503.Products(c).List(client.ProductFilter{})
//		}),
//		Put: putProduct,
//	}
//	of := []func(context.Context, client.ID) (client.Copier, error){products.Copy}
//	copies := &client.Copies{Stores: tokens.Stores, Of: of}
//	webhook.OnCopied(&events, products.Copy, webhook.ProductCreated, webhook.ProductUpdated, webhook.ProductDeleted)
//
// DB, Name, List and Put are required. The copy of a table without one of them returns an error that wraps
// client.ErrValidation. The fields must not be changed after the first use. A Table is safe for concurrent use, also by
// several processes.
type Table[T any] struct {
	// DB is the database.
	DB *sql.DB
	// App is the id of the app at the platform; see Mirror.App.
	App client.ID
	// Name is the name of the table. The table must have the columns store_id and id, which form its primary key.
	Name string
	// List returns the query for all records of a store; see client.Copy.List.
	List func(ctx context.Context, store client.ID) (client.List[T], error)
	// Put inserts a record of a store, or replaces the record with its id; see Mirror.Put.
	Put func(ctx context.Context, tx *sql.Tx, store client.ID, record *T) error
	// OnStep is called last in the transaction of each step; see Mirror.OnStep. If it is nil, nothing is called.
	OnStep func(ctx context.Context, tx *sql.Tx, step client.CopyStep[T]) error
	// OnRefused is called for each record that is not in the table because of its values; see Mirror.OnRefused.
	OnRefused func(ctx context.Context, store, id client.ID, err error)
	// OnUnreadable is called for each record that cannot be read from the platform; see client.Copy.OnUnreadable. If it
	// is nil, such records are logged to slog.Default at level warn.
	OnUnreadable func(ctx context.Context, store, id client.ID, err error)
	// Prefix is the prefix of the table names of this package. Empty means "commerce_".
	Prefix string
}

// Copy returns the copy of a store. It fails if List does.
func (t *Table[T]) Copy(ctx context.Context, store client.ID) (client.Copier, error) {
	if t.List == nil {
		return nil, required("Table.List")
	}
	list, err := t.List(ctx, store)
	if err != nil {
		return nil, err
	}
	unreadable := func(ctx context.Context, id client.ID, err error) {
		if t.OnUnreadable != nil {
			t.OnUnreadable(ctx, store, id, err)
			return
		}
		slog.WarnContext(ctx, "client/sqlcopy: a record cannot be read and is not copied", "store", store, "table", t.Name, "id", id, "error", err)
	}
	return &client.Copy[T]{List: list, Mirror: t.Mirror(store), OnUnreadable: unreadable}, nil
}

// Mirror returns the mirror of a store.
func (t *Table[T]) Mirror(store client.ID) *Mirror[T] {
	m := &Mirror[T]{DB: t.DB, Table: t.Name, StoreID: store, OnStep: t.OnStep, App: t.App, Prefix: t.Prefix}
	if t.Put != nil {
		m.Put = func(ctx context.Context, tx *sql.Tx, record *T) error { return t.Put(ctx, tx, store, record) }
	}
	if t.OnRefused != nil {
		m.OnRefused = func(ctx context.Context, id client.ID, err error) { t.OnRefused(ctx, store, id, err) }
	}
	if t.Name == "" {
		m.wrong = required("Table.Name")
	}
	return m
}

// Forget deletes the state of a store's copy, so that the next Run reads all records. It does not delete the records;
// that run corrects them. Call it when a store installs the app again.
func (t *Table[T]) Forget(ctx context.Context, store client.ID) error {
	return t.Mirror(store).Forget(ctx)
}

// Migrate creates the table of this package, which all copies of a database share, or updates it to this release. Any
// number of processes may call it at the same time. The app must create the table of the records.
func (t *Table[T]) Migrate(ctx context.Context) error {
	return (&Mirror[T]{DB: t.DB, Prefix: t.Prefix}).Migrate(ctx)
}
