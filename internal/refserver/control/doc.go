// Package control is the control API of the reference server. It has the functions of package clienttest as JSON over
// HTTP, for programs in any language and for curl.
//
// New returns an API for a refserver.Server. It is an http.Handler, and Listen serves it on a loopback address below
// Prefix. GET /_/api/ lists the calls, and api.md has them with examples. Both are generated from the table in
// acts.go, whose rows name the functions. Each other file has one group of calls.
//
// The log is one list of everything that happened. log.go lists and streams the entries of traffic.Journal, and
// log_call.go shows one whole with its cause. log_acts.go adds the calls of this API. series.go has figures for charts.
//
// Dial returns a Client of a server that runs in another process.
//
// Every call is bounded. Bodies have at most 1 MiB, lists are answered in pages, and no call takes longer than its
// partners' time limits and 30 seconds. A follower that does not read its stream is dropped. Errors have one form,
// Error. The error of an unknown name suggests the nearest one.
//
// A client of the API has the secrets of the demo app and can change the state of every store. The API therefore serves
// programs of this machine only. The address must be a loopback address and the Host header a name of it. Requests from
// a proxy or another site are rejected. Lists mask secrets. Only info and the answers to an installation and to a new
// app have them.
package control
