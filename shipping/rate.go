package shipping

import (
	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/carriers"
	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Rate is a shipping option with a price, created by DoorRate or PickupRate. These reject every rate that the platform
// would not accept. The zero Rate is invalid and is never sent.
type Rate struct {
	wire rate
	// differs is true if price_merchant is not equal to price.
	differs bool
}

// rate is the wire form of Rate.
type rate struct {
	Name          string              `json:"name"`
	Code          string              `json:"code"`
	Price         client.MoneyNumber  `json:"price"`
	PriceMerchant client.MoneyNumber  `json:"price_merchant"`
	Currency      string              `json:"currency"`
	Type          carriers.Type       `json:"type"`
	MinDelivery   string              `json:"min_delivery_date,omitzero"`
	MaxDelivery   string              `json:"max_delivery_date,omitzero"`
	IDRequired    bool                `json:"id_required"`
	PhoneRequired bool                `json:"phone_required"`
	AcceptsCOD    bool                `json:"accepts_cod"`
	Reference     string              `json:"reference"`
	Address       client.Opt[Address] `json:"address,omitzero"`
	Hours         []Hours             `json:"hours,omitzero"`
	Availability  client.Opt[bool]    `json:"availability,omitzero"`
}

// DoorRate returns a rate for delivery to the customer's door. Within an answer, each such rate must have a different
// code. The error names member, value and rule.
func DoorRate(o Offer) (Rate, error) { return o.rate(carriers.TypeToDoor) }

// PickupRate returns a rate for delivery to a pickup point. Within an answer, at most MaxPickups such rates may have
// the same code. The error names member, value and rule.
func PickupRate(o Offer, at Point) (Rate, error) {
	r, err := o.rate(carriers.TypeToPickup)
	if err != nil {
		return Rate{}, err
	}
	if err := at.Address.check(); err != nil {
		return Rate{}, err
	}
	if at.Availability.IsNull() {
		return Rate{}, engine.Invalid("availability", nil, "true or false")
	}
	if r.wire.Hours, err = written(at.Hours); err != nil {
		return Rate{}, err
	}
	r.wire.Address = client.Set(at.Address)
	r.wire.Availability = client.Set(at.Availability.Or(true))
	return r, nil
}

func (o Offer) rate(t carriers.Type) (Rate, error) {
	if err := o.check(); err != nil {
		return Rate{}, err
	}
	w := rate{
		Name: o.Name, Code: o.Code, Type: t, Currency: o.Currency,
		Price: client.MoneyNumber{Money: o.Price}, PriceMerchant: client.MoneyNumber{Money: o.PriceMerchant.Or(o.Price)},
		IDRequired: o.IDRequired, PhoneRequired: o.PhoneRequired, AcceptsCOD: o.AcceptsCOD.Or(true),
		Reference: o.Reference,
	}
	if w.Reference == "" {
		w.Reference = o.Code
	}
	if !o.MinDelivery.IsZero() {
		w.MinDelivery = o.MinDelivery.Format(dates)
	}
	if !o.MaxDelivery.IsZero() {
		w.MaxDelivery = o.MaxDelivery.Format(dates)
	}
	return Rate{w, !w.Price.Equal(w.PriceMerchant.Money)}, nil
}

// Type returns TypeToDoor or TypeToPickup; empty for the zero Rate.
func (r Rate) Type() carriers.Type { return r.wire.Type }

// Code returns the code of the carrier option.
func (r Rate) Code() string { return r.wire.Code }

// Price returns the price for the customer.
func (r Rate) Price() client.Money { return r.wire.Price.Money }

// MarshalJSON writes the rate in the platform's form. It fails for the zero Rate.
func (r Rate) MarshalJSON() ([]byte, error) {
	if r.wire.Type == "" {
		return nil, engine.Invalid("rate", "", "one that DoorRate or PickupRate made")
	}
	return wire.Marshal(r.wire)
}
