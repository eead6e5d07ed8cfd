package otelcommerce

import (
	"errors"

	"github.com/commerceplatform/commerce-go/discounts"
	"github.com/commerceplatform/commerce-go/payments"
	"github.com/commerceplatform/commerce-go/shipping"
	"github.com/commerceplatform/commerce-go/webhook"
)

// classes are values of error.type for errors of handlers, workers and sweeps. The first match is used.
var classes = []struct {
	name string
	errs []error
}{
	{"lease_lost", []error{webhook.ErrLeaseLost}},
	{"timeout", []error{webhook.ErrTimeout}},
	{"draining", []error{webhook.ErrDraining}},
	{"late", []error{webhook.ErrLate, discounts.ErrLate, shipping.ErrLate, payments.ErrLate}},
	{"busy", []error{webhook.ErrBusy, discounts.ErrBusy, shipping.ErrBusy, payments.ErrBusy}},
	{"full", []error{webhook.ErrFull}},
	{"gone", []error{webhook.ErrGone}},
	{"stale", []error{webhook.ErrStale}},
	{"unknown_store", []error{webhook.ErrUnknownStore}},
	{"unknown_event", []error{webhook.ErrUnknownEvent}},
	{"unhandled", []error{webhook.ErrUnhandled}},
	{"malformed", []error{webhook.ErrMalformed, discounts.ErrMalformed, shipping.ErrMalformed, payments.ErrMalformed}},
	{"invalid_answer", []error{discounts.ErrInvalid, shipping.ErrInvalid}},
	{"partial", []error{shipping.ErrPartial}},
	{"dropped", []error{discounts.ErrDropped, shipping.ErrDropped}},
	{"no_promotions", []error{discounts.ErrNoPromotions}},
	{"circuit_open", []error{shipping.ErrUpstream}},
	{"in_progress", []error{payments.ErrInProgress}},
}

// classOf returns the attribute error.type of an error of a handler, a worker or a sweep: its class, or otherwise that
// of the failed API call.
func classOf(err error) string {
	if errors.As(err, new(interface {
		error
		Panicked() any
	})) {
		return "panic"
	}
	for _, class := range classes {
		for _, one := range class.errs {
			if errors.Is(err, one) {
				return class.name
			}
		}
	}
	if name := errorType(err); name != otherType || !errors.Is(err, webhook.ErrPermanent) {
		return name
	}
	return "permanent"
}
