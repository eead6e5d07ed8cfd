// Package deviate is for tests. It rewrites the responses of a server into other forms with the same meaning, as
// gateways, proxies and other implementations of the platform produce them.
//
// A [Deviation] is one such form, for example "ids are strings" or "the Link header has foreign relations".
// [All] returns the table of them. A [Deviator] applies some of them to every response that passes its transports, and
// counts the calls that each of them changed:
//
//	d := deviate.Always(seed, rows...)
//	srv := clienttest.New(t, clienttest.Options{Wrap: d.Wrap})
//
// A client that reads the responses correctly returns the same results and the same errors with and without deviations.
// Exceptions are fields of Deviation: HidesTotal, and Unreadable.
//
// A [Sending] is the same for requests: one form in which the platform, or a proxy, may send a callback or a webhook.
// [Sendings] returns the table.
//
// The meaning of a member of a response, for example an id or an amount, follows from its name and value on the wire,
// in vocabulary.go. The package shares no code with the client and the reference server, so it cannot share their
// mistakes.
package deviate
