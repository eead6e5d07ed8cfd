package client

import (
	"context"
	"fmt"
	"net/http"

	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// ExternalInvoiceStatus is the status of an invoice at the tax authority.
type ExternalInvoiceStatus string

// The values of ExternalInvoiceStatus.
const (
	ExternalInvoiceAuthorized  ExternalInvoiceStatus = "Authorized"              // valid; the default
	ExternalInvoiceContingency ExternalInvoiceStatus = "AuthorizedInContingency" // valid; issued while the authority was not reachable
	ExternalInvoiceCancelled   ExternalInvoiceStatus = "Cancelled"               // withdrawn by its issuer
	ExternalInvoiceDenied      ExternalInvoiceStatus = "Denied"                  // rejected by the authority
)

// Known reports whether the contract names the value.
func (s ExternalInvoiceStatus) Known() bool {
	return wire.Known(s,
		ExternalInvoiceAuthorized, ExternalInvoiceContingency, ExternalInvoiceCancelled, ExternalInvoiceDenied,
	)
}

// ExternalInvoiceSubtype is the purpose of an invoice.
type ExternalInvoiceSubtype string

// The values of ExternalInvoiceSubtype.
const (
	ExternalInvoiceSale   ExternalInvoiceSubtype = "sale"   // a sale of goods; the default
	ExternalInvoiceReturn ExternalInvoiceSubtype = "return" // a return of goods
)

// Known reports whether the contract names the value.
func (s ExternalInvoiceSubtype) Known() bool {
	return wire.Known(s, ExternalInvoiceSale, ExternalInvoiceReturn)
}

// ExternalInvoice is a fiscal invoice of an order that another system issued. It is independent of Invoice, which is
// stored in a metafield. The platform omits members that are null; they are empty or nil here.
type ExternalInvoice struct {
	Key     string                 `json:"key"`             // the fiscal access key of 44 digits, which identifies it
	Series  string                 `json:"series,omitzero"` // of the invoice
	Number  string                 `json:"number,omitzero"` // of the invoice in its series
	Status  ExternalInvoiceStatus  `json:"status"`          // at the tax authority
	Subtype ExternalInvoiceSubtype `json:"subtype"`         // the purpose of the invoice
	StoreID ID                     `json:"store_id"`        // the store that the order belongs to
	OrderID ID                     `json:"order_id"`        // the order that the invoice is for
	// FulfillmentOrderID is the fulfillment order of OrderID that the invoice is for; nil if there is none.
	FulfillmentOrderID *ulid.ULID `json:"fulfillment_order_id,omitzero"`
	Extra              Extra      `json:",embed"` // the published description is known only in part
}

// ExternalInvoiceInput is the body of Create and Update. Update changes the members that are present.
type ExternalInvoiceInput struct {
	// Key is the fiscal access key of 44 digits. Create requires it. Update does not send it, because it cannot change.
	Key string `json:"key,omitzero"`
	// Series is the series of the invoice. Null removes it.
	Series Opt[string] `json:"series,omitzero"`
	// Number is the number of the invoice in its series. Null removes it.
	Number Opt[string] `json:"number,omitzero"`
	// Status is Authorized for a new invoice if unset.
	Status ExternalInvoiceStatus `json:"status,omitzero"`
	// Subtype is sale for a new invoice if unset.
	Subtype ExternalInvoiceSubtype `json:"subtype,omitzero"`
	// FulfillmentOrderID is a fulfillment order of the same order. Null removes it.
	FulfillmentOrderID Opt[ulid.ULID] `json:"fulfillment_order_id,omitzero"`
}

// externalInvoiceKeyLen is the length of the access key of an invoice.
const externalInvoiceKeyLen = 44

// externalInvoiceKey rejects an invalid access key, because a store cannot correct a wrong one.
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

// ExternalInvoiceFilter selects a page of the invoices of an order. The list cannot select fields.
type ExternalInvoiceFilter struct {
	// Page is the first page to read, from 1. Zero is 1.
	Page int
	// PerPage is the size of a page, 1 to MaxExternalInvoicesPerPage. Zero means the platform's default for single
	// pages and MaxExternalInvoicesPerPage for the iterators.
	PerPage int
}

func (f ExternalInvoiceFilter) query() *query {
	q := newQuery()
	if f.PerPage > MaxExternalInvoicesPerPage {
		q.fail(engine.Invalid("per_page", f.PerPage, fmt.Sprintf("1 to %d", MaxExternalInvoicesPerPage)))
	}
	return q.paging(Paging{Page: f.Page, PerPage: f.PerPage})
}

// ExternalInvoiceService attaches the invoices of another system, such as an ERP, to orders. It reads with the scope
// read_orders and writes with write_orders. Only unstable has it. The platform rejects writes to imported orders, whose
// Storefront is StorefrontMarketplace.
//
// The published description is known only in part. Therefore the methods accept more forms of responses than the
// reference server sends.
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

// Get returns the invoice of an order with the given key.
//
//api:endpoint GET /orders/{order_id}/invoices/external/{key}
func (s *ExternalInvoiceService) Get(ctx context.Context, orderID ID, key string) (*ExternalInvoice, error) {
	return engine.Get[ExternalInvoice](ctx, s, "/orders/{order_id}/invoices/external/{key}", nil, orderID, key)
}

// Create attaches an invoice to an order and returns it. A key is unique in the store, so the platform rejects a
// repetition. If the outcome is unknown, Get shows whether the invoice exists.
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

// Update changes the members that are present in the input, for example the status after a cancellation. The key cannot
// change, and in.Key is not sent. It is not known whether the platform responds with the invoice, so use Get to read
// it.
//
//api:endpoint PUT /orders/{order_id}/invoices/external/{key}
func (s *ExternalInvoiceService) Update(ctx context.Context, orderID ID, key string, in ExternalInvoiceInput) error {
	in.Key = ""
	if in == (ExternalInvoiceInput{}) {
		return engine.Invalid("status", "", "set, unless another member is, because nothing would change")
	}
	r := engine.Request{
		Method: http.MethodPut, Path: "/orders/{order_id}/invoices/external/{key}", Args: []any{orderID, key}, Body: in,
	}
	return engine.Do(ctx, s, r, nil)
}

// Delete removes an invoice from its order. The key can be used again.
//
//api:endpoint DELETE /orders/{order_id}/invoices/external/{key}
func (s *ExternalInvoiceService) Delete(ctx context.Context, orderID ID, key string) error {
	return engine.Delete(ctx, s, "/orders/{order_id}/invoices/external/{key}", orderID, key)
}
