package client

import (
	"context"
	"fmt"
	"net/http"

	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/enum"
)

// ExternalInvoiceStatus is what the tax authority says of an invoice.
type ExternalInvoiceStatus string

// The values of ExternalInvoiceStatus.
const (
	ExternalInvoiceAuthorized  ExternalInvoiceStatus = "Authorized"              // valid, and the default
	ExternalInvoiceContingency ExternalInvoiceStatus = "AuthorizedInContingency" // valid, issued while it was out of reach
	ExternalInvoiceCancelled   ExternalInvoiceStatus = "Cancelled"               // withdrawn by who issued it
	ExternalInvoiceDenied      ExternalInvoiceStatus = "Denied"                  // refused by the authority
)

// Known reports whether the contract names the value.
func (s ExternalInvoiceStatus) Known() bool {
	return enum.Known(s,
		ExternalInvoiceAuthorized, ExternalInvoiceContingency, ExternalInvoiceCancelled, ExternalInvoiceDenied,
	)
}

// ExternalInvoiceSubtype is what an invoice is for.
type ExternalInvoiceSubtype string

// The values of ExternalInvoiceSubtype.
const (
	ExternalInvoiceSale   ExternalInvoiceSubtype = "sale"   // goods that were sold, and the default
	ExternalInvoiceReturn ExternalInvoiceSubtype = "return" // goods that came back
)

// Known reports whether the contract names the value.
func (s ExternalInvoiceSubtype) Known() bool {
	return enum.Known(s, ExternalInvoiceSale, ExternalInvoiceReturn)
}

// ExternalInvoice is a fiscal invoice of an order that another system issued. It has nothing to do with an Invoice,
// which is kept in a metafield. Members that are null are left out of answers, and are empty or nil here.
type ExternalInvoice struct {
	Key     string                 `json:"key"`             // the fiscal access key of 44 digits, which identifies it
	Series  string                 `json:"series,omitzero"` // of the invoice
	Number  string                 `json:"number,omitzero"` // of the invoice in its series
	Status  ExternalInvoiceStatus  `json:"status"`          // what the tax authority says of it
	Subtype ExternalInvoiceSubtype `json:"subtype"`         // what it is for
	StoreID ID                     `json:"store_id"`        // the store that the order belongs to
	OrderID ID                     `json:"order_id"`        // the order that it is for
	// FulfillmentOrderID is the fulfillment order of OrderID that it is for; nil if there is none.
	FulfillmentOrderID *ulid.ULID `json:"fulfillment_order_id,omitzero"`
	Extra              Extra      `json:",embed"` // the published description is known in part
}

// ExternalInvoiceInput is the body of Create and Update. Update changes what is present.
type ExternalInvoiceInput struct {
	// Key is the fiscal access key of 44 digits. Create requires it; Update does not send it, because it stays.
	Key string `json:"key,omitzero"`
	// Series is that of the invoice. Null removes it.
	Series Opt[string] `json:"series,omitzero"`
	// Number is that of the invoice. Null removes it.
	Number Opt[string] `json:"number,omitzero"`
	// Status is Authorized in a new invoice, unless it says otherwise.
	Status ExternalInvoiceStatus `json:"status,omitzero"`
	// Subtype is sale in a new invoice, unless it says otherwise.
	Subtype ExternalInvoiceSubtype `json:"subtype,omitzero"`
	// FulfillmentOrderID is a fulfillment order of the same order. Null removes it.
	FulfillmentOrderID Opt[ulid.ULID] `json:"fulfillment_order_id,omitzero"`
}

// externalInvoiceKeyLen is the length of the access key of an invoice.
const externalInvoiceKeyLen = 44

// externalInvoiceKey refuses what is no access key. A store that has a wrong one cannot correct it.
func externalInvoiceKey(key string) error {
	ok := len(key) == externalInvoiceKeyLen
	for _, c := range key {
		ok = ok && c >= '0' && c <= '9'
	}
	if !ok {
		return engine.Invalid("key", key, fmt.Sprintf("%d digits without spaces", externalInvoiceKeyLen))
	}
	return nil
}

// MaxExternalInvoicesPerPage is the largest page of external invoices.
const MaxExternalInvoicesPerPage = 50

// ExternalInvoiceFilter selects a page of the invoices of an order. The list knows no selection of fields.
type ExternalInvoiceFilter struct {
	// Page is the first page to read, from 1. Zero is 1.
	Page int
	// PerPage is the size of a page, 1 to MaxExternalInvoicesPerPage. Zero leaves it to the platform for single pages
	// and means MaxExternalInvoicesPerPage for the iterators.
	PerPage int
}

func (f ExternalInvoiceFilter) query() *query {
	q := newQuery()
	if f.PerPage > MaxExternalInvoicesPerPage {
		q.fail(engine.Invalid("per_page", f.PerPage, fmt.Sprintf("1 to %d", MaxExternalInvoicesPerPage)))
	}
	return q.paging(Paging{Page: f.Page, PerPage: f.PerPage})
}

// ExternalInvoiceService ties the invoices of another system, such as an ERP, to orders. It reads with the scope
// read_orders and writes with write_orders. Only unstable has it. The platform refuses writes to orders that were
// imported, whose Storefront is StorefrontMarketplace.
//
// The published description is known in part: the methods take more forms of answers than the reference server gives.
type ExternalInvoiceService engine.Service

// List selects the invoices of an order.
//
//api:endpoint GET /orders/{order_id}/invoices/external
func (s *ExternalInvoiceService) List(orderID ID, f ExternalInvoiceFilter) List[ExternalInvoice] {
	return listOf[ExternalInvoice](s, f.query(), engine.ListSpec{
		Path: "/orders/{order_id}/invoices/external", Args: []any{orderID}, Envelope: []string{"results"}, Total: "total",
		MaxPerPage: MaxExternalInvoicesPerPage,
	})
}

// Get returns the invoice of an order that has the key.
//
//api:endpoint GET /orders/{order_id}/invoices/external/{key}
func (s *ExternalInvoiceService) Get(ctx context.Context, orderID ID, key string) (*ExternalInvoice, error) {
	return engine.Get[ExternalInvoice](ctx, s, "/orders/{order_id}/invoices/external/{key}", nil, orderID, key)
}

// Create ties an invoice to an order and returns it. A store has each key once, so that a repetition is refused: if the
// outcome is unknown, Get shows whether the invoice is there.
//
//api:endpoint POST /orders/{order_id}/invoices/external
func (s *ExternalInvoiceService) Create(
	ctx context.Context, orderID ID, in ExternalInvoiceInput,
) (*ExternalInvoice, error) {
	if err := externalInvoiceKey(in.Key); err != nil {
		return nil, err
	}
	return engine.Send[ExternalInvoice](ctx, s, http.MethodPost, "/orders/{order_id}/invoices/external", in, orderID)
}

// Update changes what is present in in, for example the status after a cancellation. The key stays: that of in is not
// sent. Whether the platform answers with the invoice is not known: Get reads it.
//
//api:endpoint PUT /orders/{order_id}/invoices/external/{key}
func (s *ExternalInvoiceService) Update(ctx context.Context, orderID ID, key string, in ExternalInvoiceInput) error {
	in.Key = ""
	if in == (ExternalInvoiceInput{}) {
		return engine.Invalid("status", "", "a value for this or another member, because nothing would change")
	}
	r := engine.Request{
		Method: http.MethodPut, Path: "/orders/{order_id}/invoices/external/{key}", Args: []any{orderID, key}, Body: in,
	}
	return engine.Do(ctx, s, r, nil)
}

// Delete removes an invoice from its order. The key may be used again.
//
//api:endpoint DELETE /orders/{order_id}/invoices/external/{key}
func (s *ExternalInvoiceService) Delete(ctx context.Context, orderID ID, key string) error {
	return engine.Delete(ctx, s, "/orders/{order_id}/invoices/external/{key}", orderID, key)
}
