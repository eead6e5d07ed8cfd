// Package engine makes one call of the API, with all its attempts.
//
// A [Core] is one app acting on one store. It owns the rate limit, the breaker and the retry quota of that pair. Its Do
// method builds a [Request] and passes each attempt through these steps, in this order:
//
//	call.go      the call: builds the request, adds the token, decides about another attempt, and classifies the end
//	limiter.go   waits for the platform's bucket (bucket.go, share.go, opening.go, queue.go, patience.go)
//	breaker.go   stops calls to an endpoint or an origin that fails
//	send.go      sends the request once, reads the answer whole (bodies.go) and judges who sent it (intermediary.go)
//	observe.go   passes the call and its requests to the hook OnAttempt, if there is one
//	retry.go     states which failure may be repeated, by the class of the endpoint (classes.go)
//
// The engine knows methods, routes and bytes. It knows no record and no resource: a [Codec], which package client
// implements, reads the bytes of an [Answer] and turns a [Failure] into the error that callers see.
//
// [Service] is a Core at one version of the API. The services of packages client, discounts, shipping, disputes and
// payments are defined types over it. So the packages v1, v202503 and unstable make each of them by a conversion, and
// the public API needs no constructors. [Listing] is the same for lists.
//
// All exported types are safe for concurrent use once they are made.
package engine
