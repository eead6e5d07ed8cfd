package shipping

import (
	"errors"

	"github.com/commerceplatform/commerce-go/internal/callback"
)

// ErrNoCoverage is returned by a function if the carrier does not serve the destination, or not with these items. The
// handler answers 422: the merchant's fallback option is displayed, and the platform does not repeat the request for
// a minute. No rates and no error mean the same.
var ErrNoCoverage = errors.New("no coverage")

// ErrPartial is wrapped by the error that a function returns together with rates if some rates are missing, for
// example because one of several services did not answer:
//
//	return rates, fmt.Errorf("express: %w: %w", err, shipping.ErrPartial)
//
// The rates are sent, and the error is reported and in Answer.Err. The rates are not cached, so the next request
// calls the function again. The platform may still cache them for 15 minutes. The answer does not count as a failure.
// Without rates, ErrPartial is treated as any other error.
var ErrPartial = errors.New("some rates are missing")

// Refusal is the error of a function that knows why there are no rates: the merchant's credentials have expired, or a
// parcel is too large, for example. The merchant's fallback option is displayed, and the answer does not count as a
// failure.
type Refusal struct {
	// Code is a short reason, such as contract_expired. It is included in the answer.
	Code string
	// Passing means that the next request may succeed. The handler then answers 409, and the platform may repeat the
	// request at once. Otherwise it answers 422, and the platform waits a minute.
	Passing bool
}

// Error returns the code in a message.
func (r *Refusal) Error() string { return "refused: " + callback.Printable(r.Code, callback.MostShown) }

// Errors for requests without a result of the function.
var (
	// ErrLate means that the function did not return in time.
	ErrLate = callback.ErrLate
	// ErrBusy means that MaxRuns calls of the handler were in progress, or two with the same key.
	ErrBusy = callback.ErrBusy
	// ErrMalformed means that a callback is not strict JSON, or lacks a member that the answer requires. It is also
	// reported if other members of a request could not be read. The request is then answered without them.
	ErrMalformed = callback.ErrMalformed
	// ErrUpstream means that the function failed so often recently that it is not called for a few seconds.
	ErrUpstream = errors.New("the function failed too often recently")
	// ErrVolatile means that the function returned different answers to requests with equal keys. Therefore the
	// platform shows customers the rates of others.
	ErrVolatile = errors.New("different rates for equal keys")
	// ErrShared means that Handler.Shared failed, was too slow, or returned a value that no Handler stored. The
	// request was processed without it.
	ErrShared = errors.New("shared cache")
)
