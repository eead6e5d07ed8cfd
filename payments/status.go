package payments

import (
	"context"
	"net/http"
	"net/url"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/providers"
	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// StatusHandler is an http.Handler that returns the payments of an order. Callback and Status must be set. It must
// not be copied. Its URL is configured for the app. The platform adds ?order_id=.
//
// It answers 200 with the result of Status; or another status, for the reasons that RefundHandler lists.
type StatusHandler struct {
	Callback
	// Status returns the app's transactions of an order; none for an unknown order. The contract specifies no form.
	// They are written as the platform writes transactions.
	Status func(ctx context.Context, order client.ID) ([]providers.Transaction, error)

	runs runs
}

// Check returns an error that describes an invalid configuration, or nil. Call it at program start: a misconfigured
// handler answers every request 503.
func (h *StatusHandler) Check() error {
	return h.check("StatusHandler", "Status", h.Status == nil)
}

// ServeHTTP implements http.Handler.
func (h *StatusHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.serve(w, r, &h.runs, kind{call: CallStatus, method: http.MethodGet, check: h.Check, ask: h.ask, repeatable: true})
}

func (h *StatusHandler) ask(query url.Values) (run, error) {
	const name = "order_id"
	order, err := client.ParseID(query.Get(name))
	if err != nil || order <= 0 || len(query[name]) > 1 {
		return nil, engine.Invalid(name, query.Get(name), "the id of one order")
	}
	return func(ctx context.Context) (answer, error) {
		transactions, err := h.Status(ctx, order)
		if err != nil {
			return answer{}, err
		}
		body, err := wire.Marshal(map[string][]providers.Transaction{"transactions": transactions})
		return answer{status: http.StatusOK, body: body}, err
	}, nil
}
