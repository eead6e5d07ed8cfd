package webhook

import (
	"fmt"

	"github.com/commerceplatform/commerce-go/client/value"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// BillingID identifies a charge or a plan. The contract does not say whether it is a number or a UUID, so both are
// accepted and stored as text.
type BillingID string

// UnmarshalJSON reads a string, an integer or null.
func (id *BillingID) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '"' {
		return wire.Unmarshal(data, (*string)(id))
	}
	var n value.ID
	if err := n.UnmarshalJSON(data); err != nil {
		return fmt.Errorf("billing id: must be a text or an integer: %w", err)
	}
	*id = BillingID(number(n))
	return nil
}

// Charge is the payload of charge/created. It is not paid yet.
type Charge struct {
	ID    BillingID   `json:"id"`
	AppID value.ID    `json:"app_id"` // 0 if the charge is not for an app
	Extra value.Extra `json:",embed"`
}

func (c Charge) identity() identity { return one(string(c.ID)) }

// ChargeResult is the payload of charge/paid and charge/failed. The contract does not say that a charge is paid or
// fails only once, so use ID as the key of everything that you grant for it.
type ChargeResult struct {
	ID     BillingID     `json:"id"`
	AppID  value.ID      `json:"app_id"` // 0 if the charge is not for an app
	Charge ChargeDetails `json:"charge"` // the details of the charge
	Extra  value.Extra   `json:",embed"`
}

func (c ChargeResult) paid() identity {
	return occurrence(joined(string(c.ID), instant(c.Charge.ToDate)), string(c.ID))
}

func (c ChargeResult) failed() identity {
	id := c.paid()
	id.key = id.lane // it may fail many times; one run is enough
	return id
}

// ChargeDetails describes a charge. It has neither the external reference nor the times of the record; read these from
// the billing API.
type ChargeDetails struct {
	ID             BillingID   `json:"id"`
	ConceptCode    string      `json:"concept_code"`    // the concept of the charge, such as app-cost
	FromDate       value.Time  `json:"from_date"`       // the first day of the billed period
	ToDate         value.Time  `json:"to_date"`         // the last day of the billed period
	AmountValue    value.Money `json:"amount_value"`    // the amount due
	AmountCurrency string      `json:"amount_currency"` // ISO 4217 code
	Extra          value.Extra `json:",embed"`
}

// Subscription is the payload of subscription/updated. EventLaunchTS distinguishes retries from new events, and orders
// events. If it is missing, each delivery counts as a new event. If it cannot be parsed, it is zero and kept in Extra.
type Subscription struct {
	ConceptCode   string      `json:"concept_code"` // the concept of the charge, such as app-cost
	ServiceID     value.ID    `json:"service_id"`   // the app
	EventLaunchTS value.Time  `json:"event_launch_ts"`
	Extra         value.Extra `json:",embed"`
}

func (s Subscription) identity() identity {
	return launched(s.EventLaunchTS, joined(number(s.ServiceID), s.ConceptCode))
}
