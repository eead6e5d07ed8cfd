package payments

import (
	"time"

	"github.com/commerceplatform/commerce-go/client"
)

// Payment is a payment for Cashier.Charge.
type Payment struct {
	ProcessRequest           // the call
	Key            string    // the idempotency key: a UUID, the same in each try
	Try            int       // 1 for the first call of Charge with this Key
	BegunAt        time.Time // when the call arrived
	// Cancelled: the platform has cancelled the attempt after Charge was called for the first time, and its outcome is
	// not known. It is needed, so that Void can release the money. So take the money now, or find out that it was
	// taken. Return ErrNotCharged if the processor has nothing of Key and will take nothing of it, also not from an
	// earlier call that has not returned.
	Cancelled bool
}

// Repayment is a refund for Cashier.Repay.
type Repayment struct {
	RefundRequest           // the call
	Key           string    // the idempotency key: a UUID, the same in each try
	Try           int       // 1 for the first call of Repay with this Key
	BegunAt       time.Time // when the call arrived
	OrderID       client.ID // the order of the transaction
	// Payment is what was reported of the payment, with its ExternalID; nil if the ledger does not have it.
	Payment *TransactionInput
}

// Cancellation is a payment that the platform has cancelled, for Cashier.Void.
type Cancellation struct {
	About             // the payment; TransactionID is zero if it is not reported yet
	Key     string    // the idempotency key of the release: a UUID, the same in each try
	Try     int       // 1 for the first call of Void with this Key, unless a replica died right before
	BegunAt time.Time // when the first call to cancel arrived
	// Amount is what to release or return: the amount of the first event, without what was refunded.
	Amount Amount
	// Payment is what Charge has returned, and PaymentKey the Key that it had.
	Payment    TransactionInput
	PaymentKey string
}

// Event returns the event that reports how the cancellation went. Its type is EventTypeRefund if the money was taken.
// Otherwise it is EventTypeVoid, or EventTypeExpiration for a method without voids, such as a voucher that nobody has
// paid yet; a method that has neither gets EventTypeSale: call it with EventFailure, because that sale fails. Every
// failure needs a FailureCode.
func (v Cancellation) Event(s EventStatus) EventInput {
	in := EventInput{Amount: v.Amount, Type: EventTypeRefund, Status: s}
	first, method := v.Payment.FirstEvent, v.Payment.PaymentMethod.Type
	taken := first.Status == EventSuccess && (first.Type == EventTypeSale || first.Type == EventTypeCapture)
	switch {
	case taken:
	case method.Takes(EventTypeVoid):
		in.Type = EventTypeVoid
	case method.Takes(EventTypeExpiration):
		in.Type = EventTypeExpiration
	default:
		in.Type = EventTypeSale
	}
	return in
}
