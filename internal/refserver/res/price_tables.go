package res

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/body"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// priceTableOps are about the tables themselves. The files price_table_* have the operations of what belongs to them.
func priceTableOps() []api.Op {
	const path = priceTablesPath
	read, write, missing := priceTableScopes()
	limits := unprocessable(
		"default_discount: "+body.NotPercent("default discount"),
		"cart_minimum_price: "+body.NotCents("cart minimum price"),
		"cart_minimum_quantity: "+body.NotWithin("cart minimum quantity", 0, mostItems),
	)
	required := unprocessable("name: "+body.Required("name"), "default_discount: "+body.Required("default discount"))
	return []api.Op{
		{ID: "price_tables.create", Method: "POST", Path: path, Scopes: write, Success: 201, Provenance: api.Assumed,
			Errors: slices.Concat(required, limits), Handler: createPriceTable},
		{ID: "price_tables.list", Method: "GET", Path: path, Scopes: read, Provenance: api.Assumed,
			Paging: priceTablePaging(), Handler: api.Collection(findPriceTables, showPriceTable)},
		{ID: "price_tables.get", Method: "GET", Path: path + "/{id}", Scopes: read, Provenance: api.Assumed,
			Errors: missing, Handler: api.Record(priceTable, showOnePriceTable)},
		{ID: "price_tables.update", Method: "PUT", Path: path + "/{id}", Scopes: write, Success: 204, Provenance: api.Assumed,
			Errors: slices.Concat(missing, required, limits), Handler: updatePriceTable},
		{ID: "price_tables.delete", Method: "DELETE", Path: path + "/{id}", Scopes: write, Success: 204, NoBody: true,
			Provenance: api.Assumed, Errors: missing, Handler: deletePriceTable},
	}
}

const priceTablesPath = "/products/price-tables"

// priceTableScopes are the scopes of all operations, and the refusal of those about one table.
func priceTableScopes() (read, write []string, missing []api.ErrCase) {
	return []string{"read_products"}, []string{"write_products"}, []api.ErrCase{{Status: 404, Text: noSuchPriceTable}}
}

// noSuchPriceTable is assumed, as the words about everything else in price tables are but those of the 409.
const noSuchPriceTable = "Product price table with such id does not exist"

// mostItems bounds the least number of items in a cart.
const mostItems = 1_000_000_000

// priceTablePaging is that of lists of tables: ten a page, and no more.
func priceTablePaging() api.Paging {
	return api.Paging{Default: 10, Max: 10, EmptyOK: true, Envelope: func(p api.Page) any {
		return struct {
			Total  int   `json:"total"`
			Page   int   `json:"page"`
			Tables []any `json:"price_tables"`
		}{p.Total, p.Number, p.Items}
	}}
}

// priceTableJSON is a table, with what belongs to it in the answers that are about that.
type priceTableJSON struct {
	ID                   string  `json:"id"`
	VerificationCode     string  `json:"verification_code"`
	StoreID              string  `json:"store_id"`
	Name                 string  `json:"name"`
	DefaultDiscount      string  `json:"default_discount"`
	CartMinimumPrice     *string `json:"cart_minimum_price"`
	CartMinimumQuantity  *int64  `json:"cart_minimum_quantity"`
	AutoApproveCustomers bool    `json:"auto_approve_customers"`
	Active               bool    `json:"active"`
	CreatedAt            string  `json:"created_at"`
	UpdatedAt            string  `json:"updated_at"`
	HasCategories        bool    `json:"has_categories"`
	HasProductsVariants  bool    `json:"has_products_variants"`
	HasCustomers         bool    `json:"has_customers"`
	Categories           *[]any  `json:"categories,omitempty"`
	ProductVariants      *[]any  `json:"product_variants,omitempty"`
	Customers            *[]any  `json:"customers,omitempty"`
}

func showPriceTable(tx *world.Tx, _ *api.In, t world.PriceTable) any { return priceTableOnWire(tx, t) }

func priceTableOnWire(tx *world.Tx, t world.PriceTable) priceTableJSON {
	id := strconv.FormatInt(t.ID, 10)
	return priceTableJSON{
		ID:                   id,
		VerificationCode:     t.VerificationCode,
		StoreID:              strconv.FormatInt(tx.Store().ID, 10),
		Name:                 t.Name,
		DefaultDiscount:      money(t.DefaultDiscount),
		CartMinimumPrice:     fixedOrNull(t.MinimumPrice, 2),
		CartMinimumQuantity:  t.MinimumQuantity,
		AutoApproveCustomers: t.AutoApprove,
		Active:               t.Active,
		CreatedAt:            millis(t.CreatedAt),
		UpdatedAt:            millis(t.UpdatedAt),
		HasCategories:        tx.PriceTableCategories.Count("table", id) > 0,
		HasProductsVariants:  tx.PriceTableVariants.Count("table", id) > 0,
		HasCustomers:         tx.PriceTableCustomers.Count("table", id) > 0,
	}
}

// onePriceTable is the object around a single table.
type onePriceTable struct {
	Table priceTableJSON `json:"price_table"`
}

func showOnePriceTable(tx *world.Tx, _ *api.In, t world.PriceTable) any {
	return onePriceTable{priceTableOnWire(tx, t)}
}

// partPaging is that of lists of what belongs to a table.
func partPaging() api.Paging { return api.Paging{Default: 50, Max: 50, EmptyOK: true} }

func findPriceTables(tx *world.Tx, _ *api.In) ([]world.PriceTable, error) {
	return tx.PriceTables.Values(), nil
}

// priceTable is the one that the path names.
func priceTable(tx *world.Tx, in *api.In) (world.PriceTable, error) {
	t, ok := tx.PriceTables.Get(in.ID("id"))
	if !ok {
		return t, assumed(api.NotFound(noSuchPriceTable))
	}
	return t, nil
}

// priceTableIn is the body of a table.
type priceTableIn struct {
	body.ReadOnly
	Name                 body.Opt[string] `json:"name"`
	DefaultDiscount      body.Scalar      `json:"default_discount"`
	CartMinimumPrice     body.Scalar      `json:"cart_minimum_price"`
	CartMinimumQuantity  body.Scalar      `json:"cart_minimum_quantity"`
	AutoApproveCustomers body.Opt[bool]   `json:"auto_approve_customers"`
	Active               body.Opt[bool]   `json:"active"`

	// Members of an answer that may be sent back and change nothing.
	VerificationCode    any `json:"verification_code"`
	StoreID             any `json:"store_id"`
	HasCategories       any `json:"has_categories"`
	HasProductsVariants any `json:"has_products_variants"`
	HasCustomers        any `json:"has_customers"`
	Categories          any `json:"categories"`
	ProductVariants     any `json:"product_variants"`
	Customers           any `json:"customers"`
}

// apply returns the table with what the body changes.
func (b priceTableIn) apply(t world.PriceTable, now time.Time) (world.PriceTable, error) {
	wrong, before := &body.Problems{}, t
	if b.Name.Present || t.Name == "" {
		t.Name = strings.TrimSpace(b.Name.Value)
		wrong.Require("name", t.Name != "")
	}
	if b.DefaultDiscount.Present || t.CreatedAt.IsZero() {
		t.DefaultDiscount = wrong.Percent("default_discount", b.DefaultDiscount)
	}
	t.MinimumPrice = wrong.Cents("cart_minimum_price", b.CartMinimumPrice, t.MinimumPrice)
	if b.CartMinimumQuantity.Null() {
		t.MinimumQuantity = nil
	} else if b.CartMinimumQuantity.Present {
		n := wrong.Within("cart_minimum_quantity", b.CartMinimumQuantity, 0, mostItems)
		t.MinimumQuantity = &n
	}
	t.AutoApprove = b.AutoApproveCustomers.SetOr(t.AutoApprove)
	t.Active = b.Active.SetOr(t.Active)
	if !same(before, t) {
		t.UpdatedAt = now
	}
	return t, wrong.Err()
}

func createPriceTable(tx *world.Tx, in *api.In) (any, error) {
	var b priceTableIn
	if err := body.Decode(in, &b); err != nil {
		return nil, err
	}
	t, err := b.apply(world.PriceTable{ID: tx.NewID(), VerificationCode: tx.NewUUID(), Active: true}, tx.Now())
	if err != nil {
		return nil, err
	}
	t.CreatedAt = tx.Now()
	return priceTableOnWire(tx, t), tx.PriceTables.Put(t.ID, t)
}

func updatePriceTable(tx *world.Tx, in *api.In) (any, error) {
	before, err := priceTable(tx, in)
	if err != nil {
		return nil, err
	}
	var b priceTableIn
	if err := body.Decode(in, &b); err != nil {
		return nil, err
	}
	t, err := b.apply(before, tx.Now())
	if err != nil || same(before, t) {
		return nil, err
	}
	return nil, tx.PriceTables.Put(t.ID, t)
}

// deletePriceTable takes the exceptions of the table with it and leaves its customers without one.
func deletePriceTable(tx *world.Tx, in *api.In) (any, error) {
	t, err := priceTable(tx, in)
	if err != nil {
		return nil, err
	}
	dropExceptions(tx, "table", t.ID)
	for customer := range tx.PriceTableCustomers.Where("table", strconv.FormatInt(t.ID, 10)) {
		tx.PriceTableCustomers.Delete(customer)
	}
	tx.PriceTables.Delete(t.ID)
	return nil, nil
}

// dropExceptions deletes the exceptions of a "table", for a "category" or for a "variant".
func dropExceptions(tx *world.Tx, of string, id int64) {
	value := strconv.FormatInt(id, 10)
	for exception := range tx.PriceTableCategories.Where(of, value) {
		tx.PriceTableCategories.Delete(exception)
	}
	for exception := range tx.PriceTableVariants.Where(of, value) {
		tx.PriceTableVariants.Delete(exception)
	}
}
