// Package v1 is the view of a client at version v1 of the API: the first version, which gets no new features.
//
//	api := v1.New(c) // c is a *client.Client, or client.Stores gives one
//	product, err := api.Products.Get(ctx, 42)
//
// [New] is cheap, does no I/O and may be called for every request. [API] lists what there is, and the documentation of
// a service is where its type is: package client, discounts, rules, disputes, payments or shipping.
//
// Only this version has Orders.Pack and Orders.Fulfill. It shares Disputes with package unstable, and has no kits,
// pages of text, order history, payment options, Carts.Get or billing of the app; its webhooks cannot be registered for
// events of customers and billing, nor for order/unpacked.
//
// # What may be relied on
//
// What the version lacks is a field, or a method, that [API] lacks, so that it does not compile; of inputs it is an
// error that matches client.ErrNotInVersion. Views of several versions of one client share its connections, rate limit
// and breaker, and their records are the same types. All of it is safe for concurrent use.
package v1
