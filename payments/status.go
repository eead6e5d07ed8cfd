package payments

import (
	"context"
	"net/http"
	"net/url"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// StatusHandler tells of the payments of an order. Callback and Status must be set. It must
// not be copied. Its address is configured for the app; the platform adds ?order_id=.
//
// It answers 200 with what Status returned; 400, 401, 503 and the rest are as with
// RefundHandler.
type StatusHandler struct {
	Callback
	// Status returns the transactions that the app has of an order, none for one that it
	// never saw. The contract gives no form for them: they are written as the platform shows
	// transactions.
	Status func(ctx context.Context, order client.ID) ([]Transaction, error)

	runs runs
}

// Check returns what is wrong with the configuration, or nil. Call it when the program
// starts: a handler that is misconfigured answers every request 503.
func (h *StatusHandler) Check() error {
	return h.check("StatusHandler", "Status", h.Status == nil)
}

// ServeHTTP implements http.Handler.
func (h *StatusHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.serve(w, r, &h.runs, kind{call: CallStatus, method: http.MethodGet, check: h.Check, read: h.read, queried: true, repeatable: true})
}

func (h *StatusHandler) read(_ []byte, query url.Values) (run, error) {
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
		body, err := wire.Marshal(map[string][]Transaction{"transactions": transactions})
		return answer{status: http.StatusOK, body: body}, err
	}, nil
}
