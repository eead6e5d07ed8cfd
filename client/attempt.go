package client

import (
	"context"
	"time"

	"github.com/commerceplatform/commerce-go/internal/engine"
)

// Attempt describes a call of the API, or one request of it, before it begins. It contains no value of the path, no
// query, no body and no secret.
type Attempt struct {
	// Method is the HTTP method.
	Method string
	// Route is the template of the path, such as "/products/{id}". For [Client.Do] it is Request.Path.
	Route string
	// Version is the version of the API.
	Version Version
	// StoreID is the store that the client acts on; 0 for an App.
	StoreID ID
	// Retry is the retry class of the endpoint.
	Retry RetryClass
	// Number is the number of the attempt, from 1, and 0 for the whole call. A request that is repeated after a 429, or
	// because its token was replaced, has the same number as the one before; see Config.
	Number int
	// Sent is the number of requests that the call has sent before this one. It is 0, and Number is 1, for the first
	// read (Method is GET) that follows a write whose response was cut off.
	Sent int
	// Waited is how long this request has waited for the rate limit; 0 for a call.
	Waited time.Duration
}

// AttemptEnd describes the end of a call, or of one request of it.
type AttemptEnd struct {
	// Status is the HTTP status of the answer; 0 if there was none. For a call it is that of the last request.
	Status int
	// Err is the error that the call returns. For a request it is the *Error that the call would return if no request
	// followed, and nil for a whole 2xx response. An *Error holds the response body, which may contain personal data.
	// If a response cannot be decoded, only the call fails. If a 404 ends a list or answers a repeated delete, only the
	// request fails.
	Err error
	// Duration is the time from the start to the end, including the response body. For a request it does not include
	// Waited. For a call it includes all waits and the decoding.
	Duration time.Duration
	// Waited is how long the request has waited for the rate limit. For a call it is the sum, including a wait that
	// ended without a request. The wait before a retry (Wait) is not included.
	Waited time.Duration
	// Bytes is the number of bytes read from the response body, decompressed; 0 if the body is larger than
	// Config.MaxBody. For a call it is the sum.
	Bytes int64
	// Rate is the state of the rate limit after the answer. For a call it is that of the last request.
	Rate Rate
	// RequestID is the platform's id of the request, empty if the response has none. For a call it is that of the last
	// request.
	RequestID string
	// Requests is the number of requests that the call has sent; 1 for a request.
	Requests int
	// Again reports that another request will follow after Wait. It is false for a call. The end of the context, or an
	// error of the token source, can still prevent that request.
	Again bool
	// Wait is the time before that request, without its wait for the rate limit.
	Wait time.Duration
}

// attempts returns the hook OnAttempt for the engine; nil without one.
func (c *Config) attempts() func(context.Context, engine.Attempt) (context.Context, func(engine.AttemptEnd)) {
	hook := c.OnAttempt
	if hook == nil {
		return nil
	}
	return func(ctx context.Context, a engine.Attempt) (context.Context, func(engine.AttemptEnd)) {
		ctx, end := hook(ctx, Attempt{
			Method: a.Method, Route: a.Route, Version: Version(a.Version), StoreID: ID(a.Store), Retry: RetryClass(a.Class),
			Number: a.Number, Sent: a.Sent, Waited: a.Waited,
		})
		if end == nil {
			return ctx, nil
		}
		return ctx, func(e engine.AttemptEnd) {
			end(AttemptEnd{
				Status: e.Status, Err: e.Err, Duration: e.Duration, Waited: e.Waited, Bytes: e.Bytes, Rate: Rate(e.Rate),
				RequestID: e.RequestID, Requests: e.Requests, Again: e.Again, Wait: e.Wait,
			})
		}
	}
}
