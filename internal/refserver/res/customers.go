package res

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/body"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

func customerOps() []api.Op {
	read, write := []string{"read_customers"}, []string{"write_customers"}
	missing := []api.ErrCase{{Status: 404, Text: "null"}}
	wrong := []api.ErrCase{{Status: 422, Text: "name: " + body.CannotBeBlank},
		{Status: 422, Text: "email: " + body.IsInvalid},
		{Status: 422, Text: "addresses: " + body.IsInvalid}, {Status: 422, Text: "extra: " + body.IsInvalid}}
	return []api.Op{
		{ID: "customers.list", Method: "GET", Path: "/customers", Scopes: read,
			Query: api.Recurring("q", "email"), Handler: listCustomers},
		{ID: "customers.get", Method: "GET", Path: "/customers/{id}", Scopes: read, Errors: missing, Handler: getCustomer},
		{ID: "customers.create", Method: "POST", Path: "/customers", Scopes: write, Success: 201,
			Emits: []string{"customer/created"}, Errors: wrong, Handler: createCustomer},
		{ID: "customers.update", Method: "PUT", Path: "/customers/{id}", Scopes: write,
			Emits: []string{"customer/updated"}, Errors: slices.Concat(missing, wrong), Handler: updateCustomer},
		{ID: "customers.delete", Method: "DELETE", Path: "/customers/{id}", Scopes: write, NoBody: true,
			Emits: []string{"customer/deleted"}, Provenance: api.Supplement, Handler: deleteCustomer,
			Errors: append(missing, api.ErrCase{Status: 422, Text: customerHasOrders})},
	}
}

const customerHasOrders = "Cannot delete a customer with orders"

type customerJSON struct {
	ID                 int64                      `json:"id"`
	Name               *string                    `json:"name"`
	Email              *string                    `json:"email"`
	Phone              *string                    `json:"phone"`
	Identification     *string                    `json:"identification"`
	Note               *string                    `json:"note"`
	DefaultAddress     *customerAddressJSON       `json:"default_address"`
	Addresses          []customerAddressJSON      `json:"addresses"`
	BillingName        *string                    `json:"billing_name"`
	BillingAddress     *string                    `json:"billing_address"`
	BillingNumber      *string                    `json:"billing_number"`
	BillingFloor       *string                    `json:"billing_floor"`
	BillingLocality    *string                    `json:"billing_locality"`
	BillingZipcode     *string                    `json:"billing_zipcode"`
	BillingCity        *string                    `json:"billing_city"`
	BillingProvince    *string                    `json:"billing_province"`
	BillingCountry     *string                    `json:"billing_country"`
	BillingPhone       *string                    `json:"billing_phone"`
	Extra              map[string]json.RawMessage `json:"extra"`
	TotalSpent         string                     `json:"total_spent"`
	TotalSpentCurrency string                     `json:"total_spent_currency"`
	LastOrderID        *int64                     `json:"last_order_id"`
	Active             bool                       `json:"active"`
	FirstInteraction   string                     `json:"first_interaction"`
	AcceptsMarketing   bool                       `json:"accepts_marketing"`
	AcceptsMarketingAt string                     `json:"accepts_marketing_updated_at"`
	CreatedAt          string                     `json:"created_at"`
	UpdatedAt          string                     `json:"updated_at"`
}

func listCustomers(tx *world.Tx, in *api.In) (any, error) {
	if isSearch(in) {
		found := tx.CustomersWith(in.Text("q"))
		return searched(found, &tx.Customers, func(c world.Customer) any { return showCustomer(tx, in, c) }), nil
	}
	return api.Collection(findCustomers, showCustomer)(tx, in)
}

func showCustomer(tx *world.Tx, _ *api.In, c world.Customer) any { return customerOnWire(tx, c) }

func customerOnWire(tx *world.Tx, c world.Customer) customerJSON {
	out := customerJSON{
		ID:                 c.ID,
		Name:               api.TextOrNil(c.Name),
		Email:              api.TextOrNil(c.Email),
		Phone:              api.TextOrNil(c.Phone),
		Identification:     api.TextOrNil(c.Identification),
		Note:               api.TextOrNil(c.Note),
		Addresses:          []customerAddressJSON{},
		BillingName:        api.TextOrNil(c.Billing.Name),
		BillingAddress:     api.TextOrNil(c.Billing.Address),
		BillingNumber:      api.TextOrNil(c.Billing.Number),
		BillingFloor:       api.TextOrNil(c.Billing.Floor),
		BillingLocality:    api.TextOrNil(c.Billing.Locality),
		BillingZipcode:     api.TextOrNil(c.Billing.Zipcode),
		BillingCity:        api.TextOrNil(c.Billing.City),
		BillingProvince:    api.TextOrNil(c.Billing.Province),
		BillingCountry:     api.TextOrNil(c.Billing.Country),
		BillingPhone:       api.TextOrNil(c.Billing.Phone),
		Extra:              c.Extra,
		TotalSpentCurrency: tx.Store().MainCurrency,
		Active:             c.Active,
		FirstInteraction:   api.Stamp(c.CreatedAt),
		AcceptsMarketing:   c.AcceptsMarketing,
		AcceptsMarketingAt: api.Stamp(c.AcceptsMarketingAt),
		CreatedAt:          api.Stamp(c.CreatedAt),
		UpdatedAt:          api.Stamp(c.UpdatedAt),
	}
	if out.Extra == nil {
		out.Extra = map[string]json.RawMessage{}
	}
	for _, a := range c.Addresses {
		shown := addressOnWire(a)
		out.Addresses = append(out.Addresses, shown)
		if a.Default {
			out.DefaultAddress = &shown
		}
	}
	var spent decimal.Decimal
	for id, o := range tx.Orders.Where("customer", strconv.FormatInt(c.ID, 10)) {
		out.LastOrderID = &id
		if o.PaymentStatus == "paid" {
			spent = spent.Add(o.Total)
		}
	}
	out.TotalSpent = money(spent)
	return out
}

func findCustomers(tx *world.Tx, in *api.In) ([]world.Customer, error) {
	email := strings.ToLower(in.Text("email"))
	found := candidates(tx, in, &tx.Customers, (*world.Tx).CustomersWith)
	if email != "" && !in.Has("q") {
		found = tx.Customers.Where("email", email)
	}
	var out []world.Customer
	for _, c := range found {
		if in.Selects(c.ID, c.CreatedAt, c.UpdatedAt) && (email == "" || strings.ToLower(c.Email) == email) {
			out = append(out, c)
		}
	}
	return out, nil
}

func getCustomer(tx *world.Tx, in *api.In) (any, error) {
	c, err := customer(tx, in)
	if err != nil {
		return nil, err
	}
	return customerOnWire(tx, c), nil
}

func customer(tx *world.Tx, in *api.In) (world.Customer, error) {
	c, ok := tx.Customers.Get(in.ID("id"))
	if !ok {
		return c, api.NotFound("")
	}
	return c, nil
}

// createCustomer invites nobody: there is no mail here. A customer with a password
// has an account and is active.
func createCustomer(tx *world.Tx, in *api.In) (any, error) {
	var b struct {
		customerIn
		SendEmailInvite body.Opt[bool]   `json:"send_email_invite"`
		Password        body.Opt[string] `json:"password"`
	}
	if err := body.Decode(in, &b); err != nil {
		return nil, err
	}
	c := world.Customer{
		ID:                 tx.NewID(),
		Active:             b.Password.Value != "",
		AcceptsMarketingAt: tx.Now(),
		CreatedAt:          tx.Now(),
		UpdatedAt:          tx.Now(),
	}
	c, err := b.apply(tx, in, c)
	if err != nil {
		return nil, err
	}
	if err := tx.Customers.Put(c.ID, c); err != nil {
		return nil, err
	}
	tx.Emit("customer/created", launched(tx, c.ID))
	return customerOnWire(tx, c), nil
}

// launched is the payload of a customer's events. It has the time to the
// microsecond, so that two events about one customer never read the same.
func launched(tx *world.Tx, id int64) map[string]any {
	return map[string]any{"id": id, "event_launch_ts": tx.Now().UTC().Format("2006-01-02T15:04:05.000000Z07:00")}
}

func updateCustomer(tx *world.Tx, in *api.In) (any, error) {
	before, err := customer(tx, in)
	if err != nil {
		return nil, err
	}
	var b customerIn
	if err := body.Decode(in, &b); err != nil {
		return nil, err
	}
	c, err := b.apply(tx, in, before)
	if err != nil {
		return nil, err
	}
	if same(before, c) {
		return customerOnWire(tx, c), nil
	}
	c.UpdatedAt = tx.Now()
	if err := tx.Customers.Put(c.ID, c); err != nil {
		return nil, err
	}
	tx.Emit("customer/updated", launched(tx, c.ID))
	return customerOnWire(tx, c), nil
}

func deleteCustomer(tx *world.Tx, in *api.In) (any, error) {
	c, err := customer(tx, in)
	if err != nil {
		return nil, err
	}
	if tx.Orders.Count("customer", strconv.FormatInt(c.ID, 10)) > 0 {
		return nil, api.Unprocessable(customerHasOrders)
	}
	tx.Customers.Delete(c.ID)
	tx.PriceTableCustomers.Delete(c.ID)
	tx.Emit("customer/deleted", launched(tx, c.ID))
	return api.Empty{}, nil
}
