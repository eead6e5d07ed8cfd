package oauth

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"unicode"
)

// What callers branch on. Compare with errors.Is.
var (
	// ErrState says that a state is unknown, expired, used already, or was given to another browser. Nothing was
	// exchanged; the merchant can start again.
	ErrState = errors.New("oauth: state is not valid for this browser")

	// ErrUnsolicited says that a code arrived without a state, as it does when a merchant installs from the platform's
	// admin. Nothing was exchanged; start the flow with Handler.Begin and the merchant comes back with a state.
	ErrUnsolicited = errors.New("oauth: code without state")

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

// Reasons for a refusal that have a status of their own and that no caller needs to tell apart.
var (
	errBusy   = errors.New("oauth: too many installs at once")
	errMethod = errors.New("oauth: want a GET request")
	errQuery  = errors.New("oauth: malformed callback")
	errTarget = errors.New("oauth: return target")
)

// Error is the platform's refusal: of the token request, or of the install when the merchant declines.
// Its texts are at most 64 characters, all of them printable, and never hold the client secret or the code.
//
// errors.Is(err, ErrOutcomeUnknown) holds for an answer that does not say what happened: a status of 500 and above, a
// redirect, or a success that cannot be read.
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
	return target == ErrOutcomeUnknown && e.Status != 0 && (e.Status < 400 || e.Status >= 500)
}

// statusOf is the status of the answer to the browser.
func statusOf(err error) int {
	var refused *Error
	switch {
	case errors.Is(err, ErrState), errors.Is(err, ErrUnsolicited):
		return http.StatusForbidden
	case errors.Is(err, errQuery), errors.Is(err, errTarget):
		return http.StatusBadRequest
	case errors.Is(err, errMethod):
		return http.StatusMethodNotAllowed
	case errors.Is(err, ErrSuperseded):
		return http.StatusConflict
	case errors.Is(err, errBusy):
		return http.StatusServiceUnavailable
	case errors.Is(err, errConfig):
		return http.StatusInternalServerError
	case errors.As(err, &refused) && refused.Status == 0:
		return http.StatusForbidden
	case refused != nil, errors.Is(err, ErrNotSent), errors.Is(err, ErrOutcomeUnknown):
		return http.StatusBadGateway
	}
	return http.StatusInternalServerError
}

const (
	maxText   = 64 // runes of a foreign text that we repeat
	minSecret = 8  // bytes; to cut anything shorter out of a text would only garble it
)

// clean makes a foreign text fit for logs and pages: unprintable characters are dropped, secrets are redacted, and the
// rest is cut.
func clean(text string, secrets ...string) string { return cleanTo(maxText, text, secrets...) }

func cleanTo(limit int, text string, secrets ...string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return -1
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
