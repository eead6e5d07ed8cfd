package disputes

import (
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/address"
)

// Update is the body of Service.Update: a change to another state with its new data.
type Update struct {
	// Status is required. The contract has no transition from a state to itself, so other changes must be sent with
	// the next transition.
	Status Status `json:"status"`
	// EvidenceURL, an HTTPS URL, and EvidenceSentAt may be set for the first time or changed. The platform ignores
	// them if Status is StatusWon or StatusLost.
	EvidenceURL    string      `json:"evidence_url,omitzero"`
	EvidenceSentAt client.Time `json:"evidence_sent_at,omitzero"`
	// ClosedAt is required if Status is StatusWon or StatusLost; otherwise the platform ignores it.
	ClosedAt client.Time `json:"closed_at,omitzero"`
	// RetainedTotal is the amount that is withheld from the merchant from now on. It is required, even if it is
	// unchanged, and must be between 0.00 and the disputed amount.
	RetainedTotal Amount `json:"retained_total"`
	// RetainedSettledAmount follows the same rules as in Input.
	RetainedSettledAmount SettledAmount `json:"retained_settled_amount,omitzero"`
}

// Ignored returns the names of set members that the platform ignores for this Status. They are neither checked nor
// sent.
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

// AppliedTo reports whether d has the state, RetainedTotal, the evidence and the closing time of u. URLs are
// compared as client.WebhookService.Ensure compares them. After client.ErrOutcomeUnknown, call Get and then AppliedTo
// before you repeat u.
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

// applied compares whole seconds, because the platform may store times with that precision.
func applied(got, sent client.Time) bool {
	return sent.IsZero() || got.Sub(sent.Time).Abs() < time.Second
}

// body returns the request body, without the members that the platform ignores.
func (u Update) body() Update {
	if u.Status.Closed() {
		u.EvidenceURL, u.EvidenceSentAt = "", client.Time{}
	} else {
		u.ClosedAt = client.Time{}
	}
	u.RetainedTotal, u.RetainedSettledAmount = u.RetainedTotal.bare(), u.RetainedSettledAmount.bare()
	return u
}
