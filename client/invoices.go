package client

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// The platform stores the invoices of an order in one metafield, whose value is a JSON list. In an older form, key and
// link have a metafield each.
const (
	invoiceNamespace = "nfe"
	invoiceList      = "list"
	invoiceKey       = "key"
	invoiceLink      = "link"
)

// Invoice is an invoice of an order.
type Invoice struct {
	// Key identifies the invoice.
	Key string `json:"key"`
	// Link is the address of the invoice.
	Link string `json:"link"`
	// FulfillmentOrderID is the fulfillment order that the invoice is for; zero if it is for the whole order. A value
	// that is not such an id is in Extra.
	FulfillmentOrderID ulid.ULID `json:"fulfillment_order_id,omitzero"`
	Extra              Extra     `json:",embed" wire:"methods"`
}

// MarshalJSON writes the fields and the members in Extra.
func (i Invoice) MarshalJSON() ([]byte, error) {
	type plain Invoice
	return wire.MarshalRecord((*plain)(&i))
}

// UnmarshalJSON also reads items that other apps wrote into the list, because the platform does not validate it. Texts
// may be numbers, and the fulfillment order may be any value.
func (i *Invoice) UnmarshalJSON(data []byte) error {
	var v struct {
		Key                Code            `json:"key"`
		Link               Code            `json:"link"`
		FulfillmentOrderID json.RawMessage `json:"fulfillment_order_id"`
		Extra              Extra           `json:",embed"`
	}
	if err := wire.Unmarshal(data, &v); err != nil {
		return err
	}
	*i = Invoice{Key: string(v.Key), Link: string(v.Link), Extra: v.Extra}
	id, err := ulid.ParseStrict(wire.Unquoted(v.FulfillmentOrderID))
	switch {
	case err == nil:
		i.FulfillmentOrderID = id
	case len(v.FulfillmentOrderID) > 0 && !wire.None(v.FulfillmentOrderID):
		if i.Extra == nil {
			i.Extra = make(Extra)
		}
		i.Extra["fulfillment_order_id"] = v.FulfillmentOrderID
	}
	return nil
}

// InvoiceService stores the invoices of orders in a metafield of the order, with the scopes read_orders and
// write_orders. All versions have it.
type InvoiceService engine.Service

// Of returns the invoices of an order, including one in the platform's older form. If the order has no invoices, Of
// returns none and no error.
func (s *InvoiceService) Of(ctx context.Context, orderID ID) ([]Invoice, error) {
	_, invoices, err := s.read(ctx, orderID)
	return invoices, err
}

// Put adds an invoice to an order and returns all its invoices. An invoice with the same key is replaced. Put is
// idempotent and may be repeated after any failure.
//
// The platform stores all invoices of an order as one value without a version. If two programs put invoices to the same
// order at the same time, one invoice can be lost.
func (s *InvoiceService) Put(ctx context.Context, orderID ID, in Invoice) ([]Invoice, error) {
	if in.Key == "" {
		return nil, engine.Invalid("key", in.Key, "the key of the invoice")
	}
	field, invoices, err := s.read(ctx, orderID)
	if err == nil && field == nil {
		field, err = s.create(ctx, orderID, withInvoice(invoices, in))
		if err == nil {
			invoices, err = field.invoices()
		}
	}
	if err != nil {
		return nil, err
	}
	return s.store(ctx, field, withInvoice(invoices, in))
}

// read returns the metafield with the list, and the invoices. The metafield is nil if there is none.
func (s *InvoiceService) read(ctx context.Context, orderID ID) (*Metafield, []Invoice, error) {
	f := MetafieldFilter{OwnerID: orderID, Namespace: invoiceNamespace, Paging: Paging{Fields: []string{"id", "key", "value"}}}
	var former Invoice
	for field, err := range (*MetafieldService)(s).ListFor(MetafieldOwnerOrder, f).All(ctx) {
		if err != nil {
			return nil, nil, err
		}
		switch field.Key {
		case invoiceList:
			invoices, err := field.invoices()
			return field, invoices, err
		case invoiceKey:
			former.Key = field.Value
		case invoiceLink:
			former.Link = field.Value
		}
	}
	if former.Key == "" {
		return nil, nil, nil
	}
	return nil, []Invoice{former}, nil
}

func (s *InvoiceService) create(ctx context.Context, orderID ID, all []Invoice) (*Metafield, error) {
	value, err := wire.Marshal(all)
	if err != nil {
		return nil, fmt.Errorf("invoices: %w", err)
	}
	field, _, err := (*MetafieldService)(s).CreateOrGet(ctx, MetafieldInput{ // Put reads its content
		Namespace: invoiceNamespace, Key: invoiceList, Value: string(value), OwnerResource: MetafieldOwnerOrder, OwnerID: orderID,
	})
	return field, err
}

// store writes the list if it has changed.
func (s *InvoiceService) store(ctx context.Context, field *Metafield, all []Invoice) ([]Invoice, error) {
	value, err := wire.Marshal(all)
	if err != nil {
		return nil, fmt.Errorf("invoices: %w", err)
	}
	if field.Value == string(value) {
		return all, nil
	}
	_, err = (*MetafieldService)(s).Update(ctx, field.ID, MetafieldInput{Value: string(value)})
	return all, err
}

// invoices reads the list in the value.
func (m *Metafield) invoices() ([]Invoice, error) {
	var items []*Invoice // other apps may have written null items
	if err := wire.Unmarshal([]byte(m.Value), &items); err != nil {
		return nil, fmt.Errorf("metafield %d: invoices: %w", m.ID, err)
	}
	invoices := make([]Invoice, 0, len(items))
	for _, item := range items {
		if item != nil {
			invoices = append(invoices, *item)
		}
	}
	return invoices, nil
}

// withInvoice returns the invoices with in added, or in place of the one with the same key.
func withInvoice(invoices []Invoice, in Invoice) []Invoice {
	all := slices.Clone(invoices)
	if i := slices.IndexFunc(all, func(v Invoice) bool { return v.Key == in.Key }); i >= 0 {
		all[i] = in
		return all
	}
	return append(all, in)
}
