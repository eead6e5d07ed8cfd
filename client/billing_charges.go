package client

import (
	"context"
	"net/http"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/internal/engine"
)

// Charge is a single payment of a store for an app. The events charge/paid and charge/failed report whether it was
// paid.
type Charge struct {
	ID                uuid.UUID `json:"id"`
	Description       string    `json:"description"`        // as the merchant sees it
	ExternalReference *string   `json:"external_reference"` // nil if there is none
	// FromDate and ToDate are the period that the payment is for.
	FromDate    Time        `json:"from_date"`
	ToDate      Time        `json:"to_date"`
	AmountValue MoneyNumber `json:"amount_value"` // the amount of the payment
	// AmountCurrency is an ISO 4217 code.
	AmountCurrency string `json:"amount_currency"`
	ConceptCode    string `json:"concept_code"` // the reason of the payment, such as app-cost
	// StoreID, CreatedAt and UpdatedAt are zero if the platform does not report them.
	StoreID   ID    `json:"store_id,omitzero"`
	CreatedAt Time  `json:"created_at,omitzero"`
	UpdatedAt Time  `json:"updated_at,omitzero"`
	Extra     Extra `json:",embed"`
}

// ChargeInput is the body of ChargeService.Create. Every field except ExternalReference is required.
type ChargeInput struct {
	Description string `json:"description"` // as the merchant sees it
	// ExternalReference is the app's own name of the charge; empty sends none.
	ExternalReference string `json:"external_reference,omitzero"`
	// FromDate and ToDate are the period that the payment is for.
	FromDate    Time        `json:"from_date"`
	ToDate      Time        `json:"to_date"`
	AmountValue MoneyNumber `json:"amount_value"` // the amount, above 0
	// AmountCurrency is an ISO 4217 code.
	AmountCurrency string `json:"amount_currency"`
	// ConceptCode is the reason of the payment, such as "app-cost".
	ConceptCode string `json:"concept_code"`
}

func (in ChargeInput) check() error {
	switch {
	case in.Description == "":
		return engine.Invalid("description", in.Description, "a text")
	case in.FromDate.IsZero():
		return engine.Invalid("from_date", "", "a time")
	case in.ToDate.Before(in.FromDate.Time):
		return engine.Invalid("to_date", in.ToDate, "a time that is not before from_date")
	case in.AmountValue.Cmp(Money{}) <= 0:
		return engine.Invalid("amount_value", in.AmountValue, "more than 0")
	case len(in.AmountCurrency) != 3:
		return engine.Invalid("amount_currency", in.AmountCurrency, "an ISO 4217 code")
	case in.ConceptCode == "":
		return engine.Invalid("concept_code", in.ConceptCode, "the code of a concept")
	}
	return nil
}

// ChargeService charges the store with the token of the store. It requires no scope. Versions 2025-03 and unstable have
// it.
type ChargeService engine.Service

// Create charges the store for the app, which is the service, and returns the charge. Store its id, because the
// contract has no endpoint that reads or lists charges. Create is not retried after a failure that may have come after
// the charge was made. On ErrOutcomeUnknown do not repeat it blindly, because the merchant could pay twice. Wait for
// the event charge/created.
//
//api:endpoint POST /services/{service_id}/charges
func (s *ChargeService) Create(ctx context.Context, app ID, in ChargeInput) (*Charge, error) {
	if err := in.check(); err != nil {
		return nil, err
	}
	return engine.Send[Charge](ctx, s, http.MethodPost, "/services/{service_id}/charges", in, app)
}
