package main

import (
	"context"
	"errors"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/sqlcopy"
)

// products returns the copy of a store's products.
func (a *app) products(ctx context.Context, store client.ID) (client.Copier, error) {
	list, err := a.productList(ctx, store)
	return &client.Copy[client.Product]{List: list, Mirror: a.productMirror(store)}, err
}

// orders returns the copy of a store's orders.
func (a *app) orders(ctx context.Context, store client.ID) (client.Copier, error) {
	list, err := a.orderList(ctx, store)
	return &client.Copy[client.Order]{List: list, Mirror: a.orderMirror(store)}, err
}

// productList lists the products of a store, with the members alone that the app stores.
func (a *app) productList(ctx context.Context, store client.ID) (list client.List[client.Product], err error) {
	api, err := a.stores.API(ctx, store)
	if err == nil {
		list = api.Products.List(client.ProductFilter{Paging: client.Paging{Fields: productFields()}})
	}
	return list, err
}

// orderList lists the orders of a store, with the members alone that the app stores.
func (a *app) orderList(ctx context.Context, store client.ID) (list client.List[client.Order], err error) {
	api, err := a.stores.API(ctx, store)
	if err == nil {
		list = api.Orders.List(client.OrderFilter{Paging: client.Paging{Fields: orderFields()}})
	}
	return list, err
}

func (a *app) productMirror(store client.ID) *sqlcopy.Mirror[client.Product] {
	// README: copies
	return &sqlcopy.Mirror[client.Product]{
		DB: a.db.DB, Table: "product", StoreID: store, Put: putProduct(store), OnStep: note[client.Product],
	}
	// end
}

func (a *app) orderMirror(store client.ID) *sqlcopy.Mirror[client.Order] {
	return &sqlcopy.Mirror[client.Order]{
		DB: a.db.DB, Table: "purchase", StoreID: store, Put: putOrder(store), OnStep: note[client.Order],
	}
}

// forgetCopies has the next run read all records of a store. Those that are there are corrected by it.
func (a *app) forgetCopies(ctx context.Context, store client.ID) error {
	return errors.Join(a.productMirror(store).Forget(ctx), a.orderMirror(store).Forget(ctx))
}
