package world

import (
	"slices"
	"time"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/table"
)

// Dispute is a chargeback of a transaction as a payment app reports it.
type Dispute struct {
	// ID has 24 hexadecimal digits.
	ID            string
	OrderID       int64
	TransactionID string
	// AppID is the app that created it, the only one that finds it.
	AppID          int64
	Reason         string
	ExternalReason string
	Amount         Amount
	// Retained is what is withheld from the merchant now, in the currency of Amount.
	Retained decimal.Decimal
	// Settled is nil if the merchant was paid in the customer's currency.
	Settled *Settled
	Fees    []DisputeFee
	Status  DisputeStatus
	// EvidenceURL is empty for null, and so are times that are zero.
	EvidenceURL    string
	EvidenceSentAt time.Time
	EvidenceDueAt  time.Time
	InitiatedAt    time.Time
	ClosedAt       time.Time
	// History has the oldest step first; the last one led to Status.
	History []DisputeStep
}

// Indexes find the disputes of a transaction.
func (d Dispute) Indexes() []table.Entry {
	return []table.Entry{table.Multi("transaction", d.TransactionID)}
}

// WasInsured reports whether the dispute is insured or has been.
func (d Dispute) WasInsured() bool {
	return slices.ContainsFunc(d.History, func(s DisputeStep) bool { return s.Status == DisputeInsured })
}

// DisputeStatus is how far a dispute is.
type DisputeStatus string

// The statuses.
const (
	DisputeNeedsResponse     DisputeStatus = "needs_response"
	DisputeDocumentationSent DisputeStatus = "documentation_sent"
	DisputeInsured           DisputeStatus = "insured"
	DisputeUnderReview       DisputeStatus = "under_review"
	DisputeWon               DisputeStatus = "won"
	DisputeLost              DisputeStatus = "lost"
)

// Closed reports whether the dispute has come to its end.
func (s DisputeStatus) Closed() bool { return s == DisputeWon || s == DisputeLost }

// DisputeStep is one status that a dispute came to.
type DisputeStep struct {
	Status DisputeStatus
	At     time.Time
	// Delta is by how much Retained changed.
	Delta    decimal.Decimal
	Retained decimal.Decimal
	Settled  *Settled
}

// DisputeFee is what the operator charged for a dispute.
type DisputeFee struct {
	Type   string
	Amount Amount
}

// Settled is an amount in the currency that the merchant was paid in.
type Settled struct {
	Amount Amount
	// Rate turns amounts in the currency From into it.
	Rate decimal.Decimal
	From string
}
