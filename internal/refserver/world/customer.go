package world

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/table"
)

// Customer is someone who buys, or may buy, in the store. The amount that a customer spent is read from the orders.
type Customer struct {
	ID             int64
	Name           string
	Email          string
	Phone          string
	Identification string
	Note           string
	// Addresses have one default, unless there are none.
	Addresses []CustomerAddress
	Billing   Billing
	// Extra is custom information, by name.
	Extra map[string]json.RawMessage
	// Active customers have an account, which begins with a password.
	Active             bool
	AcceptsMarketing   bool
	AcceptsMarketingAt time.Time
	CreatedAt          time.Time
	UpdatedAt          time.Time
}

// Packed marks the type: a store has many.
func (Customer) Packed() {}

// Indexes find the customers with an email, in lower case.
func (c Customer) Indexes() []table.Entry {
	if c.Email == "" {
		return nil
	}
	return []table.Entry{table.Multi("email", strings.ToLower(c.Email))}
}

// CustomerAddress is an address a customer receives at.
type CustomerAddress struct {
	ID int64
	Address
	Default   bool
	CreatedAt time.Time
	UpdatedAt time.Time
}

// Address is a postal address as customers and orders write it.
type Address struct {
	Name     string
	Address  string
	Number   string
	Floor    string
	Locality string
	City     string
	Province string
	Country  string
	Zipcode  string
	Phone    string
}

// Billing is an address as one that bills go to.
func (a Address) Billing() Billing {
	return Billing{Name: a.Name, Address: a.Address, Number: a.Number, Floor: a.Floor, Locality: a.Locality, Zipcode: a.Zipcode,
		City: a.City, Province: a.Province, Country: a.Country, Phone: a.Phone}
}

// Billing is whom and where a customer's bills go to.
type Billing struct {
	Name     string
	Address  string
	Number   string
	Floor    string
	Locality string
	Zipcode  string
	City     string
	Province string
	Country  string
	Phone    string
}
