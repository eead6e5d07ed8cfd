package disputes

import (
	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Dispute is a chargeback: the customer's bank reclaims a payment.
type Dispute struct {
	ID string `json:"id"`
	// StoreID, OrderID and TransactionID identify the disputed payment.
	StoreID client.ID `json:"store_id"`
	// AppID is the app that created the dispute. No other app can read it.
	AppID         client.ID `json:"app_id"`
	OrderID       client.ID `json:"order_id"`
	TransactionID uuid.UUID `json:"transaction_id"`
	Reason        Reason    `json:"reason_code"` // the cause, as a code of the platform
	// ExternalReason is the card operator's code.
	ExternalReason string `json:"external_reason_code"`
	Status         Status `json:"status"` // the present state
	// Amount is the disputed amount. TransactionAmount is the amount that was paid.
	Amount            Amount `json:"amount"`
	TransactionAmount Amount `json:"transaction_amount"`
	// RetainedTotal is the amount that is withheld from the merchant now, without fees.
	RetainedTotal Amount `json:"retained_total"`
	// RetainedSettledAmount is nil unless the merchant was paid in another currency than the customer used.
	RetainedSettledAmount *SettledAmount `json:"retained_settled_amount"`
	Fees                  []Fee          `json:"fees"`         // for the dispute itself
	InitiatedAt           client.Time    `json:"initiated_at"` // when the customer's bank opened the dispute
	// EvidenceURL is nil until the merchant provides evidence. EvidenceSentAt and EvidenceDueAt are zero if unset.
	EvidenceURL    *string     `json:"evidence_url"`
	EvidenceSentAt client.Time `json:"evidence_sent_at"`
	EvidenceDueAt  client.Time `json:"evidence_due_at"`
	// ClosedAt is zero until the dispute is won or lost.
	ClosedAt client.Time `json:"closed_at"`
	// History lists the states of the dispute, including the present one.
	History []Change     `json:"history"`
	Extra   client.Extra `json:",embed"`
}

// Change is one step of a dispute's history.
type Change struct {
	Status         Status      `json:"status"`          // the new state
	TransitionedAt client.Time `json:"transitioned_at"` // when the state changed
	// RetainedDelta is the amount withheld by the step, negative if it was released. RetainedTotal is the amount
	// withheld after the step.
	RetainedDelta         Amount         `json:"retained_delta"`
	RetainedTotal         Amount         `json:"retained_total"`
	RetainedSettledAmount *SettledAmount `json:"retained_settled_amount"` // nil if the currencies are the same
	Extra                 client.Extra   `json:",embed"`
}

// Reason is the cause of a dispute.
type Reason string

// The values of Reason.
const (
	ReasonBankCannotProcess       Reason = "bank_cannot_process"       // the bank cannot process the payment
	ReasonCheckReturned           Reason = "check_returned"            // a check was returned
	ReasonCreditNotProcessed      Reason = "credit_not_processed"      // a promised refund did not arrive
	ReasonCustomerInitiated       Reason = "customer_initiated"        // the customer requested it, for no other reason
	ReasonDebitNotAuthorized      Reason = "debit_not_authorized"      // the customer did not authorize the debit
	ReasonDuplicateTransaction    Reason = "duplicate_transaction"     // paid twice
	ReasonFraudulentActivity      Reason = "fraudulent_activity"       // somebody else paid with the card
	ReasonIncorrectAccountDetails Reason = "incorrect_account_details" // the account does not exist
	ReasonInsufficientFunds       Reason = "insufficient_funds"        // the account was empty
	ReasonProductNotReceived      Reason = "product_not_received"      // nothing arrived
	ReasonProductUnacceptable     Reason = "product_unacceptable"      // the customer received something else
	ReasonSubscriptionCanceled    Reason = "subscription_canceled"     // the subscription had ended
	ReasonUnrecognized            Reason = "unrecognized"              // the customer does not recognize the payment
)

// Known reports whether the contract names the value.
func (r Reason) Known() bool {
	return wire.Known(r,
		ReasonBankCannotProcess, ReasonCheckReturned, ReasonCreditNotProcessed, ReasonCustomerInitiated, ReasonDebitNotAuthorized,
		ReasonDuplicateTransaction, ReasonFraudulentActivity, ReasonIncorrectAccountDetails, ReasonInsufficientFunds, ReasonProductNotReceived,
		ReasonProductUnacceptable, ReasonSubscriptionCanceled, ReasonUnrecognized,
	)
}
