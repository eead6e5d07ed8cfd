package rules

import (
	"encoding/json"
	"strings"

	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/discounts"
	"github.com/commerceplatform/commerce-go/internal/enum"
)

// Domain is what a rule is about.
type Domain string

// The domains of the contract, each with its event and the scopes that Service.Set requires.
const (
	DomainPayments Domain = "payments" // payments/before-filter: read_payment_options and read_payments
	DomainShipping Domain = "shipping" // shipping/before-filter: read_shipping
	DomainLocation Domain = "location" // location/prioritization: read_locations
	DomainCart     Domain = "cart"     // cart/before-finish: no scope
)

// Known reports whether the contract names the domain.
func (d Domain) Known() bool {
	return enum.Known(d, DomainPayments, DomainShipping, DomainLocation, DomainCart)
}

// Event returns the event of the domain, such as payments/before-filter; empty if the domain is not known.
func (d Domain) Event() string {
	switch d {
	case DomainPayments, DomainShipping:
		return string(d) + "/before-filter"
	case DomainLocation:
		return "location/prioritization"
	case DomainCart:
		return "cart/before-finish"
	}
	return ""
}

// Request is a purchase that the platform asks about. Texts that are null are empty, and amounts that are null are
// zero. The contract's examples have Shipping and Package in requests about shipping, the cart and locations only.
type Request struct {
	StoreID client.ID `json:"store_id"` // the store that it belongs to
	// CartID is that of the cart, the same as in discounts.Cart.
	CartID client.Code `json:"cart_id"`
	// Currency is an ISO 4217 code. All amounts are in it.
	Currency string    `json:"currency"`
	Details  Details   `json:"details"`           // what is asked; see Domain
	Products []Product `json:"products"`          // the lines of the cart
	Customer Customer  `json:"customer"`          // who buys
	Shipping Shipping  `json:"shipping,omitzero"` // where it goes; zero if the platform does not say
	// Package is what is shipped; zero if the platform does not say.
	Package discounts.Package `json:"package,omitzero"`
	// Locations are the places that it may ship from, in a request about locations; otherwise nil.
	Locations []Location       `json:"locations,omitzero"`
	Totals    discounts.Totals `json:"totals"` // what it costs
	// Raw is the body that ReadRequest was called with, and no copy of it.
	Raw   json.RawMessage `json:"-"`
	Extra client.Extra    `json:",embed"`
}

// Domain returns the domain that is asked about: that of the details or, if they have none, that of the event. The
// contract has "locations" in a table and "location" in its example: both are DomainLocation.
func (r *Request) Domain() Domain {
	d := r.Details.Domain
	if d == "" {
		name, _, _ := strings.Cut(r.Details.Event, "/")
		d = Domain(name)
	}
	if d == "locations" {
		return DomainLocation
	}
	return d
}

// Details are what is asked.
type Details struct {
	Event  string `json:"event"`  // such as payments/before-filter
	Action string `json:"action"` // filter or, about locations, prioritization
	// Domain is as it was sent: Request.Domain is what it means.
	Domain Domain `json:"domain"`
	// Timestamp is when the platform asked. The contract does not say in which unit; the reference server sends
	// milliseconds.
	Timestamp client.Int   `json:"timestamp"`
	Extra     client.Extra `json:",embed"`
}

// Product is a line of the cart: so many pieces of a variant.
type Product struct {
	ID        client.ID  `json:"id"`         // of the line
	ProductID client.ID  `json:"product_id"` // the product
	VariantID client.ID  `json:"variant_id"` // the variant
	Quantity  client.Int `json:"quantity"`   // pieces
	// Stock is how many pieces there are, nil if that is unlimited or unknown.
	Stock *client.Int `json:"stock"`
	// Price is that of one piece.
	Price      client.Money            `json:"price"`
	Categories []discounts.CategoryRef `json:"categories"` // those of the product
	Extra      client.Extra            `json:",embed"`
}

// Customer is who buys. ID is 0 for somebody who has not logged in. The other fields are sent in requests about the
// cart only, each of them perhaps empty.
type Customer struct {
	ID       client.ID    `json:"id"`
	Name     string       `json:"name,omitzero"`     // full name
	Email    string       `json:"email,omitzero"`    // address
	Phone    string       `json:"phone,omitzero"`    // as the customer wrote it
	Document string       `json:"document,omitzero"` // number of an identity document
	Zipcode  string       `json:"zipcode,omitzero"`  // postal code
	Extra    client.Extra `json:",embed"`
}

// Shipping is where the cart goes. Its texts are empty until the consumer says so.
type Shipping struct {
	Country    string       `json:"country"`           // ISO 3166-1 code, such as AR
	Province   string       `json:"province,omitzero"` // in the contract's example about locations only
	City       string       `json:"city"`              // city or town
	PostalCode client.Code  `json:"postalcode"`        // postal code
	Cost       client.Money `json:"cost"`              // what the consumer pays for it
	Extra      client.Extra `json:",embed"`
}

// Location is a place that the purchase may ship from.
type Location struct {
	ID      ulid.ULID   `json:"id"`      // that of client.Location
	Name    client.Text `json:"name"`    // in one language or several
	Address Address     `json:"address"` // where it is
	// Priority is that of the merchant: 0 is the first.
	Priority client.Int   `json:"priority"`
	Extra    client.Extra `json:",embed"`
}

// Address is that of a Location. Unlike in client.Location all of it is plain text.
type Address struct {
	Zipcode        client.Code  `json:"zipcode"`         // postal code
	Street         string       `json:"street"`          // without the number
	Number         client.Code  `json:"number"`          // house number, which may have letters
	Floor          string       `json:"floor"`           // floor or apartment
	Locality       string       `json:"locality"`        // quarter or part of the city
	Reference      string       `json:"reference"`       // what helps to find the place
	BetweenStreets string       `json:"between_streets"` // the streets on both sides of it
	Country        string       `json:"country"`         // such as AR
	Region         string       `json:"region"`          // region that the province is in
	Province       string       `json:"province"`        // province or state
	City           string       `json:"city"`            // city or town
	Extra          client.Extra `json:",embed"`
}
