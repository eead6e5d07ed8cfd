package client

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/printable"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Conditions that a caller branches on, for errors.Is.
var (
	// ErrNotFound: the platform answered 404.
	ErrNotFound = engine.Condition("not found")
	// ErrUnauthorized: 401, the token is not valid (any more).
	ErrUnauthorized = engine.Condition("unauthorized")
	// ErrForbidden: 403, a scope or a feature of the store is missing.
	ErrForbidden = engine.Condition("forbidden")
	// ErrPaymentRequired: 402, the payment of the store or of the app lapsed.
	ErrPaymentRequired = engine.Condition("payment required")
	// ErrValidation: 400 or 422, or an input that was refused before it was sent.
	ErrValidation = engine.ErrValidation
	// ErrRateLimited: 429, or the wait for the bucket would have been too long;
	// Error.RetryAfter tells how long.
	ErrRateLimited = engine.Condition("rate limited")
	// ErrServer: the platform answered 5xx.
	ErrServer = engine.Condition("server error")
	// ErrOutcomeUnknown: a write may have been applied, but no good answer came, or one without a record.
	// Read before you repeat it.
	ErrOutcomeUnknown = engine.Condition("outcome unknown")
	// ErrNoAnswer: the platform could not be reached, the connection was cut, or an attempt took longer than
	// Config.AttemptTimeout. The end of the caller's own context is not meant.
	ErrNoAnswer = engine.Condition("no whole answer")
	// ErrCircuitOpen: nothing was sent, because the endpoint or the whole origin has failed too often recently.
	ErrCircuitOpen = engine.ErrCircuitOpen
	// ErrNotInVersion: the version of the service lacks what the input asks for.
	ErrNotInVersion = engine.Condition("not in this version of the API")
)

var errSecrets = errors.New("not as the contract has it (what it says is not shown: there may be secrets in it)")

// Error is the failure of one call: an answer outside 2xx, or no usable answer.
// It holds no query, no request body and no secret.
type Error struct {
	// Method and Route name the endpoint; Route is a template without values.
	Method, Route string
	// Status is the last HTTP status; 0 if there was no answer.
	Status int
	// Code, Message and Description are the platform's, as far as the body had them. Code is cut to 128 bytes, the
	// others to 1 KiB each.
	Code                 string
	Message, Description string
	// Fields holds the messages of a refused input by field name. Fields within others have names such as
	// "variants[0].sku". Names are cut to 128 bytes and messages to 1 KiB.
	Fields map[string][]string
	// RequestID is the platform's id of the request, if it gave one, cut to 128 bytes.
	RequestID string
	// Attempts is the number of attempts made, this one included; 0 if nothing was sent. Requests that were answered
	// 429 are waits and not attempts, so it is also 0 if each was.
	Attempts int
	// Rate is the state of the rate limit that the answer told.
	Rate Rate
	// RetryAfter is the time to wait that the platform or the limiter asks for, whichever is longer; 0 if neither does.
	RetryAfter time.Duration
	// Body is the answer's body, 64 KiB of it at most. It is as it came, so it may hold characters that the texts above
	// are cleaned of: control, format, separator and invisible ones.
	Body []byte

	cause   error
	unknown bool
	silent  bool      // no whole answer came
	waited  bool      // the wait for the rate limit would have been too long
	date    time.Time // of the answer
}

// Error prints endpoint, status and the platform's messages in one line of 3 KiB at most.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(printable.Line(e.Method+" "+e.Route, printable.MaxQuote+printable.MaxName) + ": ")
	switch {
	case e.Status != 0 && e.cause == nil:
		b.WriteString(strings.TrimSpace(fmt.Sprint(e.Status, " ", http.StatusText(e.Status)))) // a gateway's has no text
	case e.Status != 0:
		b.WriteString(strconv.Itoa(e.Status) + ": " + printable.Line(fmt.Sprint(e.cause), printable.MaxText))
	default:
		b.WriteString(printable.Line(fmt.Sprint(e.cause), printable.MaxText))
	}
	if said := e.said(); said != "" {
		b.WriteString(": " + said)
	}
	if e.unknown {
		b.WriteString(" (the write may have been applied: read before repeating it)")
	}
	if e.RetryAfter > 0 {
		fmt.Fprintf(&b, " (retry after %s)", e.RetryAfter.Round(time.Millisecond))
	}
	if e.Attempts > 1 {
		fmt.Fprintf(&b, " (%d attempts)", e.Attempts)
	}
	if e.RequestID != "" {
		fmt.Fprintf(&b, " (request %s)", printable.Line(e.RequestID, printable.MaxName))
	}
	return b.String()
}

// said returns the platform's messages in one line.
func (e *Error) said() string {
	var parts []string
	length := 0
	add := func(s string) {
		if length <= printable.MaxText {
			parts, length = append(parts, s), length+len(s)
		}
	}
	for _, s := range []string{e.Message, e.Description} {
		if s != "" && s != http.StatusText(e.Status) && !slices.Contains(parts, s) { // some answers say it twice
			add(s)
		}
	}
	for _, field := range sortedKeys(e.Fields) {
		add(field + ": " + strings.Join(e.Fields[field], ", "))
	}
	return printable.Line(strings.Join(parts, "; "), printable.MaxText)
}

// Unwrap returns the cause that is not the platform's: a network failure or the
// end of the context. The latter is context.Cause too, to errors.Is and errors.As.
func (e *Error) Unwrap() error { return e.cause }

// Is makes errors.Is find the sentinels of this package.
func (e *Error) Is(target error) bool {
	switch target {
	case ErrNotFound:
		return e.Status == http.StatusNotFound
	case ErrUnauthorized:
		return e.Status == http.StatusUnauthorized
	case ErrForbidden:
		return e.Status == http.StatusForbidden
	case ErrPaymentRequired:
		return e.Status == http.StatusPaymentRequired
	case ErrValidation:
		return e.Status == http.StatusUnprocessableEntity || e.Status == http.StatusBadRequest
	case ErrRateLimited:
		return e.Status == http.StatusTooManyRequests || e.waited
	case ErrServer:
		return e.Status >= http.StatusInternalServerError
	case ErrOutcomeUnknown:
		return e.unknown
	case ErrNoAnswer:
		return e.silent
	}
	return false
}

// Extra decodes the member name of the error body into v. It returns false if
// the body has no such member or v cannot hold it.
func (e *Error) Extra(name string, v any) bool {
	var members map[string]json.RawMessage
	if wire.Unmarshal(e.Body, &members) != nil {
		return false
	}
	raw, ok := members[name]
	return ok && wire.Unmarshal(raw, v) == nil
}

// ErrUnreadableItem says that one item of a list could not be read. The others are given, and
// the iteration goes on if it is let; an answer that is no list at all is not meant.
var ErrUnreadableItem = engine.Condition("an item of the list could not be read")

// DecodeError says that an answer, or one item of a list, could not be read, or holds no record where one is due.
type DecodeError struct {
	// Index is the place of the item in its page; -1 outside lists.
	Index int
	// Raw is the JSON that could not be read, 64 KiB of it at most.
	Raw []byte
	// Err tells the place in the JSON and what was wrong with it.
	Err error

	id ID // of an item, if it tells it
}

// Error prints the place and the reason, without the JSON.
func (e *DecodeError) Error() string {
	if e.Index >= 0 {
		return fmt.Sprintf("decode item %d: %s", e.Index, printable.Line(fmt.Sprint(e.Err), printable.MaxText))
	}
	return "decode answer: " + printable.Line(fmt.Sprint(e.Err), printable.MaxText)
}

// Unwrap returns Err.
func (e *DecodeError) Unwrap() error { return e.Err }

// Is reports that e is an ErrUnreadableItem if it is of an item.
func (e *DecodeError) Is(target error) bool { return target == ErrUnreadableItem && e.Index >= 0 }
