package disputes

import (
	"fmt"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/engine"
)

// Input is the body of Service.Create.
type Input struct {
	// Reason and ExternalReason, the card operator's code, are required.
	Reason         Reason `json:"reason_code"`
	ExternalReason string `json:"external_reason_code"`
	// Amount is the disputed amount. It is required.
	Amount Amount `json:"amount"`
	// RetainedTotal is the amount that is withheld from the merchant from now on, without fees. It is required, must
	// be between 0.00 and Amount, and must be in the same currency.
	RetainedTotal Amount `json:"retained_total"`
	// RetainedSettledAmount is set only if the merchant was paid in another currency than the customer used.
	RetainedSettledAmount SettledAmount `json:"retained_settled_amount,omitzero"`
	Fees                  []Fee         `json:"fees,omitzero"` // for the dispute itself; not included in RetainedTotal
	// EvidenceURL is an HTTPS URL. It and EvidenceSentAt can also be set by an update.
	EvidenceURL    string      `json:"evidence_url,omitzero"`
	EvidenceSentAt client.Time `json:"evidence_sent_at,omitzero"`
	// InitiatedAt is required.
	InitiatedAt   client.Time `json:"initiated_at"`
	EvidenceDueAt client.Time `json:"evidence_due_at,omitzero"` // deadline for the merchant's documents
}

// Check applies the contract's rules. Create calls it.
func (in Input) Check() error {
	switch {
	case !in.Reason.Known():
		return engine.Invalid("reason_code", in.Reason, "a reason code of the contract")
	case in.ExternalReason == "":
		return engine.Invalid("external_reason_code", in.ExternalReason, "the card operator's code")
	case in.InitiatedAt.IsZero():
		return engine.Invalid("initiated_at", "", "a time")
	}
	if err := in.Amount.check("amount"); err != nil {
		return err
	}
	if err := in.RetainedTotal.checkRetained(in.Amount); err != nil {
		return err
	}
	if err := in.RetainedSettledAmount.check(in.Amount.Currency); err != nil {
		return err
	}
	if in.EvidenceURL != "" {
		if err := checkHTTPS("evidence_url", in.EvidenceURL); err != nil {
			return err
		}
	}
	return in.checkFees()
}

func (in Input) checkFees() error {
	for i, fee := range in.Fees {
		field := fmt.Sprintf("fees[%d]", i)
		if !fee.Type.Known() {
			return engine.Invalid(field+".type", fee.Type, "processing_fee, the only one that is supported")
		}
		if err := fee.Amount.check(field + ".amount"); err != nil {
			return err
		}
	}
	return nil
}

// Timeline returns the position of a dispute that was just created from in.
func (in Input) Timeline() Timeline {
	return Timeline{Amount: in.Amount, Status: StatusNeedsResponse, Retained: in.RetainedTotal}
}

// body returns the request body.
func (in Input) body() Input {
	in.Amount, in.RetainedTotal, in.RetainedSettledAmount = in.Amount.bare(), in.RetainedTotal.bare(), in.RetainedSettledAmount.bare()
	fees := in.Fees
	in.Fees = nil
	for _, fee := range fees {
		in.Fees = append(in.Fees, fee.bare())
	}
	return in
}
