package payments

import (
	"context"
	"net/http"
	"net/url"

	"github.com/commerceplatform/commerce-go/internal/engine"
)

// CancelHandler gives payment attempts up. Callback and Cancel must be set. It must not be
// copied. Its address is configured for the app; the platform adds ?payment_attempt_id=.
//
// It answers 200 if Cancel returned nil; 400, 401, 503 and the rest are as with
// RefundHandler. The platform repeats a call, later and later, until it is answered 200.
type CancelHandler struct {
	Callback
	// Cancel gives up an attempt. It is called again for an attempt that it gave up already,
	// and for one that it never saw, and returns nil then. The call to charge that attempt may arrive later, or be in
	// progress, also in another replica. Cashier.Cancel takes care of that.
	Cancel func(ctx context.Context, attempt string) error

	runs runs
}

// Check returns what is wrong with the configuration, or nil. Call it when the program
// starts: a handler that is misconfigured answers every request 503.
func (h *CancelHandler) Check() error {
	return h.check("CancelHandler", "Cancel", h.Cancel == nil)
}

// ServeHTTP implements http.Handler.
func (h *CancelHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.serve(w, r, &h.runs, kind{call: CallCancel, method: http.MethodPost, check: h.Check, read: h.read, queried: true})
}

func (h *CancelHandler) read(_ []byte, query url.Values) (run, error) {
	const name = "payment_attempt_id"
	attempt := query.Get(name)
	if attempt == "" || len(query[name]) > 1 {
		return nil, engine.Invalid(name, attempt, "one attempt")
	}
	return func(ctx context.Context) (answer, error) {
		return answer{status: http.StatusOK}, h.Cancel(ctx, attempt)
	}, nil
}
