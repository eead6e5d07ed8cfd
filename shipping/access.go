package shipping

import (
	"context"
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

// Access configures who may call a handler. The platform does not sign the callbacks of carriers, so at least one
// field must be set. A request must satisfy all fields that are set.
type Access struct {
	// PathTokens make the URL of the callback a secret. One segment of the URL's path must be a token, as in
	// https://carrier.example/rates/TOKEN. A token has at least 16 characters: letters, digits, - and _. Two tokens
	// are valid during a rotation: first register the new URL on the platform, then remove the old token.
	PathTokens []client.Secret
	// PathTokenSet, if set, holds the tokens and replaces PathTokens. It can be changed while handlers serve, and
	// several handlers can share it.
	PathTokenSet *PathTokenSet
	// Sources is the allowlist of IP addresses. If nil, addresses are not checked. Set may be called while the
	// handlers serve.
	Sources *client.Sources
	// Allow reports whether the request comes from an address of the platform. Use it if Sources is not sufficient. If
	// it panics, or does not return within a twentieth of Budget, the request is rejected with status 503.
	Allow func(*http.Request) bool
	// Guarded declares that the network admits only requests of the platform.
	Guarded bool
}

// Format prints the name of the type for every verb, and so do the handlers that embed Access. Otherwise fmt would
// print the tokens for verbs that secrets do not support.
func (Access) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "shipping.Access") }

// minToken is the minimum length of a token. Shorter tokens could be guessed.
const minToken = 16

func (a *Access) check(wrong *callback.Check) {
	tokens, limited := len(a.PathTokens) > 0 || a.PathTokenSet != nil, a.Allow != nil || a.Sources != nil
	wrong.Refuse(!tokens && !limited && !a.Guarded, "none of PathTokens, PathTokenSet, Sources, Allow and Guarded is set, so anyone could call")
	wrong.Refuse(a.Guarded && (tokens || limited), "Guarded must not be set together with PathTokens, PathTokenSet, Sources or Allow")
	wrong.Refuse(len(a.PathTokens) > 0 && a.PathTokenSet != nil, "PathTokens and PathTokenSet must not both be set")
	if len(a.PathTokens) > 0 {
		if err := checkTokens(a.PathTokens); err != nil {
			*wrong = append(*wrong, err)
		}
	}
}

func isTokenRune(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '-' || r == '_'
}

// refuses returns the reason to reject the request, or nil. It calls Allow by the guard.
func (a *Access) refuses(r *http.Request, guard *callback.Guard) *client.Refused {
	if refused := callback.Unlisted(a.Sources, r); refused != nil {
		return refused
	}
	if a.Allow != nil {
		allowed, err := callback.Guarded(r.Context(), guard, "Access.Allow", func(context.Context) (bool, error) { return a.Allow(r), nil })
		if err != nil {
			return &client.Refused{Reason: client.RefusedAddress, Status: http.StatusServiceUnavailable, Err: err}
		}
		if !allowed {
			return &client.Refused{Reason: client.RefusedAddress, Status: http.StatusForbidden, Err: errors.New("Access.Allow returned false")}
		}
	}
	tokens := a.PathTokens
	if a.PathTokenSet != nil {
		if tokens = a.PathTokenSet.Current(); len(tokens) == 0 {
			return &client.Refused{Reason: client.RefusedToken, Status: http.StatusServiceUnavailable, Err: errors.New("PathTokenSet is empty: call Set with the token in force")}
		}
	}
	if len(tokens) > 0 && !named(tokens, r.URL.Path) {
		err := fmt.Errorf("no segment of the path is a valid token (%d in force): the URL registered on the platform must contain one, and proxies must not remove it", len(tokens))
		return &client.Refused{Reason: client.RefusedToken, Status: http.StatusForbidden, Err: err}
	}
	return nil
}

// named reports whether a segment of the path is a token. It always compares all of them, so that timing does not
// reveal how much of a token was right.
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
