package res

import (
	"slices"
	"strconv"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/body"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

func externalInvoiceOps() []api.Op {
	const path = "/orders/{order_id}/invoices/external"
	const one = path + "/{key}"
	read, write, only := []string{"read_orders"}, []string{"write_orders"}, []string{api.Unstable}
	noOrder := []api.ErrCase{{Status: 404, Text: noSuchOrder}}
	missing := append(slices.Clone(noOrder), api.ErrCase{Status: 404, Text: noSuchExternalInvoice})
	closed := []api.ErrCase{{Status: 403, Text: importedOrder}}
	faults := unprocessable(
		"series: "+body.TooLong("series", mostInvoiceText), "number: "+body.TooLong("number", mostInvoiceText),
		"status: "+body.NotSelectable("status"), "subtype: "+body.NotSelectable("subtype"),
		"fulfillment_order_id: "+body.NotSelectable("fulfillment order id"),
	)
	key := unprocessable("key: "+body.Required("key"), "key: "+body.WrongFormat("key"), "key: "+body.AlreadyTaken)
	return []api.Op{
		{ID: "external_invoices.create", Method: "POST", Path: path, Scopes: write, Versions: only, Success: 201,
			Provenance: api.Assumed, Errors: slices.Concat(noOrder, closed, key, faults), Handler: createExternalInvoice},
		{ID: "external_invoices.list", Method: "GET", Path: path, Scopes: read, Versions: only, Provenance: api.Assumed,
			Errors: noOrder, Paging: api.Paging{Default: 30, Max: 50, EmptyOK: true},
			Handler: api.Collection(findExternalInvoices, showExternalInvoice)},
		{ID: "external_invoices.get", Method: "GET", Path: one, Scopes: read, Versions: only, Provenance: api.Assumed,
			Errors: missing, Handler: api.Record(externalInvoice, showExternalInvoice)},
		{ID: "external_invoices.update", Method: "PUT", Path: one, Scopes: write, Versions: only, Provenance: api.Assumed,
			Errors: slices.Concat(missing, closed, faults), Handler: updateExternalInvoice},
		{ID: "external_invoices.delete", Method: "DELETE", Path: one, Scopes: write, Versions: only, Success: 204,
			NoBody: true, Provenance: api.Assumed, Errors: slices.Concat(missing, closed), Handler: deleteExternalInvoice},
	}
}

// Texts about external invoices, all of them assumed.
const (
	noSuchExternalInvoice = "External invoice with such key does not exist"
	importedOrder         = "External invoices of an imported order cannot be changed"
)

const (
	invoiceKeyDigits = 44
	mostInvoiceText  = 255
	// fromMarketplace is the storefront of orders that were imported.
	fromMarketplace = "meli"
)

// externalInvoiceJSON leaves out what is null.
type externalInvoiceJSON struct {
	Key                string `json:"key"`
	Series             string `json:"series,omitempty"`
	Number             string `json:"number,omitempty"`
	Status             string `json:"status"`
	Subtype            string `json:"subtype"`
	StoreID            string `json:"store_id"`
	OrderID            string `json:"order_id"`
	FulfillmentOrderID string `json:"fulfillment_order_id,omitempty"`
}

func showExternalInvoice(tx *world.Tx, _ *api.In, i world.ExternalInvoice) any {
	return externalInvoiceJSON{
		Key: i.Key, Series: i.Series, Number: i.Number, Status: i.Status, Subtype: i.Subtype,
		StoreID: strconv.FormatInt(tx.Store().ID, 10), OrderID: strconv.FormatInt(i.OrderID, 10),
		FulfillmentOrderID: i.FulfillmentOrderID,
	}
}

// invoicedOrder is the order that the path names.
func invoicedOrder(tx *world.Tx, in *api.In) (world.Order, error) {
	o, ok := tx.Orders.Get(in.ID("order_id"))
	if !ok {
		return o, api.NotFound(noSuchOrder)
	}
	return o, nil
}

func findExternalInvoices(tx *world.Tx, in *api.In) (out []world.ExternalInvoice, err error) {
	o, err := invoicedOrder(tx, in)
	if err != nil {
		return nil, err
	}
	for _, i := range tx.ExternalInvoices.Where("order", strconv.FormatInt(o.ID, 10)) {
		out = append(out, i)
	}
	return out, nil
}

// externalInvoice is the one that the path names, which is the order's.
func externalInvoice(tx *world.Tx, in *api.In) (world.ExternalInvoice, error) {
	o, err := invoicedOrder(tx, in)
	if err != nil {
		return world.ExternalInvoice{}, err
	}
	i, ok := tx.ExternalInvoices.Get(in.Var("key"))
	if !ok || i.OrderID != o.ID {
		return i, api.NotFound(noSuchExternalInvoice)
	}
	return i, nil
}

// writable refuses an order that was imported.
func writable(o world.Order) error {
	if o.Storefront == fromMarketplace {
		return api.Forbidden(importedOrder)
	}
	return nil
}

// writableExternalInvoice is the invoice that the path names, of an order that was not imported.
func writableExternalInvoice(tx *world.Tx, in *api.In) (world.ExternalInvoice, error) {
	i, err := externalInvoice(tx, in)
	if err != nil {
		return i, err
	}
	o, _ := tx.Orders.Get(i.OrderID)
	return i, writable(o)
}

// externalInvoiceIn is the body of an invoice.
type externalInvoiceIn struct {
	Key                body.Scalar      `json:"key"`
	Series             body.Opt[string] `json:"series"`
	Number             body.Opt[string] `json:"number"`
	Status             body.Opt[string] `json:"status"`
	Subtype            body.Opt[string] `json:"subtype"`
	FulfillmentOrderID body.Opt[string] `json:"fulfillment_order_id"`

	// Members of an answer that may be sent back and change nothing.
	StoreID any `json:"store_id"`
	OrderID any `json:"order_id"`
}

// apply returns the invoice with what the body changes. Null is no text, and leaves the status and the subtype.
func (b externalInvoiceIn) apply(tx *world.Tx, i world.ExternalInvoice, wrong *body.Problems) world.ExternalInvoice {
	i.Series, i.Number = b.Series.Or(i.Series), b.Number.Or(i.Number)
	wrong.AtMost("series", i.Series, mostInvoiceText)
	wrong.AtMost("number", i.Number, mostInvoiceText)
	i.Status = wrong.Choice("status", b.Status.SetOr(i.Status), []string{
		"Authorized", "AuthorizedInContingency", "Cancelled", "Denied",
	})
	i.Subtype = wrong.Choice("subtype", b.Subtype.SetOr(i.Subtype), []string{"sale", "return"})
	if b.FulfillmentOrderID.Present {
		i.FulfillmentOrderID = b.FulfillmentOrderID.Value
	}
	if b.FulfillmentOrderID.Set() {
		f, ok := tx.FulfillmentOrders.Get(i.FulfillmentOrderID)
		wrong.Select("fulfillment_order_id", ok && f.OrderID == i.OrderID)
	}
	return i
}

func createExternalInvoice(tx *world.Tx, in *api.In) (any, error) {
	o, err := invoicedOrder(tx, in)
	if err == nil {
		err = writable(o)
	}
	if err != nil {
		return nil, err
	}
	var b externalInvoiceIn
	if err := body.Decode(in, &b); err != nil {
		return nil, err
	}
	wrong := &body.Problems{}
	if key := b.Key.Text; wrong.Require("key", key != "") {
		switch {
		case len(key) != invoiceKeyDigits || strings.Trim(key, "0123456789") != "":
			wrong.Add("key", body.WrongFormat("key"))
		case tx.ExternalInvoices.Has(key):
			wrong.Add("key", body.AlreadyTaken)
		}
	}
	made := b.apply(tx, world.ExternalInvoice{
		Key: b.Key.Text, OrderID: o.ID, Status: "Authorized", Subtype: "sale",
	}, wrong)
	if err := wrong.Err(); err != nil {
		return nil, err
	}
	return showExternalInvoice(tx, in, made), tx.ExternalInvoices.Put(made.Key, made)
}

func updateExternalInvoice(tx *world.Tx, in *api.In) (any, error) {
	i, err := writableExternalInvoice(tx, in)
	if err != nil {
		return nil, err
	}
	var b externalInvoiceIn
	if err := body.Decode(in, &b); err != nil {
		return nil, err
	}
	wrong := &body.Problems{}
	i = b.apply(tx, i, wrong)
	if err := wrong.Err(); err != nil {
		return nil, err
	}
	return showExternalInvoice(tx, in, i), tx.ExternalInvoices.Put(i.Key, i)
}

func deleteExternalInvoice(tx *world.Tx, in *api.In) (any, error) {
	i, err := writableExternalInvoice(tx, in)
	if err != nil {
		return nil, err
	}
	tx.ExternalInvoices.Delete(i.Key)
	return nil, nil
}
