package engine

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"testing"
	"time"

	"golang.org/x/oauth2"

	"github.com/commerceplatform/commerce-go/internal/condition"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Conditions that the tests ask errors for. Package client has its own.
var (
	ErrRateLimited    = condition.New("rate limited")
	ErrUnauthorized   = condition.New("unauthorized")
	ErrServer         = condition.New("server error")
	ErrNotFound       = condition.New("not found")
	ErrNoAnswer       = condition.New("no whole answer")
	ErrOutcomeUnknown = condition.New("outcome unknown")
)

// Error is a Failure as an error.
type Error struct{ *Failure }

func (e *Error) Error() string {
	if e.Status == 0 {
		return fmt.Sprintf("%s %s: %v", e.Method, e.Route, e.Cause)
	}
	return fmt.Sprintf("%s %s: %d: %v", e.Method, e.Route, e.Status, e.Cause)
}

func (e *Error) Unwrap() error { return e.Cause }

func (e *Error) Is(target error) bool {
	switch target {
	case ErrRateLimited:
		return e.Status == http.StatusTooManyRequests || e.Waited
	case ErrUnauthorized:
		return e.Status == http.StatusUnauthorized && e.Cause == nil
	case ErrNotFound:
		return e.Status == http.StatusNotFound && e.Cause == nil
	case ErrServer:
		return e.Status >= http.StatusInternalServerError
	case ErrNoAnswer:
		return e.Silent
	case ErrOutcomeUnknown:
		return e.Unknown
	}
	return false
}

// plain is the codec of the tests.
type plain struct{}

func (plain) Decode(_ context.Context, a *Answer, out any) error { return wire.Unmarshal(a.Body, out) }

func (plain) Fail(f *Failure) error { return &Error{f} }

// newTest returns a Core over transport, with the defaults of package client.
func newTest(t *testing.T, transport http.RoundTripper, change ...func(*Config)) *Core {
	t.Helper()
	base, err := url.Parse("https://api.example.com")
	if err != nil {
		t.Fatal(err)
	}
	config := Config{
		Base: base, Version: "2025-03", Store: 123, UserAgent: "Test (t@example.com)", Transport: transport, Codec: plain{},
		Token:  func(context.Context) (*oauth2.Token, error) { return &oauth2.Token{AccessToken: "cnry_7f3a"}, nil },
		Header: func(_, token string) (name, value string) { return "Authorization", "Bearer " + token },
		Logger: slog.New(slog.DiscardHandler),
	}
	for _, f := range change {
		f(&config)
	}
	config.Attempts, config.Total = cmp.Or(config.Attempts, 3), cmp.Or(config.Total, 30*time.Second)
	config.MaxWait, config.AttemptTimeout = cmp.Or(config.MaxWait, 30*time.Second), cmp.Or(config.AttemptTimeout, 30*time.Second)
	config.MaxBody = cmp.Or(config.MaxBody, 32<<20)
	return New(config)
}
