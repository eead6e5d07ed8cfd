package res

import (
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/body"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

const wrongEmail = "The email must be a valid email address."

// buyer is who an order is for.
type buyer struct {
	Name     body.Opt[string]    `json:"name"`
	Email    body.Opt[string]    `json:"email"`
	Phone    body.Opt[body.Text] `json:"phone"`
	Document body.Opt[body.Text] `json:"document"`
}

func readBuyer(in *api.In, raw body.Nested[buyer], wrong *body.Problems) (buyer, error) {
	b, err := raw.Read(in, "customer")
	if err != nil {
		return b, err
	}
	b.Email.Value = strings.TrimSpace(b.Email.Value)
	if b.Email.Value != "" && !IsEmail(b.Email.Value) {
		wrong.Add("email", wrongEmail)
	}
	return b, nil
}

// IsEmail reports whether a text can be an email address.
func IsEmail(s string) bool {
	local, domain, ok := strings.Cut(s, "@")
	return ok && local != "" && domain != "" && !strings.ContainsAny(s, " \t\r\n")
}

// attach gives an order its contact and its customer: the one with the email or, if
// there is none, a new one. Without a name and an email the order has no customer.
func (b buyer) attach(tx *world.Tx, o world.Order) (world.Order, error) {
	o.ContactName, o.ContactEmail = b.Name.Value, b.Email.Value
	o.ContactPhone, o.ContactIdentification = string(b.Phone.Value), string(b.Document.Value)
	return withCustomer(tx, o)
}

func withCustomer(tx *world.Tx, o world.Order) (world.Order, error) {
	if o.ContactEmail != "" {
		if c, ok := tx.Customers.Find("email", strings.ToLower(o.ContactEmail)); ok {
			o.CustomerID = c.ID
			return o, nil
		}
	}
	if strings.TrimSpace(o.ContactName) == "" && o.ContactEmail == "" {
		return o, nil
	}
	c := world.Customer{
		ID:                 tx.NewID(),
		Name:               o.ContactName,
		Email:              o.ContactEmail,
		Phone:              o.ContactPhone,
		Identification:     o.ContactIdentification,
		Billing:            o.Billing,
		AcceptsMarketingAt: tx.Now(),
		CreatedAt:          tx.Now(),
		UpdatedAt:          tx.Now(),
	}
	if o.ShippingAddress != (world.Address{}) {
		c.Addresses = []world.CustomerAddress{{ID: tx.NewID(), Address: o.ShippingAddress, Default: true, CreatedAt: tx.Now(), UpdatedAt: tx.Now()}}
	}
	o.CustomerID = c.ID
	if err := tx.Customers.Put(c.ID, c); err != nil {
		return o, err
	}
	tx.Emit("customer/created", launched(tx, c.ID))
	return o, nil
}
