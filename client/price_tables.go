package client

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// PriceTable defines special prices for its customers, such as wholesale buyers. The most specific rule applies, in
// this order: the price for a variant, the discount for a variant, the discount for a category, DefaultDiscount. It
// applies to logged-in, approved customers. The API returns products and variants with their regular prices.
type PriceTable struct {
	ID ID `json:"id"`
	// VerificationCode is a UUID that identifies the table in the registration link for customers.
	VerificationCode string `json:"verification_code"`
	StoreID          ID     `json:"store_id"` // the store of the table
	Name             string `json:"name"`     // name for merchants
	// DefaultDiscount is a percentage off every product of the store, such as 5.00.
	DefaultDiscount Money `json:"default_discount"`
	// CartMinimumPrice is the lowest cart value for which the table applies; nil if there is no minimum.
	CartMinimumPrice *Money `json:"cart_minimum_price"`
	// CartMinimumQuantity is the lowest number of items in a cart for which the table applies; nil if there is no
	// minimum.
	CartMinimumQuantity *Int `json:"cart_minimum_quantity"`
	// AutoApproveCustomers reports whether new customers are approved without ApproveCustomers.
	AutoApproveCustomers bool `json:"auto_approve_customers"`
	Active               bool `json:"active"`                // the table applies to carts
	HasCategories        bool `json:"has_categories"`        // there are discounts for categories
	HasVariants          bool `json:"has_products_variants"` // there are discounts or prices for variants
	HasCustomers         bool `json:"has_customers"`         // customers are assigned to it, approved or not
	// Categories, Variants and Customers are empty in the results of Get and List. Use the methods of the same names.
	Categories []PriceTableCategory `json:"categories,omitzero"`
	Variants   []PriceTableVariant  `json:"product_variants,omitzero"`
	Customers  []PriceTableCustomer `json:"customers,omitzero"`
	CreatedAt  Time                 `json:"created_at"`
	UpdatedAt  Time                 `json:"updated_at"` // excludes changes of its exceptions and customers
	Extra      Extra                `json:",embed"`
}

// PriceTableInput is the body of Create and Update. Update changes the members that are present.
type PriceTableInput struct {
	// Name is required by Create.
	Name string `json:"name,omitzero"`
	// DefaultDiscount is a percentage from 0 to 100 with at most two decimals. Create requires it.
	DefaultDiscount Opt[Money] `json:"default_discount,omitzero"`
	// CartMinimumPrice must be 0 or more, with at most two decimals. Null removes it.
	CartMinimumPrice Opt[Money] `json:"cart_minimum_price,omitzero"`
	// CartMinimumQuantity must be 0 or more. Null removes it.
	CartMinimumQuantity Opt[int] `json:"cart_minimum_quantity,omitzero"`
	// Active is true by default in a new table.
	Active Opt[bool] `json:"active,omitzero"`
	// AutoApproveCustomers approves customers when they are added to the table. It is false by default in a new table.
	// A change does not affect existing customers.
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

// Maximum page sizes. They are smaller than in other lists.
const (
	MaxPriceTablesPerPage     = 10 // price tables
	MaxPriceTableItemsPerPage = 50 // categories, variants or customers of a price table
)

// PriceTableFilter selects a page of price tables, or of the items in one. These lists do not support a selection of
// fields.
type PriceTableFilter struct {
	// Page is the first page to read, from 1. Zero means 1.
	Page int
	// PerPage is the size of a page, up to MaxPriceTablesPerPage tables, or MaxPriceTableItemsPerPage categories,
	// variants or customers. Zero means the maximum.
	PerPage int
}

// query returns the parameters of a list with at most most records in a page.
func (f PriceTableFilter) query(most int) *query {
	q := newQuery()
	if f.PerPage > most {
		q.fail(engine.Invalid("per_page", f.PerPage, fmt.Sprintf("1 to %d", most)))
	}
	return q.paging(Paging{Page: f.Page, PerPage: f.PerPage})
}

// PriceTableService manages prices for groups of customers. It reads with the scope read_products and writes with
// write_products. It is in all versions.
//
// Published descriptions of the API are incomplete, for example about whether tables can be deleted. The methods
// therefore accept all known forms of the answers, and more.
type PriceTableService engine.Service

// List selects tables.
//
//api:endpoint GET /products/price-tables
func (s *PriceTableService) List(f PriceTableFilter) List[PriceTable] {
	return s.tables(f, engine.ListSpec{Path: "/products/price-tables"})
}

// OfCustomer selects the table of a customer, of which there is at most one. The list is empty if the customer does not
// exist.
//
//api:endpoint GET /products/price-tables/customers/{customer_id}
func (s *PriceTableService) OfCustomer(customerID ID, f PriceTableFilter) List[PriceTable] {
	return s.tables(f, engine.ListSpec{Path: "/products/price-tables/customers/{customer_id}", Args: []any{customerID}})
}

func (s *PriceTableService) tables(f PriceTableFilter, spec engine.ListSpec) List[PriceTable] {
	spec.Envelope, spec.Total, spec.MaxPerPage = []string{"price_tables"}, "total", MaxPriceTablesPerPage
	return listOf[PriceTable](s, f.query(MaxPriceTablesPerPage), spec)
}

// priceTableItems selects the items of a table. The envelope of spec is the member of the table that holds them.
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

// Create adds a table and returns it. Two tables may have the same name. If the outcome is unknown, look for the table
// in the list before you repeat the call.
//
//api:endpoint POST /products/price-tables
func (s *PriceTableService) Create(ctx context.Context, in PriceTableInput) (*PriceTable, error) {
	if err := in.check(); err != nil {
		return nil, err
	}
	return s.table(ctx, engine.Request{Method: http.MethodPost, Path: "/products/price-tables", Body: in})
}

// Update changes the members that are present in in. The platform does not return the table.
//
//api:endpoint PUT /products/price-tables/{id}
func (s *PriceTableService) Update(ctx context.Context, id ID, in PriceTableInput) error {
	return s.write(ctx, http.MethodPut, "/products/price-tables/{id}", in, id)
}

// Delete removes a table with its exceptions. Its customers are then without a table. Only one unofficial description
// has this endpoint. A platform without it answers 404 or 405.
//
//api:endpoint DELETE /products/price-tables/{id}
func (s *PriceTableService) Delete(ctx context.Context, id ID) error {
	return engine.Delete(ctx, s, "/products/price-tables/{id}", id)
}

// write sends in to path and ignores the body of the answer.
func (s *PriceTableService) write(ctx context.Context, method, path string, in any, args ...any) error {
	return engine.Do(ctx, s, engine.Request{Method: method, Path: path, Args: args, Body: in}, nil)
}

// table returns the table of an answer. The answer is the table or has it in the member price_table.
func (s *PriceTableService) table(ctx context.Context, r engine.Request) (*PriceTable, error) {
	r.Result = true
	table := new(PriceTable)
	err := engine.Ask(ctx, s, r, func(ctx context.Context, a *engine.Answer, err error) error {
		if err != nil {
			return err
		}
		inner := *a
		var outer map[string]json.RawMessage
		if wire.Unmarshal(a.Body, &outer) == nil && wire.Kind(outer["price_table"]) == '{' {
			inner.Body = outer["price_table"]
		}
		return codecOf(engine.CoreOf(s)).Decode(ctx, &inner, table)
	})
	if err != nil {
		return nil, err
	}
	return table, nil
}
