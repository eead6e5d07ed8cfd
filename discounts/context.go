package discounts

import (
	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Customer is who fills the cart. ID is empty for somebody who has not logged in.
type Customer struct {
	ID    client.Code  `json:"id"`
	Extra client.Extra `json:",embed" wire:"methods"`
}

// Shipping is where the cart goes. Its texts are empty until the consumer says so.
type Shipping struct {
	Country    string       `json:"country"`    // ISO 3166-1 code, such as AR
	City       string       `json:"city"`       // city or town
	PostalCode client.Code  `json:"postalcode"` // postal code
	Cost       client.Money `json:"cost"`       // what the consumer pays for it
	Extra      client.Extra `json:",embed" wire:"methods"`
}

// Package is what is shipped. Weight is in kilograms [inferred].
type Package struct {
	Weight client.Measure `json:"weight"`
	Extra  client.Extra   `json:",embed" wire:"methods"`
}

// Payment is how the cart is going to be paid. Its texts are empty until the
// consumer says so.
type Payment struct {
	CreditCardCompany string       `json:"credit_card_company"` // such as visa
	Method            string       `json:"method"`              // such as credit_card
	Installments      client.Int   `json:"installments"`        // 0 if it is not known
	Extra             client.Extra `json:",embed" wire:"methods"`
}

// Totals are the sums over a cart.
type Totals struct {
	Subtotal      client.Money `json:"subtotal"`       // of the lines
	TotalDiscount client.Money `json:"total_discount"` // what is taken off already
	Total         client.Money `json:"total"`          // what the consumer pays
	Extra         client.Extra `json:",embed" wire:"methods"`
}

// UTM is a campaign that brought the consumer. Timestamp is in seconds [inferred].
type UTM struct {
	Source    string       `json:"utm_source"`   // such as a newsletter
	Medium    string       `json:"utm_medium"`   // such as email
	Campaign  string       `json:"utm_campaign"` // its name
	Term      string       `json:"utm_term"`     // what was searched for
	Content   string       `json:"utm_content"`  // which of several links
	Timestamp client.Int   `json:"timestamp"`
	Extra     client.Extra `json:",embed"`
}

// MarshalJSON writes the fields and the members in Extra.
func (c Customer) MarshalJSON() ([]byte, error) { return wire.MarshalRecord((*plainCustomer)(&c)) }

// UnmarshalJSON reads an object, or [], "", false and null as none.
func (c *Customer) UnmarshalJSON(data []byte) error {
	return readLax(data, (*plainCustomer)(c))
}

// MarshalJSON writes the fields and the members in Extra.
func (s Shipping) MarshalJSON() ([]byte, error) { return wire.MarshalRecord((*plainShipping)(&s)) }

// UnmarshalJSON reads an object, or [], "", false and null as none.
func (s *Shipping) UnmarshalJSON(data []byte) error {
	return readLax(data, (*plainShipping)(s))
}

// MarshalJSON writes the fields and the members in Extra.
func (p Package) MarshalJSON() ([]byte, error) { return wire.MarshalRecord((*plainPackage)(&p)) }

// UnmarshalJSON reads an object, or [], "", false and null as none.
func (p *Package) UnmarshalJSON(data []byte) error {
	return readLax(data, (*plainPackage)(p))
}

// MarshalJSON writes the fields and the members in Extra.
func (p Payment) MarshalJSON() ([]byte, error) { return wire.MarshalRecord((*plainPayment)(&p)) }

// UnmarshalJSON reads an object, or [], "", false and null as none.
func (p *Payment) UnmarshalJSON(data []byte) error {
	return readLax(data, (*plainPayment)(p))
}

// MarshalJSON writes the fields and the members in Extra.
func (t Totals) MarshalJSON() ([]byte, error) { return wire.MarshalRecord((*plainTotals)(&t)) }

// UnmarshalJSON reads an object, or [], "", false and null as none.
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

// readLax reads an object for which the platform prints [] if there is none.
func readLax[T any](data []byte, v *T) error {
	if len(data) > 0 && data[0] == '{' {
		return wire.UnmarshalExact(data, v)
	}
	var lax client.Nullable[T]
	err := lax.UnmarshalJSON(data)
	*v = lax.V
	return err
}
