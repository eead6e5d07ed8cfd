// Package access decides about access: of an app to the stores, and of callers to the handlers of the app.
//
// [Of] derives the state of an installation from one error, and a [Judge] from all of them. [Sources] are the addresses
// from which the platform calls, and [Refused] describes a request that a handler rejected. Package client has the same
// types: client.Access is State with the values client.AccessActive and so on, client.AccessOf is Of, and the other
// types have the same names. (shipping.Access is another type, which configures who may call.) A program that makes no
// calls imports this package instead, and then compiles and links no client.
//
// # Guarantees
//
// A Judge allows no act that cannot be undone after one answer alone. A Judge and a Sources are safe for concurrent
// use.
//
// # See also
//
// Package [github.com/commerceplatform/commerce-go/client] has the same types.
package access
