package payments

import (
	"context"
	"errors"
	"net/http"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/providers"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// RefundHandler is an http.Handler for InfoInput.RefundURL, at which the platform requests a full or partial refund
// of a transaction for the merchant. Callback and Refund must be set. It must not be copied.
//
// It answers:
//
//	202  Refund returned nil
//	422  Refund returned a RefundRefusal, which is in the answer
//	400  the call is signed and malformed
//	401  not exactly one fresh signature with one of the Keys
//	503  Refund failed or was late, too many are in progress, or the configuration is invalid
//
// It also answers 405, 408, 413 and 415 as HTTP defines them.
//
// The contract does not say that this call is signed, unlike calls about payments. It is assumed to be signed
// [inferred]. If the platform does not sign it, all calls are answered 401.
//
// Concurrent equal calls, and a call that is resent unchanged, are one run of Refund. This holds within this process.
// For resent calls it holds for MaxAge and among the last 100,000. Otherwise a repeated call cannot be distinguished
// from a second refund of the same amount: see Refund.
type RefundHandler struct {
	Callback
	// Refund starts a refund. Later the app reports the result as an event: see RefundRequest.Event. An error is
	// answered 503, which does not mean to the platform that nothing was refunded. The same is true if Refund is
	// late: it continues.
	//
	// So store the operation by TransactionID before the money moves, and return RefundRefusalAlreadyInProcess while
	// a refund of the transaction is not reported.
	Refund func(ctx context.Context, r RefundRequest) error

	runs runs
}

// RefundRequest is a request for a refund.
type RefundRequest struct {
	StoreID           client.ID `json:"store_id"`            // the store
	PaymentProviderID uuid.UUID `json:"payment_provider_id"` // a provider of the app in this store
	TransactionID     uuid.UUID `json:"transaction_id"`      // the transaction
	// Amount is above 0. It is less than the transaction's amount only if the transaction has SupportsPartialRefund.
	Amount providers.Amount `json:"amount"`
	Extra  client.Extra     `json:",embed"`
}

// Event returns the event that reports the result of the refund. A failure requires a FailureCode.
func (r RefundRequest) Event(s providers.EventStatus) providers.EventInput {
	return providers.EventInput{Amount: r.Amount, Type: providers.EventTypeRefund, Status: s}
}

// RefundRefusal is the reason why a refund is not made. It is an error for RefundHandler.Refund to return, wrapped or
// not.
type RefundRefusal string

// The values of RefundRefusal.
const (
	RefundRefusalInsufficientBalance RefundRefusal = "insufficient_account_balance" // the merchant's balance at the provider is too low
	RefundRefusalAlreadyInProcess    RefundRefusal = "refund_already_in_process"    // another refund is in progress
	RefundRefusalRejected            RefundRefusal = "refund_rejected"              // for any other reason
	RefundRefusalTooOld              RefundRefusal = "transaction_date_too_old"     // it is too late
)

// Known reports whether the contract names the value. Other values are not sent but treated as failures.
func (r RefundRefusal) Known() bool {
	return wire.Known(r,
		RefundRefusalInsufficientBalance, RefundRefusalAlreadyInProcess, RefundRefusalRejected, RefundRefusalTooOld,
	)
}

// Error returns the code.
func (r RefundRefusal) Error() string { return string(r) }

// Check returns an error that describes an invalid configuration, or nil. Call it at program start: a misconfigured
// handler answers every request 503.
func (h *RefundHandler) Check() error {
	return h.check("RefundHandler", "Refund", h.Refund == nil)
}

// ServeHTTP implements http.Handler.
func (h *RefundHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.serve(w, r, &h.runs, kind{call: CallRefund, method: http.MethodPost, check: h.Check, read: h.read})
}

func (h *RefundHandler) read(b body) run {
	in := readRefund(b)
	return func(ctx context.Context) (answer, error) {
		err := h.Refund(ctx, in)
		if refusal, ok := errors.AsType[RefundRefusal](err); ok && refusal.Known() {
			body, marshalErr := wire.Marshal(map[string]RefundRefusal{"error_code": refusal})
			return answer{http.StatusUnprocessableEntity, body, err}, marshalErr
		}
		return answer{status: http.StatusAccepted}, err
	}
}

// readRefund reads a refund. All its members are required.
func readRefund(b body) (in RefundRequest) {
	named := func(id uuid.UUID) bool { return id != uuid.Nil }
	some := func(m client.Money) bool { return m.Cmp(client.Money{}) > 0 }
	in.StoreID = take(b, "store_id", "the id of a store", positive)
	in.PaymentProviderID = take(b, "payment_provider_id", "the id of a payment provider, a UUID", named)
	in.TransactionID = take(b, "transaction_id", "the id of a transaction, a UUID", named)
	in.Amount = readAmount(b, "a decimal of more than 0", some, isCurrency)
	in.Extra = b.rest()
	return in
}
