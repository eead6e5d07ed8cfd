package access

import (
	"errors"

	"github.com/commerceplatform/commerce-go/internal/condition"
)

// State is the access that the API grants an app in a store.
type State string

// The states of an installation. A probe never returns Doubtful; a Judge does.
const (
	Active    State = "active"    // installed, and the API answers
	Suspended State = "suspended" // installed, and the API answers 402
	Doubtful  State = "doubtful"  // the token is refused, which may pass; nothing may be ended because of it
	Gone      State = "gone"      // not installed: the token is invalid or missing
)

// Of derives the state of an installation from the error of one API call, such as v202503.Store(c).Get. An error
// that says nothing about the installation is returned.
//
// A store without a token is Gone, because app/uninstalled ends the token and store/redact arrives days later. A
// missing token is reported by oauth.ErrNotInstalled, or by any error with a method NotInstalled.
//
// One answer is no proof that the app is gone; see [Judge].
func Of(err error) (State, error) {
	switch {
	case errors.Is(err, condition.ErrUnauthorized), tokenless(err):
		return Gone, nil
	case errors.Is(err, condition.ErrPaymentRequired):
		return Suspended, nil
	case err == nil, errors.Is(err, condition.ErrForbidden), errors.Is(err, condition.ErrNotFound):
		return Active, nil // the token was accepted
	}
	return "", err
}

// tokenless reports whether a call failed because the app has no token of the store.
func tokenless(err error) bool {
	var missing interface{ NotInstalled() } // implemented by oauth.ErrNotInstalled
	return errors.As(err, &missing)
}
