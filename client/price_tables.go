package client

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// PriceTable gives the customers who are tied to it, such as those who buy wholesale, other prices than the others. The
// most exact rule wins: the price for a variant, the discount for a variant, the discount for a category,
// DefaultDiscount. It applies to customers who are logged in and approved. Products and variants are read at their
// prices without it.
type PriceTable struct {
	ID ID `json:"id"`
	// VerificationCode is a UUID that names the table in the link by which customers register themselves.
	VerificationCode string `json:"verification_code"`
	StoreID          ID     `json:"store_id"` // the store that it belongs to
	Name             string `json:"name"`     // as merchants see it
	// DefaultDiscount is a percentage off every product of the store, such as 5.00.
	DefaultDiscount Money `json:"default_discount"`
	// CartMinimumPrice is the value of a cart from which on the table applies; nil if there is none.
	CartMinimumPrice *Money `json:"cart_minimum_price"`
	// CartMinimumQuantity is the number of items in a cart from which on the table applies; nil if there is none.
	CartMinimumQuantity *Int `json:"cart_minimum_quantity"`
	// AutoApproveCustomers: customers need no ApproveCustomers.
	AutoApproveCustomers bool `json:"auto_approve_customers"`
	Active               bool `json:"active"`                // the table has an effect on carts
	HasCategories        bool `json:"has_categories"`        // there are discounts for categories
	HasVariants          bool `json:"has_products_variants"` // there are discounts or prices for variants
	HasCustomers         bool `json:"has_customers"`         // customers are tied to it, approved or not
	// Categories, Variants and Customers are empty in what Get and List return: use the methods that are called so.
	Categories []PriceTableCategory `json:"categories,omitzero"`
	Variants   []PriceTableVariant  `json:"product_variants,omitzero"`
	Customers  []PriceTableCustomer `json:"customers,omitzero"`
	CreatedAt  Time                 `json:"created_at"`
	UpdatedAt  Time                 `json:"updated_at"` // of the table itself, not of its exceptions and customers
	Extra      Extra                `json:",embed"`
}

// PriceTableInput is the body of Create and Update. Update changes what is present.
type PriceTableInput struct {
	// Name is required by Create.
	Name string `json:"name,omitzero"`
	// DefaultDiscount is a percentage from 0 to 100 with two decimals at most, and required by Create.
	DefaultDiscount Opt[Money] `json:"default_discount,omitzero"`
	// CartMinimumPrice is 0 or more, with two decimals at most. Null removes it.
	CartMinimumPrice Opt[Money] `json:"cart_minimum_price,omitzero"`
	// CartMinimumQuantity is 0 or more. Null removes it.
	CartMinimumQuantity Opt[int] `json:"cart_minimum_quantity,omitzero"`
	// Active is true in a new table, unless it says otherwise.
	Active Opt[bool] `json:"active,omitzero"`
	// AutoApproveCustomers approves customers as soon as they are tied to the table. It is false in a new table, unless
	// it says otherwise, and changes nothing for customers of before.
	AutoApproveCustomers Opt[bool] `json:"auto_approve_customers,omitzero"`
}

func (in PriceTableInput) check() error {
	switch {
	case in.Name == "":
		return engine.Invalid("name", in.Name, "a name")
	case in.DefaultDiscount.IsZero() || in.DefaultDiscount.IsNull():
		return engine.Invalid("default_discount", "", "a percentage from 0 to 100")
	}
	return nil
}

// The largest pages. The platform gives smaller ones than in other lists.
const (
	MaxPriceTablesPerPage     = 10 // price tables
	MaxPriceTableItemsPerPage = 50 // categories, variants or customers of a price table
)

// PriceTableFilter selects a page of price tables, or of what is in one. The lists know no selection of fields.
type PriceTableFilter struct {
	// Page is the first page to read, from 1. Zero is 1.
	Page int
	// PerPage is the size of a page: up to MaxPriceTablesPerPage tables, or MaxPriceTableItemsPerPage categories,
	// variants or customers. Zero is the largest.
	PerPage int
}

// query returns the parameters of a list whose pages have so many records at most.
func (f PriceTableFilter) query(most int) *query {
	q := newQuery()
	if f.PerPage > most {
		q.fail(engine.Invalid("per_page", f.PerPage, fmt.Sprintf("1 to %d", most)))
	}
	return q.paging(Paging{Page: f.Page, PerPage: f.PerPage})
}

// PriceTableService manages prices for groups of customers. It reads with the scope read_products and writes with
// write_products. All versions have it.
//
// Published descriptions of the API leave parts of it open, among them whether tables can be deleted. The methods take
// what is known of the answers, and more.
type PriceTableService engine.Service

// List selects tables.
//
//api:endpoint GET /products/price-tables
func (s *PriceTableService) List(f PriceTableFilter) List[PriceTable] {
	return s.tables(f, engine.ListSpec{Path: "/products/price-tables"})
}

// OfCustomer selects the tables of a customer, who is in one at most. There is none if the platform does not know the
// customer.
//
//api:endpoint GET /products/price-tables/customers/{customer_id}
func (s *PriceTableService) OfCustomer(customerID ID, f PriceTableFilter) List[PriceTable] {
	return s.tables(f, engine.ListSpec{Path: "/products/price-tables/customers/{customer_id}", Args: []any{customerID}})
}

func (s *PriceTableService) tables(f PriceTableFilter, spec engine.ListSpec) List[PriceTable] {
	spec.Envelope, spec.Total, spec.MaxPerPage = []string{"price_tables"}, "total", MaxPriceTablesPerPage
	return listOf[PriceTable](s, f.query(MaxPriceTablesPerPage), spec)
}

// priceTableItems selects what is in a table. The envelope of spec is the member of the table that has it.
func priceTableItems[T any](s *PriceTableService, f PriceTableFilter, spec engine.ListSpec) List[T] {
	spec.Envelope = append([]string{"price_table"}, spec.Envelope...)
	spec.Total, spec.MaxPerPage = "total", MaxPriceTableItemsPerPage
	return listOf[T](s, f.query(MaxPriceTableItemsPerPage), spec)
}

// Get returns a table without its exceptions and customers.
//
//api:endpoint GET /products/price-tables/{id}
func (s *PriceTableService) Get(ctx context.Context, id ID) (*PriceTable, error) {
	return s.table(ctx, engine.Request{Path: "/products/price-tables/{id}", Args: []any{id}})
}

// Create adds a table and returns it. Nothing distinguishes two tables of one name: if the outcome is unknown, look for
// the table in the list before you repeat the call.
//
//api:endpoint POST /products/price-tables
func (s *PriceTableService) Create(ctx context.Context, in PriceTableInput) (*PriceTable, error) {
	if err := in.check(); err != nil {
		return nil, err
	}
	return s.table(ctx, engine.Request{Method: http.MethodPost, Path: "/products/price-tables", Body: in})
}

// Update changes what is present in in. The platform answers without the table.
//
//api:endpoint PUT /products/price-tables/{id}
func (s *PriceTableService) Update(ctx context.Context, id ID, in PriceTableInput) error {
	return s.write(ctx, http.MethodPut, "/products/price-tables/{id}", in, id)
}

// Delete removes a table with its exceptions, and leaves its customers without one. Only one unofficial description has
// this endpoint: a platform without it answers 404 or 405.
//
//api:endpoint DELETE /products/price-tables/{id}
func (s *PriceTableService) Delete(ctx context.Context, id ID) error {
	return engine.Delete(ctx, s, "/products/price-tables/{id}", id)
}

// write sends in to path, whose answer has nothing to read.
func (s *PriceTableService) write(ctx context.Context, method, path string, in any, args ...any) error {
	return engine.Do(ctx, s, engine.Request{Method: method, Path: path, Args: args, Body: in}, nil)
}

// table returns the table of an answer, which has it in the member price_table or is the table.
func (s *PriceTableService) table(ctx context.Context, r engine.Request) (*PriceTable, error) {
	r.Result = true
	table := new(PriceTable)
	err := engine.Ask(ctx, s, r, func(ctx context.Context, a *engine.Answer, err error) error {
		if err != nil {
			return err
		}
		inner := *a
		var outer map[string]json.RawMessage
		if wire.Unmarshal(a.Body, &outer) == nil && kind(outer["price_table"]) == '{' {
			inner.Body = outer["price_table"]
		}
		return codecOf(engine.CoreOf(s)).Decode(ctx, &inner, table)
	})
	if err != nil {
		return nil, err
	}
	return table, nil
}
