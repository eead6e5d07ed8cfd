// Package unstable provides the services of version unstable of the API, in which new features appear first.
//
//	product, err := unstable.Products(c).Get(ctx, 42) // c is a *client.Client, for example of client.Stores
//
// Each function returns a service, which is documented at its type, such as [client.ProductService], in package
// client, carriers, promotions, providers or disputes. The functions are cheap, do no I/O and may be called for
// every request. [Plans] requires no store, and takes a client.App.
//
// Only this version has Labels, ExternalInvoices, Orders.Edit and images from Store Media. The platform may change this
// version without notice, and this package then changes too. Use it only for features that no other version has, and
// v202503 for the rest. One client serves both.
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
// Packages v1 and v202503 are the other versions. docs/versions.md of package client compares them.
package unstable
