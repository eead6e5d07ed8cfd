package disputes

import (
	"slices"

	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Status is the state of a dispute.
type Status string

// The values of Status. A new dispute always has StatusNeedsResponse.
const (
	StatusNeedsResponse     Status = "needs_response"
	StatusDocumentationSent Status = "documentation_sent" // by the merchant
	StatusInsured           Status = "insured"            // the provider covers part or all of the amount
	StatusUnderReview       Status = "under_review"       // the bank decides
	StatusWon               Status = "won"                // by the merchant
	StatusLost              Status = "lost"               // by the merchant
)

// Known reports whether the contract names the value.
func (s Status) Known() bool {
	return s.Closed() || wire.Known(s, StatusNeedsResponse, StatusDocumentationSent, StatusInsured, StatusUnderReview)
}

// Closed reports whether the dispute is won or lost. Both are final.
func (s Status) Closed() bool { return s == StatusWon || s == StatusLost }

// Transition is a change of state that an update can make.
type Transition struct {
	From, To Status // the states before and after
	// When is the contract's condition; empty if it names none.
	When string
	// Once is true for transitions to or from insured that a dispute can make at most once.
	Once bool
	// ClosedAt is true for transitions that require the time at which the dispute was closed.
	ClosedAt bool
}

// transitions is the contract's table, in its order.
var transitions = [...]Transition{
	{From: StatusNeedsResponse, To: StatusDocumentationSent, When: "merchant sent documentation"},
	{From: StatusNeedsResponse, To: StatusUnderReview, When: "direct review"},
	{From: StatusNeedsResponse, To: StatusInsured, When: "provider applies chargeback insurance"},
	{From: StatusNeedsResponse, To: StatusWon, When: "merchant wins directly", ClosedAt: true},
	{From: StatusNeedsResponse, To: StatusLost, When: "time limit expired or rejected without review", ClosedAt: true},
	{From: StatusDocumentationSent, To: StatusUnderReview},
	{From: StatusUnderReview, To: StatusWon, When: "resolution", ClosedAt: true},
	{From: StatusUnderReview, To: StatusLost, When: "resolution", ClosedAt: true},
	{From: StatusUnderReview, To: StatusInsured, When: "insurance applied during review", Once: true},
	{From: StatusInsured, To: StatusUnderReview, When: "returns for review", Once: true},
	{From: StatusInsured, To: StatusWon, When: "resolution", ClosedAt: true},
	{From: StatusInsured, To: StatusLost, When: "resolution", ClosedAt: true},
}

// Transitions returns the contract's table of transitions, in its order.
func Transitions() []Transition { return slices.Clone(transitions[:]) }

// transition returns the row of the table for a change of state.
func transition(from, to Status) (Transition, bool) {
	i := slices.IndexFunc(transitions[:], func(t Transition) bool { return t.From == from && t.To == to })
	if i < 0 {
		return Transition{}, false
	}
	return transitions[i], true
}
