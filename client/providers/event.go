package providers

import (
	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Event is a change of a transaction, such as a capture or a refund.
type Event struct {
	// ID is zero if unset.
	ID     uuid.UUID   `json:"id,omitzero"`
	Amount Amount      `json:"amount"` // the affected amount
	Type   EventType   `json:"type"`   // the kind of change
	Status EventStatus `json:"status"` // the result
	// AuthorizationCode is nil if there is none.
	AuthorizationCode *string `json:"authorization_code,omitzero"`
	// FailureCode is nil unless the event is a failure.
	FailureCode *FailureCode `json:"failure_code"`
	Info        EventInfo    `json:"info,omitzero"` // information of the provider
	HappenedAt  client.Time  `json:"happened_at"`   // when it happened
	// ExpiresAt is the time limit for the merchant to accept or cancel a payment that needs review, or for the
	// customer to pay. It is zero if the event does not expire.
	ExpiresAt client.Time  `json:"expires_at,omitzero"`
	CreatedAt client.Time  `json:"created_at,omitzero"`
	Extra     client.Extra `json:",embed"`
}

// EventType is the kind of an event.
type EventType string

// The values of EventType.
const (
	EventTypeAuthorization  EventType = "authorization"         // reserves the money
	EventTypeCapture        EventType = "capture"               // takes the reserved money
	EventTypeExpiration     EventType = "expiration"            // nobody paid in time
	EventTypeFraudAnalysis  EventType = "in_fraud_analysis"     // fraud is being analyzed
	EventTypeRefund         EventType = "refund"                // pays money back
	EventTypeMerchantReview EventType = "needs_merchant_review" // the merchant must decide
	EventTypeSale           EventType = "sale"                  // authorized and captured at once
	EventTypeVoid           EventType = "void"                  // releases the reserved money
)

// Known reports whether the contract names the value.
func (t EventType) Known() bool {
	return wire.Known(t,
		EventTypeAuthorization, EventTypeCapture, EventTypeExpiration, EventTypeFraudAnalysis, EventTypeRefund, EventTypeMerchantReview, EventTypeSale, EventTypeVoid,
	)
}

// EventStatus is the result of an event.
type EventStatus string

// The values of EventStatus.
const (
	EventError   EventStatus = "error"   // it could not be tried
	EventFailure EventStatus = "failure" // it was tried and rejected
	EventPending EventStatus = "pending" // it is in progress
	EventSuccess EventStatus = "success" // it is done
)

// Known reports whether the contract names the value.
func (s EventStatus) Known() bool {
	return wire.Known(s, EventError, EventFailure, EventPending, EventSuccess)
}
