package client

import (
	"context"
	"fmt"
	"net/http"

	"github.com/commerceplatform/commerce-go/internal/engine"
)

// Customer is a person who bought in the store or registered there. Texts that nobody filled in are empty.
type Customer struct {
	ID    ID     `json:"id"`
	Name  string `json:"name"`  // first and last name in one
	Email string `json:"email"` // the e-mail address; may be empty
	Phone string `json:"phone"` // phone number
	// Identification is, for example, a national tax id.
	Identification string `json:"identification"`
	// Note is the store owner's note about the customer.
	Note string `json:"note"`
	// DefaultAddress is not Valid if the customer has no address.
	DefaultAddress Nullable[CustomerAddress] `json:"default_address"`
	Addresses      []CustomerAddress         `json:"addresses"` // all addresses of the customer
	Billing
	// CustomInfo is custom information, set by apps or by form fields named extra[key] on the storefront's register
	// form. It is "extra" on the wire.
	CustomInfo Object `json:"extra"`
	// TotalSpent is in TotalSpentCurrency, an ISO 4217 code.
	TotalSpent         Money  `json:"total_spent"`
	TotalSpentCurrency string `json:"total_spent_currency"`
	// LastOrderID is nil for a customer without orders.
	LastOrderID *ID  `json:"last_order_id"`
	Active      bool `json:"active"` // the contract does not describe it
	// AcceptsMarketing is the customer's own choice and cannot be set.
	AcceptsMarketing          bool  `json:"accepts_marketing"`
	AcceptsMarketingUpdatedAt Time  `json:"accepts_marketing_updated_at"` // when AcceptsMarketing last changed
	FirstInteraction          Time  `json:"first_interaction"`            // when the store first had contact with the customer
	CreatedAt                 Time  `json:"created_at"`
	UpdatedAt                 Time  `json:"updated_at"`
	Extra                     Extra `json:",embed"`
}

// CustomerAddress is an address of a customer.
type CustomerAddress struct {
	// ID is 0 for an address that does not belong to the customer.
	ID       ID     `json:"id"`
	Name     string `json:"name"`     // who lives there
	Address  string `json:"address"`  // the street
	Number   Code   `json:"number"`   // house number, which may have letters
	Floor    string `json:"floor"`    // floor or apartment
	Locality string `json:"locality"` // quarter or part of the city
	City     string `json:"city"`     // city or town
	Province string `json:"province"` // province or state
	// Country is a country code; empty if the platform does not report it.
	Country string `json:"country"`
	Zipcode Code   `json:"zipcode"` // postal code
	Phone   string `json:"phone"`   // phone number
	// Default is true for the customer's DefaultAddress.
	Default   bool  `json:"default"`
	CreatedAt Time  `json:"created_at"`
	UpdatedAt Time  `json:"updated_at"`
	Extra     Extra `json:",embed"`
}

// CustomerInput is the body of Create and Update. Update changes the members that are present, and leaves the others
// unchanged.
type CustomerInput struct {
	// Name and Email are left unchanged if empty.
	Name  string      `json:"name,omitzero"`
	Email string      `json:"email,omitzero"`
	Phone Opt[string] `json:"phone,omitzero"` // phone number
	// Identification is, for example, a national tax id.
	Identification Opt[string] `json:"identification,omitzero"`
	// Note is the store owner's note about the customer.
	Note      Opt[string]            `json:"note,omitzero"`
	Addresses []CustomerAddressInput `json:"addresses,omitzero"` // replaces all addresses
	CustomerBillingInput
	// CustomInfo is custom information. It is "extra" on the wire. An empty map removes all of it.
	CustomInfo Opt[map[string]any] `json:"extra,omitzero"`
	Active     Opt[bool]           `json:"active,omitzero"` // as in Customer
	// SendEmailInvite sends a registration e-mail. Only Create accepts SendEmailInvite and Password.
	SendEmailInvite bool   `json:"send_email_invite,omitzero"`
	Password        Secret `json:"password,omitzero"`
}

// Format prints the input without the password. Without Format, fmt would print the password for some verbs.
func (in CustomerInput) Format(f fmt.State, verb rune) {
	type fields CustomerInput
	in.Password = ""
	_, _ = fmt.Fprintf(f, fmt.FormatString(f, verb), fields(in))
}

// CustomerBillingInput is the billing part of a CustomerInput.
type CustomerBillingInput struct {
	BillingName     Opt[string] `json:"billing_name,omitzero"`     // who is billed
	BillingAddress  Opt[string] `json:"billing_address,omitzero"`  // the street
	BillingNumber   Opt[string] `json:"billing_number,omitzero"`   // house number
	BillingFloor    Opt[string] `json:"billing_floor,omitzero"`    // floor or apartment
	BillingLocality Opt[string] `json:"billing_locality,omitzero"` // quarter or part of the city
	BillingZipcode  Opt[string] `json:"billing_zipcode,omitzero"`  // postal code
	BillingCity     Opt[string] `json:"billing_city,omitzero"`     // city or town
	BillingProvince Opt[string] `json:"billing_province,omitzero"` // province or state
	// BillingCountry is a country code.
	BillingCountry Opt[string] `json:"billing_country,omitzero"`
	BillingPhone   Opt[string] `json:"billing_phone,omitzero"` // phone number
}

// CustomerAddressInput is one address in a CustomerInput.
type CustomerAddressInput struct {
	// ID is the id of the address to change; 0 for a new address.
	ID       ID     `json:"id,omitzero"`
	Name     string `json:"name,omitzero"`     // who lives there
	Address  string `json:"address,omitzero"`  // the street
	Number   string `json:"number,omitzero"`   // house number
	Floor    string `json:"floor,omitzero"`    // floor or apartment
	Locality string `json:"locality,omitzero"` // quarter or part of the city
	City     string `json:"city,omitzero"`     // city or town
	Province string `json:"province,omitzero"` // province or state
	// Country is a country code.
	Country string `json:"country,omitzero"`
	Zipcode string `json:"zipcode,omitzero"` // postal code
	Phone   string `json:"phone,omitzero"`   // phone number
	// Default makes this the customer's default address.
	Default Opt[bool] `json:"default,omitzero"`
}

// body returns the value that is sent. The JSON of the input itself, as a log contains it, omits the password.
func (in CustomerInput) body() any {
	type rest CustomerInput
	return struct {
		rest
		Password string `json:"password,omitzero"`
	}{rest(in), string(in.Password)}
}

func (in CustomerInput) check(creating bool) error {
	switch {
	case !creating && in.SendEmailInvite:
		return engine.Invalid("send_email_invite", in.SendEmailInvite, "unset, because only Create accepts it")
	case !creating && in.Password != "":
		return engine.Invalid("password", in.Password, "unset, because only Create accepts it")
	}
	chosen := 0
	for i, address := range in.Addresses {
		if address.ID < 0 {
			return engine.Invalid(fmt.Sprintf("addresses[%d].id", i), address.ID, "the id of an address, or 0 for a new one")
		}
		if address.Default.Or(false) {
			chosen++
		}
	}
	if chosen > 1 {
		return engine.Invalid("addresses", chosen, "at most one default")
	}
	return nil
}

// CustomerFilter selects customers. The zero filter selects all.
type CustomerFilter struct {
	Paging
	Window
	// SinceID selects customers with a greater id.
	SinceID ID
	// Query is text to find in name, e-mail address or identification.
	Query string
	Email string // the exact e-mail address
}

func (f CustomerFilter) query() *query {
	return newQuery().paging(f.Paging).window(f.Window).id("since_id", f.SinceID).text("q", f.Query).text("email", f.Email)
}

// CustomerService reads customers with the scope read_customers and writes them
// with write_customers. All versions have it.
type CustomerService engine.Service

// List selects customers.
//
//api:endpoint GET /customers
func (s *CustomerService) List(f CustomerFilter) List[Customer] {
	return listOf[Customer](s, f.query(), engine.ListSpec{Path: "/customers", SinceID: true})
}

// Get returns a customer. If fields are given, the response has only these members.
//
//api:endpoint GET /customers/{id}
func (s *CustomerService) Get(ctx context.Context, id ID, fields ...string) (*Customer, error) {
	return engine.Get[Customer](ctx, s, "/customers/{id}", only(fields), id)
}

// Create adds a customer and returns it. It is not retried after a failure that may have come after the customer was
// created, because an invitation may have been sent. On ErrOutcomeUnknown search for the e-mail address first, with
// CustomerFilter.Email.
//
//api:endpoint POST /customers
func (s *CustomerService) Create(ctx context.Context, in CustomerInput) (*Customer, error) {
	if err := in.check(true); err != nil {
		return nil, err
	}
	return engine.Result[Customer](ctx, s, engine.Request{Method: http.MethodPost, Path: "/customers", Body: in.body(), Secrets: in.Password != ""})
}

// Update changes the members that are present in the input.
//
//api:endpoint PUT /customers/{id}
func (s *CustomerService) Update(ctx context.Context, id ID, in CustomerInput) (*Customer, error) {
	if err := in.check(false); err != nil {
		return nil, err
	}
	return engine.Send[Customer](ctx, s, http.MethodPut, "/customers/{id}", in, id)
}

// Delete removes a customer. For a customer with orders it fails with ErrValidation.
//
//api:endpoint DELETE /customers/{id}
func (s *CustomerService) Delete(ctx context.Context, id ID) error {
	return engine.Delete(ctx, s, "/customers/{id}", id)
}
