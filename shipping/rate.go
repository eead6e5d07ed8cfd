package shipping

import (
	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Rate is a way to bring the items to the buyer, at a price. Ship and Pickup make it, so that
// there is none that the platform would not take; the zero Rate is none, and is never sent.
type Rate struct {
	wire rate
	// differs: price_merchant is not price.
	differs bool
}

// rate is the form of Rate on the wire.
type rate struct {
	Name          string              `json:"name"`
	Code          string              `json:"code"`
	Price         client.MoneyNumber  `json:"price"`
	PriceMerchant client.MoneyNumber  `json:"price_merchant"`
	Currency      string              `json:"currency"`
	Type          Type                `json:"type"`
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

// Ship returns a rate to the buyer's door. In an answer no two have the same code. The error
// names member, value and rule.
func Ship(o Offer) (Rate, error) { return o.rate(TypeToDoor) }

// Pickup returns a rate to a point where the buyer fetches the parcel. In an answer up to MaxPickups
// have the same code. The error names member, value and rule.
func Pickup(o Offer, at Point) (Rate, error) {
	r, err := o.rate(TypeToPickup)
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

func (o Offer) rate(t Type) (Rate, error) {
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

// Type is TypeToDoor or TypeToPickup, and "" for the zero Rate.
func (r Rate) Type() Type { return r.wire.Type }

// Code is that of a carrier option.
func (r Rate) Code() string { return r.wire.Code }

// Price is paid by the buyer.
func (r Rate) Price() client.Money { return r.wire.Price.Money }

// MarshalJSON writes the rate as the platform wants it. It fails for the zero Rate.
func (r Rate) MarshalJSON() ([]byte, error) {
	if r.wire.Type == "" {
		return nil, engine.Invalid("rate", "", "one that Ship or Pickup made")
	}
	return wire.Marshal(r.wire)
}
