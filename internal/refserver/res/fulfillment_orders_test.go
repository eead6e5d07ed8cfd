package res_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

const stamp = "2006-01-02T15:04:05-07:00"

func TestFulfillmentOrder(t *testing.T) {
	f := open(t)
	p := f.parcel(world.Unpacked, func(o *world.Order) {
		o.ShippingAddress = world.Address{Name: "Ana Paz", Phone: "+541", Address: "Mitre", Number: "7", Floor: "2", Locality: "Centro", City: "Rosario", Province: "Santa Fe", Zipcode: "2000", Country: "AR"}
		o.ContactIdentification, o.ShippingOptionCode = "28111222", "std"
		o.ShippingCostOwner, o.ShippingCostCustomer = decimal.RequireFromString("5.5"), decimal.NewFromInt(6)
		o.ShippingMinDays, o.ShippingMaxDays = new(1), new(3) // from Wednesday, the first of January
		o.Discount, o.DiscountGateway = decimal.NewFromInt(3), decimal.NewFromInt(1)
	})
	got := f.object("2025-03 GET "+p.path, nil)
	created := f.clock.Now().UTC().Format(stamp)
	f.want(got, object{
		"id": p.id, "number": "1", "total_quantity": 3, "total_weight": 2.25, "total_price": object{"value": 25, "currency": "USD"},
		"assigned_location.location_id": f.firstLocation(), "assigned_location.name": "Main", "assigned_location.address.city": "Springfield",
		"line_items.0.external_id": "501", "line_items.0.quantity": 2, "line_items.0.variant": object{"variant_id": "21"}, "line_items.0.product": object{"product_id": "11"},
		"line_items.0.unit_price": object{"value": 10.5, "currency": "USD"}, "line_items.1.unit_dimension": object{"weight": 1.25, "width": 7, "height": 0, "depth": 0},
		"line_items.0.stock_transfer": object{"from_location_id": nil}, "line_items.0.kit": nil, "line_items.0.custom_fields": "absent", "line_items.0.created_at": created,
		"recipient":     object{"name": "Ana Paz", "phone": "+541", "identifier": "28111222"},
		"destination":   object{"zipcode": "2000", "street": "Mitre", "number": "7", "floor": "2", "locality": "Centro", "city": "Rosario", "reference": nil, "between_streets": nil, "province": object{"name": "Santa Fe", "code": ""}, "region": object{"name": "", "code": ""}, "country": object{"name": "AR", "code": "AR"}},
		"shipping.type": "ship", "shipping.carrier": object{"carrier_id": "branch", "code": "custom", "name": "Courier", "app_id": nil},
		"shipping.option":        object{"name": "Courier", "code": "std", "reference": nil, "allow_free_shipping": false},
		"shipping.merchant_cost": object{"value": 5.5, "currency": "USD"}, "shipping.consumer_cost": object{"value": 6, "currency": "USD"},
		"shipping.min_delivery_date": "2025-01-02T12:00:00+00:00", "shipping.max_delivery_date": "2025-01-06T12:00:00+00:00",
		"shipping.estimated_delivery_time.max.days": 5, "shipping.estimated_delivery_time.max.business_days": 3, "shipping.estimated_delivery_time.min.date": "2025-01-02T12:00:00+00:00",
		"shipping.estimated_delivery_time.max.aggregate_days.by_carriers_original_estimated_days": 3,
		"shipping.pickup_details": nil,
		"shipping.extras":         object{"free_shipping_info": nil, "phone_required": false, "id_required": false, "accepts_cod": false, "show_time": false, "shippable": true},
		"discounts":               array{object{"type": "PROMOTION", "amount": object{"value": 2, "currency": "USD"}}, object{"type": "PAYMENT_METHOD", "amount": object{"value": 1, "currency": "USD"}}, object{"type": "TOTAL_OF_DISCOUNTS", "amount": object{"value": 3, "currency": "USD"}}},
		"status":                  "UNPACKED", "status_history": array{}, "tracking_info": object{"url": nil, "code": nil}, "tracking_info_history": array{}, "tracking_events": array{},
		"fulfilled_at": nil, "created_at": created, "updated_at": created,
	})
	list, _ := f.do("GET "+p.order+"/fulfillment-orders?aggregates=custom_fields", nil).(array)
	f.want(list, object{"0.line_items.0.custom_fields": object{}})
	f.want(f.object("GET "+p.path+"?aggregates=custom_fields", nil), object{"line_items.1.custom_fields": object{}})
}

func TestPickup(t *testing.T) {
	f := open(t)
	p := f.parcel(world.Unpacked, func(o *world.Order) { o.ShippingPickupType = world.Pickup })
	got := f.object("PATCH "+p.path, object{"status": "READY_FOR_PICKUP", "shipping": object{"pickup_details": object{"pickup_hours": array{object{"day": "monday", "start": "0800", "end": "1800"}}}}})
	f.want(got, object{
		"status": "READY_FOR_PICKUP", "shipping.type": "pickup", "shipping.pickup_details.location_id": f.firstLocation(), "shipping.pickup_details.store_branch_id": nil,
		"shipping.pickup_details.name": "Main", "shipping.pickup_details.address.city": "Springfield",
		"shipping.pickup_details.pickup_hours": array{object{"day": "MONDAY", "start": "0800", "end": "1800"}},
	})
	f.want(f.object("v1 GET "+p.order, nil), object{"shipping_status": "fulfilled", "next_action": "waiting_client_pickup", "shipping_suboption": object{"id": f.firstLocation()}})
}

func TestPatchFulfillmentOrder(t *testing.T) {
	f := open(t)
	p := f.parcel(world.Unpacked, nil)
	second := f.location("Second")
	f.clock.Advance(time.Hour)
	got := f.object("PATCH "+p.path, object{
		"destination":       object{"street": "Sarmiento", "number": "9", "province": object{"code": "S"}},
		"recipient":         object{"name": "Eva", "phone": nil},
		"shipping":          object{"carrier": object{"carrier_id": "77", "code": "api", "name": "Fast", "app_id": 9}, "option": object{"reference": "R1"}, "consumer_cost": object{"value": 1.25}, "min_delivery_date": "2025-02-01", "extras": object{"phone_required": true}},
		"assigned_location": object{"location_id": second},
	})
	updated := f.clock.Now().UTC().Format(stamp)
	want := object{
		"destination.street": "Sarmiento", "destination.number": "9", "destination.province": object{"name": "", "code": "S"}, "destination.zipcode": nil,
		"recipient": object{"name": "Eva", "phone": nil, "identifier": nil}, "shipping.carrier": object{"carrier_id": "77", "code": "api", "name": "Fast", "app_id": 9},
		"shipping.option.reference": "R1", "shipping.option.name": "Courier", "shipping.consumer_cost.value": 1.25, "shipping.min_delivery_date": "2025-02-01T00:00:00+00:00",
		"shipping.extras.phone_required": true, "assigned_location.location_id": second, "assigned_location.name": "Second", "status": "UNPACKED", "updated_at": updated,
	}
	f.want(got, want)
	f.want(f.object("GET "+p.path, nil), want)
	// The order tells of its carrier, which was custom before.
	f.want(f.object("v1 GET "+p.order, nil), object{"shipping_carrier_name": "Fast", "shipping_suboption": array{}})
	f.wantEvents(fmt.Sprint("order/updated ", p.orderID))

	f.clock.Advance(time.Hour)
	f.do("PATCH "+p.path, object{"recipient": object{"name": "Eva"}})
	f.want(f.object("GET "+p.path, nil), object{"updated_at": updated})
	// The days are not counted one by one.
	f.want(f.object("PATCH "+p.path, object{"shipping": object{"max_delivery_date": "9999-12-31"}}), object{
		"shipping.estimated_delivery_time.min.days": 30, "shipping.estimated_delivery_time.min.business_days": 22,
		"shipping.estimated_delivery_time.max.days": 2912806, "shipping.estimated_delivery_time.max.business_days": 2080576})
	f.want(f.object("PATCH "+p.path, object{"shipping": object{"max_delivery_date": "2024-12-31"}}), object{
		"shipping.estimated_delivery_time.max.days": 0, "shipping.estimated_delivery_time.max.business_days": 0})
	f.do("PATCH "+p.path, object{"status": "PACKED"})
	f.do("PATCH "+p.path, object{"destination": object{"floor": "1"}, "status": "DISPATCHED"})
	f.want(f.object("GET "+p.path, nil), object{"destination.floor": "1", "status": "DISPATCHED"})
}

func TestTrackingInfo(t *testing.T) {
	f := open(t)
	p := f.parcel(world.Packed, nil)
	at := f.clock.Now().UTC().Format(stamp)
	got := f.object("PATCH "+p.path, object{"status": "DISPATCHED", "tracking_info": object{"code": "BR1", "url": "https://t.example/1", "notify_customer": true}})
	none, first := object{"code": nil, "url": nil}, object{"code": "BR1", "url": "https://t.example/1"}
	f.want(got, object{
		"tracking_info": first, "tracking_info_history.0.from_tracking_info": none, "tracking_info_history.0.to_tracking_info": first,
		"tracking_info_history.0.happened_at": at, "tracking_info_history.0.created_at": at, "tracking_info_history.0.user_id": nil,
		"status_history.1": object{"from_status": "PACKED", "to_status": "DISPATCHED", "happened_at": at, "created_at": at},
	})
	f.want(f.object("v1 GET "+p.order, nil), object{"shipping_tracking_number": "BR1", "shipping_tracking_url": "https://t.example/1"})
	f.events()
	got = f.object("PATCH "+p.path, object{"tracking_info": object{"code": "BR2"}})
	f.want(got, object{"tracking_info": object{"code": "BR2", "url": "https://t.example/1"}, "tracking_info_history.1.from_tracking_info": first, "tracking_info_history.2": "absent"})
	f.wantEvents(fmt.Sprint("order/updated ", p.orderID))
	f.do("PATCH "+p.path, object{"tracking_info": object{"code": "BR2"}})
	f.wantEvents()
	f.want(f.object("PATCH "+p.path, object{"tracking_info": nil}), object{"tracking_info": none})
}

// The fulfillment order that is left says what becomes of the order.
func TestDeleteFulfillmentOrder(t *testing.T) {
	f := open(t)
	for _, test := range []struct {
		left, gone world.FulfillmentStatus
		event      string
	}{
		{world.Packed, world.Unpacked, "order/packed"},
		{world.Dispatched, world.Unpacked, "order/fulfilled"},
		{world.Unpacked, world.Packed, "order/unpacked"},
	} {
		p := f.parcel(test.left, nil)
		f.alter(func(tx *world.Tx) error {
			o, _ := tx.FulfillmentOrders.Get(p.id)
			o.ID, o.Number, o.Lines, o.Status = o.ID+"2", 2, nil, test.gone
			return tx.FulfillmentOrders.Put(o.ID, o)
		})
		f.do("PATCH "+p.path, object{"tracking_info": object{"code": "X"}})
		f.events()
		if w := f.send(f.token, "DELETE "+p.path+"2", nil); w.Code != http.StatusNoContent || w.Body.Len() > 0 {
			t.Errorf("%d %s", w.Code, w.Body)
		}
		f.wantEvents(fmt.Sprint(test.event, " ", p.orderID), fmt.Sprint("order/updated ", p.orderID))
		if w := f.send(f.token, "GET "+p.path+"2", nil); w.Code != http.StatusNotFound {
			t.Errorf("%d %s", w.Code, w.Body)
		}
	}
}

func TestFulfillmentScopes(t *testing.T) {
	f := open(t)
	p := f.parcel(world.Dispatched, nil)
	event := object{"status": "lost"}
	for _, tc := range []struct {
		scope                          string
		read, write, oldRead, oldWrite int
	}{
		{"read_fulfillment_orders", 200, 403, 403, 403},
		{"write_fulfillment_orders", 200, 200, 403, 403},
		{"read_orders", 200, 403, 403, 403},
		{"write_orders", 200, 200, 403, 403},
		{"read_shipping", 403, 403, 200, 403},
		{"write_shipping", 403, 403, 200, 201},
		{"write_products", 403, 403, 403, 403},
	} {
		token := f.install(world.Scopes{tc.scope})
		for call, want := range map[string]int{
			"GET " + p.order + "/fulfillment-orders": tc.read, "GET " + p.path: tc.read, "GET " + p.path + "/tracking-events": tc.read,
			"PATCH " + p.path: tc.write, "GET " + p.order + "/fulfillments": tc.oldRead, "POST " + p.order + "/fulfillments": tc.oldWrite,
		} {
			var body any
			switch call[:2] {
			case "PA":
				body = object{}
			case "PO":
				body = event
			}
			if w := f.send(token, call, body); w.Code != want {
				t.Errorf("%s with %s: %d %s, want %d", call, tc.scope, w.Code, w.Body, want)
			}
		}
	}
}

// location makes another one.
func (f *shop) location(name string) string {
	f.Helper()
	var id string
	f.alter(func(tx *world.Tx) error {
		id = tx.NewULID()
		return tx.Locations.Put(id, world.Location{ID: id, Name: map[string]string{"en_US": name}, Priority: tx.Locations.Len(), CreatedAt: tx.Now(), UpdatedAt: tx.Now()})
	})
	return id
}

// TestDeliveryWeekdays counts from a Saturday.
func TestDeliveryWeekdays(t *testing.T) {
	f := open(t)
	f.clock.Advance(3 * 24 * time.Hour)
	v := id(f.sized("P", "S"), "variants.0")
	for _, days := range []struct {
		least, most   int
		from, through any
	}{
		{1, 5, "2025-01-06T12:00:00+00:00", "2025-01-10T12:00:00+00:00"},
		{6, 10, "2025-01-13T12:00:00+00:00", "2025-01-17T12:00:00+00:00"},
		{0, 999, nil, "2028-11-02T12:00:00+00:00"},
	} {
		o := f.bought(v, 1, object{"shipping_min_days": days.least, "shipping_max_days": days.most})
		f.want(f.object(fmt.Sprintf("2025-03 GET /orders/%d?aggregates=fulfillment_orders", id(o)), nil), object{
			"fulfillments.0.shipping.min_delivery_date": days.from, "fulfillments.0.shipping.max_delivery_date": days.through})
	}
}

// An order has a fulfillment order for each location that its stock is taken from.
func TestFulfillmentOrderPerLocation(t *testing.T) {
	f := open(t)
	first, second := f.firstLocation(), f.location("Second")
	p := f.object("POST /products", object{"name": "P", "variants": array{object{"price": "10.00", "inventory_levels": array{
		object{"location_id": first, "stock": 2}, object{"location_id": second, "stock": 5},
	}}}})
	order := f.object("POST /orders", object{
		"gateway": "not-provided", "products": array{object{"variant_id": id(p, "variants.0"), "quantity": 3}}, "inventory_behaviour": "claim",
		"customer": object{"name": "Ana", "email": "ana@mail.example"}, "shipping_cost_customer": 5, "shipping_pickup_type": "ship", "shipping": "not-provided", "shipping_option": "Courier",
		"shipping_address": object{"first_name": "Ana", "last_name": "Paz", "customs": object{"reference": "Blue door", "between_streets": "A and B"}},
	})
	list, _ := f.do(fmt.Sprintf("GET /orders/%d/fulfillment-orders", id(order)), nil).(array)
	f.want(list, object{
		"0.number": "1", "0.assigned_location.location_id": first, "0.total_quantity": 2, "0.shipping.consumer_cost.value": 5, "0.destination.reference": "Blue door", "0.destination.between_streets": "A and B",
		"1.number": "2", "1.assigned_location.location_id": second, "1.total_quantity": 1, "1.shipping.consumer_cost.value": 0, "2": "absent",
	})
}
