package res_test

import (
	"fmt"
	"maps"
	"net/http"
	"testing"
)

// place is the body of a location.
func place(name string, change object) object {
	region := func(name, code string) object { return object{"name": name, "code": code} }
	body := object{"name": object{"es_AR": name}, "address": object{"zipcode": 2000, "street": "Mitre", "number": 15, "city": "Rosario", "reference": "blue door",
		"province": region("Santa Fe", "S"), "region": region("Litoral", "LIT"), "country": region("Argentina", "AR")}}
	maps.Copy(body, change)
	return body
}

// ulid is the id of a location.
func ulid(record any) string {
	s, _ := at(record, "id").(string)
	return s
}

// wantOrder wants the locations in an order, with the priorities 0, 1, ...
func (f *shop) wantOrder(want ...string) {
	f.Helper()
	list, _ := f.do("GET /locations", nil).(array)
	if len(list) != len(want) {
		f.Fatalf("%d locations, want %d", len(list), len(want))
	}
	for i, l := range list {
		f.want(l, object{"id": want[i], "priority": i, "is_default": i == 0})
	}
}

func TestLocation(t *testing.T) {
	f := open(t)
	main := ulid(at(f.do("GET /locations", nil), "0"))
	l := f.object("POST /locations", place("Shop", object{"is_default": true, "priority": 0}))
	f.want(l, object{"store_id": fmt.Sprint(f.store.ID), "name": object{"es_AR": "Shop"}, "tags": array{"online", "offline"}, "is_default": false, "priority": 1,
		"address.zipcode": "2000", "address.number": "15", "address.floor": nil, "address.reference": "blue door", "address.verified_at": nil, "address.region.code": "LIT"})
	call := "/locations/" + ulid(l)
	f.wantEvents("location/created " + ulid(l))
	f.want(f.object("PUT "+call, object{"tags": array{"offline"}}), object{"tags": array{"offline"}, "address.city": "Rosario", "name": object{"es_AR": "Shop"}})
	f.want(f.object("PUT "+call, f.object("GET "+call, nil)), object{"tags": array{"offline"}})
	f.wantEvents("location/updated " + ulid(l))
	changed := place("Shop 2", nil)["address"].(object)
	changed["floor"] = "3"
	f.want(f.object("PUT "+call, object{"address": changed}), object{"address.floor": "3", "tags": array{"offline"}})
	f.wantOrder(main, ulid(l))
}

func TestLocationPriorities(t *testing.T) {
	f := open(t)
	a := ulid(at(f.do("GET /locations", nil), "0"))
	var made []string
	for _, name := range []string{"B", "C", "D"} {
		made = append(made, ulid(f.object("POST /locations", place(name, nil))))
	}
	b, c, d := made[0], made[1], made[2]
	f.events()
	f.want(f.object("PATCH /locations/"+c+"/chosen-as-default", nil), object{"id": c, "is_default": true, "priority": 0})
	f.wantEvents("location/updated "+a, "location/updated "+b, "location/updated "+c)
	f.wantOrder(c, a, b, d)

	sent := array{object{"id": d, "priority": 0}, object{"id": a, "priority": 1}, object{"id": c, "priority": 7}, object{"id": b, "priority": 3}}
	f.want(f.do("PATCH /locations/priorities", sent), object{"0.id": d, "0.priority": 0, "2.id": c, "2.priority": 7, "4": "absent"})
	f.wantEvents("location/updated "+b, "location/updated "+c, "location/updated "+d)
	f.want(f.do("GET /locations", nil), object{"0.id": d, "1.id": a, "2.id": b, "3.id": c, "0.is_default": true, "1.is_default": false})

	f.wantStatus(http.StatusNoContent, "DELETE /locations/"+a, nil)
	f.wantEvents("location/deleted "+a, "location/updated "+b, "location/updated "+c)
	f.wantOrder(d, b, c)
}

func TestInventoryLevels(t *testing.T) {
	f := open(t)
	l := ulid(f.object("POST /locations", place("L", nil)))
	p := f.sized("P", "S", "M")
	for i := range 2 {
		f.do(fmt.Sprintf("PUT /products/%d/variants/%d", id(p), id(p, fmt.Sprint("variants.", i))), object{"inventory_levels": array{object{"location_id": l, "stock": i}}})
	}
	call := "GET /locations/" + l + "/inventory-levels"
	s := fmt.Sprint(id(p, "variants.0"))
	f.want(f.object(call, nil), object{"total": 2, "page": 1, "per_page": 1, "results.0.variant_id": s, "results.0.location_id": l, "results.0.stock": 0, "results.1": "absent"})
	f.want(f.object(call+"?page=2", nil), object{"total": 2, "page": 2, "results.0.stock": 1})
	f.want(f.object(call+"?page=3", nil), object{"results": array{}})
	f.want(f.object(call+"?per_page=50", nil), object{"per_page": 50, "results.1.stock": 1})
	f.want(f.object(call+"?variant_id="+s, nil), object{"total": 1, "results.0.variant_id": s})
	f.want(f.object(call+"?variant_id=1", nil), object{"total": 0, "results": array{}})
	level, _ := at(f.object(call, nil), "results.0").(object)
	if _, text := level["id"].(string); !text {
		t.Errorf("the id %v is no text", level["id"])
	}
}

func locationRefusals(f *shop) []refusal {
	main := ulid(at(f.do("GET /locations", nil), "0"))
	l := ulid(f.object("POST /locations", place("Full", nil)))
	p := f.sized("Located", "S")
	f.do(fmt.Sprintf("PUT /products/%d/variants/%d", id(p), id(p, "variants.0")), object{"inventory_levels": array{object{"location_id": l, "stock": 0}}})
	const nowhere = "01HZZZZZZZZZZZZZZZZZZZZZZZ"
	at := func(id string, priority any) object { return object{"id": id, "priority": priority} }
	out := []refusal{
		{op: "locations.update", status: 404, text: "null", call: "PUT /locations/" + nowhere, body: place("X", nil)},
		{op: "locations.delete", status: 404, text: "null", call: "DELETE /locations/" + nowhere},
		{op: "locations.delete", status: 422, text: "The location is the default one", call: "DELETE /locations/" + main},
		{op: "locations.delete", status: 422, text: "The location has inventory levels", call: "DELETE /locations/" + l},
		{op: "locations.makeDefault", status: 404, text: "null", call: "PATCH /locations/" + nowhere + "/chosen-as-default"},
		{op: "locations.makeDefault", status: 422, text: "The location is the default one", call: "PATCH /locations/" + main + "/chosen-as-default"},
		{op: "locations.inventoryLevels", status: 404, text: "null", call: "GET /locations/" + nowhere + "/inventory-levels"},
		{op: "locations.prioritize", status: 400, text: "Invalid input format", call: "PATCH /locations/priorities", body: at(main, 0)},
		{op: "locations.create", status: 422, text: "name: The name field is required.", call: "POST /locations", body: object{"address": place("X", nil)["address"]}},
		{op: "locations.create", status: 422, text: "address: The address field is required.", call: "POST /locations", body: object{"name": object{"es_AR": "X"}}},
	}
	for text, list := range map[string]array{
		"id: The selected id is invalid.":                          {at(main, 0), at(l, 1), at(nowhere, 2)},
		"id: The id may not be repeated.":                          {at(main, 0), at(l, 1), at(l, 2)},
		"id: All locations of the store must be sent.":             {at(main, 0)},
		"priority: The priority must be an integer of at least 0.": {at(main, 0), at(l, -1)},
		"priority: The priority may not be repeated.":              {at(main, 0), at(l, 0)},
		"priority: One location must have priority 0.":             {at(main, 1), at(l, 2)},
	} {
		out = append(out, refusal{op: "locations.prioritize", status: 422, text: text, call: "PATCH /locations/priorities", body: list})
	}
	for op, call := range map[string]string{"locations.create": "POST /locations", "locations.update": "PUT /locations/" + l} {
		for text, fault := range map[string]object{
			"name: is invalid":                        {"name": "Shop"},
			"name: The name field is required.":       {"name": object{"es_AR": " "}},
			"address: is invalid":                     {"address": "Mitre 15"},
			"address: The address field is required.": {"address": nil},
			"tags: The selected tags is invalid.":     {"tags": array{"online", "sideways"}},
		} {
			out = append(out, refusal{op: op, status: 422, text: text, call: call, body: place("X", fault)})
		}
		for _, field := range []string{"zipcode", "street", "city", "province", "region", "country"} {
			for _, value := range []any{nil, "", object{"name": "X"}} {
				body := place("X", nil)
				address, _ := body["address"].(object)
				_, region := address[field].(object)
				if _, text := value.(string); text == region || !text && value != nil && !region {
					continue // of the wrong type, which is another refusal
				}
				address[field] = value
				name := "address." + field
				out = append(out, refusal{op: op, status: 422, text: name + ": The " + name + " field is required.", call: call, body: body})
			}
		}
	}
	return out
}
