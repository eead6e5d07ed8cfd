package rules

import (
	"encoding/json"
	"strings"

	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/discounts"
)

// Request is a purchase about which the platform requests a rule. Null strings are empty, and null amounts are zero.
// In the contract's examples, Shipping and Package are only in requests about shipping, the cart and locations.
type Request struct {
	StoreID client.ID `json:"store_id"` // the store of the purchase
	// CartID is the id of the cart, equal to that in discounts.Cart.
	CartID client.Code `json:"cart_id"`
	// Currency is an ISO 4217 code. All amounts are in it.
	Currency string    `json:"currency"`
	Details  Details   `json:"details"`           // the requested rule; see Domain
	Products []Product `json:"products"`          // the lines of the cart
	Customer Customer  `json:"customer"`          // the buyer
	Shipping Shipping  `json:"shipping,omitzero"` // the destination; zero if absent
	// Package describes the parcel; zero if absent.
	Package discounts.Package `json:"package,omitzero"`
	// Locations are the locations that can ship the purchase, in a request about locations; otherwise nil.
	Locations []Location       `json:"locations,omitzero"`
	Totals    discounts.Totals `json:"totals"` // the sums
	// Raw is the body passed to ReadRequest, not a copy.
	Raw   json.RawMessage `json:"-"`
	Extra client.Extra    `json:",embed"`
}

// Domain returns the domain of the request: from the details or, if they have none, from the event. The contract has
// "locations" in a table and "location" in its example. Both mean DomainLocation.
func (r *Request) Domain() client.RuleDomain {
	d := r.Details.Domain
	if d == "" {
		name, _, _ := strings.Cut(r.Details.Event, "/")
		d = client.RuleDomain(name)
	}
	if d == "locations" {
		return client.RuleDomainLocation
	}
	return d
}

// Details describe the requested rule.
type Details struct {
	Event  string `json:"event"`  // such as payments/before-filter
	Action string `json:"action"` // filter or, about locations, prioritization
	// Domain is as the platform sent it. Request.Domain returns its meaning.
	Domain client.RuleDomain `json:"domain"`
	// Timestamp is the time of the request. The contract does not specify the unit. The reference server sends
	// milliseconds.
	Timestamp client.Int   `json:"timestamp"`
	Extra     client.Extra `json:",embed"`
}

// Product is a line of the cart: a variant and its quantity.
type Product struct {
	ID        client.ID  `json:"id"`         // of the line
	ProductID client.ID  `json:"product_id"` // the product
	VariantID client.ID  `json:"variant_id"` // the variant
	Quantity  client.Int `json:"quantity"`   // number of pieces
	// Stock is the number of available pieces; nil if it is unlimited or unknown.
	Stock *client.Int `json:"stock"`
	// Price is the price of one piece.
	Price      client.Money            `json:"price"`
	Categories []discounts.CategoryRef `json:"categories"` // of the product
	Extra      client.Extra            `json:",embed"`
}

// Customer is the buyer. ID is 0 if the buyer is not logged in. The other fields are sent only in requests about the
// cart, and each may be empty.
type Customer struct {
	ID       client.ID    `json:"id"`
	Name     string       `json:"name,omitzero"`     // full name
	Email    string       `json:"email,omitzero"`    // address
	Phone    string       `json:"phone,omitzero"`    // as the customer wrote it
	Document string       `json:"document,omitzero"` // number of an identity document
	Zipcode  string       `json:"zipcode,omitzero"`  // postal code
	Extra    client.Extra `json:",embed"`
}

// Shipping is the destination of the cart. Its strings are empty until the customer enters them.
type Shipping struct {
	Country    string       `json:"country"`           // ISO 3166-1 code, such as AR
	Province   string       `json:"province,omitzero"` // in the contract's example about locations only
	City       string       `json:"city"`              // city or town
	PostalCode client.Code  `json:"postalcode"`        // postal code
	Cost       client.Money `json:"cost"`              // price of the shipping for the customer
	Extra      client.Extra `json:",embed"`
}

// Location is a location that can ship the purchase.
type Location struct {
	ID      ulid.ULID   `json:"id"`      // equal to client.Location.ID
	Name    client.Text `json:"name"`    // in one language or several
	Address Address     `json:"address"` // where it is
	// Priority is set by the merchant. 0 is the highest.
	Priority client.Int   `json:"priority"`
	Extra    client.Extra `json:",embed"`
}

// Address is the address of a Location. All its members are plain strings, unlike in client.Location.
type Address struct {
	Zipcode        client.Code  `json:"zipcode"`         // postal code
	Street         string       `json:"street"`          // without the number
	Number         client.Code  `json:"number"`          // house number, may contain letters
	Floor          string       `json:"floor"`           // floor or apartment
	Locality       string       `json:"locality"`        // quarter or part of the city
	Reference      string       `json:"reference"`       // a hint to find the place
	BetweenStreets string       `json:"between_streets"` // the streets on both sides
	Country        string       `json:"country"`         // such as AR
	Region         string       `json:"region"`          // region of the province
	Province       string       `json:"province"`        // province or state
	City           string       `json:"city"`            // city or town
	Extra          client.Extra `json:",embed"`
}
