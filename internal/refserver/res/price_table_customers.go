package res

import (
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/body"
	"github.com/commerceplatform/commerce-go/internal/refserver/table"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// priceTableCustomerOps are about the customers who are tied to a table.
func priceTableCustomerOps() []api.Op {
	const path = priceTablesPath + "/{id}"
	read, write, missing := priceTableScopes()
	ids := []api.ErrCase{
		{Status: 400, Text: body.InvalidFormat},
		{Status: 422, Text: "0: " + body.NotSelectable("customer id")},
	}
	return []api.Op{
		{ID: "price_tables.addCustomers", Method: "PUT", Path: path + "/customers", Scopes: write, Success: 204,
			Provenance: api.Supplement, Errors: slices.Concat(missing, ids, []api.ErrCase{
				{Status: 409, Text: customersAssociated},
				{Status: 422, Text: "customers: " + tooManyCustomers(10000)},
			}), Handler: addPriceTableCustomers},
		{ID: "price_tables.customers", Method: "GET", Path: path + "/customers", Scopes: read, Provenance: api.Supplement,
			Errors: missing, Paging: partPaging(), Handler: tableCustomers.list},
		{ID: "price_tables.removeCustomer", Method: "DELETE", Path: path + "/customers/{customer_id}", Scopes: write,
			Success: 204, NoBody: true, Provenance: api.Assumed, Errors: append(missing, api.ErrCase{Status: 404, Text: "null"}),
			Handler: tableCustomers.remove},
		{ID: "price_tables.approveCustomers", Method: "POST", Path: path + "/approve-customers", Scopes: write, Success: 204,
			Provenance: api.Supplement, Errors: slices.Concat(missing, ids), Handler: approvePriceTableCustomers},
		{ID: "price_tables.ofCustomer", Method: "GET", Path: priceTablesPath + "/customers/{customer_id}", Scopes: read, Provenance: api.Supplement,
			Paging: priceTablePaging(), Handler: api.Collection(findPriceTablesOfCustomer, showPriceTable)},
	}
}

// customersAssociated is the platform's text.
const customersAssociated = "Customers are associated with a product price table."

func tooManyCustomers(most int) string {
	return fmt.Sprintf("The customers may not have more than %d items.", most)
}

type priceTableCustomerJSON struct {
	ID         string  `json:"id"`
	CreatedAt  string  `json:"created_at"`
	ApprovedAt *string `json:"approved_at"`
}

func showPriceTableCustomer(c world.PriceTableCustomer) any {
	out := priceTableCustomerJSON{ID: strconv.FormatInt(c.CustomerID, 10), CreatedAt: millis(c.CreatedAt)}
	if !c.ApprovedAt.IsZero() {
		at := millis(c.ApprovedAt)
		out.ApprovedAt = &at
	}
	return out
}

var tableCustomers = tablePart[world.PriceTableCustomer]{
	of:  func(tx *world.Tx) *table.Table[int64, world.PriceTableCustomer] { return &tx.PriceTableCustomers },
	key: func(c world.PriceTableCustomer) int64 { return c.CustomerID }, variable: "customer_id",
	show: showPriceTableCustomer,
	put:  func(t *priceTableJSON, shown []any) { t.Customers = &shown },
}

// customerIDs reads a body that is an array of ids, and returns each once. The error names the places of other values,
// and of ids that known rejects.
func customerIDs(in *api.In, most int, known func(id int64) bool) (ids []int64, err error) {
	raws, err := body.Array(in)
	if err != nil {
		return nil, assumed(api.Coded(http.StatusBadRequest, body.InvalidFormat))
	}
	wrong, listed := &body.Problems{}, map[int64]bool{}
	if len(raws) > most {
		wrong.Add("customers", tooManyCustomers(most))
		return nil, assumedRefusal(wrong)
	}
	for i, raw := range raws {
		var s body.Scalar
		if err := s.UnmarshalJSON(raw); err != nil {
			return nil, err
		}
		id, ok := s.Int()
		if !ok || !known(id) {
			wrong.Add(strconv.Itoa(i), body.NotSelectable("customer id"))
		}
		if !listed[id] {
			listed[id], ids = true, append(ids, id)
		}
	}
	return ids, assumedRefusal(wrong)
}

// addPriceTableCustomers ties all of the customers to the table or none.
func addPriceTableCustomers(tx *world.Tx, in *api.In) (any, error) {
	t, err := priceTable(tx, in)
	if err != nil {
		return nil, err
	}
	ids, err := customerIDs(in, tx.Limits().TableCustomers, tx.Customers.Has)
	if err != nil {
		return nil, err
	}
	var taken []string
	for _, id := range ids {
		c, tied := tx.PriceTableCustomers.Get(id)
		switch {
		case tied && in.Readings.RepeatedCustomers204 && c.TableID == t.ID:
			continue
		case tied:
			taken = append(taken, strconv.FormatInt(id, 10))
		}
		c = world.PriceTableCustomer{TableID: t.ID, CustomerID: id, CreatedAt: tx.Now()}
		if t.AutoApprove {
			c.ApprovedAt = tx.Now()
		}
		if err := tx.PriceTableCustomers.Put(id, c); err != nil {
			return nil, err
		}
	}
	if len(taken) > 0 {
		associated := []map[string][]string{{"customers": taken}}
		return nil, api.Coded(http.StatusConflict, customersAssociated).With("errors", associated)
	}
	if t.AutoApprove || in.Readings.RepeatedCustomers204 {
		return &api.Answer{Header: assumedHeader()}, nil
	}
	return nil, nil
}

// approvePriceTableCustomers skips customers who are approved already or not in the table.
func approvePriceTableCustomers(tx *world.Tx, in *api.In) (any, error) {
	t, err := priceTable(tx, in)
	if err != nil {
		return nil, err
	}
	ids, err := customerIDs(in, math.MaxInt, func(int64) bool { return true })
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		c, ok := tx.PriceTableCustomers.Get(id)
		if !ok || c.TableID != t.ID || !c.ApprovedAt.IsZero() {
			continue
		}
		c.ApprovedAt = tx.Now()
		if err := tx.PriceTableCustomers.Put(id, c); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// findPriceTablesOfCustomer finds one table at most. A customer whom nobody knows is in none.
func findPriceTablesOfCustomer(tx *world.Tx, in *api.In) ([]world.PriceTable, error) {
	c, ok := tx.PriceTableCustomers.Get(in.ID("customer_id"))
	if !ok {
		return nil, nil
	}
	t, _ := tx.PriceTables.Get(c.TableID)
	return []world.PriceTable{t}, nil
}
