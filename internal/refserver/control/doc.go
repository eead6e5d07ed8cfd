// Package control is the control API of the reference server: what Go tests do with clienttest, as JSON over HTTP for
// programs in any language and for people with curl.
//
// New makes an API over a refserver.Server; it is an http.Handler, and Listen serves it on a loopback address below
// Prefix. GET /_/api/ lists the calls, and api.md has them with examples. Both are made from the table in routes.go,
// whose rows name the functions; the other files have one group of calls each.
//
// Every call is bounded: bodies have at most 1 MiB, lists are answered in pages, no call takes longer than its
// partners' own time limits and 30 seconds. Followers who do not read are dropped. Errors have one shape, Error. A name
// that nothing has is answered with the one that is nearest to it.
//
// Whoever reaches the API has the secrets of the demo app and moves the state of every store. It serves programs of
// this machine alone: the address must be a loopback one, the Host header a name of it, the request from no proxy and
// no other site. Lists mask secrets; info, and the answers to an installation and to a new app, have them on purpose.
package control
