package rules

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/callback"
)

// Check returns an error that describes an invalid configuration, or nil. Call it at program start: a misconfigured
// Handler answers every request 204.
func (h *Handler) Check() error {
	var wrong callback.Check
	wrong.Refuse(h.Payments == nil && h.Shipping == nil && h.Locations == nil && h.Cart == nil,
		"no function: set Payments, Shipping, Locations or Cart")
	wrong.Refuse(h.Sources == nil && !h.Guarded, "neither Sources nor Guarded is set, so anyone could call")
	wrong.Refuse(h.Sources != nil && h.Guarded, "Guarded must not be set together with Sources")
	wrong.Refuse(h.Budget != 0 && (h.Budget < MinBudget || h.Budget > MaxBudget),
		"Budget is %v: must be 0 or %v to %v", h.Budget, MinBudget, MaxBudget)
	wrong.Refuse(h.ReadTime < 0 || h.ReadTime > cmp.Or(h.Budget, DefaultBudget),
		"ReadTime is %v: must be 0 to Budget", h.ReadTime)
	wrong.Refuse(h.MaxBody < 0, "MaxBody is %d: must be 0 or more", h.MaxBody)
	wrong.CheckRoom(h.MaxReceiving, cmp.Or(h.MaxBody, DefaultMaxBody))
	wrong.Refuse(h.MaxRuns < 0, "MaxRuns is %d: must be 0 or more", h.MaxRuns)
	return wrong.Err("rules")
}

// serving is the state of a Handler that serves.
type serving struct {
	maxBody    int64
	bodies     *callback.Bodies
	refusals   callback.Refusals
	budget     time.Duration
	readTime   time.Duration
	gate       *callback.Gate
	processors *callback.Processors
}

// ready prepares the Handler at the first request. It returns nil if the configuration is invalid.
func (h *Handler) ready(ctx context.Context) *serving {
	h.once.Do(func() {
		if err := h.Check(); err != nil {
			h.fail(ctx, &Request{}, err)
			return
		}
		maxBody := cmp.Or(h.MaxBody, DefaultMaxBody)
		h.engine = &serving{
			maxBody:    maxBody,
			bodies:     callback.NewBodies(callback.Room(h.MaxReceiving, DefaultMaxReceiving, maxBody)),
			budget:     cmp.Or(h.Budget, DefaultBudget),
			readTime:   cmp.Or(h.ReadTime, DefaultReadTime),
			gate:       callback.NewGate(cmp.Or(h.MaxRuns, DefaultMaxRuns)),
			processors: callback.NewProcessors(),
		}
	})
	return h.engine
}

// receive returns the whole body of a request of the platform, or an error. If the request is not from the platform,
// it returns the refusal.
func (h *Handler) receive(
	w http.ResponseWriter, r *http.Request, e *serving, arrived time.Time,
) (raw []byte, refused *client.Refused, err error) {
	if !callback.Open(w, r, http.MethodPost, arrived.Add(e.readTime)) {
		return nil, callback.RefusedMethod(r, http.MethodPost), nil
	}
	if h.Sources != nil && !h.Sources.Allows(r) {
		unlisted, _ := h.Sources.Refuses(r)
		unlisted.Status = http.StatusForbidden
		return nil, &unlisted, nil
	}
	raw, err = e.bodies.Read(w, r, e.maxBody)
	switch {
	case errors.Is(err, callback.ErrFull):
		full := callback.RefusedBody(err)
		full.Status = http.StatusNoContent // no rule, as if the function were late
		return nil, full, nil
	case err != nil:
		return nil, nil, fmt.Errorf("%w: the body did not arrive: %w", ErrMalformed, err)
	}
	e.bodies.Done(raw)
	return raw, nil, nil
}
