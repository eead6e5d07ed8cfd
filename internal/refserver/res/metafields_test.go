package res_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// tagged is an entity that metafields belong to, with the two names of its type
// and its scope.
type tagged struct {
	name, list, scope string
	id                int64
}

func (f *shop) tagged() []tagged {
	f.Helper()
	p := f.object("POST /products", object{"name": "P"})
	page := f.object("2025-03 POST /pages", object{"page": object{"i18n": object{"en": object{"title": "T"}}}})
	return []tagged{
		{"Product", "products", "products", id(p)},
		{"Product_Variant", "product_variants", "products", id(p, "variants.0")},
		{"Category", "categories", "products", f.category(object{"name": "K"})},
		{"Page", "pages", "content", id(page)},
		{"Order", "orders", "orders", f.order(0, nil)},
		{"Customer", "customers", "customers", id(f.object("POST /customers", object{"name": "C"}))},
	}
}

func meta(owner tagged, change object) object {
	body := object{"namespace": "app_data", "key": "k1", "value": "V", "owner_resource": owner.name, "owner_id": owner.id}
	for field, value := range change {
		body[field] = value
	}
	return body
}

func TestMetafield(t *testing.T) {
	f := open(t)
	for _, o := range f.tagged() {
		f.want(f.do(fmt.Sprintf("GET /metafields/%s?owner_id=%d", o.list, o.id), nil), object{"0": "absent"})
		m := f.object("POST /metafields", meta(o, object{"owner_id": fmt.Sprint(o.id)}))
		stamp := f.clock.Now().UTC().Format("2006-01-02 15:04:05")
		f.want(m, object{"namespace": "app_data", "key": "k1", "value": "V", "description": nil, "owner_resource": o.name, "owner_id": o.id,
			"created_at": stamp, "updated_at": stamp, "deleted_at": nil})
		call := fmt.Sprintf("/metafields/%d", id(m))
		f.want(f.object("GET "+call, nil), object{"value": "V", "created_at": now(f), "deleted_at": "absent"})
		f.want(f.object("PUT "+call, object{"value": "W", "description": "D", "key": "other"}), object{"value": "W", "description": "D", "key": "k1", "deleted_at": "absent"})
		f.want(f.object("PUT "+call, object{"description": nil}), object{"value": "W", "description": nil})
		f.wantIDs("GET /metafields/"+o.list, id(m))

		// Another scope does not reach it.
		token := f.install(world.Scopes{"write_scripts", "read_" + o.scope})
		for call, want := range map[string]int{"GET " + call: 200, "GET /metafields/" + o.list: 200, "PUT " + call: 403, "DELETE " + call: 403} {
			if w := f.send(token, call, object{"value": "X"}); w.Code != want {
				t.Errorf("%s with read_%s: %d, want %d", call, o.scope, w.Code, want)
			}
		}
		f.do("DELETE "+call, nil)
		f.wantStatus(http.StatusNotFound, "GET "+call, nil)
	}
}

// What belonged to something that is gone is gone with it.
func TestMetafieldGoesWithOwner(t *testing.T) {
	f := open(t)
	p := id(f.object("POST /products", object{"name": "P"}))
	m := id(f.object("POST /metafields", meta(tagged{name: "Product", id: p}, nil)))
	f.do(fmt.Sprintf("DELETE /products/%d", p), nil)
	f.wantStatus(http.StatusNotFound, fmt.Sprintf("GET /metafields/%d", m), nil)
	f.want(f.do("GET /metafields/products", nil), object{"0": "absent"})
}

func TestMetafieldQueries(t *testing.T) {
	f := open(t)
	p, q := id(f.object("POST /products", object{"name": "P"})), id(f.object("POST /products", object{"name": "Q"}))
	owner := func(id int64) tagged { return tagged{name: "Product", id: id} }
	f.do("POST /metafields", meta(tagged{name: "Product_Variant", id: id(f.sized("R", "S"), "variants.0")}, nil))
	made := f.made("/metafields", []object{meta(owner(p), nil), meta(owner(p), object{"key": "k2"}), meta(owner(q), object{"namespace": "other"})}, object{"value": "W"})
	f.wantQueries("metafields.list", "/metafields/products", made, append(windows(made), []query{
		{fmt.Sprint("owner_id=", p), []int{0, 1}}, {fmt.Sprintf("owner_id=%d&key=k2", p), []int{1}}, {"owner_id=1", nil},
		{"namespace=other", []int{2}}, {"namespace=app_data&key=k1", []int{0}}, {"key=K1", nil},
	}...))
}

func metafieldRefusals(f *shop) []refusal {
	p := tagged{name: "Product", id: id(f.object("POST /products", object{"name": "Tagged"}))}
	m := fmt.Sprintf("/metafields/%d", id(f.object("POST /metafields", meta(p, nil))))
	poor := f.install(world.Scopes{"write_orders"})
	const lacksRead, lacksWrite = "Missing a required scope: read_products", "Missing a required scope: write_products"
	out := []refusal{
		{op: "metafields.list", status: 404, text: "null", call: "GET /metafields/baskets"},
		{op: "metafields.list", status: 403, text: lacksRead, call: "GET /metafields/products", token: poor},
		{op: "metafields.get", status: 404, text: "null", call: "GET /metafields/1"},
		{op: "metafields.get", status: 403, text: lacksRead, call: "GET " + m, token: poor},
		{op: "metafields.create", status: 403, text: lacksWrite, call: "POST /metafields", body: meta(p, nil), token: poor},
		{op: "metafields.update", status: 404, text: "null", call: "PUT /metafields/1", body: object{"value": "X"}},
		{op: "metafields.update", status: 403, text: lacksWrite, call: "PUT " + m, body: object{"value": "X"}, token: poor},
		{op: "metafields.update", status: 422, text: "value: The value field is required.", call: "PUT " + m, body: object{"value": nil}},
		{op: "metafields.update", status: 422, text: "value: The value field is required.", call: "PUT " + m, body: object{"value": "", "description": "D"}},
		{op: "metafields.delete", status: 404, text: "null", call: "DELETE /metafields/1"},
		{op: "metafields.delete", status: 403, text: lacksWrite, call: "DELETE " + m, token: poor},
	}
	for text, faults := range map[string][]object{
		"namespace: The namespace field is required.":             {{"namespace": nil}, {"namespace": ""}},
		"namespace: The namespace format is invalid.":             {{"namespace": "1st"}, {"namespace": "_a"}, {"namespace": "a-b"}, {"namespace": "a b"}, {"namespace": "ñ"}, {"namespace": "a\n"}},
		"key: The key field is required.":                         {{"key": nil}},
		"key: The key format is invalid.":                         {{"key": "1st"}, {"key": "a.b"}},
		"value: The value field is required.":                     {{"value": nil}, {"value": ""}},
		"owner_resource: The owner resource field is required.":   {{"owner_resource": nil}},
		"owner_resource: The selected owner resource is invalid.": {{"owner_resource": "Basket"}, {"owner_resource": "products"}},
		"owner_id: The owner id field is required.":               {{"owner_id": nil}},
		"owner_id: The selected owner id is invalid.":             {{"owner_id": 1}, {"owner_id": "none"}, {"owner_resource": "Customer"}},
	} {
		for _, fault := range faults {
			out = append(out, refusal{op: "metafields.create", status: 422, text: text, call: "POST /metafields", body: meta(p, fault)})
		}
	}
	return out
}
