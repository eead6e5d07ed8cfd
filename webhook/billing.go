package webhook

import (
	"fmt"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// BillingID identifies a charge or a plan. The contract does not say whether it is
// a number or a UUID; both are read, and kept as text.
type BillingID string

// UnmarshalJSON reads a string, an integer or null.
func (id *BillingID) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '"' {
		return wire.Unmarshal(data, (*string)(id))
	}
	var n client.ID
	if err := n.UnmarshalJSON(data); err != nil {
		return fmt.Errorf("billing id: want a text or an integer: %w", err)
	}
	*id = BillingID(number(n))
	return nil
}

// Charge is the payload of charge/created. Nothing was paid yet.
type Charge struct {
	ID    BillingID    `json:"id"`
	AppID client.ID    `json:"app_id"` // 0: the charge is not for an app
	Extra client.Extra `json:",embed"`
}

func (c Charge) identity() identity { return one(string(c.ID)) }

// ChargeResult is the payload of charge/paid and charge/failed. Nothing says that a
// charge is paid or fails only once: key by ID what you grant for it.
type ChargeResult struct {
	ID     BillingID     `json:"id"`
	AppID  client.ID     `json:"app_id"` // 0: the charge is not for an app
	Charge ChargeDetails `json:"charge"` // what was to be paid
	Extra  client.Extra  `json:",embed"`
}

func (c ChargeResult) paid() identity {
	return occurrence(joined(string(c.ID), instant(c.Charge.ToDate)), string(c.ID))
}

func (c ChargeResult) failed() identity {
	id := c.paid()
	id.key = id.lane // it may fail many times, and one look at it is enough
	return id
}

// ChargeDetails says what was charged. The external reference and the times of the
// record are not among it; they are fetched from the billing API.
type ChargeDetails struct {
	ID             BillingID    `json:"id"`
	ConceptCode    string       `json:"concept_code"`    // what is paid for, such as app-cost
	FromDate       client.Time  `json:"from_date"`       // the first day that it is for
	ToDate         client.Time  `json:"to_date"`         // the last day that it is for
	AmountValue    client.Money `json:"amount_value"`    // what is to be paid
	AmountCurrency string       `json:"amount_currency"` // ISO 4217 code
	Extra          client.Extra `json:",embed"`
}

// Subscription is the payload of subscription/updated. EventLaunchTS tells retries
// from new events and orders them; without it each delivery counts as a new event. It
// is zero if it cannot be read, and then in Extra.
type Subscription struct {
	ConceptCode   string       `json:"concept_code"` // what is paid for, such as app-cost
	ServiceID     client.ID    `json:"service_id"`   // the app
	EventLaunchTS client.Time  `json:"event_launch_ts"`
	Extra         client.Extra `json:",embed"`
}

func (s Subscription) identity() identity {
	return launched(s.EventLaunchTS, joined(number(s.ServiceID), s.ConceptCode))
}
