// Package otelcommerce makes OpenTelemetry traces and metrics of what package client does.
//
// It is a module of its own and requires the API of OpenTelemetry alone. The app chooses the SDK and the exporter.
//
//	var telemetry otelcommerce.Telemetry // the global providers
//	config := client.Config{…}
//	telemetry.InstrumentClient(&config)
//	c, err := client.New(config)
//
// # Spans of a client
//
// A call has an internal span, such as "call GET /products/{id}", and each request of it a client span, such as "GET
// /products/{id}". The span of a call includes its waits and the decoding. Both have the attributes of the semantic
// conventions for HTTP clients, except url.full, which would contain ids and queries. The following are added. Those
// that would say nothing are left out.
//
//	commerce.api.version           of a call: the version of the API
//	commerce.store.id              of a call: the store; absent for an app that acts in none
//	commerce.requests              of a call: the requests that were sent, unless it is one
//	commerce.attempt               of a request that repeats another one: the number of the attempt
//	commerce.retry.wait            of a request that is repeated: seconds until then
//	commerce.rate_limit.wait       seconds that the call or the request waited for the rate limit
//	commerce.rate_limit.limit      of a request: the size of the platform's bucket
//	commerce.rate_limit.remaining  of a request: the requests left in it
//	commerce.response.size         of a request: bytes of the answer's body, decompressed
//	commerce.request.id            of a request: the platform's id of it
//
// # Metrics of a client
//
//	http.client.request.duration              seconds of a request
//	commerce.client.call.duration             seconds of a call
//	commerce.client.rate_limit.wait           seconds that a call waited for the rate limit
//	commerce.client.rate_limit.remaining      requests left in the platform's bucket after an answer
//	commerce.client.resends                   requests that were followed by a repetition
//	commerce.client.breaker.rejections        calls that an open circuit stopped
//
// Attributes of metrics are the method, the template of the path, the server, the status, error.type, and
// commerce.rate_limit.tier: "standard" for the platform's bucket of 40 requests, "large" for larger ones. None of
// them is an id, a store or a value, so the number of series does not depend on how many stores and records there
// are.
//
// A path of [client.Client.Do] that has values in the place of placeholders is reduced to a template, in spans too: a
// segment that is not made of lower-case letters, "-" and "_" becomes {value}. After 512 templates the others are
// "_OTHER".
//
// # Errors
//
// The attribute error.type is the status of the answer, or one of: "no_answer", "rate_limited" (the wait would have
// been too long), "circuit_open", "canceled", "deadline_exceeded", "decode", "invalid_request" and "_OTHER". The
// description of a span's status is the text of the error for "no_answer" and "decode", and empty otherwise: messages
// of the platform may name customers, and errors of the app, such as those of its token source, may contain anything.
//
// # What to rely on
//
// Every span is ended, also if the call panics. Nothing here has a goroutine, so the app's Shutdown of its providers
// exports what was ended before. No secret, query or body reaches a span or a metric. No trace context is sent to the
// platform, unless Telemetry.Propagator is set.
package otelcommerce
