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
	in, err := readProcess(raw)
	return func(ctx context.Context) (answer, error) {
		out, err := h.Process(ctx, in)
		if out == nil || err != nil {
			return answer{status: http.StatusCreated}, err
		}
		body, err := wire.Marshal(out)
		return answer{status: http.StatusCreated, body: body}, err
	}, err
}

// readProcess reads a payment. No member is required, because the contract names none.
func readProcess(raw []byte) (in ProcessRequest, err error) {
	b, err := readBody(raw)
	if err != nil {
		return in, err
	}
	in.StoreID = take[client.ID](b, "store_id", "the id of a store", nil)
	in.OrderID = take[client.ID](b, "order_id", "the id of an order", nil)
	in.PaymentProviderID = take[uuid.UUID](b, "payment_provider_id", "the id of a payment provider, a UUID", nil)
	in.PaymentAttemptID = take[client.Code](b, "payment_attempt_id", "a text or a number", nil)
	in.PaymentMethod = readMethod(b.object("payment_method"))
	in.Amount = readAmount(b.object("amount"), nil, nil)
	in.Extra = b.rest()
	return in, b.err()
}

func readMethod(b body) (m PaymentMethod) {
	m.Type = take[MethodType](b, "type", "a text", nil)
	m.ID = take[string](b, "id", "a text or a number", nil)
	m.Extra = b.rest()
	return m
}

// readAmount reads an amount. Members that the contract does not name are dropped.
func readAmount(b body, value func(client.Money) bool, currency func(string) bool) Amount {
	rule := "a decimal"
	if value != nil {
		rule = "a decimal of more than 0"
	}
	return Amount{take(b, "value", rule, value), take(b, "currency", "an ISO 4217 code", currency)}
}
