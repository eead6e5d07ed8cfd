package payments

import (
	"context"
	"net/http"
	"net/url"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// ProcessHandler takes payments: a customer wants to pay an order. Callback and Process must
// be set. It must not be copied. Its address is configured for the app.
//
// It answers 201 if Process returned nil, with what it returned; 400, 401, 503 and the rest
// are as with RefundHandler.
type ProcessHandler struct {
	Callback
	// Process takes the payment of an attempt, and reports
	// how that went by TransactionService.Create: see ProcessRequest.Transaction. A card
	// that is declined is no error, but a transaction whose first event is a failure.
	//
	// That a payment is taken once is for Process to see to: it is called again for an attempt that is asked for
	// again later, or of another replica. So keep what was begun by PaymentAttemptID, where all replicas see it and
	// before the money moves.
	//
	// What it returns is written as JSON; nil is no body. The contract gives no form for it.
	// An error is answered 503.
	Process func(ctx context.Context, r ProcessRequest) (any, error)

	runs runs
}

// ProcessRequest is a customer trying to pay. The contract does not show its members: they
// are assumed to have the names that they have in a transaction, and what has another is in
// Extra.
type ProcessRequest struct {
	StoreID           client.ID `json:"store_id"`            // the store
	OrderID           client.ID `json:"order_id"`            // the order to be paid
	PaymentProviderID uuid.UUID `json:"payment_provider_id"` // of the app, in this store
	// PaymentAttemptID names the attempt, and is the key of all that is done for it.
	PaymentAttemptID client.Code   `json:"payment_attempt_id"`
	PaymentMethod    PaymentMethod `json:"payment_method"` // what the customer pays with
	Amount           Amount        `json:"amount"`         // what is to be paid
	Extra            client.Extra  `json:",embed"`
}

// Transaction returns the transaction that reports the payment.
func (r ProcessRequest) Transaction(first EventInput, info InfoInput) TransactionInput {
	return TransactionInput{
		PaymentProviderID: r.PaymentProviderID,
		PaymentMethod:     PaymentMethodInput{Type: r.PaymentMethod.Type, ID: r.PaymentMethod.ID},
		FirstEvent:        first,
		Info:              info,
		PaymentAttemptID:  string(r.PaymentAttemptID),
	}
}

// Check returns what is wrong with the configuration, or nil. Call it when the program
// starts: a handler that is misconfigured answers every request 503.
func (h *ProcessHandler) Check() error {
	return h.check("ProcessHandler", "Process", h.Process == nil)
}

// ServeHTTP implements http.Handler.
func (h *ProcessHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.serve(w, r, &h.runs, kind{call: CallProcess, method: http.MethodPost, check: h.Check, read: h.read})
}

func (h *ProcessHandler) read(raw []byte, _ url.Values) (run, error) {
	var in *ProcessRequest
	if err := wire.UnmarshalStrict(raw, &in); err != nil {
		return nil, err
	}
	if in == nil {
		return nil, client.Invalid("body", "null", "a payment")
	}
	return func(ctx context.Context) (answer, error) {
		out, err := h.Process(ctx, *in)
		if out == nil || err != nil {
			return answer{status: http.StatusCreated}, err
		}
		body, err := wire.Marshal(out)
		return answer{http.StatusCreated, body}, err
	}, nil
}
