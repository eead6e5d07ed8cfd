package seed

import (
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver"
	"github.com/commerceplatform/commerce-go/internal/refserver/clock"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// Every order of the shop is to be sent from somewhere, and one is on its way.
func TestShipments(t *testing.T) {
	s := refserver.New(refserver.Options{Clock: clock.NewVirtual(clock.Start)})
	t.Cleanup(s.Close)
	shop, err := Demo(s, nil)
	if err != nil {
		t.Fatal(err)
	}
	err = s.World().View(0, shop.Store.ID, func(tx *world.Tx) error {
		orders := map[int64]bool{}
		for _, f := range tx.FulfillmentOrders.Values() {
			orders[f.OrderID] = true
			if f.LocationID == "" || len(f.Lines) == 0 || f.Recipient.Name == "" {
				t.Errorf("fulfillment order without something: %+v", f)
			}
		}
		if len(orders) != tx.Orders.Len() {
			t.Errorf("%d of %d orders have fulfillment orders", len(orders), tx.Orders.Len())
		}
		if n := tx.TrackingEvents.Len(); n != 3 {
			t.Errorf("%d tracking events, want 3", n)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
