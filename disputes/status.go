package disputes

import (
	"slices"

	"github.com/commerceplatform/commerce-go/internal/enum"
)

// Status is the state of a dispute.
type Status string

// The values of Status. Created disputes are always NeedsResponse.
const (
	NeedsResponse     Status = "needs_response"
	DocumentationSent Status = "documentation_sent" // by the merchant
	Insured           Status = "insured"            // the provider covers part or all of the amount
	UnderReview       Status = "under_review"       // the bank decides
	Won               Status = "won"                // by the merchant
	Lost              Status = "lost"               // by the merchant
)

// Known reports whether the contract names the value.
func (s Status) Known() bool {
	return s.Closed() || enum.Known(s, NeedsResponse, DocumentationSent, Insured, UnderReview)
}

// Closed reports whether the dispute is won or lost, which nothing follows.
func (s Status) Closed() bool { return s == Won || s == Lost }

// Transition is a move that an update may make.
type Transition struct {
	From, To Status // from which status to which
	// When is the contract's condition; empty if it names none.
	When string
	// Once is true for moves that a dispute may make only if it has not become
	// insured, or left that state, before.
	Once bool
	// ClosedAt is true for moves that must tell when the dispute was closed.
	ClosedAt bool
}

// transitions is the contract's table, in its order.
var transitions = [...]Transition{
	{From: NeedsResponse, To: DocumentationSent, When: "merchant sent documentation"},
	{From: NeedsResponse, To: UnderReview, When: "direct review"},
	{From: NeedsResponse, To: Insured, When: "provider applies chargeback insurance"},
	{From: NeedsResponse, To: Won, When: "merchant wins directly", ClosedAt: true},
	{From: NeedsResponse, To: Lost, When: "time limit expired or rejected without review", ClosedAt: true},
	{From: DocumentationSent, To: UnderReview},
	{From: UnderReview, To: Won, When: "resolution", ClosedAt: true},
	{From: UnderReview, To: Lost, When: "resolution", ClosedAt: true},
	{From: UnderReview, To: Insured, When: "insurance applied during review", Once: true},
	{From: Insured, To: UnderReview, When: "returns for review", Once: true},
	{From: Insured, To: Won, When: "resolution", ClosedAt: true},
	{From: Insured, To: Lost, When: "resolution", ClosedAt: true},
}

// Transitions returns the contract's table of states, in its order.
func Transitions() []Transition { return slices.Clone(transitions[:]) }

// transition returns the row of the table for a move.
func transition(from, to Status) (Transition, bool) {
	i := slices.IndexFunc(transitions[:], func(t Transition) bool { return t.From == from && t.To == to })
	if i < 0 {
		return Transition{}, false
	}
	return transitions[i], true
}
