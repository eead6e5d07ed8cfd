package res

import (
	"encoding/json"
	"maps"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/body"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// customerIn is the body of a customer. Texts that are often digits only may be written as numbers.
type customerIn struct {
	Name            body.Opt[string]                       `json:"name"`
	Email           body.Opt[string]                       `json:"email"`
	Phone           body.Opt[body.Text]                    `json:"phone"`
	Identification  body.Opt[body.Text]                    `json:"identification"`
	Note            body.Opt[string]                       `json:"note"`
	Addresses       body.Opt[body.List[customerAddressIn]] `json:"addresses"`
	BillingName     body.Opt[string]                       `json:"billing_name"`
	BillingAddress  body.Opt[string]                       `json:"billing_address"`
	BillingNumber   body.Opt[body.Text]                    `json:"billing_number"`
	BillingFloor    body.Opt[body.Text]                    `json:"billing_floor"`
	BillingLocality body.Opt[string]                       `json:"billing_locality"`
	BillingZipcode  body.Opt[body.Text]                    `json:"billing_zipcode"`
	BillingCity     body.Opt[string]                       `json:"billing_city"`
	BillingProvince body.Opt[string]                       `json:"billing_province"`
	BillingCountry  body.Opt[string]                       `json:"billing_country"`
	BillingPhone    body.Opt[body.Text]                    `json:"billing_phone"`
	Extra           body.Extra                             `json:"extra"`
	Active          body.Opt[bool]                         `json:"active"`

	// Members of an answer that may be sent back and change nothing.
	DefaultAddress     json.RawMessage `json:"default_address"`
	TotalSpent         json.RawMessage `json:"total_spent"`
	TotalSpentCurrency json.RawMessage `json:"total_spent_currency"`
	LastOrderID        json.RawMessage `json:"last_order_id"`
	FirstInteraction   json.RawMessage `json:"first_interaction"`
	AcceptsMarketing   json.RawMessage `json:"accepts_marketing"`
	AcceptsMarketingAt json.RawMessage `json:"accepts_marketing_updated_at"`
	body.ReadOnly
}

// apply returns the customer with what the body changes.
func (b customerIn) apply(tx *world.Tx, in *api.In, c world.Customer) (world.Customer, error) {
	c.Name = b.Name.Or(c.Name)
	c.Email = strings.TrimSpace(b.Email.Or(c.Email))
	c.Phone = body.TextOr(b.Phone, c.Phone)
	c.Identification = body.TextOr(b.Identification, c.Identification)
	c.Note = b.Note.Or(c.Note)
	c.Billing = world.Billing{
		Name:     b.BillingName.Or(c.Billing.Name),
		Address:  b.BillingAddress.Or(c.Billing.Address),
		Number:   body.TextOr(b.BillingNumber, c.Billing.Number),
		Floor:    body.TextOr(b.BillingFloor, c.Billing.Floor),
		Locality: b.BillingLocality.Or(c.Billing.Locality),
		Zipcode:  body.TextOr(b.BillingZipcode, c.Billing.Zipcode),
		City:     b.BillingCity.Or(c.Billing.City),
		Province: b.BillingProvince.Or(c.Billing.Province),
		Country:  b.BillingCountry.Or(c.Billing.Country),
		Phone:    body.TextOr(b.BillingPhone, c.Billing.Phone),
	}
	c.Active = b.Active.Or(c.Active)
	if b.Extra.Present {
		c.Extra = maps.Clone(b.Extra.Members)
	}
	// Neither is said to be required; a customer with neither is nobody.
	if strings.TrimSpace(c.Name) == "" && c.Email == "" {
		return c, api.Invalid("name", body.CannotBeBlank)
	}
	if c.Email != "" && !IsEmail(c.Email) {
		return c, api.Invalid("email", body.IsInvalid)
	}
	if !b.Addresses.Present {
		return c, nil
	}
	list, err := b.Addresses.Value.Read(in, "addresses")
	if err != nil {
		return c, err
	}
	c.Addresses = applyAddresses(tx, c.Addresses, list)
	return c, nil
}

type customerAddressJSON struct {
	ID        int64   `json:"id"`
	Name      *string `json:"name"`
	Address   *string `json:"address"`
	Number    *string `json:"number"`
	Floor     *string `json:"floor"`
	Locality  *string `json:"locality"`
	City      *string `json:"city"`
	Province  *string `json:"province"`
	Country   *string `json:"country"`
	Zipcode   *string `json:"zipcode"`
	Phone     *string `json:"phone"`
	Default   bool    `json:"default"`
	CreatedAt string  `json:"created_at"`
	UpdatedAt string  `json:"updated_at"`
}

func addressOnWire(a world.CustomerAddress) customerAddressJSON {
	return customerAddressJSON{
		ID:        a.ID,
		Name:      api.TextOrNil(a.Name),
		Address:   api.TextOrNil(a.Address.Address),
		Number:    api.TextOrNil(a.Number),
		Floor:     api.TextOrNil(a.Floor),
		Locality:  api.TextOrNil(a.Locality),
		City:      api.TextOrNil(a.City),
		Province:  api.TextOrNil(a.Province),
		Country:   api.TextOrNil(a.Country),
		Zipcode:   api.TextOrNil(a.Zipcode),
		Phone:     api.TextOrNil(a.Phone),
		Default:   a.Default,
		CreatedAt: api.Stamp(a.CreatedAt),
		UpdatedAt: api.Stamp(a.UpdatedAt),
	}
}

// customerAddressIn is one address in the body of a customer. Number, zipcode and
// phone may be written as numbers.
type customerAddressIn struct {
	ID        int64               `json:"id"`
	Name      body.Opt[string]    `json:"name"`
	Address   body.Opt[string]    `json:"address"`
	Number    body.Opt[body.Text] `json:"number"`
	Floor     body.Opt[body.Text] `json:"floor"`
	Locality  body.Opt[string]    `json:"locality"`
	City      body.Opt[string]    `json:"city"`
	Province  body.Opt[string]    `json:"province"`
	Country   body.Opt[string]    `json:"country"`
	Zipcode   body.Opt[body.Text] `json:"zipcode"`
	Phone     body.Opt[body.Text] `json:"phone"`
	Default   body.Opt[bool]      `json:"default"`
	CreatedAt json.RawMessage     `json:"created_at"`
	UpdatedAt json.RawMessage     `json:"updated_at"`
}

// applyAddresses makes the addresses of the body the customer's only ones. One
// with the id of an address that is there changes it. The last one that the body marks
// as default is it; otherwise the one that was, unless the body says no; otherwise the
// first.
func applyAddresses(tx *world.Tx, now []world.CustomerAddress, list []customerAddressIn) []world.CustomerAddress {
	var out []world.CustomerAddress
	marked, kept := -1, 0
	for i, b := range list {
		a := world.CustomerAddress{CreatedAt: tx.Now(), UpdatedAt: tx.Now()}
		for _, old := range now {
			if b.ID != 0 && old.ID == b.ID {
				a = old
			}
		}
		if a.ID == 0 {
			a.ID = tx.NewID()
		}
		switch {
		case b.Default.Value:
			marked = i
		case b.Default.Or(a.Default):
			kept = i
		}
		before := a
		a.Address = world.Address{
			Name:     b.Name.Or(a.Name),
			Address:  b.Address.Or(a.Address.Address),
			Number:   body.TextOr(b.Number, a.Number),
			Floor:    body.TextOr(b.Floor, a.Floor),
			Locality: b.Locality.Or(a.Locality),
			City:     b.City.Or(a.City),
			Province: b.Province.Or(a.Province),
			Country:  b.Country.Or(a.Country),
			Zipcode:  body.TextOr(b.Zipcode, a.Zipcode),
			Phone:    body.TextOr(b.Phone, a.Phone),
		}
		if a != before {
			a.UpdatedAt = tx.Now()
		}
		out = append(out, a)
	}
	if marked < 0 {
		marked = kept
	}
	for i := range out {
		out[i].Default = i == marked
	}
	return out
}
