package shipping

import (
	"errors"

	"github.com/commerceplatform/commerce-go/internal/callback"
)

// ErrNoCoverage is what a function returns if the carrier does not go there, or not with these
// items. It is answered 422: the merchant's fallback option is shown, and for a minute the platform
// does not ask again. No rates and no error mean the same.
var ErrNoCoverage = errors.New("no coverage")

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
)
