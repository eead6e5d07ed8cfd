package disputes

import (
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/address"
)

// Update is the body of Service.Update: a move to another state and what is new
// with it.
type Update struct {
	// Status is required. The contract's table has no move from a state to itself, so
	// news about a dispute wait for its next move.
	Status Status `json:"status"`
	// EvidenceURL, an HTTPS address, and EvidenceSentAt are given for the first time
	// or again. The platform ignores them when Status is StatusWon or StatusLost.
	EvidenceURL    string      `json:"evidence_url,omitzero"`
	EvidenceSentAt client.Time `json:"evidence_sent_at,omitzero"`
	// ClosedAt is required when Status is StatusWon or StatusLost; otherwise the platform ignores it.
	ClosedAt client.Time `json:"closed_at,omitzero"`
	// RetainedTotal is required: what is withheld from the merchant from now on,
	// between 0.00 and the disputed amount. What does not change is sent again.
	RetainedTotal Amount `json:"retained_total"`
	// RetainedSettledAmount is as in Input.
	RetainedSettledAmount SettledAmount `json:"retained_settled_amount,omitzero"`
}

// Ignored returns the names of the members that are set and that the platform
// ignores beside Status. They are neither checked nor sent.
func (u Update) Ignored() []string {
	var names []string
	if u.Status.Closed() {
		if u.EvidenceURL != "" {
			names = append(names, "evidence_url")
		}
		if !u.EvidenceSentAt.IsZero() {
			names = append(names, "evidence_sent_at")
		}
	} else if !u.ClosedAt.IsZero() {
		names = append(names, "closed_at")
	}
	return names
}

// AppliedTo reports whether d is as u leaves a dispute: in its state, with what it
// withholds, its evidence and its closing time. Addresses are compared as
// client.WebhookService.Ensure compares them. After client.ErrOutcomeUnknown read
// the dispute and ask this before you repeat u.
func (u Update) AppliedTo(d *Dispute) bool {
	b := u.body()
	switch {
	case d.Status != b.Status, !d.RetainedTotal.Equal(b.RetainedTotal):
		return false
	case b.EvidenceURL != "" && (d.EvidenceURL == nil || !address.Same(*d.EvidenceURL, b.EvidenceURL)):
		return false
	}
	return applied(d.EvidenceSentAt, b.EvidenceSentAt) && applied(d.ClosedAt, b.ClosedAt)
}

// applied compares whole seconds, because the platform may keep no more of a time.
func applied(got, sent client.Time) bool {
	return sent.IsZero() || got.Sub(sent.Time).Abs() < time.Second
}

// body returns what is sent: without what the platform ignores.
func (u Update) body() Update {
	if u.Status.Closed() {
		u.EvidenceURL, u.EvidenceSentAt = "", client.Time{}
	} else {
		u.ClosedAt = client.Time{}
	}
	u.RetainedTotal, u.RetainedSettledAmount = u.RetainedTotal.bare(), u.RetainedSettledAmount.bare()
	return u
}
