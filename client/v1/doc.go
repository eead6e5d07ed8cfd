// Package v1 provides the services of version v1 of the API, the first version, which gets no new features.
//
//	product, err := v1.Products(c).Get(ctx, 42) // c is a *client.Client, for example of client.Stores
//
// Each function returns a service, which is documented at its type, such as [client.ProductService], in package
// client, carriers, promotions, providers or disputes. The functions are cheap, do no I/O and may be called for
// every request.
//
// Only this version has Orders.Pack and Orders.Fulfill. It shares Disputes with package unstable. It has no kits,
// blogs, pages of text, email templates, order history, Carts.Get or billing of the app. Its webhooks cannot be
// registered for events of customers and billing, nor for order/unpacked.
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
// Packages v202503 and unstable are the other versions. docs/versions.md of package client compares them.
package v1
