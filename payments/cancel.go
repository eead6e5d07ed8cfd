package payments

import (
	"context"
	"net/http"
	"net/url"

	"github.com/commerceplatform/commerce-go/internal/engine"
)

// CancelHandler is an http.Handler that cancels payment attempts. Callback and Cancel must be set. It must not be
// copied. Its URL is configured for the app. The platform adds ?payment_attempt_id=.
//
// It answers 200 if Cancel returned nil; or another status, for the reasons that RefundHandler lists. The platform
// repeats a call, at growing intervals, until it is answered 200.
type CancelHandler struct {
	Callback
	// Cancel cancels an attempt. It may be called repeatedly, and for an unknown attempt, and must then return nil.
	// The call to charge that attempt can arrive later, or be in progress, also in another replica. Cashier.Cancel
	// handles that.
	Cancel func(ctx context.Context, attempt string) error

	runs runs
}

// Check returns an error that describes an invalid configuration, or nil. Call it at program start: a misconfigured
// handler answers every request 503.
func (h *CancelHandler) Check() error {
	return h.check("CancelHandler", "Cancel", h.Cancel == nil)
}

// ServeHTTP implements http.Handler.
func (h *CancelHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.serve(w, r, &h.runs, kind{call: CallCancel, method: http.MethodPost, check: h.Check, ask: h.ask})
}

func (h *CancelHandler) ask(query url.Values) (run, error) {
	const name = "payment_attempt_id"
	attempt := query.Get(name)
	if attempt == "" || len(query[name]) > 1 {
		return nil, engine.Invalid(name, attempt, "one attempt")
	}
	return func(ctx context.Context) (answer, error) {
		return answer{status: http.StatusOK}, h.Cancel(ctx, attempt)
	}, nil
}
