package disputes

import (
	"fmt"
	"slices"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/engine"
)

// Timeline is the position of a dispute in the table of states. It determines which updates are possible. Use
// Dispute.Timeline, or Input.Timeline before the dispute exists.
type Timeline struct {
	// Amount is the disputed amount. Retained is the part of it that is withheld now.
	Amount, Retained Amount
	Status           Status // the present state
	// insured and left count the moves to StatusInsured and away from it.
	insured, left int
}

// Timeline returns the position of d, derived from its history and its state.
func (d *Dispute) Timeline() Timeline {
	t := Timeline{Amount: d.Amount, Retained: d.RetainedTotal, Status: StatusNeedsResponse}
	for _, step := range d.oldestFirst() {
		t.move(step.Status)
	}
	t.move(d.Status) // the history may be incomplete
	return t
}

// oldestFirst returns the history in chronological order. Every dispute begins with needs_response. Times do not show
// the order, because several steps can have the same time.
func (d *Dispute) oldestFirst() []Change {
	steps := d.History
	if n := len(steps); n > 1 && steps[0].Status != StatusNeedsResponse && steps[n-1].Status == StatusNeedsResponse {
		steps = slices.Clone(steps)
		slices.Reverse(steps)
	}
	return steps
}

// move applies a step, even if the contract does not allow it.
func (t *Timeline) move(to Status) {
	if to == t.Status {
		return
	}
	if to == StatusInsured {
		t.insured++
	}
	if t.Status == StatusInsured {
		t.left++
	}
	t.Status = to
}

// Next returns the possible next states, in the order of Transitions. It is empty for a closed dispute and for a
// state that the contract does not name.
func (t Timeline) Next() []Status {
	var next []Status
	for _, row := range transitions {
		if row.From == t.Status && t.permits(row) {
			next = append(next, row.To)
		}
	}
	return next
}

// permits applies the rule "at most one transition to or from insured". It allows one to insured and one from it,
// because a dispute that was insured during its review "returns for review".
func (t Timeline) permits(row Transition) bool {
	return !row.Once || row.To == StatusInsured && t.insured == 0 || row.From == StatusInsured && t.left == 0
}

// Check returns an error if u is not a valid update of the dispute in its present state. The error wraps
// client.ErrValidation.
func (t Timeline) Check(u Update) error {
	if !u.Status.Known() {
		return engine.Invalid("status", u.Status, "a status of the contract")
	}
	if err := t.checkMove(u.Status); err != nil {
		return err
	}
	if err := u.RetainedTotal.checkRetained(t.Amount); err != nil {
		return err
	}
	if err := u.RetainedSettledAmount.check(t.Amount.Currency); err != nil {
		return err
	}
	switch sent := u.body(); {
	case u.Status.Closed() && u.ClosedAt.IsZero():
		return engine.Invalid("closed_at", "", fmt.Sprintf("a time: it is required when status is %s", u.Status))
	case sent.EvidenceURL != "":
		return checkHTTPS("evidence_url", sent.EvidenceURL)
	}
	return nil
}

// checkMove applies the table of states. The table has no row from a state to itself.
func (t Timeline) checkMove(to Status) error {
	row, listed := transition(t.Status, to)
	if listed && t.permits(row) {
		return nil
	}
	rule := "no update: nothing follows " + string(t.Status)
	if next := t.Next(); len(next) > 0 {
		rule = fmt.Sprintf("%s, which may follow %s", words(next), t.Status)
	}
	if listed {
		rule += ": at most one transition to or from insured"
	}
	return engine.Invalid("status", to, rule)
}

// After returns the position after u, or the error of Check.
func (t Timeline) After(u Update) (Timeline, error) {
	if err := t.Check(u); err != nil {
		return t, err
	}
	t.move(u.Status)
	t.Retained = u.RetainedTotal
	return t, nil
}

// words formats states as a list in a sentence: "a, b or c".
func words(states []Status) string {
	var b strings.Builder
	for i, s := range states {
		switch {
		case i > 0 && i == len(states)-1:
			b.WriteString(" or ")
		case i > 0:
			b.WriteString(", ")
		}
		b.WriteString(string(s))
	}
	return b.String()
}
