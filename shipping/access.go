package shipping

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/callback"
)

// Access says who may call. The platform does not sign the callbacks of carriers, so one of
// the members must be set; a request must satisfy all that are set.
type Access struct {
	// Tokens are what makes the address of the callback a secret: one of its segments must be one
	// of them, as in https://carrier.example/rates/TOKEN. They have 16 characters at least, which stand
	// in a path as they are: letters, digits, - and _. Two allow for a change: first give the new
	// one to the platform, then take the old one away.
	Tokens []client.Secret
	// TokenSet, if set, is where the tokens are instead of Tokens. It can be changed while the handlers serve, and
	// several handlers can share it.
	TokenSet *TokenSet
	// Sources is the allow-list of addresses. If nil, addresses are not looked at. Set may be called while the handlers
	// serve.
	Sources *client.Sources
	// Allow reports whether the request comes from an address of the platform, where Sources does not suffice.
	Allow func(*http.Request) bool
	// Guarded says that the network in front of the handler lets nobody but the platform in.
	Guarded bool
}

// Format prints that it is an Access, whatever the verb, and so do the handlers that embed it: fmt
// would show the tokens where it has no verb for what holds them.
func (Access) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "shipping.Access") }

// minToken is the length of a token below which it could be guessed.
const minToken = 16

func (a *Access) check(wrong *callback.Check) {
	tokens, limited := len(a.Tokens) > 0 || a.TokenSet != nil, a.Allow != nil || a.Sources != nil
	wrong.Refuse(!tokens && !limited && !a.Guarded, "neither Tokens, Sources nor Allow, nor Guarded: anybody could ask")
	wrong.Refuse(a.Guarded && (tokens || limited), "Guarded beside Tokens, Sources or Allow")
	wrong.Refuse(len(a.Tokens) > 0 && a.TokenSet != nil, "both Tokens and a TokenSet")
	if len(a.Tokens) > 0 {
		if err := checkTokens(a.Tokens); err != nil {
			*wrong = append(*wrong, err)
		}
	}
}

func isTokenRune(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '-' || r == '_'
}

// refuses returns why the request may not be answered, or nil.
func (a *Access) refuses(r *http.Request) *client.Refused {
	if a.Sources != nil {
		if refused, is := a.Sources.Refuses(r); is {
			refused.Status = http.StatusForbidden
			return &refused
		}
	}
	if a.Allow != nil && !a.Allow(r) {
		return &client.Refused{Reason: client.RefusedAddress, Status: http.StatusForbidden, Err: errors.New("Access.Allow returned false")}
	}
	tokens := a.Tokens
	if a.TokenSet != nil {
		if tokens = a.TokenSet.Current(); len(tokens) == 0 {
			return &client.Refused{Reason: client.RefusedToken, Status: http.StatusServiceUnavailable, Err: errors.New("TokenSet is empty: call Set with the token in force")}
		}
	}
	if len(tokens) > 0 && !named(tokens, r.URL.Path) {
		err := fmt.Errorf("no segment of the path is one of the tokens in force (%d): the address at the platform, and proxies that rewrite it, must keep it", len(tokens))
		return &client.Refused{Reason: client.RefusedToken, Status: http.StatusForbidden, Err: err}
	}
	return nil
}

// named reports whether a segment of the path is a token. All are compared in any case, so that
// time does not tell how much of one was right.
func named(tokens []client.Secret, path string) bool {
	const mostSegments = 16
	matched := 0
	for _, segment := range strings.SplitN(path, "/", mostSegments) {
		given := sha256.Sum256([]byte(segment))
		for _, t := range tokens {
			want := sha256.Sum256([]byte(t))
			matched |= subtle.ConstantTimeCompare(given[:], want[:])
		}
	}
	return matched == 1
}
