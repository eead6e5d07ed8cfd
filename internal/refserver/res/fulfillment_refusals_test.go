package res_test

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/res"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// parcel is a fulfillment order with the path of its order and its own.
type parcel struct {
	id, order, path string
	orderID         int64
}

// parcel makes an order of two lines with a fulfillment order in the status.
func (f *shop) parcel(status world.FulfillmentStatus, change func(*world.Order)) parcel {
	f.Helper()
	p := parcel{orderID: f.order(0, func(o *world.Order) {
		o.Currency, o.ShippingPickupType, o.Shipping, o.ShippingOption = "USD", world.Ship, "branch", "Courier"
		o.ShippingStatus = map[world.FulfillmentStatus]string{world.Packed: "packed", world.Dispatched: "fulfilled", world.Delivered: "delivered"}[status]
		if o.ShippingStatus == "" {
			o.ShippingStatus = "unpacked"
		}
		o.Lines = []world.Line{
			{ID: 501, ProductID: 11, VariantID: 21, Price: decimal.RequireFromString("10.50"), Quantity: 2, Weight: decimal.RequireFromString("0.500")},
			{ID: 502, ProductID: 12, VariantID: 22, Price: decimal.RequireFromString("4.00"), Quantity: 1, Weight: decimal.RequireFromString("1.25"), Width: decimal.NewFromInt(7)},
		}
		if change != nil {
			change(o)
		}
	})}
	p.order = fmt.Sprintf("/orders/%d", p.orderID)
	f.alter(func(tx *world.Tx) error {
		o, _ := tx.Orders.Get(p.orderID)
		return res.AddFulfillments(tx, o)
	})
	list, _ := f.do("GET "+p.order+"/fulfillment-orders", nil).(array)
	if len(list) != 1 {
		f.Fatalf("%d fulfillment orders, want 1", len(list))
	}
	p.id, _ = at(list[0], "id").(string)
	p.path = p.order + "/fulfillment-orders/" + p.id
	f.events()
	return p
}

func (f *shop) alter(change func(tx *world.Tx) error) {
	f.Helper()
	if err := f.World().Update(0, f.store.ID, change); err != nil {
		f.Fatal(err)
	}
}

// withLabels lets the store have labels.
func withLabels(tx *world.Tx) {
	st := tx.Store()
	st.Features = append(slices.Clone(st.Features), "fulfillment_order_label_api")
	tx.SetStore(st)
}

// labelled asks for a label and gives it the status, as if its app had.
func (f *shop) labelled(p parcel, status world.LabelStatus) (path string) {
	f.Helper()
	list, _ := f.do("unstable POST /fulfillment-orders/labels", array{object{"id": p.id}}).(array)
	id, _ := at(list[0], "id").(string)
	f.alter(func(tx *world.Tx) error {
		l, _ := tx.Labels.Get(id)
		l.Status = status
		return tx.Labels.Put(id, l)
	})
	f.events()
	return "/fulfillment-orders/" + p.id + "/labels/" + id
}

const (
	noOrder    = "Order with such id does not exist"
	noParcel   = "Fulfillment order with such id does not exist"
	noEvent    = "Tracking event with such id does not exist"
	noLabel    = "Label with such id does not exist"
	dispatch   = "The fulfillment order must be dispatched"
	delivered  = "The fulfillment order is already delivered"
	identical  = "The tracking event must not be identical to an existing tracking event"
	eventLimit = "Tracking events has reached the limit"
	statuses   = "status: must be one of the following values: UNPACKED, PACKED, DISPATCHED, READY_FOR_PICKUP, DELIVERED"
	weekdays   = "must name a day from MONDAY to SUNDAY"
	reports    = "status: must be one of the following values: IN_PROGRESS, READY_TO_DOWNLOAD, FAILED, CANCELED"
)

func fulfillmentRefusals(f *shop) []refusal {
	packed, sent, done := f.parcel(world.Packed, nil), f.parcel(world.Dispatched, nil), f.parcel(world.Delivered, nil)
	virtual := f.parcel(world.Unpacked, func(o *world.Order) { o.ShippingPickupType = world.NonShippable })
	shipped := object{"status": "in_transit", "description": "Left", "happened_at": "2025-01-01T10:00:00Z"}
	e, _ := f.object("POST "+sent.path+"/tracking-events", shipped)["id"].(string)
	legacy := id(f.object("POST "+packed.order+"/fulfillments", object{"status": "in_transit"}))
	event := sent.path + "/tracking-events/" + e
	var old string
	f.alter(func(tx *world.Tx) error {
		for _, e := range tx.TrackingEvents.Values() {
			if e.LegacyID == legacy {
				old = packed.path + "/tracking-events/" + e.ID
			}
		}
		return nil
	})

	out := []refusal{
		{op: "fulfillmentOrders.update", status: 400, text: statuses, call: "PATCH " + packed.path, body: object{"status": "PENDING"}},
		{op: "fulfillmentOrders.update", status: 400, text: statuses, call: "PATCH " + packed.path, body: object{"status": nil}},
		{op: "fulfillmentOrders.update", status: 400, text: statuses, call: "PATCH " + packed.path, body: object{"status": 1}},
		{op: "fulfillmentOrders.update", status: 400, text: "tracking_info.code: must be a string", call: "PATCH " + packed.path, body: object{"tracking_info": object{"code": 7}}},
		{op: "fulfillmentOrders.update", status: 400, text: "shipping.type: must be one of the following values: ship, pickup, non-shippable", call: "PATCH " + packed.path, body: object{"shipping": object{"type": "drone"}}},
		{op: "fulfillmentOrders.update", status: 400, text: "shipping.carrier.carrier_id: should not be empty", call: "PATCH " + packed.path, body: object{"shipping": object{"carrier": object{"carrier_id": ""}}}},
		{op: "fulfillmentOrders.update", status: 400, text: "shipping.carrier.carrier_id: should not be empty", call: "PATCH " + packed.path, body: object{"shipping": object{"carrier": object{}}}},
		{op: "fulfillmentOrders.update", status: 400, text: "shipping.carrier.carrier_id: must be a string", call: "PATCH " + packed.path, body: object{"shipping": object{"carrier": object{"carrier_id": nil}}}},
		{op: "fulfillmentOrders.update", status: 400, text: "shipping.carrier.carrier_id: must be a string", call: "PATCH " + packed.path, body: object{"shipping": object{"carrier": object{"carrier_id": 5}}}},
		{op: "fulfillmentOrders.update", status: 400, text: "shipping.merchant_cost.value: must be a number", call: "PATCH " + packed.path, body: object{"shipping": object{"merchant_cost": object{"value": "much"}}}},
		{op: "fulfillmentOrders.update", status: 400, text: "shipping.merchant_cost.value: must be a number", call: "PATCH " + packed.path, body: object{"shipping": object{"merchant_cost": object{"value": array{}}}}},
		{op: "fulfillmentOrders.update", status: 400, text: "shipping.extras.accepts_cod: must be a boolean value", call: "PATCH " + packed.path, body: object{"shipping": object{"extras": object{"accepts_cod": "yes"}}}},
		{op: "fulfillmentOrders.update", status: 400, text: "shipping.min_delivery_date: must be a valid ISO 8601 date string", call: "PATCH " + packed.path, body: object{"shipping": object{"min_delivery_date": "soon"}}},
		{op: "fulfillmentOrders.update", status: 400, text: "shipping.pickup_details.pickup_hours: must be an array", call: "PATCH " + packed.path, body: object{"shipping": object{"pickup_details": object{"pickup_hours": "always"}}}},
		{op: "fulfillmentOrders.update", status: 400, text: "shipping.carrier.code: must be one of the following values: api, custom, locale, international, native, draft, default", call: "PATCH " + packed.path, body: object{"shipping": object{"carrier": object{"carrier_id": "5", "code": "drone"}}}},
		{op: "fulfillmentOrders.update", status: 400, text: "shipping.pickup_details.location_id: must be an existing location", call: "PATCH " + packed.path, body: object{"shipping": object{"pickup_details": object{"location_id": "01ARZ3NDEKTSV4RRFFQ69G5FAV"}}}},
		{op: "fulfillmentOrders.update", status: 400, text: "shipping.pickup_details.pickup_hours: " + weekdays, call: "PATCH " + packed.path, body: object{"shipping": object{"pickup_details": object{"pickup_hours": array{object{"day": "SOMEDAY", "start": "0800", "end": "1800"}}}}}},
		{op: "fulfillmentOrders.update", status: 400, text: "destination: must be an object", call: "PATCH " + packed.path, body: object{"destination": "here"}},
		{op: "fulfillmentOrders.update", status: 400, text: "assigned_location.location_id: should not be empty", call: "PATCH " + virtual.path, body: object{"assigned_location": object{}}},
		{op: "fulfillmentOrders.update", status: 400, text: "assigned_location.location_id: must be an existing location", call: "PATCH " + virtual.path, body: object{"assigned_location": object{"location_id": "01ARZ3NDEKTSV4RRFFQ69G5FAV"}}},
		{op: "fulfillmentOrders.update", status: 400, text: "The assigned location cannot be changed after packing", call: "PATCH " + packed.path, body: object{"assigned_location": object{"location_id": f.firstLocation()}}},
		{op: "fulfillmentOrders.update", status: 400, text: "The fulfillment order cannot get this status", call: "PATCH " + sent.path, body: object{"status": "UNPACKED"}},
		{op: "fulfillmentOrders.update", status: 400, text: "The fulfillment order cannot get this status", call: "PATCH " + sent.path, body: object{"status": "READY_FOR_PICKUP", "tracking_info": object{"code": "LOST"}}},
		{op: "fulfillmentOrders.update", status: 400, text: "The fulfillment order cannot get this status", call: "PATCH " + virtual.path, body: object{"status": "PACKED"}},
		{op: "fulfillmentOrders.delete", status: 400, text: "A fulfillment order with products cannot be deleted", call: "DELETE " + packed.path},
		{op: "trackingEvents.create", status: 400, text: dispatch, call: "POST " + packed.path + "/tracking-events", body: shipped},
		{op: "trackingEvents.create", status: 400, text: identical, call: "POST " + sent.path + "/tracking-events", body: shipped},
		{op: "trackingEvents.create", status: 400, text: eventLimit, call: "POST " + sent.path + "/tracking-events", body: object{"status": "lost"}, limits: func(l *world.Limits) { l.TrackingEvents = 1 }},
		{op: "trackingEvents.update", status: 400, text: delivered, call: "PUT " + event, body: object{"status": "lost"}, alter: func(tx *world.Tx) { deliverNow(tx, sent.id) }},
		{op: "trackingEvents.update", status: 400, text: dispatch, call: "PUT " + old, body: object{"status": "lost"}},
		{op: "trackingEvents.update", status: 400, text: identical, call: "PUT " + event, body: object{"description": "Twice"}, alter: func(tx *world.Tx) {
			twin, _ := tx.TrackingEvents.Get(e)
			twin.ID, twin.Description = tx.NewULID(), "Twice"
			if err := tx.TrackingEvents.Put(twin.ID, twin); err != nil {
				f.Fatal(err)
			}
		}},
		{op: "trackingEvents.delete", status: 400, text: delivered, call: "DELETE " + event, alter: func(tx *world.Tx) { deliverNow(tx, sent.id) }},
		{op: "trackingEvents.delete", status: 400, text: dispatch, call: "DELETE " + old},

		{op: "fulfillments.list", status: 404, text: "null", call: "GET /orders/1/fulfillments"},
		{op: "fulfillments.get", status: 404, text: "null", call: fmt.Sprintf("GET %s/fulfillments/%d", sent.order, legacy)},
		{op: "fulfillments.get", status: 404, text: "null", call: fmt.Sprintf("GET /orders/1/fulfillments/%d", legacy)},
		{op: "fulfillments.create", status: 404, text: "null", call: "POST /orders/1/fulfillments", body: object{"status": "lost"}},
		{op: "fulfillments.create", status: 422, text: "status: The status field is required.", call: "POST " + packed.order + "/fulfillments", body: object{}},
		{op: "fulfillments.create", status: 422, text: "status: The selected status is invalid.", call: "POST " + packed.order + "/fulfillments", body: object{"status": "custom_x"}},
		{op: "fulfillments.create", status: 422, text: "estimated_delivery_at: The estimated delivery at must be a valid ISO 8601 datetime.", call: "POST " + packed.order + "/fulfillments", body: object{"status": "lost", "estimated_delivery_at": "soon"}},
		{op: "fulfillments.create", status: 422, text: eventLimit, call: "POST " + packed.order + "/fulfillments", body: object{"status": "lost"}, limits: func(l *world.Limits) { l.TrackingEvents = 1 }},
		{op: "fulfillments.delete", status: 404, text: "null", call: fmt.Sprintf("DELETE %s/fulfillments/%d", sent.order, legacy)},
	}
	for _, when := range []string{"20250101", "01-02-2025", "2025-02-30", "2025-13-01", "2025-01-01T1000", "2025-01-01T10", "2025-01-01T25:00", "yesterday", "2025-01-01T10:00:00+5"} {
		out = append(out,
			refusal{op: "fulfillments.create", status: 422, text: "happened_at: The happened at must be a valid ISO 8601 datetime.", call: "POST " + packed.order + "/fulfillments", body: object{"status": "lost", "happened_at": when}},
			refusal{op: "trackingEvents.create", status: 400, text: "happened_at: must be a valid ISO 8601 date string", call: "POST " + sent.path + "/tracking-events", body: object{"status": "lost", "happened_at": when}})
	}
	for _, p := range []parcel{sent, done} {
		for _, member := range []string{"destination", "shipping", "recipient"} {
			out = append(out, refusal{op: "fulfillmentOrders.update", status: 400, text: "Destination, shipping and recipient cannot be changed after dispatch", call: "PATCH " + p.path, body: object{member: object{}}})
		}
	}
	for op, call := range map[string]string{"trackingEvents.create": "POST " + sent.path + "/tracking-events", "trackingEvents.update": "PUT " + event} {
		for text, body := range map[string]object{
			"status: must be a valid tracking event status":     {"status": "teleported"},
			"description: must be a string":                     {"status": "lost", "description": 7},
			"geolocation.longitude: must be a number":           {"status": "lost", "geolocation": object{"longitude": "west", "latitude": 1}},
			"happened_at: must be a valid ISO 8601 date string": {"status": "lost", "happened_at": "then"},
		} {
			out = append(out, refusal{op: op, status: 400, text: text, call: call, body: body})
		}
		out = append(out, refusal{op: op, status: 400, text: "status: must be a valid tracking event status", call: call, body: object{"status": "custom_"}})
	}
	strange := strings.Replace(sent.path, sent.order+"/", done.order+"/", 1)
	for op, call := range map[string]string{"fulfillmentOrders.get": "GET ", "fulfillmentOrders.update": "PATCH ", "fulfillmentOrders.delete": "DELETE ",
		"trackingEvents.list": "GET /tracking-events", "trackingEvents.get": "GET /tracking-events/" + e, "trackingEvents.create": "POST /tracking-events",
		"trackingEvents.update": "PUT /tracking-events/" + e, "trackingEvents.delete": "DELETE /tracking-events/" + e} {
		method, rest, _ := strings.Cut(call, " ")
		out = append(out,
			refusal{op: op, status: 404, text: noOrder, call: method + " /orders/1/fulfillment-orders/" + sent.id + rest, body: bodyOf(method)},
			refusal{op: op, status: 404, text: noParcel, call: method + " " + strange + rest, body: bodyOf(method)},
			refusal{op: op, status: 404, text: noParcel, call: method + " " + sent.order + "/fulfillment-orders/01ARZ3NDEKTSV4RRFFQ69G5FAV" + rest, body: bodyOf(method)})
		if strings.HasSuffix(rest, e) {
			for _, other := range []string{done.path + "/tracking-events/" + e, sent.path + "/tracking-events/01ARZ3NDEKTSV4RRFFQ69G5FAV"} {
				out = append(out, refusal{op: op, status: 404, text: noEvent, call: method + " " + other, body: bodyOf(method)})
			}
		}
	}
	out = append(out, refusal{op: "fulfillmentOrders.list", status: 404, text: noOrder, call: "GET /orders/1/fulfillment-orders"})
	return append(out, labelRefusals(f, packed, done)...)
}

// bodyOf is a body for the methods that want one.
func bodyOf(method string) any {
	if method == "GET" || method == "DELETE" {
		return nil
	}
	return object{"status": "lost"}
}

func deliverNow(tx *world.Tx, id string) {
	f, _ := tx.FulfillmentOrders.Get(id)
	f.Status = world.Delivered
	_ = tx.FulfillmentOrders.Put(id, f) // there is no unique index
}

func (f *shop) firstLocation() string {
	f.Helper()
	list, _ := f.do("GET /locations", nil).(array)
	id, _ := at(list[0], "id").(string)
	return id
}

func labelRefusals(f *shop, p, other parcel) []refusal {
	begin := f.store
	f.alter(func(tx *world.Tx) error { withLabels(tx); return nil })
	started, ready := f.labelled(p, world.LabelStarted), f.labelled(p, world.LabelReadyToUse)
	name := started[strings.LastIndex(started, "/")+1:]
	f.alter(func(tx *world.Tx) error { tx.SetStore(begin); return nil })
	const all, bulk = "unstable POST /fulfillment-orders/labels", "unstable PATCH /fulfillment-orders/labels/status"
	const none = "01ARZ3NDEKTSV4RRFFQ69G5FAV"
	one := func(parcel, label string, more object) array {
		more["id"] = label
		return array{object{"id": parcel, "labels": array{more}}}
	}
	failed := func() object { return object{"status": "FAILED"} }
	out := []refusal{
		{op: "labels.create", status: 404, text: noParcel, call: all, body: array{object{"id": p.id}, object{"id": none}}},
		{op: "labels.create", status: 400, text: "labels: must be an array", call: all, body: object{}},
		{op: "labels.create", status: 400, text: "labels: should not be empty", call: all, body: array{}},
		{op: "labels.create", status: 400, text: "labels.0.id: must be a string", call: all, body: array{object{"id": 1}}},
		{op: "labels.updateStatus", status: 404, text: noParcel, call: bulk, body: one(none, name, failed())},
		{op: "labels.updateStatus", status: 404, text: noLabel, call: bulk, body: one(other.id, name, failed())},
		{op: "labels.updateStatus", status: 400, text: "fulfillment_orders: must be an array", call: bulk, body: object{}},
		{op: "labels.updateStatus", status: 400, text: "fulfillment_orders: must contain no more than 200 elements", call: bulk, body: append(one(p.id, name, failed()), one(p.id, name, failed())...), limits: func(l *world.Limits) { l.LabelBatch = 1 }},
		{op: "labels.updateStatus", status: 400, text: "fulfillment_orders.0.labels: must contain no more than 10 elements", call: bulk, body: array{object{"id": p.id, "labels": array{failed(), failed()}}}, limits: func(l *world.Limits) { l.Labels = 1 }},
		{op: "labels.updateStatus", status: 400, text: "fulfillment_orders.0.labels: should not be empty", call: bulk, body: array{object{"id": p.id, "labels": array{}}}},
		{op: "labels.updateStatus", status: 400, text: "fulfillment_orders.0.labels.0." + reports, call: bulk, body: one(p.id, name, object{"status": "DOWNLOADED"})},
		{op: "labels.updateStatus", status: 400, text: "The label cannot get this status", call: bulk, body: append(one(p.id, name, object{"status": "IN_PROGRESS"}), one(p.id, name, object{"status": "IN_PROGRESS"})...)},
		{op: "labels.update", status: 400, text: reports, call: "unstable PATCH " + started, body: object{"status": "READY_TO_USE"}},
		{op: "labels.update", status: 400, text: reports, call: "unstable PATCH " + started, body: object{}},
		{op: "labels.update", status: 400, text: "documents: should not be empty", call: "unstable PATCH " + started, body: object{"status": "READY_TO_DOWNLOAD"}},
		{op: "labels.update", status: 400, text: "documents.0.format: must be one of the following values: PDF, ZPL", call: "unstable PATCH " + started, body: object{"status": "READY_TO_DOWNLOAD", "documents": array{object{"type": "LABEL", "format": "DOC", "size": 1, "download_url_from_app": "https://app.example/l"}}}},
		{op: "labels.update", status: 400, text: "documents.0.download_url_from_app: should not be empty", call: "unstable PATCH " + started, body: object{"status": "READY_TO_DOWNLOAD", "documents": array{object{"type": "LABEL", "format": "PDF"}}}},
		{op: "labels.update", status: 400, text: "reason: must be an object", call: "unstable PATCH " + started, body: object{"status": "FAILED", "reason": "none"}},
		{op: "labels.update", status: 400, text: "The label cannot get this status", call: "unstable PATCH " + ready, body: object{"status": "FAILED", "tracking_info": object{"code": "X"}}},
		{op: "labels.download", status: 400, text: "The label is not ready to use", call: "unstable POST " + started + "/download"},
	}
	for op, call := range map[string]string{"labels.update": "unstable PATCH %s", "labels.download": "unstable POST %s/download"} {
		out = append(out,
			refusal{op: op, status: 404, text: noParcel, call: fmt.Sprintf(call, "/fulfillment-orders/"+none+"/labels/"+name), body: object{"status": "FAILED"}},
			refusal{op: op, status: 404, text: noLabel, call: fmt.Sprintf(call, "/fulfillment-orders/"+other.id+"/labels/"+name), body: object{"status": "FAILED"}})
	}
	for i := range out {
		out[i].alter = withLabels
	}
	late := refusal{op: "labels.update", status: 400, text: "The label cannot get this status", call: "unstable PATCH " + started, body: object{"status": "IN_PROGRESS"}}
	late.alter, late.limits = withLabels, func(l *world.Limits) { l.LabelPatience = -time.Second }
	return append(out, late)
}
