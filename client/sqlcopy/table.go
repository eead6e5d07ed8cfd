package sqlcopy

import (
	"context"
	"database/sql"

	"github.com/commerceplatform/commerce-go/client"
)

// Table is a table of the app with the records of one kind of all stores that have installed it. It makes the copy of
// each store for client.Copies, webhook.OnCopied and webhook.ChangedIn:
//
//	products := &sqlcopy.Table[client.Product]{
//		DB: db, Name: "product", OnStep: webhook.CommitStep[client.Product],
//		List: v202503.ListOf(stores, func(api *v202503.API) client.List[client.Product] {
//			return api.Products.List(client.ProductFilter{})
//		}),
//		Put: putProduct,
//	}
//	of := []func(context.Context, client.ID) (client.Copier, error){products.Copy}
//	copies := &client.Copies{Stores: tokens.Stores, Of: of}
//	webhook.OnCopied(&events, products.Copy, webhook.ProductCreated, webhook.ProductUpdated, webhook.ProductDeleted)
//
// DB, Name, List and Put are required; a copy whose table lacks one returns an error that wraps client.ErrValidation.
// The fields must not be changed after the first use. A Table is safe for concurrent use, also by several processes.
type Table[T any] struct {
	// DB is the database.
	DB *sql.DB
	// Name is the name of the table. It has the columns store_id and id, and the primary key of both.
	Name string
	// List returns the query for all records of a store: see client.Copy.List.
	List func(ctx context.Context, store client.ID) (client.List[T], error)
	// Put inserts a record of a store, or replaces the one that is stored under its id: see Mirror.Put.
	Put func(ctx context.Context, tx *sql.Tx, store client.ID, record *T) error
	// OnStep is called last in the transaction of each step: see Mirror.OnStep. Nil calls nothing.
	OnStep func(ctx context.Context, tx *sql.Tx, step client.CopyStep[T]) error
	// Prefix is how the names of the tables of this package begin. Empty means "commerce_".
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
	return &client.Copy[T]{List: list, Mirror: t.Mirror(store)}, nil
}

// Mirror returns the mirror of a store.
func (t *Table[T]) Mirror(store client.ID) *Mirror[T] {
	m := &Mirror[T]{DB: t.DB, Table: t.Name, StoreID: store, OnStep: t.OnStep, Prefix: t.Prefix}
	if t.Put != nil {
		m.Put = func(ctx context.Context, tx *sql.Tx, record *T) error { return t.Put(ctx, tx, store, record) }
	}
	if t.Name == "" {
		m.wrong = required("Table.Name")
	}
	return m
}

// Forget deletes the state of a store's copy, so that the next Run crawls. It leaves the records, which that crawl
// corrects. Call it when an app is installed again.
func (t *Table[T]) Forget(ctx context.Context, store client.ID) error {
	return t.Mirror(store).Forget(ctx)
}

// Migrate creates the table of this package, which all copies of a database share, or changes it into that of this
// release. Any number of processes may call it at the same time. The table of the records is the app's.
func (t *Table[T]) Migrate(ctx context.Context) error {
	return (&Mirror[T]{DB: t.DB, Prefix: t.Prefix}).Migrate(ctx)
}
