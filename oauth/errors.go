package oauth

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
)

// Errors that callers branch on. Compare with errors.Is.
var (
	// ErrState means that a state cannot be used: it is malformed, or was used already and its outcome is unknown. The
	// errors below are more specific; all of them match ErrState as well. The request exchanged nothing. An earlier
	// request may have ended the installation.
	ErrState = errors.New("oauth: state is not valid for this browser")

	// ErrNoCookie means that a callback came without the cookie of the browser that began the installation. Possible
	// causes: the browser blocks cookies, a proxy removes them, the installation began at another host name, or the
	// site uses plain http and Handler.PublicURL does not say so.
	ErrNoCookie = fmt.Errorf("%w: no cookie", ErrState)

	// ErrOtherBrowser means that another browser began the installation.
	ErrOtherBrowser = fmt.Errorf("%w: another browser began the installation", ErrState)

	// ErrExpired means that the callback came more than 10 minutes after the installation was begun.
	ErrExpired = fmt.Errorf("%w: expired", ErrState)

	// ErrUnsolicited means that a code arrived without a state, as it does when a merchant starts at the platform's
	// admin. It is a normal first step and is not reported. Nothing was exchanged. Start the flow with Handler.Begin,
	// and the merchant comes back with a state.
	ErrUnsolicited = errors.New("oauth: code without state")

	// ErrIncomplete means that the app is installed and its token stored, but Handler.OnInstalled has not succeeded. It
	// failed, or the platform refuses the new token so far.
	ErrIncomplete = errors.New("oauth: token is stored, but Handler.OnInstalled has not succeeded")

	// ErrNotSent means that no byte of a token request left this process, so the code is still unused.
	ErrNotSent = errors.New("oauth: token request not sent")

	// ErrOutcomeUnknown means that a token request was sent and no usable answer came. If a token was issued, the
	// store's former token is dead. Only a new installation resolves this.
	ErrOutcomeUnknown = errors.New("oauth: token request sent, outcome unknown")

	// ErrSuperseded means that the new token was dead before it was stored, because another installation of the same
	// store ended after it. The token of that other installation remains stored.
	ErrSuperseded = errors.New("oauth: a later installation of the store replaced this one")

	// ErrUnreadable means that the record of a store cannot be read. A TokenStore also returns the StoreID and the
	// Generation of the record, if it can. Then a new installation replaces the record, because it has ended the old
	// token.
	ErrUnreadable = errors.New("oauth: the record of an installation cannot be read")

	// ErrNotInstalled means that there is no token for a store. The function AccessOf of package webhook recognizes it.
	ErrNotInstalled error = notInstalled{}
)

// notInstalled is recognized by its method in package webhook, which does not import this package.
type notInstalled struct{}

func (notInstalled) Error() string { return "oauth: app is not installed in the store" }
func (notInstalled) NotInstalled() {}

// Reasons for a refusal that have a page of their own and that no caller needs to distinguish.
var (
	errBusy   = errors.New("oauth: too many installations at once")
	errMethod = errors.New("oauth: method must be GET")
	errQuery  = errors.New("oauth: malformed callback")
	errTarget = errors.New("oauth: return target")
	errUsed   = fmt.Errorf("%w: used already", ErrState)

	// errNotKnown means that the platform refuses a new token, which it may not know yet.
	errNotKnown = fmt.Errorf("%w: the platform refuses the new token", ErrIncomplete)

	errNoTokens = fmt.Errorf("%w: Handler.Tokens is nil: must be the store of the tokens", errConfig)

	errWaiting = errors.New("oauth: the browser left while the installation was ending")
	errStored  = errors.New("oauth: the app is installed")
	errHidden  = errors.New("oauth: success address")
	errGone    = fmt.Errorf("%w any more", ErrNotInstalled)

	// Kinds of *Error, for errors.Is.
	errDeclined = errors.New("oauth: the merchant declined")
	errStopped  = errors.New("oauth: the platform ended the installation before a code was issued")
	errRefused  = errors.New("oauth: the platform refused the code")
)

// Error is a refusal by the platform: of the token request, or of the installation when the merchant declines. Its
// texts have at most 64 characters, all of them printable, and never hold the client secret or the code.
//
// errors.Is(err, ErrOutcomeUnknown) is true for an answer that does not show the outcome: a status of 500 and above, a
// redirect, or a success that cannot be read. It is also true for a refusal without the platform's words, such as the
// page of a proxy. The platform may refuse a used or expired code by a success status with an error in the body, as in
// {"error":"invalid_grant"}. No token was issued then.
type Error struct {
	Status      int    // of the answer; 0 if the merchant's browser brought the refusal
	Code        string // such as invalid_grant or access_denied; may be empty
	Description string // by the platform, or by this package for an answer that cannot be read; may be empty

	foreign bool // a refusal in another form than the platform's
}

// Error returns the status and the platform's texts.
func (e *Error) Error() string {
	parts := []string{"oauth: installation refused"}
	if e.Status != 0 {
		parts[0] = fmt.Sprintf("oauth: token request: status %d", e.Status)
	}
	for _, text := range []string{e.Code, e.Description} {
		if text != "" {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, ": ")
}

// Is reports whether e is of the kind target. An answer that does not show the outcome is an ErrOutcomeUnknown.
func (e *Error) Is(target error) bool {
	switch target {
	case ErrOutcomeUnknown:
		refused := e.Status/100 == 4 && !e.foreign || e.Status/100 == 2 && e.Code != ""
		return e.Status != 0 && !refused
	case errDeclined:
		return e.Status == 0 && e.Code == "access_denied"
	case errStopped:
		return e.Status == 0
	case errRefused:
		return e.Status != 0
	}
	return false
}

const (
	maxText   = 64 // runes of a foreign text that an error repeats
	minSecret = 8  // bytes; shorter secrets are not removed
)

// Letters and symbols that are invisible.
const brailleBlank = '\u2800'

var invisible = []*unicode.RangeTable{unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector}

// redacted replaces a secret in texts.
const redacted = "[redacted]"

// clean makes a foreign text fit for logs and pages. It drops invisible characters, redacts secrets, and truncates the
// rest.
func clean(text string, secrets ...string) string { return cleanTo(maxText, text, secrets...) }

func cleanTo(limit int, text string, secrets ...string) string {
	text = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) || r == brailleBlank || unicode.In(r, invisible...) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "?"))
	for _, secret := range secrets {
		if len(secret) >= minSecret {
			text = strings.ReplaceAll(text, secret, redacted)
		}
	}
	if runes := []rune(text); len(runes) > limit {
		text = string(runes[:limit])
	}
	return text
}
