package oauth

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
)

// What callers branch on. Compare with errors.Is.
var (
	// ErrState says that a state cannot be used: it is malformed, or was used already and nothing is known of how that
	// ended. The errors below say more where more is known; all of them match ErrState as well. The request exchanged
	// nothing. An earlier request may have ended the install.
	ErrState = errors.New("oauth: state is not valid for this browser")

	// ErrNoCookie says that a callback came without the cookie of the browser that began the install. The browser
	// blocks cookies, a proxy removes them, the install began at another host name, or the site uses plain http and
	// Handler.PublicURL does not say so.
	ErrNoCookie = fmt.Errorf("%w: no cookie", ErrState)

	// ErrOtherBrowser says that another browser began the install.
	ErrOtherBrowser = fmt.Errorf("%w: another browser began the install", ErrState)

	// ErrExpired says that the callback came more than 10 minutes after the install was begun.
	ErrExpired = fmt.Errorf("%w: expired", ErrState)

	// ErrUnsolicited says that a code arrived without a state, as it does when a merchant starts at the platform's
	// admin. It is a normal first step and is not reported. Nothing was exchanged. Start the flow with Handler.Begin,
	// and the merchant comes back with a state.
	ErrUnsolicited = errors.New("oauth: code without state")

	// ErrIncomplete says that the app is installed and its token stored, but Handler.OnInstalled failed.
	ErrIncomplete = errors.New("oauth: token is stored, but Handler.OnInstalled failed")

	// ErrNotSent says that no byte of a token request left this process, so the code is still unused.
	ErrNotSent = errors.New("oauth: token request not sent")

	// ErrOutcomeUnknown says that a token request was sent and no usable answer came. A token may have been issued, and
	// then the store's former token is dead; only a new install tells.
	ErrOutcomeUnknown = errors.New("oauth: token request sent, outcome unknown")

	// ErrSuperseded says that the new token was dead before it was stored, because another install of the same store
	// ended after it. The token of that other install stays.
	ErrSuperseded = errors.New("oauth: a later install of the store replaced this one")

	// ErrNotInstalled says that there is no token for a store. The function AccessOf of package webhook knows it.
	ErrNotInstalled error = notInstalled{}
)

// notInstalled is known by its method to package webhook, which does not import this one.
type notInstalled struct{}

func (notInstalled) Error() string { return "oauth: app is not installed in the store" }
func (notInstalled) NotInstalled() {}

// Reasons for a refusal that have a page of their own and that no caller needs to distinguish.
var (
	errBusy   = errors.New("oauth: too many installs at once")
	errMethod = errors.New("oauth: method must be GET")
	errQuery  = errors.New("oauth: malformed callback")
	errTarget = errors.New("oauth: return target")
	errUsed   = fmt.Errorf("%w: used already", ErrState)

	errNoTokens = fmt.Errorf("%w: Handler.Tokens is nil: must be the store of the tokens", errConfig)

	errWaiting = errors.New("oauth: the browser left while the install was ending")
	errStored  = errors.New("oauth: the app is installed")
	errHidden  = errors.New("oauth: success address")
	errGone    = fmt.Errorf("%w any more", ErrNotInstalled)

	// Kinds of *Error, for errors.Is.
	errDeclined = errors.New("oauth: the merchant declined")
	errStopped  = errors.New("oauth: the platform ended the install before a code was issued")
	errRefused  = errors.New("oauth: the platform refused the code")
)

// Error is the platform's refusal: of the token request, or of the install when the merchant declines.
// Its texts are at most 64 characters, all of them printable, and never hold the client secret or the code.
//
// errors.Is(err, ErrOutcomeUnknown) holds for an answer that does not say what happened: a status of 500 and above, a
// redirect, or a success that cannot be read. A success whose body has an error, as in {"error":"invalid_grant"}, is
// how the platform may refuse a code that is used or expired; no token was issued then.
type Error struct {
	Status      int    // of the answer; 0 when the refusal came with the merchant's browser
	Code        string // such as invalid_grant or access_denied; may be empty
	Description string // the platform's words, or ours for an answer that cannot be read; may be empty
}

// Error says who refused, the status and the platform's texts.
func (e *Error) Error() string {
	parts := []string{"oauth: install refused"}
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

// Is makes an undecided answer an ErrOutcomeUnknown.
func (e *Error) Is(target error) bool {
	switch target {
	case ErrOutcomeUnknown:
		refused := e.Status/100 == 4 || e.Status/100 == 2 && e.Code != ""
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
	maxText   = 64 // runes of a foreign text that we repeat
	minSecret = 8  // bytes; to cut anything shorter out of a text would only garble it
)

// Letters and symbols that show nothing.
const brailleBlank = '\u2800'

var invisible = []*unicode.RangeTable{unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector}

// clean makes a foreign text fit for logs and pages: characters that cannot be seen are dropped, secrets are redacted,
// and the rest is cut.
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
