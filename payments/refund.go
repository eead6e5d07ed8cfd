package payments

import (
	"context"
	"errors"
	"net/http"
	"net/url"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/enum"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// RefundHandler is what InfoInput.RefundURL leads to: the merchant wants to pay back a
// transaction, or a part of it. Callback and Refund must be set. It must not be copied.
//
// It answers:
//
//	202  Refund returned nil
//	422  Refund returned a RefundRefusal, which is in the answer
//	400  the call is signed and malformed
//	401  not exactly one fresh signature of one of the Keys
//	503  Refund failed or was late, too many ran, or the configuration is wrong
//
// and 405, 408, 413 and 415 as HTTP has them.
//
// The contract says of the calls about payments that they are signed, but not of this one: it is
// assumed to be [inferred]. If the platform does not sign it, all of them are answered 401.
//
// Equal calls that overlap, and a call that is sent again as it was, are one run of Refund.
// That is within this process and, for the latter, for MaxAge and among the last 100,000. Beyond it nothing in a call
// tells a repetition from a second refund of the same amount: see Refund.
type RefundHandler struct {
	Callback
	// Refund begins a refund. After it the app reports, sooner or later, an event: see
	// RefundRequest.Event. An error is answered 503 and does not tell the platform that
	// nothing was refunded. The same holds for lateness: what Refund has begun goes on.
	//
	// So keep what was begun by TransactionID, before the money moves, and return
	// RefundRefusalAlreadyInProcess while a refund of the transaction has not been reported.
	Refund func(ctx context.Context, r RefundRequest) error

	runs runs
}

// RefundRequest asks for money back.
type RefundRequest struct {
	StoreID           client.ID `json:"store_id"`            // the store
	PaymentProviderID uuid.UUID `json:"payment_provider_id"` // of the app, in this store
	TransactionID     uuid.UUID `json:"transaction_id"`      // the transaction
	// Amount is above 0. It is less than the transaction's only if that has
	// SupportsPartialRefund.
	Amount Amount       `json:"amount"`
	Extra  client.Extra `json:",embed"`
}

// Event returns the event that reports how the refund went. A failure needs a FailureCode.
func (r RefundRequest) Event(s EventStatus) EventInput {
	return EventInput{Amount: r.Amount, Type: EventTypeRefund, Status: s}
}

// RefundRefusal is why a refund is not made, as an error for RefundHandler.Refund to return,
// wrapped or not.
type RefundRefusal string

// The values of RefundRefusal.
const (
	RefundRefusalInsufficientBalance RefundRefusal = "insufficient_account_balance" // the merchant has not enough money there
	RefundRefusalAlreadyInProcess    RefundRefusal = "refund_already_in_process"    // another one is not done yet
	RefundRefusalRejected            RefundRefusal = "refund_rejected"              // for any other reason
	RefundRefusalTooOld              RefundRefusal = "transaction_date_too_old"     // it is too late
)

// Known reports whether the contract names the value. Others are not sent: they are failures.
func (r RefundRefusal) Known() bool {
	return enum.Known(r,
		RefundRefusalInsufficientBalance, RefundRefusalAlreadyInProcess, RefundRefusalRejected, RefundRefusalTooOld,
	)
}

// Error returns the code.
func (r RefundRefusal) Error() string { return string(r) }

// Check returns what is wrong with the configuration, or nil. Call it when the program
// starts: a handler that is misconfigured answers every request 503.
func (h *RefundHandler) Check() error {
	return h.check("RefundHandler", "Refund", h.Refund == nil)
}

// ServeHTTP implements http.Handler.
func (h *RefundHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.serve(w, r, &h.runs, kind{call: CallRefund, method: http.MethodPost, check: h.Check, read: h.read})
}

func (h *RefundHandler) read(raw []byte, _ url.Values) (run, error) {
	in, err := readRefund(raw)
	return func(ctx context.Context) (answer, error) {
		err := h.Refund(ctx, in)
		if refusal, ok := errors.AsType[RefundRefusal](err); ok && refusal.Known() {
			body, marshalErr := wire.Marshal(map[string]RefundRefusal{"error_code": refusal})
			return answer{http.StatusUnprocessableEntity, body, err}, marshalErr
		}
		return answer{status: http.StatusAccepted}, err
	}, err
}

// readRefund reads a refund. All its members are required.
func readRefund(raw []byte) (in RefundRequest, err error) {
	b, err := readBody(raw)
	if err != nil {
		return in, err
	}
	named := func(id uuid.UUID) bool { return id != uuid.Nil }
	in.StoreID = take(b, "store_id", "the id of a store", func(id client.ID) bool { return id > 0 })
	in.PaymentProviderID = take(b, "payment_provider_id", "the id of a payment provider, a UUID", named)
	in.TransactionID = take(b, "transaction_id", "the id of a transaction, a UUID", named)
	in.Amount = readAmount(b.object("amount"), func(m client.Money) bool { return m.Cmp(client.Money{}) > 0 },
		func(code string) bool { return isCode(code, 3) })
	in.Extra = b.rest()
	return in, b.err()
}
