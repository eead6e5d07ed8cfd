package client

import (
	"context"
	"reflect"

	"github.com/commerceplatform/commerce-go/internal/engine"
)

// codec decodes the responses of one Client into records, and makes the errors of its calls.
type codec struct {
	config Config // without Token, which would print
	shapes shapes
	watch  func(ctx context.Context, out reflect.Type) []wireOption
}

// codecOf returns the codec of a Core that this package made.
func codecOf(c *engine.Core) *codec { return c.Config().Codec.(*codec) }

// answer is a response with its codec.
type answer struct {
	*engine.Answer
	codec *codec
}

// Decode decodes a response into out.
func (c *codec) Decode(ctx context.Context, a *engine.Answer, out any) error {
	return (&answer{a, c}).decode(ctx, out)
}

// Fail returns the *Error of a call.
func (c *codec) Fail(f *engine.Failure) error {
	e := &Error{
		Method: f.Method, Route: f.Route, Status: f.Status, Attempts: f.Attempts, RetryAfter: f.RetryAfter,
		cause: f.Cause, unknown: f.Unknown, silent: f.Silent, waited: f.Waited, foreign: f.Foreign,
	}
	if f.Header != nil {
		e.RequestID, e.Rate, e.date = engine.RequestID(f.Header), Rate(engine.RateOf(f.Header)), engine.Date(f.Header)
		if f.Cause == nil {
			e.readAnswer(f.Header, f.Body, f.Secrets)
		}
	}
	return e
}
