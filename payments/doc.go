// Package payments is the part of the API for payment apps: apps that take payments
// for orders and tell the platform how they went.
//
//	api := v202503.New(c) // c is a *client.Client
//	tx, err := api.Transactions.Create(ctx, orderID, payments.TransactionInput{…})
//	event, err := api.Transactions.CreateEvent(ctx, orderID, tx.ID, payments.EventInput{…})
//
// An order has no action to pay: the platform computes its payment status from
// the events of its transactions, so a sale or a capture that succeeded marks it
// as paid.
//
// Amounts are exact and are written as strings, as everywhere but in fulfillment
// orders.
package payments
