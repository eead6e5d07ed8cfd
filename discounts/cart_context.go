package discounts

import (
	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Customer is the buyer. ID is empty if the buyer is not logged in.
type Customer struct {
	ID    client.Code  `json:"id"`
	Extra client.Extra `json:",embed" wire:"methods"`
}

// Shipping is the destination of the cart. Its strings are empty until the customer enters them.
type Shipping struct {
	Country    string       `json:"country"`    // ISO 3166-1 code, such as AR
	City       string       `json:"city"`       // city or town
	PostalCode client.Code  `json:"postalcode"` // postal code
	Cost       client.Money `json:"cost"`       // price of the shipping for the customer
	Extra      client.Extra `json:",embed" wire:"methods"`
}

// Package describes the parcel. Weight is in kilograms [inferred].
type Package struct {
	Weight client.Measure `json:"weight"`
	Extra  client.Extra   `json:",embed" wire:"methods"`
}

// Payment is the payment method of the cart. Its strings are empty until the customer selects one.
type Payment struct {
	CreditCardCompany string       `json:"credit_card_company"` // such as visa
	Method            string       `json:"method"`              // such as credit_card
	Installments      client.Int   `json:"installments"`        // 0 if unknown
	Extra             client.Extra `json:",embed" wire:"methods"`
}

// Totals are the sums over a cart.
type Totals struct {
	Subtotal      client.Money `json:"subtotal"`       // of the lines, before all discounts
	TotalDiscount client.Money `json:"total_discount"` // discounts that are already applied, also those of this app
	Total         client.Money `json:"total"`          // amount that the customer pays
	Extra         client.Extra `json:",embed" wire:"methods"`
}

// UTM is the campaign that brought the customer to the store. Timestamp is in seconds [inferred].
type UTM struct {
	Source    string       `json:"utm_source"`   // such as a newsletter
	Medium    string       `json:"utm_medium"`   // such as email
	Campaign  string       `json:"utm_campaign"` // name of the campaign
	Term      string       `json:"utm_term"`     // search term
	Content   string       `json:"utm_content"`  // identifies one of several links
	Timestamp client.Int   `json:"timestamp"`
	Extra     client.Extra `json:",embed"`
}

// MarshalJSON writes the fields and the members in Extra.
func (c Customer) MarshalJSON() ([]byte, error) { return wire.MarshalRecord((*plainCustomer)(&c)) }

// UnmarshalJSON reads an object. It accepts [], "", false and null as the zero Customer.
func (c *Customer) UnmarshalJSON(data []byte) error {
	return readLax(data, (*plainCustomer)(c))
}

// MarshalJSON writes the fields and the members in Extra.
func (s Shipping) MarshalJSON() ([]byte, error) { return wire.MarshalRecord((*plainShipping)(&s)) }

// UnmarshalJSON reads an object. It accepts [], "", false and null as the zero Shipping.
func (s *Shipping) UnmarshalJSON(data []byte) error {
	return readLax(data, (*plainShipping)(s))
}

// MarshalJSON writes the fields and the members in Extra.
func (p Package) MarshalJSON() ([]byte, error) { return wire.MarshalRecord((*plainPackage)(&p)) }

// UnmarshalJSON reads an object. It accepts [], "", false and null as the zero Package.
func (p *Package) UnmarshalJSON(data []byte) error {
	return readLax(data, (*plainPackage)(p))
}

// MarshalJSON writes the fields and the members in Extra.
func (p Payment) MarshalJSON() ([]byte, error) { return wire.MarshalRecord((*plainPayment)(&p)) }

// UnmarshalJSON reads an object. It accepts [], "", false and null as the zero Payment.
func (p *Payment) UnmarshalJSON(data []byte) error {
	return readLax(data, (*plainPayment)(p))
}

// MarshalJSON writes the fields and the members in Extra.
func (t Totals) MarshalJSON() ([]byte, error) { return wire.MarshalRecord((*plainTotals)(&t)) }

// UnmarshalJSON reads an object. It accepts [], "", false and null as the zero Totals.
func (t *Totals) UnmarshalJSON(data []byte) error {
	return readLax(data, (*plainTotals)(t))
}

// The types without their methods.
type (
	plainCustomer Customer
	plainShipping Shipping
	plainPackage  Package
	plainPayment  Payment
	plainTotals   Totals
)

// readLax reads an object. The platform writes [] for a missing one.
func readLax[T any](data []byte, v *T) error {
	if len(data) > 0 && data[0] == '{' {
		return wire.UnmarshalExact(data, v)
	}
	var lax client.Nullable[T]
	err := lax.UnmarshalJSON(data)
	*v = lax.V
	return err
}
