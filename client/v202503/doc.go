// Package v202503 is the view of a client at version 2025-03 of the API: the newest stable version.
//
//	api := v202503.New(c) // c is a *client.Client, or client.Stores gives one
//	product, err := api.Products.Get(ctx, 42)
//
// [New] is cheap, does no I/O and may be called for every request. [API] lists what there is, and the documentation of
// a service is where its type is: package client, discounts, rules, payments or shipping. [NewApp] is for what belongs
// to no store.
//
// Begin new apps with it. It has no disputes (see packages v1 and unstable), and no labels, Orders.Edit and images from
// Store Media (unstable).
//
// # Coming from v1
//
// Orders.Pack, Orders.Fulfill and Disputes do not compile any more. FulfillmentOrders.Update packs and sends off, each
// fulfillment order by itself; Disputes stay with a view of v1 on the same client. What compiles and changes:
//
//   - Customers get no mail when something is sent off, unless TrackingInfoInput.NotifyCustomer is set; Fulfill sends it by default.
//   - Of an order, client.Delivery (all shipping_ members), ShippingCarrierName, ShippedAt, NextAction and LandingURL are empty.
//     FulfillmentOrders has what there is about shipping.
//   - PaidV1 is nil. PaidAmounts.TotalPaid reads the amount in every version.
//   - An order that is packed and not sent has the ShippingStatus packed, where v1 says unfulfilled or unshipped.
//     The filter for such orders is Unfulfilled in both.
//   - Lines of an order may be components of a kit: see LineItem.
//
// # What may be relied on
//
// What the version lacks is a field, or a method, that [API] lacks, so that it does not compile; of inputs it is an
// error that matches client.ErrNotInVersion. Views of several versions of one client share its connections, rate limit
// and breaker, and their records are the same types. All of it is safe for concurrent use.
package v202503
