package payments

import (
	"context"
	"net/http"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/providers"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// ProcessHandler is an http.Handler that takes payments of orders. Callback and Process must be set. It must not be
// copied. Its URL is configured for the app.
//
// It answers 201 with the result of Process if the error is nil; or another status, for the reasons that RefundHandler
// lists.
//
// Members may be missing. Members in another form than theirs are answered 400. A transaction requires the payment
// method, so check that it is there before the money moves.
type ProcessHandler struct {
	Callback
	// Process takes the payment of an attempt, and reports the result with TransactionService.Create: see
	// ProcessRequest.Transaction. A declined card is not an error, but a transaction whose first event is a failure.
	//
	// Process must be idempotent. It is called again if the attempt is requested later, or from another replica. So
	// store the operation by PaymentAttemptID, visible to all replicas, before the money moves.
	//
	// The result is encoded as JSON; nil means no body. The contract specifies no form. An error is answered 503,
	// or 400 if it wraps ErrMalformed.
	Process func(ctx context.Context, r ProcessRequest) (any, error)

	runs runs
}

// ProcessRequest is a customer's attempt to pay. The contract does not describe its members, so they are assumed to
// have the same names as in a transaction. Other members are in Extra.
type ProcessRequest struct {
	StoreID           client.ID `json:"store_id"`            // the store
	OrderID           client.ID `json:"order_id"`            // the order to pay
	PaymentProviderID uuid.UUID `json:"payment_provider_id"` // a provider of the app in this store
	// PaymentAttemptID identifies the attempt. Use it as the key of all operations.
	PaymentAttemptID client.Code             `json:"payment_attempt_id"`
	PaymentMethod    providers.PaymentMethod `json:"payment_method"` // the customer's payment method
	Amount           providers.Amount        `json:"amount"`         // the amount to pay
	Extra            client.Extra            `json:",embed"`
}

// Transaction returns the transaction that reports the payment.
func (r ProcessRequest) Transaction(first providers.EventInput, info providers.InfoInput) providers.TransactionInput {
	return providers.TransactionInput{
		PaymentProviderID: r.PaymentProviderID,
		PaymentMethod:     providers.PaymentMethodInput{Type: r.PaymentMethod.Type, ID: r.PaymentMethod.ID},
		FirstEvent:        first,
		Info:              info,
		PaymentAttemptID:  string(r.PaymentAttemptID),
	}
}

// Check returns an error that describes an invalid configuration, or nil. Call it at program start: a misconfigured
// handler answers every request 503.
func (h *ProcessHandler) Check() error {
	return h.check("ProcessHandler", "Process", h.Process == nil)
}

// ServeHTTP implements http.Handler.
func (h *ProcessHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.serve(w, r, &h.runs, kind{call: CallProcess, method: http.MethodPost, check: h.Check, read: h.read})
}

func (h *ProcessHandler) read(b body) run {
	in := readProcess(b)
	return func(ctx context.Context) (answer, error) {
		out, err := h.Process(ctx, in)
		if out == nil || err != nil {
			return answer{status: http.StatusCreated}, err
		}
		body, err := wire.Marshal(out)
		return answer{status: http.StatusCreated, body: body}, err
	}
}

// readProcess reads a payment. No member is required, because the contract names none.
func readProcess(b body) (in ProcessRequest) {
	in.StoreID = take(b, "store_id", "the id of a store", orMissing(positive))
	in.OrderID = take(b, "order_id", "the id of an order", orMissing(positive))
	in.PaymentProviderID = take(b, "payment_provider_id", "the id of a payment provider, a UUID", anything[uuid.UUID])
	in.PaymentAttemptID = take(b, "payment_attempt_id", "a text or a number", anything[client.Code])
	in.PaymentMethod = readMethod(b.object("payment_method"))
	in.Amount = readAmount(b, "a decimal of 0 or more", notNegative, orMissing(isCurrency))
	in.Extra = b.rest()
	return in
}

func readMethod(b body) (m providers.PaymentMethod) {
	m.Type = take(b, "type", "a text", anything[providers.MethodType])
	m.ID = take(b, "id", "a text or a number", anything[string])
	m.Extra = b.rest()
	return m
}

// readAmount reads the amount of a call. Members that the contract does not name are dropped.
func readAmount(b body, rule string, value func(client.Money) bool, currency func(string) bool) providers.Amount {
	in := b.object("amount")
	return providers.Amount{
		Value: take(in, "value", rule, value), Currency: take(in, "currency", "an ISO 4217 code", currency),
	}
}

func notNegative(m client.Money) bool { return m.Cmp(client.Money{}) >= 0 }

func isCurrency(code string) bool { return wire.IsCode(code, 3) }
