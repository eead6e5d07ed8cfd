package client

import (
	"context"
	"net/http"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/internal/engine"
)

// Charge is something that a store is asked to pay once for an app. Whether it was paid is
// told by the events charge/paid and charge/failed.
type Charge struct {
	ID                uuid.UUID `json:"id"`
	Description       string    `json:"description"`        // as the merchant sees it
	ExternalReference *string   `json:"external_reference"` // nil if there is none
	// FromDate and ToDate are the time that is charged for.
	FromDate    Time        `json:"from_date"`
	ToDate      Time        `json:"to_date"`
	AmountValue MoneyNumber `json:"amount_value"` // what is paid once
	// AmountCurrency is an ISO 4217 code.
	AmountCurrency string `json:"amount_currency"`
	ConceptCode    string `json:"concept_code"` // what is paid for, such as app-cost
	// StoreID, CreatedAt and UpdatedAt are zero if they are not told.
	StoreID   ID    `json:"store_id,omitzero"`
	CreatedAt Time  `json:"created_at,omitzero"`
	UpdatedAt Time  `json:"updated_at,omitzero"`
	Extra     Extra `json:",embed"`
}

// ChargeInput is the body of ChargeService.Create. All but ExternalReference is required.
type ChargeInput struct {
	Description string `json:"description"` // as the merchant sees it
	// ExternalReference is the app's own name of the charge.
	ExternalReference string `json:"external_reference,omitzero"`
	// FromDate and ToDate are the time that is charged for.
	FromDate    Time        `json:"from_date"`
	ToDate      Time        `json:"to_date"`
	AmountValue MoneyNumber `json:"amount_value"` // what is paid, above 0
	// AmountCurrency is an ISO 4217 code.
	AmountCurrency string `json:"amount_currency"`
	// ConceptCode says what is paid for, such as "app-cost".
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

// ChargeService charges the store, with its token and no scope. Versions 2025-03 and
// unstable have it.
type ChargeService engine.Service

// Create asks the store to pay for the app, which is the service, and returns the charge. Keep the id: the contract
// gives no path to read a charge, nor to list them. It is not repeated after a failure that
// may have come too late. On ErrOutcomeUnknown do not repeat it blindly, since the merchant
// would pay twice: wait for charge/created.
//
//api:endpoint POST /services/{service_id}/charges
func (s *ChargeService) Create(ctx context.Context, app ID, in ChargeInput) (*Charge, error) {
	if err := in.check(); err != nil {
		return nil, err
	}
	return engine.Send[Charge](ctx, s, http.MethodPost, "/services/{service_id}/charges", in, app)
}
