package shipping

import (
	"errors"

	"github.com/commerceplatform/commerce-go/internal/callback"
)

// ErrNoCoverage is what a function returns if the carrier does not go there, or not with these
// items. It is answered 422: the merchant's fallback option is shown, and for a minute the platform
// does not ask again. No rates and no error mean the same.
var ErrNoCoverage = errors.New("no coverage")

// ErrPartial is what a function wraps in the error that it returns beside rates, if some rates are missing, for example
// because one of several services did not answer:
//
//	return rates, fmt.Errorf("express: %w: %w", err, shipping.ErrPartial)
//
// The rates are answered, and the error is reported and in Answer.Err. They are not kept, neither for the next request
// nor for outages, so that the next request calls the function again; the platform may keep them for 15 minutes all the
// same. Nothing counts against the carrier. Without rates it is an error like others.
var ErrPartial = errors.New("some rates are missing")

// Refusal is what a function returns if it knows why there are no rates: the credentials of the merchant
// have lapsed, or a parcel is too large. The merchant's fallback option is shown, and the
// answer does not count against the carrier.
type Refusal struct {
	// Code is a word for the reason, such as contract_expired. It is in the answer.
	Code string
	// Passing: it may be over with the next request, so the platform is to ask again (409). Otherwise
	// it does not for a minute (422).
	Passing bool
}

// Error prints the code.
func (r *Refusal) Error() string { return "refused: " + callback.Printable(r.Code, callback.MostShown) }

// Why it is not known what a function has to say.
var (
	// ErrLate: the answer was due before the function returned.
	ErrLate = errors.New("the function was late")
	// ErrBusy: MaxRuns of the handler were in progress.
	ErrBusy = errors.New("too many requests in progress")
	// ErrUpstream: the function failed so often of late that it is not called for some seconds.
	ErrUpstream = errors.New("the function failed too often of late")
	// ErrVolatile: the function gave different answers to requests with equal keys, so the
	// platform shows buyers the rates of others.
	ErrVolatile = errors.New("different rates for equal keys")
	// ErrShared: Handler.Shared failed, took too long or returned what no Handler has put. The request went on without
	// it.
	ErrShared = errors.New("shared cache")
)
