package res_test

import (
	"fmt"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

func TestFulfillments(t *testing.T) {
	f := open(t)
	p := f.parcel(world.Unpacked, nil)
	if list, _ := f.do("GET "+p.order+"/fulfillments", nil).(array); list == nil || len(list) != 0 {
		t.Errorf("fulfillments %v, want an empty list", list)
	}
	made := f.object("POST "+p.order+"/fulfillments", object{"status": "in_transit", "description": "Left", "city": "Rosario", "province": "Santa Fe", "country": "AR", "happened_at": "2022-11-24T10:20:19-0300", "estimated_delivery_at": "2022-11-30"})
	f.wantEvents(fmt.Sprint("fulfillment/updated ", id(made)), "fulfillment_order/tracking_event_created <nil>")
	want := object{
		"id": id(made), "order_id": p.orderID, "status": "in_transit", "description": "Left", "city": "Rosario", "province": "Santa Fe", "country": "AR",
		"happened_at": "2022-11-24T13:20:19+0000", "estimated_delivery_at": "2022-11-30T00:00:00+0000", "created_at": now(f), "updated_at": now(f),
	}
	f.want(made, want)
	one := fmt.Sprintf("%s/fulfillments/%d", p.order, id(made))
	f.want(f.object("GET "+one, nil), want)
	list, _ := f.do("GET "+p.order+"/fulfillments", nil).(array)
	f.want(list[0], want)
	f.want(f.object("GET "+p.path, nil), object{"status": "UNPACKED", "tracking_events.0.status": "in_transit"})
	f.want(f.object("DELETE "+one, nil), object{"id": "absent"})
	f.wantEvents(fmt.Sprint("fulfillment/updated ", id(made)), "fulfillment_order/tracking_event_deleted <nil>")
	f.want(f.object("GET "+p.path, nil), object{"tracking_events": array{}})
}

// A legacy fulfillment is about the first fulfillment order, which may have to be
// made for it, and delivers that one only.
func TestFulfillmentDelivers(t *testing.T) {
	f := open(t)
	p := f.parcel(world.Dispatched, nil)
	f.alter(func(tx *world.Tx) error {
		o, _ := tx.FulfillmentOrders.Get(p.id)
		o.ID, o.Number = o.ID+"2", 2
		return tx.FulfillmentOrders.Put(o.ID, o)
	})
	f.do("POST "+p.order+"/fulfillments", object{"status": "delivered", "happened_at": "2025-01-03"})
	f.want(f.object("GET "+p.path, nil), object{"status": "DELIVERED", "fulfilled_at": "2025-01-03T00:00:00+00:00"})
	f.want(f.object("GET "+p.path+"2", nil), object{"status": "DISPATCHED", "tracking_events": array{}})

	unpacked := f.parcel(world.Unpacked, nil)
	last := f.object("POST "+unpacked.order+"/fulfillments", object{"status": "delivered"})
	f.wantEvents(fmt.Sprint("fulfillment/updated ", id(last)), "fulfillment_order/tracking_event_created <nil>",
		"fulfillment_order/status_updated <nil>", fmt.Sprint("order/fulfilled ", unpacked.orderID), fmt.Sprint("order/updated ", unpacked.orderID))

	bare := f.order(0, func(o *world.Order) { o.Lines = []world.Line{{ID: 1, Quantity: 1}} })
	f.do(fmt.Sprintf("POST /orders/%d/fulfillments", bare), object{"status": "dispatched"})
	list, _ := f.do(fmt.Sprintf("GET /orders/%d/fulfillment-orders", bare), nil).(array)
	f.want(list, object{"0.status": "UNPACKED", "0.tracking_events.0.status": "dispatched"})
}

func TestFulfillmentDates(t *testing.T) {
	f := open(t)
	p := f.parcel(world.Unpacked, nil)
	for text, want := range map[string]string{
		"2025-01-02":                "2025-01-02T00:00:00+0000",
		"2025-01-02T10:20":          "2025-01-02T10:20:00+0000",
		"2025-01-02 10:20":          "2025-01-02T10:20:00+0000",
		"2025-01-02T10:20:30":       "2025-01-02T10:20:30+0000",
		"2025-01-02 10:20:30":       "2025-01-02T10:20:30+0000",
		"2025-01-02T10:20:30Z":      "2025-01-02T10:20:30+0000",
		"2025-01-02T10:20Z":         "2025-01-02T10:20:00+0000",
		"2025-01-02 10:20:30-03:00": "2025-01-02T13:20:30+0000",
		"2025-01-02T10:20+0130":     "2025-01-02T08:50:00+0000",
	} {
		f.want(f.object("POST "+p.order+"/fulfillments", object{"status": "delayed", "happened_at": text}), object{"happened_at": want})
	}
	for _, empty := range []any{nil, ""} {
		f.want(f.object("POST "+p.order+"/fulfillments", object{"status": "delayed", "happened_at": empty}), object{"happened_at": now(f)})
	}
}
