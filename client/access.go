package client

import "errors"

// Access is the access that the API grants an app in a store.
type Access string

// The states of an installation. A probe never returns AccessDoubtful; a Judge does.
const (
	AccessActive    Access = "active"    // installed, and the API answers
	AccessSuspended Access = "suspended" // installed, and the API answers 402
	AccessDoubtful  Access = "doubtful"  // the token is refused, which may pass; nothing may be ended because of it
	AccessGone      Access = "gone"      // not installed: the token is invalid or missing
)

// AccessOf derives the state of an installation from the error of one API call, such as v202503.Store(c).Get. An error
// that says nothing about the installation is returned.
//
// A store without a token is AccessGone, because app/uninstalled ends the token and store/redact arrives days later. A
// missing token is reported by oauth.ErrNotInstalled, or by any error with a method NotInstalled.
//
// One answer is no proof that the app is gone; see [Judge].
func AccessOf(err error) (Access, error) {
	switch {
	case errors.Is(err, ErrUnauthorized), tokenless(err):
		return AccessGone, nil
	case errors.Is(err, ErrPaymentRequired):
		return AccessSuspended, nil
	case err == nil, errors.Is(err, ErrForbidden), errors.Is(err, ErrNotFound):
		return AccessActive, nil // the token was accepted
	}
	return "", err
}

// tokenless reports whether a call failed because the app has no token of the store.
func tokenless(err error) bool {
	var missing interface{ NotInstalled() } // implemented by oauth.ErrNotInstalled
	return errors.As(err, &missing)
}
