package discounts

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/commerceplatform/commerce-go/internal/callback"
)

// Check returns what is wrong with the configuration, or nil. Call it when the program
// starts: a Handler that is misconfigured answers every request 204.
func (h *Handler) Check() error {
	var wrong callback.Check
	wrong.Refuse(h.Plans.Raw == nil && h.Plans.LineItems == nil && h.Plans.CrossItems == nil, "no plan")
	wrong.Refuse(h.Plans.Raw != nil && (h.Plans.LineItems != nil || h.Plans.CrossItems != nil), "Plans.Raw beside LineItems or CrossItems")
	wrong.Refuse(h.Registry == nil || h.Registry.Load == nil, "no Registry with Load")
	wrong.Refuse(h.Sources == nil && len(h.Secrets) == 0 && !h.Guarded, "neither Sources nor Secrets, nor Guarded: anybody could send carts")
	wrong.Refuse(h.Guarded && (h.Sources != nil || len(h.Secrets) > 0), "Guarded beside Sources or Secrets")
	wrong.Refuse(h.Either && (h.Sources == nil || len(h.Secrets) == 0), "Either without both Sources and Secrets")
	callback.Secrets(&wrong, h.Secrets)
	wrong.Refuse(!callback.IsToken(h.headerName()), "header name %q is not one of HTTP", h.HeaderName)
	wrong.Refuse(h.Late != Keep && h.Late != RemoveOwn, "Late is %d: want Keep or RemoveOwn", h.Late)
	wrong.Refuse(h.Budget != 0 && (h.Budget < MinBudget || h.Budget > MaxBudget), "Budget is %v: want 0 or %v to %v", h.Budget, MinBudget, MaxBudget)
	wrong.Refuse(h.Linger < 0 || h.Linger > MaxLinger, "Linger is %v: must be 0 to %v", h.Linger, MaxLinger)
	wrong.Refuse(h.ReadTime < 0 || h.ReadTime > cmp.Or(h.Budget, DefaultBudget), "ReadTime is %v: want 0 to Budget", h.ReadTime)
	wrong.Refuse(h.MaxBody < 0, "MaxBody is %d: want 0 or more", h.MaxBody)
	wrong.Refuse(h.MaxRuns < 0, "MaxRuns is %d: want 0 or more", h.MaxRuns)
	return wrong.Err("discounts")
}

// engine is a Handler made ready to serve.
type engine struct {
	header     string
	maxBody    int64
	budget     time.Duration
	linger     time.Duration
	readTime   time.Duration
	gate       *gate
	processors *processors
	late       memory
	promises   promises
}

// ready makes the engine with the first request, or returns nil if it cannot be.
func (h *Handler) ready(ctx context.Context) *engine {
	h.once.Do(func() {
		if err := h.Check(); err != nil {
			h.reporter().tell(context.WithoutCancel(ctx), &Failure{Err: err})
			return
		}
		h.engine = &engine{
			header:     h.headerName(),
			maxBody:    cmp.Or(h.MaxBody, DefaultMaxBody),
			budget:     cmp.Or(h.Budget, DefaultBudget),
			linger:     cmp.Or(h.Linger, DefaultLinger),
			readTime:   cmp.Or(h.ReadTime, DefaultReadTime),
			gate:       newGate(cmp.Or(h.MaxRuns, DefaultMaxRuns)),
			processors: newProcessors(),
		}
	})
	return h.engine
}

func (h *Handler) headerName() string { return cmp.Or(h.HeaderName, SignatureHeader) }

// receive returns the body of a request that is from the platform: whole, or an error
// that says why it is not. The status is 0, or that of a request from somebody else.
func (h *Handler) receive(w http.ResponseWriter, r *http.Request, e *engine, arrived time.Time) (raw []byte, status int, err error) {
	if !callback.Open(w, r, http.MethodPost, arrived.Add(e.readTime)) {
		return nil, http.StatusMethodNotAllowed, nil
	}
	listed := h.Sources != nil && h.Sources.Allows(r)
	if h.Sources != nil && !listed && !h.Either {
		return nil, http.StatusForbidden, nil
	}
	verify := len(h.Secrets) > 0 && !(h.Either && listed)
	signature, ok := claimed(r.Header.Values(e.header))
	if verify && !ok {
		return nil, http.StatusForbidden, nil
	}
	if raw, err = callback.Body(w, r, e.maxBody); err != nil {
		// What it was signed over is not here. If it is the platform's, 403 would cost the cart its discounts; a stranger
		// gets nothing done, and his cart is not looked at.
		return nil, 0, fmt.Errorf("%w: the body did not arrive: %w", ErrMalformed, err)
	}
	if verify && !signed(h.Secrets, signature, raw) {
		return nil, http.StatusForbidden, nil
	}
	return raw, 0, nil
}
