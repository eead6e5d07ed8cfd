package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"

	"golang.org/x/oauth2"

	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Config describes a Core. The caller has checked it and set every field that must not be zero.
type Config struct {
	Base    *url.URL // without version and store
	Version string   // of requests that name none
	Store   int64    // 0 for an app that acts in no store
	App     int64    // 0 for an app that acts in a store
	// Token returns the access token. It is asked for every attempt, with the context of the call.
	Token func(context.Context) (*oauth2.Token, error)
	// Header returns the header that carries the token at a route.
	Header         func(route, token string) (name, value string)
	UserAgent      string
	Transport      http.RoundTripper
	Attempts       int
	Total          time.Duration // from the first attempt to the start of the last
	Effects        bool          // repeat calls with effects after a 429 too
	MaxWait        time.Duration // for the rate limit
	AttemptTimeout time.Duration
	MaxBody        int64
	Logger         *slog.Logger
	Codec          Codec
	// OnAttempt is called before a call and before each of its requests, and returns the context of the one or the
	// other and a function that is called at its end. Nil if there is no hook.
	OnAttempt func(context.Context, Attempt) (context.Context, func(AttemptEnd))
}

// Codec connects the engine with the package that knows records and the errors that callers see.
type Codec interface {
	// Decode reads an answer into out.
	Decode(ctx context.Context, a *Answer, out any) error
	// Fail returns the error of a call that failed.
	Fail(f *Failure) error
}

// Core is one app acting on one store. It is immutable and safe for concurrent use.
type Core struct {
	config  Config
	limiter *limiter
	breaker *breaker
	quota   quota
	bodies  bodies
	// multiplexed: the last answer came by HTTP/2.
	multiplexed atomic.Bool
}

// New returns a Core. It does no I/O.
func New(config Config) *Core {
	c := &Core{config: config, limiter: newLimiter(), breaker: newBreaker()}
	c.quota.fill()
	return c
}

// Config returns the configuration, which must not be changed.
func (c *Core) Config() *Config { return &c.config }

// Format prints the address and the store, whatever the verb, because other fields, such as the caller's transport, may
// hold secrets.
func (c *Core) Format(f fmt.State, _ rune) {
	_, _ = fmt.Fprintf(f, "engine.Core{Base: %q, Store: %d}", c.config.Base, c.config.Store)
}

// Answer is a 2xx answer, read whole.
type Answer struct {
	Method, Route string
	Header        http.Header
	Status        int
	Body          []byte
	Read          bool // the call changed nothing
	Secrets       bool // of Request
	Result        bool // of Request
	Chosen        bool // the query chooses the members of records, and not the id
	Unsure        bool // an attempt before this one may have been applied
	Attempts      int
	// Write is the error of the write that this answer was read after; nil for the answer to the call itself.
	Write error
}

// Failure is a call that got no 2xx answer, or none that is whole.
type Failure struct {
	Method, Route string
	Status        int         // of the last answer; 0 if there was none
	Header        http.Header // of the last answer; nil if there was none
	Body          []byte      // of the last answer
	Secrets       bool        // of Request
	Attempts      int
	RetryAfter    time.Duration // what the platform or the limiter asks for, whichever is longer
	Cause         error         // that is not the platform's; nil if the answer is the cause
	Unknown       bool          // a write may have been applied
	Silent        bool          // no whole answer came
	Foreign       bool          // the status is one of the platform's refusals, but an intermediary answered
	Waited        bool          // the wait for the rate limit would have been too long
}

// Do performs a request and decodes the answer into out. With a nil out the answer is discarded, if it is JSON or
// empty. Another answer is the page of an intermediary, and its 2xx is no success.
func (c *Core) Do(ctx context.Context, r Request, out any) error {
	if c.config.OnAttempt == nil {
		return c.do(ctx, r, out, nil)
	}
	return c.observe(ctx, r, func(ctx context.Context, o *observer) error { return c.do(ctx, r, out, o) })
}

func (c *Core) do(ctx context.Context, r Request, out any, o *observer) error {
	a, err := c.answer(ctx, r, o)
	if err != nil {
		return err
	}
	if out == nil && len(bytes.TrimSpace(a.Body)) > 0 && !wire.Valid(a.Body) {
		out = new(any)
	}
	if out != nil {
		err = c.config.Codec.Decode(ctx, a, out)
	}
	if err == nil {
		c.Give(a)
	} else if a.Write != nil {
		err = a.Write
	}
	return err
}

// Ask performs a request, and returns what read makes of the answer, or of the error.
func (c *Core) Ask(ctx context.Context, r Request, read func(context.Context, *Answer, error) error) error {
	ask := func(ctx context.Context, o *observer) error {
		a, err := c.answer(ctx, r, o)
		return read(ctx, a, err)
	}
	if c.config.OnAttempt == nil {
		return ask(ctx, nil)
	}
	return c.observe(ctx, r, ask)
}

// answer performs the request. An answer to an absolute write that broke off is read again, because the write was
// applied. An answer that is whole but no record is not: nothing says whose answer it is, so the caller has to look.
func (c *Core) answer(ctx context.Context, r Request, o *observer) (*Answer, error) {
	a, err := c.perform(ctx, r, o)
	if err == nil || r.class() != AbsolutePut || !errors.Is(err, ErrTruncated) {
		return a, err
	}
	reread := Request{Version: r.Version, Path: r.Path, Args: r.Args, Secrets: r.Secrets, Result: r.Result}
	again, failed := c.perform(ctx, reread, o)
	if failed != nil {
		return nil, err
	}
	again.Write = err
	return again, nil
}

// Give lends the memory of an answer's body to later answers. Nothing may point into it.
func (c *Core) Give(a *Answer) { c.bodies.give(a.Body) }
