package client

import "golang.org/x/oauth2"

// tokenFunc is a token source that prints as an address, whatever it closes over.
type tokenFunc func() (*oauth2.Token, error)

func (f tokenFunc) Token() (*oauth2.Token, error) { return f() }

// StaticToken returns a source that always gives the same access token. The
// platform's tokens do not expire; they end with the next installation.
func StaticToken(token Secret) oauth2.TokenSource {
	always := &oauth2.Token{AccessToken: string(token), TokenType: "bearer"}
	return tokenFunc(func() (*oauth2.Token, error) { return always, nil })
}
