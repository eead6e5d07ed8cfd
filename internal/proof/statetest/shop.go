package statetest

import (
	"net/http"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

// Shop is a store of a platform that processes of an app reach.
type Shop struct {
	URL, Token string
	Store      client.ID
	Provider   uuid.UUID // of payments
	Orders     []client.ID
	At         time.Time // when the bank charges; what a bank answers about a key is always the same

	platform *clienttest.Server // in the process of the test
}

// newShop returns a store with orders to pay.
func newShop(t testing.TB) Shop {
	t.Helper()
	platform := clienttest.New(t, clienttest.Options{RealTime: true})
	if err := platform.Listen("127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	charge := must(platform.Charge(client.Cents(100))) // creates the provider
	c := platform.Client()
	first := must(v202503.Transactions(c).Get(t.Context(), charge.OrderID, charge.TransactionID))
	s := Shop{URL: platform.URL(), Token: string(must(platform.Install())), Store: platform.StoreID(), Provider: first.PaymentProviderID, At: time.Now().Add(-time.Hour)}
	c = platform.Client()
	mug := must(v202503.Products(c).Create(t.Context(), client.ProductInput{
		Name:     client.Text{"en": "Mug"},
		Variants: []client.VariantInput{{Price: client.Set(client.Cents(1_000_000)), Stock: client.Set(client.StockUnlimited)}},
	}))
	for range 16 {
		o := must(v202503.Orders(c).Create(t.Context(), client.OrderInput{
			Customer: client.OrderCustomerInput{Name: "Ana", Email: "ana@shop.example"},
			Products: []client.OrderProductInput{{VariantID: mug.Variants[0].ID, Quantity: 1}},
		}))
		s.Orders = append(s.Orders, o.ID)
	}
	s.platform = platform
	return s
}

// loses has the platform lose reports and their answers.
func (s Shop) loses(t testing.TB) {
	t.Helper()
	for _, operation := range []string{"POST /orders/{order_id}/transactions", "POST /orders/{order_id}/transactions/{id}/events"} {
		for _, f := range []clienttest.Fault{
			{Skip: 5, Count: 2, Reset: true, After: true},
			{Skip: 15, Count: 2, Status: http.StatusServiceUnavailable},
			{Skip: 25, Count: 2, Reset: true},
		} {
			f.Operation = operation
			if err := s.platform.Fault(f); err != nil {
				t.Fatal(err)
			}
		}
	}
}
