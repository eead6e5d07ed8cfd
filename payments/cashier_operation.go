package payments

import (
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/providers"
)

// Payment is the argument of Cashier.Charge.
type Payment struct {
	ProcessRequest           // the call
	Key            string    // the idempotency key: a UUID, equal in each try
	Try            int       // 1 for the first call of Charge with this Key
	BegunAt        time.Time // when the call arrived
	// Cancelled means that the platform has cancelled the attempt after the first call of Charge, whose outcome is
	// unknown. Void requires the outcome to release the money. So take the money now, or find out that it was taken.
	// Return ErrNotCharged if the processor has taken nothing for Key and never will, also not from an earlier call
	// in progress.
	Cancelled bool
}

// Repayment is the argument of Cashier.Repay.
type Repayment struct {
	RefundRequest           // the call
	Key           string    // the idempotency key: a UUID, equal in each try
	Try           int       // 1 for the first call of Repay with this Key
	BegunAt       time.Time // when the call arrived
	OrderID       client.ID // the order of the transaction
	// Payment is the reported transaction of the payment, with its ExternalID; nil if the ledger does not have it.
	Payment *providers.TransactionInput
}

// Cancellation is the argument of Cashier.Void: a payment that the platform has cancelled.
type Cancellation struct {
	About             // the payment; TransactionID is zero if it is not reported yet
	Key     string    // the idempotency key of the release: a UUID, equal in each try
	Try     int       // 1 for the first call of Void with this Key, unless a replica crashed just before
	BegunAt time.Time // when the first cancellation arrived
	// Amount is the amount to release or return, by the platform's transaction: the captured amount less refunds, or
	// the authorized amount if nothing was captured. If the app captures less after Void has failed, the next try has
	// the captured amount, with the same Key.
	Amount providers.Amount
	// Transaction is the payment as the platform shows it, with captures and refunds of the app; nil if it is not
	// reported yet.
	Transaction *providers.Transaction
	// Payment is the transaction that Charge returned, and PaymentKey its Key.
	Payment    providers.TransactionInput
	PaymentKey string
}

// Event returns the event that reports the result of the cancellation. Its type is EventTypeRefund if the money was
// taken. Otherwise it is EventTypeVoid, or EventTypeExpiration for a method without voids, such as an unpaid voucher.
// For a method with neither, the type is EventTypeSale. In that case call it with EventFailure, because the sale
// fails. Every failure requires a FailureCode.
func (v Cancellation) Event(s providers.EventStatus) providers.EventInput {
	in := providers.EventInput{Amount: v.Amount, Type: providers.EventTypeRefund, Status: s}
	first, method := v.Payment.FirstEvent, v.Payment.PaymentMethod.Type
	taken := first.Status == providers.EventSuccess && (first.Type == providers.EventTypeSale || first.Type == providers.EventTypeCapture)
	if v.Transaction != nil {
		taken = decimalOf(v.Transaction.CapturedAmount).IsPositive()
	}
	switch {
	case taken:
	case method.Takes(providers.EventTypeVoid):
		in.Type = providers.EventTypeVoid
	case method.Takes(providers.EventTypeExpiration):
		in.Type = providers.EventTypeExpiration
	default:
		in.Type = providers.EventTypeSale
	}
	return in
}
