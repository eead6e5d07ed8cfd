package client

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/internal/condition"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Sentinel errors for errors.Is.
var (
	// ErrNotFound means that the platform answered 404. This error and those for other statuses below 500 require a
	// response in a form of the contract. Another response with such a status is ErrIntermediary.
	ErrNotFound = condition.ErrNotFound
	// ErrUnauthorized means 401: the token is not valid, or not any more.
	ErrUnauthorized = condition.ErrUnauthorized
	// ErrForbidden means 403: a scope or a feature of the store is missing.
	ErrForbidden = condition.ErrForbidden
	// ErrPaymentRequired means 402: the payment of the store or of the app lapsed.
	ErrPaymentRequired = condition.ErrPaymentRequired
	// ErrValidation means 400 or 422, or an input that was rejected before it was sent.
	ErrValidation = condition.ErrValidation
	// ErrRateLimited means 429, or that the wait for the rate limit would have been too long. Error.RetryAfter is the
	// time to wait.
	ErrRateLimited = condition.ErrRateLimited
	// ErrServer means that the platform answered 5xx.
	ErrServer = condition.ErrServer
	// ErrIntermediary means that a proxy, a gateway, a firewall or another system between the app and the platform
	// answered 400, 401, 402, 403, 404, 409, 422 or 429. Such a response has not the form that the contract describes,
	// for example an HTML page, no body or {"message": "no Route matched"}. It says nothing about the record, the token
	// or the store, so errors.Is finds none of the sentinels for these statuses. It is transient, like a 502: the same
	// calls are retried, and after a write the outcome is unknown.
	ErrIntermediary = condition.ErrIntermediary
	// ErrOutcomeUnknown means that a write may have been applied, but that no usable response arrived, or one without a
	// record. Read the record before you repeat the write.
	ErrOutcomeUnknown = condition.New("outcome unknown")
	// ErrNoAnswer means that the platform could not be reached, that the connection was cut, or that an attempt took
	// longer than Config.AttemptTimeout. It does not include the end of the caller's own context.
	ErrNoAnswer = condition.ErrNoAnswer
	// ErrCircuitOpen means that nothing was sent, because the endpoint or the whole origin has failed too often
	// recently.
	ErrCircuitOpen = condition.ErrCircuitOpen
	// ErrNotInVersion means that the version of the service lacks something that the input requires.
	ErrNotInVersion = condition.New("not in this version of the API")
)

var errSecrets = errors.New("does not match the contract (details are not shown, because they may contain secrets)")

// Error is the failure of one call: a response outside 2xx, or no usable response. It holds no query, no request body
// and no secret.
type Error struct {
	// Method and Route name the endpoint; Route is a template without values.
	Method, Route string
	// Status is the last HTTP status; 0 if there was no answer.
	Status int
	// Code, Message and Description are from the response, and empty if its body has none. Code is cut to 128 bytes,
	// the others to 1 KiB each.
	Code                 string
	Message, Description string
	// Fields holds the messages about the fields of a rejected input, by field name. Nested fields have names such as
	// "variants[0].sku". Names are cut to 128 bytes and messages to 1 KiB.
	Fields map[string][]string
	// RequestID is the platform's id of the request, cut to 128 bytes. It is empty if the response has none.
	RequestID string
	// Attempts is the number of attempts made, including this one; 0 if nothing was sent. Requests that were answered
	// 429 are waits and not attempts, so it is also 0 if all requests were answered 429.
	Attempts int
	// Rate is the state of the rate limit that the response reports.
	Rate Rate
	// RetryAfter is the time to wait that the platform or the limiter requires, whichever is longer; 0 if neither does.
	RetryAfter time.Duration
	// Body is the response body, at most 64 KiB of it. It is unchanged, so it may contain control, format, separator
	// and invisible characters. These are removed from the texts above.
	Body []byte

	cause   error
	unknown bool
	silent  bool      // no whole answer arrived
	foreign bool      // an intermediary answered
	waited  bool      // the wait for the rate limit would have been too long
	date    time.Time // of the answer
}

// Error returns the endpoint, the status and the platform's messages in one line of at most 3 KiB.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(wire.Line(e.Method+" "+e.Route, wire.MaxQuote+wire.MaxName) + ": ")
	switch {
	case e.Status != 0 && e.cause == nil:
		b.WriteString(strings.TrimSpace(fmt.Sprint(e.Status, " ", http.StatusText(e.Status)))) // statuses of gateways may have no text
	case e.Status != 0:
		b.WriteString(strconv.Itoa(e.Status) + ": " + wire.Line(fmt.Sprint(e.cause), wire.MaxText))
	default:
		b.WriteString(wire.Line(fmt.Sprint(e.cause), wire.MaxText))
	}
	if e.foreign {
		b.WriteString(": not in a form of the platform, so a proxy or gateway may have answered")
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
		fmt.Fprintf(&b, " (request %s)", wire.Line(e.RequestID, wire.MaxName))
	}
	return b.String()
}

// said returns the platform's messages in one line.
func (e *Error) said() string {
	var parts []string
	length := 0
	add := func(s string) {
		if length <= wire.MaxText {
			parts, length = append(parts, s), length+len(s)
		}
	}
	for _, s := range []string{e.Message, e.Description} {
		if s != "" && s != http.StatusText(e.Status) && !slices.Contains(parts, s) { // some responses repeat the message
			add(s)
		}
	}
	for _, field := range sortedKeys(e.Fields) {
		add(field + ": " + strings.Join(e.Fields[field], ", "))
	}
	return wire.Line(strings.Join(parts, "; "), wire.MaxText)
}

// Unwrap returns the cause if it is not the platform's: a network failure or the end of the context. For the latter,
// errors.Is and errors.As also find context.Cause.
func (e *Error) Unwrap() error { return e.cause }

// Is makes errors.Is find the sentinels of this package.
func (e *Error) Is(target error) bool {
	switch target {
	case ErrNotFound:
		return e.refusedWith(http.StatusNotFound)
	case ErrUnauthorized:
		return e.refusedWith(http.StatusUnauthorized)
	case ErrForbidden:
		return e.refusedWith(http.StatusForbidden)
	case ErrPaymentRequired:
		return e.refusedWith(http.StatusPaymentRequired)
	case ErrValidation:
		return e.refusedWith(http.StatusUnprocessableEntity) || e.refusedWith(http.StatusBadRequest)
	case ErrRateLimited:
		return e.refusedWith(http.StatusTooManyRequests) || e.waited
	case ErrIntermediary:
		return e.foreign
	case ErrServer:
		return e.Status >= http.StatusInternalServerError
	case ErrOutcomeUnknown:
		return e.unknown
	case ErrNoAnswer:
		return e.silent
	}
	return false
}

// As sets the wait that a worker of package webhook gives to the record.
func (e *Error) As(target any) bool {
	wait, ok := target.(*condition.Wait)
	if ok = ok && (e.RetryAfter > 0 || e.Is(ErrRateLimited)); ok {
		wait.After = e.RetryAfter
	}
	return ok
}

// refusedWith reports whether the platform itself answered with the status. If there is a cause, its words did not
// arrive.
func (e *Error) refusedWith(status int) bool {
	return e.Status == status && !e.foreign && e.cause == nil
}

// isRefusal reports whether err is an answer of the platform itself with the status.
func isRefusal(err error, status int) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && e.refusedWith(status)
}

// Extra decodes the member name of the error body into v. It returns false if the body has no such member or v cannot
// hold its value.
func (e *Error) Extra(name string, v any) bool {
	var members map[string]json.RawMessage
	if wire.Unmarshal(e.Body, &members) != nil {
		return false
	}
	raw, ok := members[name]
	return ok && wire.Unmarshal(raw, v) == nil
}

// ErrUnreadableItem means that one item of a list could not be read. The other items are returned, and the iteration
// can continue. A response that is not a list at all is another error.
var ErrUnreadableItem = condition.ErrUnreadableItem

// OnlyUnreadable reports whether err is only about items of lists that could not be read, so that nothing else is
// missing. An error of List.Collect may also wrap the failure of a page.
func OnlyUnreadable(err error) bool { return condition.OnlyUnreadable(err) }

// DecodeError means that a response, or one item of a list, could not be read, or has no record although one is
// required.
type DecodeError struct {
	// Index is the position of the item in its page, from 0; -1 outside lists.
	Index int
	// Raw is the JSON that could not be read, at most 64 KiB of it.
	Raw []byte
	// Err describes the position in the JSON and the error there.
	Err error

	id ID // of an item; 0 if it cannot be read
}

// Error returns the position and the reason, without the JSON.
func (e *DecodeError) Error() string {
	switch {
	case e.Index >= 0 && e.id != 0:
		return fmt.Sprintf("decode item %d, id %d: %s", e.Index, e.id, wire.Line(fmt.Sprint(e.Err), wire.MaxText))
	case e.Index >= 0:
		return fmt.Sprintf("decode item %d: %s", e.Index, wire.Line(fmt.Sprint(e.Err), wire.MaxText))
	}
	return "decode answer: " + wire.Line(fmt.Sprint(e.Err), wire.MaxText)
}

// Unwrap returns Err.
func (e *DecodeError) Unwrap() error { return e.Err }

// Is reports true for ErrUnreadableItem if e is about an item of a list.
func (e *DecodeError) Is(target error) bool {
	return target == ErrUnreadableItem && e.Index >= 0 || target == condition.ErrPage && e.isPage()
}

// isPage reports whether an answer of success had a page or nothing in the place of JSON.
func (e *DecodeError) isPage() bool {
	body := bytes.TrimSpace(bytes.TrimPrefix(e.Raw, []byte("\uFEFF")))
	return e.Index < 0 && (len(body) == 0 || body[0] == '<')
}

// Unavailable reports whether an error says that another system cannot be used now: the platform, a server of the app,
// or its database. The record that the app works on is not at fault, so the same work will succeed later. These are
//
//   - ErrNoAnswer, ErrServer, ErrCircuitOpen and ErrIntermediary
//   - a redirect, a page or nothing in the place of JSON, as the login of a network answers
//   - errors of package net, timeouts and cut connections of net/http
//   - driver.ErrBadConn, sql.ErrConnDone, and errors of a database with a method SQLState that returns a code of the
//     classes 08 (connection), 53 (resources) and 57 (operator intervention, except 57014), or 25006 (read-only)
//
// The end of a context is none of them: it may be the fault of the caller.
func Unavailable(err error) bool { return condition.Unavailable(err) }
