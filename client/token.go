package client

import (
	"context"
	"time"

	"golang.org/x/oauth2"
)

// ContextTokenSource is a source of access tokens that are loaded for a call, from a database for example. The context
// is that of the call, bounded by Config.AttemptTimeout: a call that goes on while the program shuts down gets its
// token, and a call that is given up does not wait for it. The sources of oauth.Sources are such.
type ContextTokenSource interface {
	oauth2.TokenSource
	// TokenContext is Token, and ends when ctx does.
	TokenContext(ctx context.Context) (*oauth2.Token, error)
}

// byContext returns the token of a source for the context of a call. A source that can end early is given up after
// most.
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

// tokenFunc is a token source that prints as an address, whatever it closes over.
type tokenFunc func() (*oauth2.Token, error)

func (f tokenFunc) Token() (*oauth2.Token, error) { return f() }

// StaticToken returns a source that always gives the same access token. The
// platform's tokens do not expire; they end with the next installation.
func StaticToken(token Secret) oauth2.TokenSource {
	always := &oauth2.Token{AccessToken: string(token), TokenType: "bearer"}
	return tokenFunc(func() (*oauth2.Token, error) { return always, nil })
}
