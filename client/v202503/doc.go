// Package v202503 provides the services of version 2025-03 of the API, the newest stable version.
//
//	product, err := v202503.Products(c).Get(ctx, 42) // c is a *client.Client, for example of client.Stores
//
// Each function returns a service, which is documented at its type, such as [client.ProductService], in package
// client, carriers, promotions or providers. The functions are cheap, do no I/O and may be called for every
// request. [Plans] requires no store, and takes a client.App.
//
// Use it for new apps. It has no disputes, which are in packages v1 and unstable. Labels, ExternalInvoices,
// Orders.Edit and images from Store Media are only in unstable.
//
// # Upgrading from v1
//
// Orders.Pack, Orders.Fulfill and Disputes no longer compile. Use FulfillmentOrders.Update, which packs and dispatches
// one fulfillment order. For disputes, use package v1 with the same client. Some code compiles but behaves
// differently:
//
//   - Customers get no email about a dispatch unless TrackingInfoInput.NotifyCustomer is set. Fulfill sends it by
//     default.
//   - In an order, client.Delivery (all shipping_ members), ShippingCarrierName, ShippedAt, NextAction and LandingURL
//     are empty. FulfillmentOrders has the shipping data.
//   - PaidV1 is nil. PaidAmounts.TotalPaid reads the amount in every version.
//   - An order that is packed and not dispatched has the ShippingStatus packed, which is unfulfilled or unshipped in
//     v1. The filter for such orders is client.ShippingStatusUnfulfilled in both.
//   - Lines of an order may be components of a kit; see LineItem.
//
// # Guarantees
//
// A service or method that the version does not have is missing from this package, so using it does not compile. An
// input with a member that the version does not have returns an error that matches client.ErrNotInVersion. Several
// versions of one client share its connections, rate limit and breaker, and use the same record types. All services are
// safe for concurrent use.
//
// # See also
//
// Packages v1 and unstable are the other versions. docs/versions.md of package client compares them.
package v202503
