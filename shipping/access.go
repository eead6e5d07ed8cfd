package shipping

import (
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/callback"
)

// Access says who may call. The platform does not sign the callbacks of carriers, so one of
// the members must be set; if both Tokens and Allow are, both are wanted.
type Access struct {
	// Tokens are what makes the address of the callback a secret: one of its segments must be one
	// of them, as in https://carrier.example/rates/TOKEN. They have 16 characters at least, which stand
	// in a path as they are: letters, digits, - and _. Two allow for a change: first give the new
	// one to the platform, then take the old one away.
	Tokens []client.Secret
	// Allow reports whether the request comes from an address of the platform. The method
	// Allows of a list of sources fits.
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
	wrong.Refuse(len(a.Tokens) == 0 && a.Allow == nil && !a.Guarded, "neither Tokens nor Allow, nor Guarded: anybody could ask")
	wrong.Refuse(a.Guarded && (len(a.Tokens) > 0 || a.Allow != nil), "Guarded beside Tokens or Allow")
	wrong.Refuse(len(a.Tokens) > 2, "%d tokens: want the one in force and at most the one before it", len(a.Tokens))
	for i, t := range a.Tokens {
		bad := len(t) < minToken || strings.ContainsFunc(string(t), func(r rune) bool { return !isTokenRune(r) })
		wrong.Refuse(bad, "token %d: want %d letters, digits, - and _ at least", i+1, minToken)
	}
}

func isTokenRune(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '-' || r == '_'
}

// admits reports whether the request may be answered.
func (a *Access) admits(r *http.Request) bool {
	if a.Allow != nil && !a.Allow(r) {
		return false
	}
	return len(a.Tokens) == 0 || a.named(r.URL.Path)
}

// named reports whether a segment of the path is a token. All are compared in any case, so that
// time does not tell how much of one was right.
func (a *Access) named(path string) bool {
	const mostSegments = 16
	matched := 0
	for _, segment := range strings.SplitN(path, "/", mostSegments) {
		given := sha256.Sum256([]byte(segment))
		for _, t := range a.Tokens {
			want := sha256.Sum256([]byte(t))
			matched |= subtle.ConstantTimeCompare(given[:], want[:])
		}
	}
	return matched == 1
}
