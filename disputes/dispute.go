package disputes

import (
	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/enum"
)

// Dispute is a chargeback: the consumer's bank asks a payment back.
type Dispute struct {
	ID string `json:"id"`
	// StoreID, OrderID and TransactionID are what is disputed.
	StoreID client.ID `json:"store_id"`
	// AppID is the app that created it; no other sees it.
	AppID         client.ID `json:"app_id"`
	OrderID       client.ID `json:"order_id"`
	TransactionID uuid.UUID `json:"transaction_id"`
	Reason        Reason    `json:"reason_code"` // why, in the platform's words
	// ExternalReason is the card operator's code.
	ExternalReason string `json:"external_reason_code"`
	Status         Status `json:"status"` // where it stands
	// Amount is disputed; TransactionAmount is what was paid.
	Amount            Amount `json:"amount"`
	TransactionAmount Amount `json:"transaction_amount"`
	// RetainedTotal is withheld from the merchant now, without fees.
	RetainedTotal Amount `json:"retained_total"`
	// RetainedSettledAmount is nil unless the merchant was paid in another currency
	// than the customer paid in.
	RetainedSettledAmount *SettledAmount `json:"retained_settled_amount"`
	Fees                  []Fee          `json:"fees"`         // for the dispute itself
	InitiatedAt           client.Time    `json:"initiated_at"` // when the consumer's bank began it
	// EvidenceURL is nil until the merchant gave evidence. EvidenceSentAt and
	// EvidenceDueAt are zero if they are not told.
	EvidenceURL    *string     `json:"evidence_url"`
	EvidenceSentAt client.Time `json:"evidence_sent_at"`
	EvidenceDueAt  client.Time `json:"evidence_due_at"`
	// ClosedAt is zero until the dispute is won or lost.
	ClosedAt client.Time `json:"closed_at"`
	// History holds what the dispute went through, its present state included.
	History []Change     `json:"history"`
	Extra   client.Extra `json:",embed"`
}

// Change is one step of a dispute's history.
type Change struct {
	Status         Status      `json:"status"`          // what it became
	TransitionedAt client.Time `json:"transitioned_at"` // when
	// RetainedDelta is what was withheld with the step, negative if it was released;
	// RetainedTotal is what was withheld after it.
	RetainedDelta         Amount         `json:"retained_delta"`
	RetainedTotal         Amount         `json:"retained_total"`
	RetainedSettledAmount *SettledAmount `json:"retained_settled_amount"` // nil if the currencies are the same
	Extra                 client.Extra   `json:",embed"`
}

// Reason is why a consumer disputes a payment.
type Reason string

// The values of Reason.
const (
	ReasonBankCannotProcess       Reason = "bank_cannot_process"       // the bank cannot process the payment
	ReasonCheckReturned           Reason = "check_returned"            // a check came back
	ReasonCreditNotProcessed      Reason = "credit_not_processed"      // a promised refund did not come
	ReasonCustomerInitiated       Reason = "customer_initiated"        // the customer asked for it, for no other reason
	ReasonDebitNotAuthorized      Reason = "debit_not_authorized"      // the customer did not allow the debit
	ReasonDuplicateTransaction    Reason = "duplicate_transaction"     // paid twice
	ReasonFraudulentActivity      Reason = "fraudulent_activity"       // somebody else paid with the card
	ReasonIncorrectAccountDetails Reason = "incorrect_account_details" // the account does not exist
	ReasonInsufficientFunds       Reason = "insufficient_funds"        // the account was empty
	ReasonProductNotReceived      Reason = "product_not_received"      // nothing arrived
	ReasonProductUnacceptable     Reason = "product_unacceptable"      // what arrived is not what was bought
	ReasonSubscriptionCanceled    Reason = "subscription_canceled"     // the subscription had ended
	ReasonUnrecognized            Reason = "unrecognized"              // the customer does not know the payment
)

// Known reports whether the contract names the value.
func (r Reason) Known() bool {
	return enum.Known(r,
		ReasonBankCannotProcess, ReasonCheckReturned, ReasonCreditNotProcessed, ReasonCustomerInitiated, ReasonDebitNotAuthorized,
		ReasonDuplicateTransaction, ReasonFraudulentActivity, ReasonIncorrectAccountDetails, ReasonInsufficientFunds, ReasonProductNotReceived,
		ReasonProductUnacceptable, ReasonSubscriptionCanceled, ReasonUnrecognized,
	)
}
