package client_test

import (
	"errors"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/unstable"
	"github.com/commerceplatform/commerce-go/client/v1"
)

// The demo store has one order that was imported from an external marketplace: the channel finds it, its invoices can
// be read and not written, and those of all other orders can be written.
func TestImportedOrderOfTheDemo(t *testing.T) {
	srv := clienttest.New(t, clienttest.Options{Demo: true})
	c, ctx := srv.Client(), t.Context()
	all, err := unstable.Orders(c).List(client.OrderFilter{}).Collect(ctx)
	if err != nil {
		t.Fatal(err)
	}
	const first = "35260100000000000191550010000000421000000428"
	var imported []client.ID
	for _, o := range all {
		err := unstable.ExternalInvoices(c).Delete(ctx, o.ID, first)
		if !errors.Is(err, client.ErrNotFound) {
			t.Errorf("order %d, an invoice that is not there: %v", o.ID, err)
		}
		_, err = unstable.ExternalInvoices(c).Create(ctx, o.ID, client.ExternalInvoiceInput{Key: first})
		if o.Storefront != client.StorefrontMarketplace {
			if err == nil {
				err = unstable.ExternalInvoices(c).Delete(ctx, o.ID, first)
			}
			if err != nil {
				t.Errorf("order %d of the storefront %s: %v", o.ID, o.Storefront, err)
			}
			continue
		}
		imported = append(imported, o.ID)
		if e, ok := errors.AsType[*client.Error](err); !ok || e.Status != 403 {
			t.Errorf("an invoice of the imported order: %v, want 403", err)
		}
		if list, err := unstable.ExternalInvoices(c).List(o.ID, client.ExternalInvoiceFilter{}).Collect(ctx); err != nil || len(list) != 0 {
			t.Errorf("the invoices of the imported order: %v, %v", list, err)
		}
	}
	if len(imported) != 1 || len(all) < 2 {
		t.Fatalf("%d of %d orders are imported, want one of several", len(imported), len(all))
	}
	found, err := v1.Orders(srv.Client()).List(client.OrderFilter{Channels: []client.Storefront{client.StorefrontMarketplace}}).Collect(ctx)
	if err != nil || len(found) != 1 || found[0].ID != imported[0] || string(found[0].Storefront) != "meli" {
		t.Errorf("the orders of the channel: %+v, %v", found, err)
	}
}
