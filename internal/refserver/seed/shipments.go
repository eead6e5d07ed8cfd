package seed

import (
	"strconv"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/res"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// shipments gives orders without fulfillment orders theirs. Fulfillment orders on their way get some tracking events.
func (c *caller) shipments() {
	var sent []world.FulfillmentOrder
	c.put(func(tx *world.Tx) error {
		for _, o := range tx.Orders.Values() {
			if tx.FulfillmentOrders.Count("order", strconv.FormatInt(o.ID, 10)) > 0 {
				continue
			}
			if err := res.AddFulfillments(tx, o); err != nil {
				return err
			}
		}
		for _, f := range tx.FulfillmentOrders.Values() {
			if f.Status == world.Dispatched && f.Tracking.Code != "" {
				sent = append(sent, f)
			}
		}
		return nil
	})
	for _, f := range sent {
		at := f.UpdatedAt
		for _, e := range []object{
			{"status": "dispatched", "description": "Handed over to the carrier"},
			{"status": "in_transit", "description": "Left the sorting centre", "address": "Sorting centre, Buenos Aires",
				"geolocation": object{"longitude": -58.3816, "latitude": -34.6037}},
			{"status": "custom_at_branch", "description": "Arrived at the branch"},
		} {
			e["happened_at"] = at.UTC().Format(time.RFC3339)
			c.call("trackingEvents.create", map[string]string{"order_id": strconv.FormatInt(f.OrderID, 10), "fulfillment_order_id": f.ID}, e)
			at = at.Add(8 * time.Hour)
		}
	}
}
