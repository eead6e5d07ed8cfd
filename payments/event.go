package payments

import (
	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/enum"
)

// Event is something that happened to a transaction.
type Event struct {
	// ID is zero if it is not told.
	ID     uuid.UUID   `json:"id,omitzero"`
	Amount Amount      `json:"amount"` // what it is about
	Type   EventType   `json:"type"`   // what was tried
	Status EventStatus `json:"status"` // how that went
	// AuthorizationCode is nil if there is none.
	AuthorizationCode *string `json:"authorization_code,omitzero"`
	// FailureCode is nil unless the event is a failure.
	FailureCode *FailureCode `json:"failure_code"`
	Info        EventInfo    `json:"info,omitzero"` // what the provider says about it
	HappenedAt  client.Time  `json:"happened_at"`   // when it happened
	// ExpiresAt is until when the merchant can accept or cancel a payment that needs review, or until when it can be
	// paid; zero if the event does not expire.
	ExpiresAt client.Time  `json:"expires_at,omitzero"`
	CreatedAt client.Time  `json:"created_at,omitzero"`
	Extra     client.Extra `json:",embed"`
}

// EventType is what happened.
type EventType string

// The values of EventType.
const (
	EventTypeAuthorization  EventType = "authorization"         // reserves the money
	EventTypeCapture        EventType = "capture"               // takes what was reserved
	EventTypeExpiration     EventType = "expiration"            // nobody paid in time
	EventTypeFraudAnalysis  EventType = "in_fraud_analysis"     // somebody looks at it
	EventTypeRefund         EventType = "refund"                // pays money back
	EventTypeMerchantReview EventType = "needs_merchant_review" // the merchant has to decide
	EventTypeSale           EventType = "sale"                  // authorized and captured at once
	EventTypeVoid           EventType = "void"                  // gives up what was reserved
)

// Known reports whether the contract names the value.
func (t EventType) Known() bool {
	return enum.Known(t,
		EventTypeAuthorization, EventTypeCapture, EventTypeExpiration, EventTypeFraudAnalysis, EventTypeRefund, EventTypeMerchantReview, EventTypeSale, EventTypeVoid,
	)
}

// EventStatus is how an event went.
type EventStatus string

// The values of EventStatus.
const (
	EventError   EventStatus = "error"   // it could not be tried
	EventFailure EventStatus = "failure" // it was tried and refused
	EventPending EventStatus = "pending" // it goes on
	EventSuccess EventStatus = "success" // it is done
)

// Known reports whether the contract names the value.
func (s EventStatus) Known() bool {
	return enum.Known(s, EventError, EventFailure, EventPending, EventSuccess)
}
