package client

import (
	"context"
	"time"

	"golang.org/x/oauth2"
)

// ContextTokenSource is a token source that loads access tokens for a call, for example from a database. The context is
// that of the call, limited by Config.AttemptTimeout. A call that is still running during shutdown gets its token. A
// call that is cancelled does not wait for it. The sources of oauth.Sources implement this interface.
type ContextTokenSource interface {
	oauth2.TokenSource
	// TokenContext is Token with a context. It must return when ctx ends.
	TokenContext(ctx context.Context) (*oauth2.Token, error)
}

// byContext returns a function that requests the token of a source for the context of a call. For a ContextTokenSource
// it times out after most.
func byContext(source oauth2.TokenSource, most time.Duration) func(context.Context) (*oauth2.Token, error) {
	if of, ok := source.(ContextTokenSource); ok {
		return func(ctx context.Context) (*oauth2.Token, error) {
			ctx, cancel := context.WithTimeout(ctx, most)
			defer cancel()
			return of.TokenContext(ctx)
		}
	}
	return func(context.Context) (*oauth2.Token, error) { return source.Token() }
}

// tokenFunc is a token source that is formatted as an address, so that the variables of its closure are not printed.
type tokenFunc func() (*oauth2.Token, error)

func (f tokenFunc) Token() (*oauth2.Token, error) { return f() }

// StaticToken returns a source that always returns the same access token. The platform's tokens do not expire. A token
// becomes invalid with the next installation.
func StaticToken(token Secret) oauth2.TokenSource {
	always := &oauth2.Token{AccessToken: string(token), TokenType: "bearer"}
	return tokenFunc(func() (*oauth2.Token, error) { return always, nil })
}
