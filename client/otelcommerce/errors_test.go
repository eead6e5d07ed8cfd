package otelcommerce

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/shipping"
	"github.com/commerceplatform/commerce-go/webhook"
)

// panicked is a panic as handlers report it.
type panicked struct{ error }

func (panicked) Panicked() any { return "no" }

func TestClassOf(t *testing.T) {
	of := func(errs ...error) error { return fmt.Errorf("of ana@example.com: %w", errors.Join(errs...)) }
	answer := &client.Error{Status: 422}
	for want, err := range map[string]error{
		"panic":             of(panicked{errors.New("x")}, webhook.ErrTimeout),
		"lease_lost":        of(context.Canceled, webhook.ErrLeaseLost),
		"timeout":           of(context.DeadlineExceeded, webhook.ErrTimeout),
		"422":               of(answer, webhook.ErrPermanent),
		"permanent":         of(webhook.ErrPermanent),
		"partial":           of(shipping.ErrPartial, answer),
		"deadline_exceeded": of(context.DeadlineExceeded),
		"_OTHER":            of(errors.New("x")),
	} {
		if got := classOf(err); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
