// Package unstable is the view of a client at version unstable of the API, in which new features appear first.
//
//	api := unstable.New(c) // c is a *client.Client, or client.Stores gives one
//	product, err := api.Products.Get(ctx, 42)
//
// [New] is cheap, does no I/O and may be called for every request. [API] lists what there is, and the documentation of
// a service is where its type is: package client, discounts, rules, disputes, payments or shipping. [NewApp] is for
// what belongs to no store.
//
// Only this version has Labels, Orders.Edit and images from Store Media. The platform may change it without notice, and
// this package follows: take from it what no other version has, and the rest from v202503. One client serves both.
//
// # What may be relied on
//
// What the version lacks is a field, or a method, that [API] lacks, so that it does not compile; of inputs it is an
// error that matches client.ErrNotInVersion. Views of several versions of one client share its connections, rate limit
// and breaker, and their records are the same types. All of it is safe for concurrent use.
package unstable
