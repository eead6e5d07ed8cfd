package res_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver/res"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// TestFulfillmentStates tries every status from every status, for each type of
// shipment. What the list does not have is refused.
func TestFulfillmentStates(t *testing.T) {
	const U, P, D, R, V = world.Unpacked, world.Packed, world.Dispatched, world.ReadyForPickup, world.Delivered
	type way = [2]world.FulfillmentStatus
	allowed := map[string][]way{
		"ship":          {{U, P}, {U, D}, {U, V}, {P, U}, {P, D}, {P, V}, {D, V}},
		"pickup":        {{U, P}, {U, D}, {U, V}, {P, U}, {P, D}, {P, V}, {D, V}, {U, R}, {P, R}, {D, R}, {R, V}},
		"non-shippable": {{U, V}, {P, V}},
	}
	f := open(t)
	p := f.parcel(U, nil)
	begin := f.World().Snapshot()
	for kind, ways := range allowed {
		for _, from := range []world.FulfillmentStatus{U, P, D, R, V} {
			for _, to := range []world.FulfillmentStatus{U, P, D, R, V} {
				f.World().Restore(begin)
				f.alter(func(tx *world.Tx) error {
					o, _ := tx.FulfillmentOrders.Get(p.id)
					o.Shipping.Type, o.Status = kind, from
					return tx.FulfillmentOrders.Put(p.id, o)
				})
				f.events()
				w := f.send(f.token, "2025-03 PATCH "+p.path, object{"status": to})
				name := fmt.Sprint(kind, " ", from, " to ", to)
				ok := from == to || slices.Contains(ways, way{from, to})
				if (w.Code == http.StatusOK) != ok || !ok && w.Code != http.StatusBadRequest {
					t.Errorf("%s: %d %s", name, w.Code, w.Body)
				}
				told := slices.Contains(f.events(), "fulfillment_order/status_updated <nil>")
				if told != (ok && from != to) {
					t.Errorf("%s: told %v", name, told)
				}
				now := from
				if ok {
					now = to
				}
				f.want(f.object("GET "+p.path, nil), object{"status": now})
				if m := res.FulfillmentStates()[kind]; from != to && m.Leads(from, string(to), to) != ok {
					t.Errorf("%s: the table disagrees", name)
				}
			}
		}
	}
}

func TestDeprecatedStatuses(t *testing.T) {
	f := open(t)
	p := f.parcel(world.Unpacked, nil)
	f.want(f.object("PATCH "+p.path, object{"status": "READY_FOR_SHIP"}), object{"status": "PACKED"})
	f.want(f.object("PATCH "+p.path, object{"status": "MARKED_AS_FULFILLED"}), object{"status": "DISPATCHED"})
}

// TestShippingStatus takes two fulfillment orders of one order through their lives.
func TestShippingStatus(t *testing.T) {
	f := open(t)
	p := f.parcel(world.Unpacked, nil)
	second := p.path + "2"
	f.alter(func(tx *world.Tx) error {
		o, _ := tx.FulfillmentOrders.Get(p.id)
		o.ID, o.Number = o.ID+"2", 2
		return tx.FulfillmentOrders.Put(o.ID, o)
	})
	order := func(event string) string { return fmt.Sprintf("order/%s %d", event, p.orderID) }
	const moved = "fulfillment_order/status_updated <nil>"
	for _, step := range []struct {
		path, status       string
		v1, now, next      string
		events             []string
		shippedAt, updated bool
	}{
		{path: p.path, status: "PACKED", v1: "unpacked", now: "partially_packed", next: "waiting_packing", events: []string{order("updated")}},
		{path: second, status: "PACKED", v1: "unfulfilled", now: "packed", next: "waiting_shipment", events: []string{order("packed"), order("updated")}},
		{path: second, status: "UNPACKED", v1: "unpacked", now: "partially_packed", next: "waiting_packing", events: []string{order("updated")}},
		{path: p.path, status: "UNPACKED", v1: "unpacked", now: "unpacked", next: "waiting_packing", events: []string{order("unpacked"), order("updated")}},
		{path: p.path, status: "DISPATCHED", v1: "unfulfilled", now: "partially_fulfilled", next: "waiting_shipment", events: []string{order("updated")}},
		{path: second, status: "DISPATCHED", v1: "fulfilled", now: "fulfilled", next: "close", events: []string{order("fulfilled"), order("updated")}},
		{path: second, status: "DELIVERED", v1: "fulfilled", now: "fulfilled", next: "close"},
		{path: p.path, status: "DELIVERED", v1: "fulfilled", now: "delivered", next: "close", events: []string{order("updated")}},
	} {
		f.events()
		f.do("PATCH "+step.path, object{"status": step.status})
		f.wantEvents(append(step.events, moved)...)
		f.alter(func(tx *world.Tx) error {
			o, _ := tx.Orders.Get(p.orderID)
			if o.ShippingStatus != step.now || o.NextAction != step.next {
				t.Errorf("%s of %s: order %s, %s; want %s, %s", step.status, step.path, o.ShippingStatus, o.NextAction, step.now, step.next)
			}
			return nil
		})
		for version, want := range map[string]string{"v1": step.v1, "2025-03": step.now, "unstable": step.now} {
			f.want(f.object(version+" GET "+p.order, nil), object{"shipping_status": want})
		}
	}
}

// An order that is delivered at once has been fulfilled.
func TestDeliveredAtOnce(t *testing.T) {
	f := open(t)
	p := f.parcel(world.Unpacked, nil)
	f.do("PATCH "+p.path, object{"status": "DELIVERED"})
	f.wantEvents("fulfillment_order/status_updated <nil>", fmt.Sprint("order/fulfilled ", p.orderID), fmt.Sprint("order/updated ", p.orderID))
	f.want(f.object("v1 GET "+p.order, nil), object{"shipped_at": now(f), "shipping_status": "fulfilled"})
}

// An order in preparation is so until it is packed.
func TestInPreparation(t *testing.T) {
	f := open(t)
	p := f.parcel(world.Unpacked, func(o *world.Order) { o.ShippingStatus = "in_preparation" })
	f.do("PATCH "+p.path, object{"recipient": object{"name": "Eva"}})
	f.wantEvents()
	f.want(f.object("2025-03 GET "+p.order, nil), object{"shipping_status": "in_preparation"})
	f.do("PATCH "+p.path, object{"status": "PACKED"})
	f.want(f.object("2025-03 GET "+p.order, nil), object{"shipping_status": "packed"})
}

// A cancelled order is neither packed nor sent.
func TestCancelledIsNotSent(t *testing.T) {
	f := open(t)
	p := f.parcel(world.Unpacked, func(o *world.Order) { o.Status = "cancelled" })
	for _, status := range []string{"PACKED", "DISPATCHED", "DELIVERED"} {
		f.wantStatus(http.StatusBadRequest, "PATCH "+p.path, object{"status": status})
	}
	f.want(f.object("PATCH "+p.path, object{"status": "UNPACKED", "recipient": object{"name": "Eva"}}), object{"status": "UNPACKED", "recipient.name": "Eva"})
	packed, sent := f.parcel(world.Packed, nil), f.parcel(world.Dispatched, nil)
	for _, p := range []parcel{packed, sent} {
		f.do("POST "+p.order+"/cancel", nil)
	}
	f.wantStatus(http.StatusBadRequest, "PATCH "+packed.path, object{"status": "DISPATCHED"})
	f.want(f.object("PATCH "+packed.path, object{"status": "UNPACKED"}), object{"status": "UNPACKED"})
	f.want(f.object("PATCH "+sent.path, object{"status": "DELIVERED"}), object{"status": "DELIVERED"}) // it was on its way
}

// What version v1 does to an order it does to the first fulfillment order only.
func TestFirstFulfillmentOrder(t *testing.T) {
	f := open(t)
	p := f.parcel(world.Unpacked, nil)
	f.alter(func(tx *world.Tx) error {
		o, _ := tx.FulfillmentOrders.Get(p.id)
		o.ID, o.Number = o.ID+"2", 2
		return tx.FulfillmentOrders.Put(o.ID, o)
	})
	for _, step := range []struct{ call, status string }{{"pack", "PACKED"}, {"fulfill", "DISPATCHED"}} {
		f.do("v1 POST "+p.order+"/"+step.call, object{"shipping_tracking_number": "T1"})
		f.want(f.object("GET "+p.path, nil), object{"status": step.status})
		f.want(f.object("GET "+p.path+"2", nil), object{"status": "UNPACKED", "tracking_info.code": nil})
	}
	f.want(f.object("GET "+p.path, nil), object{"tracking_info.code": "T1"})
	f.want(f.object("2025-03 GET "+p.order, nil), object{"shipping_status": "partially_fulfilled"})

	digital := f.parcel(world.Unpacked, nil)
	f.do("PATCH "+digital.path, object{"shipping": object{"type": "non-shippable"}})
	f.do("v1 POST "+digital.order+"/fulfill", nil)
	f.want(f.object("GET "+digital.path, nil), object{"status": "DELIVERED"})
}
