package res_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

func TestTrackingEvents(t *testing.T) {
	f := open(t)
	p := f.parcel(world.Dispatched, nil)
	events := p.path + "/tracking-events"
	if list, _ := f.do("GET "+events, nil).(array); list == nil || len(list) != 0 {
		t.Errorf("events %v, want an empty list", list)
	}
	before := len(f.happened)
	made := f.object("POST "+events, object{"status": "in_transit", "description": "d", "address": "one line", "geolocation": object{"longitude": 73.85, "latitude": -40.84}, "happened_at": "2022-11-24T10:20:19+02:00", "estimated_delivery_at": "2022-11-30"})
	now := f.clock.Now().UTC().Format(stamp)
	want := object{
		"status": "in_transit", "description": "d", "address": "one line", "geolocation": object{"longitude": 73.85, "latitude": -40.84},
		"happened_at": "2022-11-24T08:20:19+00:00", "estimated_delivery_at": "2022-11-30T00:00:00+00:00", "created_at": now, "updated_at": now,
	}
	f.want(made, want)
	id, _ := made["id"].(string)
	f.want(f.object("GET "+events+"/"+id, nil), want)
	f.want(f.object("GET "+p.path, nil), object{"tracking_events.0.id": id, "tracking_events.1": "absent", "status": "DISPATCHED"})

	f.clock.Advance(time.Hour)
	f.want(f.object("PUT "+events+"/"+id, object{"status": "custom_asleep", "geolocation": nil, "address": nil}), object{
		"id": id, "status": "custom_asleep", "description": "d", "address": nil, "geolocation": nil,
		"happened_at": "2022-11-24T08:20:19+00:00", "created_at": now, "updated_at": f.clock.Now().UTC().Format(stamp),
	})
	f.do("PUT "+events+"/"+id, object{"status": "custom_asleep"})
	f.want(f.object("PUT "+events+"/"+id, object{"happened_at": nil}), object{"happened_at": f.clock.Now().UTC().Format(stamp)})
	if w := f.send(f.token, "DELETE "+events+"/"+id, nil); w.Code != http.StatusNoContent {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if w := f.send(f.token, "GET "+events+"/"+id, nil); w.Code != http.StatusNotFound {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	var got []string
	for _, e := range f.happened[before:] {
		got = append(got, fmt.Sprint(e.Name, " ", e.Fields["order_id"] == p.orderID, e.Fields["fulfillment_id"] == p.id, e.Fields["tracking_event_id"] == id, " ", e.Fields["status"]))
	}
	wantTold := []string{
		"fulfillment_order/tracking_event_created true true true in_transit",
		"fulfillment_order/tracking_event_updated true true true custom_asleep",
		"fulfillment_order/tracking_event_updated true true true custom_asleep",
		"fulfillment_order/tracking_event_deleted true true true custom_asleep",
	}
	if fmt.Sprint(got) != fmt.Sprint(wantTold) {
		t.Errorf("told %v, want %v", got, wantTold)
	}
}

// TestAnswersSentBack sends back what is shown in seconds, a part of a second into one.
func TestAnswersSentBack(t *testing.T) {
	f := open(t)
	f.clock.Advance(1234567 * time.Microsecond)
	o := f.bought(id(f.sized("P", "S"), "variants.0"), 1, object{"shipping_pickup_type": "ship", "shipping_cost_customer": "5.50", "shipping_min_days": 1, "shipping_max_days": 3})
	path := fmt.Sprintf("/orders/%d/fulfillment-orders/%s", id(o), at(o, "fulfillments.0"))
	f.clock.Advance(time.Hour)
	f.events()
	shown := f.object("GET "+path, nil)
	f.want(f.object("PATCH "+path, shown), object{"updated_at": shown["updated_at"]})
	f.wantEvents()
	f.do("PATCH "+path, object{"status": "DISPATCHED"})
	event := f.object("POST "+path+"/tracking-events", object{"status": "in_transit", "geolocation": object{"longitude": "73.850", "latitude": -40.84}})
	legacy := f.object(fmt.Sprintf("POST /orders/%d/fulfillments", id(o)), object{"status": "delayed"})
	list, _ := f.do("GET "+path+"/tracking-events", nil).(array)
	f.clock.Advance(time.Hour)
	f.events()
	for _, e := range list {
		f.want(f.object(fmt.Sprintf("PUT %s/tracking-events/%s", path, at(e, "id")), e), object{"updated_at": at(e, "updated_at")})
	}
	f.wantEvents()
	if len(list) != 2 {
		t.Errorf("events %v, want those of %v and %v", list, event, legacy)
	}
}

// TestIdenticalEvents changes one thing at a time about an event that is there.
func TestIdenticalEvents(t *testing.T) {
	f := open(t)
	p := f.parcel(world.Dispatched, nil)
	base := func(change object) object {
		b := object{"status": "delayed", "description": "d", "address": "a", "geolocation": object{"longitude": 1, "latitude": 2}, "happened_at": "2025-01-01T10:00:00Z", "estimated_delivery_at": "2025-01-09T10:00:00Z"}
		for name, v := range change {
			if b[name] = v; v == "absent" {
				delete(b, name)
			}
		}
		return b
	}
	f.do("POST "+p.path+"/tracking-events", base(nil))
	begin := f.World().Snapshot()
	for name, tc := range map[string]struct {
		change object
		same   bool
	}{
		"nothing":               {nil, true},
		"a minute later":        {object{"happened_at": "2025-01-01T10:01:00Z"}, true},
		"a minute earlier":      {object{"happened_at": "2025-01-01T09:59:00Z"}, true},
		"more than a minute":    {object{"happened_at": "2025-01-01T10:01:01Z"}, false},
		"more, earlier":         {object{"happened_at": "2025-01-01T09:58:59Z"}, false},
		"no time":               {object{"happened_at": "absent"}, true},
		"time null":             {object{"happened_at": nil}, true},
		"no time and another":   {object{"happened_at": "absent", "description": "e"}, false},
		"same time, other zone": {object{"happened_at": "2025-01-01T12:00:00+0200"}, true},
		"geolocation as texts":  {object{"geolocation": object{"longitude": "1.0", "latitude": "2.00"}}, true},
		"status":                {object{"status": "lost"}, false},
		"description":           {object{"description": "e"}, false},
		"address":               {object{"address": nil}, false},
		"longitude":             {object{"geolocation": object{"longitude": 1.1, "latitude": 2}}, false},
		"no geolocation":        {object{"geolocation": nil}, false},
		"estimate":              {object{"estimated_delivery_at": nil}, false},
	} {
		f.World().Restore(begin)
		w := f.send(f.token, "POST "+p.path+"/tracking-events", base(tc.change))
		if want := map[bool]int{true: 400, false: 201}[tc.same]; w.Code != want {
			t.Errorf("%s: %d %s, want %d", name, w.Code, w.Body, want)
		}
	}
}

func TestTrackingEventLimit(t *testing.T) {
	f := open(t)
	p := f.parcel(world.Dispatched, nil)
	if n := f.World().Limits().TrackingEvents; n != 100 {
		t.Errorf("%d events, the contract has 100", n)
	}
	l := f.World().Limits()
	l.TrackingEvents = 2
	f.World().SetLimits(l)
	for _, step := range []struct {
		status string
		want   int
	}{{"in_transit", 201}, {"delayed", 201}, {"lost", 400}, {"delivered", 201}, {"delivered", 400}, {"returned_to_sender", 400}} {
		if w := f.send(f.token, "POST "+p.path+"/tracking-events", object{"status": step.status, "description": step.status}); w.Code != step.want {
			t.Errorf("%s: %d %s, want %d", step.status, w.Code, w.Body, step.want)
		}
	}
}

func TestDeliveredByEvent(t *testing.T) {
	const moved, created, changed = "fulfillment_order/status_updated <nil>", "fulfillment_order/tracking_event_created <nil>", "fulfillment_order/tracking_event_updated <nil>"
	f := open(t)
	for name, tc := range map[string]struct {
		deliver func(p parcel)
		want    []string
	}{
		"POST": {func(p parcel) {
			f.do("POST "+p.path+"/tracking-events", object{"status": "delivered", "happened_at": "2025-01-03T09:00:00Z"})
		}, []string{created}},
		"PUT": {func(p parcel) {
			e := f.object("POST "+p.path+"/tracking-events", object{"status": "in_transit"})
			f.events()
			f.do(fmt.Sprint("PUT ", p.path, "/tracking-events/", e["id"]), object{"status": "delivered", "happened_at": "2025-01-03T09:00:00Z"})
		}, []string{changed}},
	} {
		p := f.parcel(world.Dispatched, nil)
		tc.deliver(p)
		f.wantEvents(append(tc.want, moved, fmt.Sprint("order/updated ", p.orderID))...)
		got := f.object("GET "+p.path, nil)
		f.want(got, object{"status": "DELIVERED", "fulfilled_at": "2025-01-03T09:00:00+00:00", "status_history.1.happened_at": "2025-01-03T09:00:00+00:00"})
		f.want(f.object("2025-03 GET "+p.order, nil), object{"shipping_status": "delivered"})
		f.do("POST "+p.path+"/tracking-events", object{"status": "delivered", "description": name, "happened_at": "2025-01-02T09:00:00Z"})
		f.want(f.object("GET "+p.path, nil), object{"fulfilled_at": "2025-01-02T09:00:00+00:00", "status_history.2": "absent"})
		f.events()
	}
	p := f.parcel(world.Dispatched, nil)
	f.want(f.object("PATCH "+p.path, object{"status": "DELIVERED"}), object{"fulfilled_at": f.clock.Now().UTC().Format(stamp)})
}
