package otelcommerce

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	"github.com/commerceplatform/commerce-go/client"
)

// errHook ends a span whose call could not be observed further, because a hook of the app panicked.
var errHook = errors.New("the hook OnAttempt of the app panicked")

// otherType is the error.type of an error without a type here.
const otherType = "_OTHER"

// errorType returns the attribute error.type: the status if the answer is the error, otherwise a word.
func errorType(err error) string {
	if e, ok := errors.AsType[*client.Error](err); ok && answered(e.Status) && e.Status/100 != 2 {
		return strconv.Itoa(e.Status)
	}
	switch {
	case errors.Is(err, client.ErrCircuitOpen):
		return "circuit_open"
	case errors.Is(err, client.ErrRateLimited):
		return "rate_limited"
	case errors.Is(err, client.ErrNoAnswer): // first, because a slow dial is also a DeadlineExceeded
		return "no_answer"
	case errors.Is(err, context.Canceled):
		return "canceled"
	case errors.Is(err, context.DeadlineExceeded):
		return "deadline_exceeded"
	case errors.As(err, new(*client.DecodeError)):
		return "decode"
	case errors.Is(err, client.ErrValidation):
		return "invalid_request"
	}
	return otherType
}

// answered reports whether HTTP defines a status. A server may send any number of three digits, and each would be a
// series.
func answered(status int) bool { return status >= 100 && status <= 599 }

// description returns the text of a span's status, for errors of the connection and of decoding. It omits the
// platform's messages, because they may name customers, and errors of the app, such as those of its token source.
func description(err error) string {
	if e, ok := errors.AsType[*client.Error](err); ok && e.Status < http.StatusBadRequest {
		if errors.Is(err, client.ErrNoAnswer) || errors.As(err, new(*client.DecodeError)) {
			return e.Error()
		}
	}
	return ""
}
