package res_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver"
	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// bearer is a type of entity with custom fields: the path of its fields, one of
// its entities, and what owners are called.
type bearer struct {
	ops, path, resource, list string
	entity                    func(f *shop) int64
	tells, keeps, limited     bool
}

func bearers() []bearer {
	return []bearer{
		{ops: "productCustomFields", path: "/products", resource: "product", list: "products", limited: true,
			entity: func(f *shop) int64 { return id(f.object("POST /products", object{"name": "P"})) }},
		{ops: "variantCustomFields", path: "/products/variants", resource: "product_variant", list: "product-variants", tells: true,
			entity: func(f *shop) int64 { return id(f.object("POST /products", object{"name": "P"}), "variants.0") }},
		{ops: "customerCustomFields", path: "/customers", resource: "customer", list: "customers",
			entity: func(f *shop) int64 { return id(f.object("POST /customers", object{"name": "C"})) }},
		{ops: "categoryCustomFields", path: "/categories", resource: "category", list: "categories", keeps: true,
			entity: func(f *shop) int64 { return f.category(object{"name": "K"}) }},
		{ops: "orderCustomFields", path: "/orders", resource: "order", list: "orders", tells: true,
			entity: func(f *shop) int64 { return f.order(0, nil) }},
	}
}

// field makes a custom field.
func (f *shop) field(b bearer, valueType string, values ...any) object {
	f.Helper()
	if values == nil {
		values = array{}
	}
	return f.object("POST "+b.path+"/custom-fields", object{"name": "Field", "value_type": valueType, "values": values})
}

// wantTold wants an event if the owner has events, and none otherwise.
func (b bearer) wantTold(f *shop, event string) {
	f.Helper()
	if b.tells {
		f.wantEvents(b.resource + event)
	} else {
		f.wantEvents()
	}
}

// Only a list of texts needs values if the server reads absent ones as none.
func TestCustomFieldWithoutValues(t *testing.T) {
	for _, reading := range []bool{false, true} {
		f := openWith(t, refserver.Options{Readings: api.Readings{AbsentValuesEmpty: reading}})
		for valueType, allowed := range map[string]bool{"text": reading, "text_list": false} {
			want := 422
			if allowed {
				want = 201
			}
			f.wantStatus(want, "POST /products/custom-fields", object{"name": "Field", "value_type": valueType})
		}
	}
}

func TestCustomFields(t *testing.T) {
	for _, b := range bearers() {
		t.Run(b.resource, func(t *testing.T) {
			f := open(t)
			f.events()
			made := f.object("POST "+b.path+"/custom-fields", object{"name": " Colour ", "value_type": "text_list", "values": array{"red", "blue", "red", " "}})
			const duplicated = "The custom field value with key is duplicated: "
			f.want(made, object{"name": "Colour", "description": nil, "owner_resource": b.resource, "read_only": false, "source": "absent",
				"values": array{object{"value": "red", "created": true}, object{"value": "blue", "created": true},
					object{"value": "red", "created": false, "error": duplicated + "red"}, object{"value": " ", "created": false, "error": "The value field is required."}}})
			call := b.path + "/custom-fields/" + ulid(made)
			b.wantTold(f, "_custom_field/created "+ulid(made))
			f.want(f.object("GET "+call, nil), object{"values": array{"red", "blue"}, "source": "app"})
			f.want(f.do("GET "+b.path+"/custom-fields", nil), object{"0.id": ulid(made), "0.values": array{"red", "blue"}, "0.source": "absent", "1": "absent"})
			f.want(f.object("PUT "+call, object{"values": array{"green", "blue"}, "name": "ignored"}), object{"name": "Colour", "values": array{
				object{"value": "red", "created": true}, object{"value": "blue", "created": true}, object{"value": "green", "created": true},
				object{"value": "blue", "created": false, "error": duplicated + "blue"}}})
			b.wantTold(f, "_custom_field/updated "+ulid(made))
			f.do("PUT "+call, object{"values": array{"green"}})
			f.wantEvents()
			f.want(f.object("GET "+call, nil), object{"values": array{"red", "blue", "green"}})

			// A field of one type of owner is none of another's.
			for _, other := range bearers() {
				if want := map[bool]int{true: 200, false: 404}[other.path == b.path]; f.send(f.token, "GET "+other.path+"/custom-fields/"+ulid(made), nil).Code != want {
					t.Errorf("as one of %s: want %d", other.resource, want)
				}
			}
			e := b.entity(f)
			f.wantStatus(http.StatusNoContent, fmt.Sprintf("PUT %s/%d/custom-fields/values", b.path, e), array{object{"id": ulid(made), "value": "red"}})
			f.events()
			f.wantStatus(http.StatusNoContent, "DELETE "+call, nil)
			b.wantTold(f, "_custom_field/deleted "+ulid(made))
			f.wantStatus(http.StatusNotFound, "GET "+call, nil)
			f.want(f.do(fmt.Sprintf("GET %s/%d/custom-fields", b.path, e), nil), object{"0": "absent"})
			f.want(f.do("GET "+b.path+"/custom-fields", nil), object{"0": "absent"})
		})
	}
}

func TestCustomFieldValues(t *testing.T) {
	for _, b := range bearers() {
		t.Run(b.resource, func(t *testing.T) {
			f := open(t)
			list, text := ulid(f.field(b, "text_list", "red")), ulid(f.field(b, "text"))
			number, day := ulid(f.field(b, "numeric")), ulid(f.field(b, "date"))
			e, other := b.entity(f), b.entity(f)
			call := fmt.Sprintf("%s/%d/custom-fields", b.path, e)
			set := func(values ...any) {
				f.Helper()
				f.wantStatus(http.StatusNoContent, "PUT "+call+"/values", append(array{}, values...))
			}
			value := func(field string, value any) object { return object{"id": field, "value": value} }
			wantFields := func(want ...string) {
				f.Helper()
				var got []string
				for _, v := range f.do("GET "+call, nil).(array) {
					got = append(got, ulid(v))
				}
				if !slices.Equal(got, want) {
					t.Errorf("fields %v, want %v", got, want)
				}
			}
			f.events()
			set(value(list, "red"), value(text, " as it is "), value(number, 4.5), value(day, "2025-01-31"))
			b.wantTold(f, fmt.Sprint("/custom_fields_updated ", e))
			f.want(f.do("GET "+call, nil), object{"0.id": list, "0.owner_resource": b.resource, "0.value_type": "text_list", "0.source": "app", "0.description": nil, "0.read_only": false,
				"0.value": "red", "1.value": " as it is ", "2.value": "4.5", "3.value": "2025-01-31"})
			f.wantStatus(http.StatusNoContent, fmt.Sprintf("PUT %s/%d/custom-fields/values", b.path, other), array{value(strings.ToUpper(list), "red")})
			f.want(f.object("GET "+b.path+"/custom-fields/"+list+"/owners", nil), object{"id": list, "source": "app", "values": array{object{"value": "red", "created": true}},
				b.list: array{object{"id": e, "value": "red"}, object{"id": other, "value": "red"}}})

			f.events()
			set(value(text, "x"), value(number, nil))
			b.wantTold(f, fmt.Sprint("/custom_fields_updated ", e))
			if b.keeps {
				wantFields(list, text, day)
				set(value(list, nil), value(day, nil))
			}
			wantFields(text)
			f.events()
			set(value(text, "x"))
			f.wantEvents()
			if b.keeps {
				set(value(text, nil))
			} else {
				set()
			}
			wantFields()
			f.want(f.object("GET "+b.path+"/custom-fields/"+text+"/owners", nil), object{b.list: array{}})
		})
	}
}

// A field that no app made is the admin's, and nobody's to delete.
func TestCustomFieldOfAdmin(t *testing.T) {
	f := open(t)
	err := f.World().Update(0, f.store.ID, func(tx *world.Tx) error {
		k := world.CustomField{ID: tx.NewUUID(), Owner: "product", Name: "Material", ValueType: "text", ReadOnly: true, CreatedAt: tx.Now(), UpdatedAt: tx.Now()}
		return tx.CustomFields.Put(k.ID, k)
	})
	if err != nil {
		t.Fatal(err)
	}
	k := ulid(at(f.do("GET /products/custom-fields", nil), "0"))
	f.want(f.object("GET /products/custom-fields/"+k, nil), object{"source": "admin", "read_only": true, "values": array{}})
	f.wantStatus(http.StatusForbidden, "DELETE /products/custom-fields/"+k, nil)
}

// The limits are those of fields of products only.
func TestCustomFieldLimits(t *testing.T) {
	f := open(t)
	for _, b := range bearers() {
		long := object{"name": strings.Repeat("é", 61), "value_type": "text_list", "values": array{strings.Repeat("é", 250), strings.Repeat("é", 251)}}
		if !b.limited {
			f.want(f.object("POST "+b.path+"/custom-fields", long), object{"values.1.created": true})
			continue
		}
		long["name"], long["description"] = strings.Repeat("é", 60), strings.Repeat("é", 150)
		f.want(f.object("POST "+b.path+"/custom-fields", long), object{"values.0.created": true, "values.1.created": false, "values.1.error": "The value may not be greater than 250 characters."})
	}
}

func customFieldRefusals(f *shop) []refusal {
	var out []refusal
	foreign := f.install(world.AllScopes())
	for _, b := range bearers() {
		list, text := ulid(f.field(b, "text_list", "red")), ulid(f.field(b, "text"))
		number, day := ulid(f.field(b, "numeric")), ulid(f.field(b, "date"))
		values := fmt.Sprintf("%s/%d/custom-fields/values", b.path, b.entity(f))
		fields := b.path + "/custom-fields"
		const none = "6b3c1c52-5f0e-4f7e-9a55-0d3b6f1f2a10"
		unknown := map[string]string{"product": "Product with such id does not exist", "category": "Category with such id does not exist"}[b.resource]
		if unknown == "" {
			unknown = "null"
		}
		out = append(out, []refusal{
			{op: ".get", status: 404, text: "null", call: "GET " + fields + "/" + none},
			{op: ".update", status: 404, text: "null", call: "PUT " + fields + "/" + none, body: object{"values": array{}}},
			{op: ".update", status: 422, text: "values: The values field is required.", call: "PUT " + fields + "/" + list, body: object{}},
			{op: ".delete", status: 404, text: "null", call: "DELETE " + fields + "/" + none},
			{op: ".delete", status: 403, text: "Only fields created by the calling app can be deleted", call: "DELETE " + fields + "/" + list, token: foreign},
			{op: ".owners", status: 404, text: "null", call: "GET " + fields + "/" + none + "/owners"},
			{op: ".values", status: 404, text: unknown, call: "GET " + b.path + "/1/custom-fields"},
			{op: ".setValues", status: 404, text: unknown, call: "PUT " + b.path + "/1/custom-fields/values", body: array{}},
			{op: ".setValues", status: 400, text: "Invalid input format", call: "PUT " + values, body: object{}},
		}...)
		for text, faults := range map[string][]object{
			"name: The name field is required.":                                    {{"name": " "}, {"name": nil}},
			"value_type: The value type field is required.":                        {{"value_type": nil}},
			"value_type: The selected value type is invalid.":                      {{"value_type": "colour"}},
			"values: The values field is required.":                                {{"values": nil}, {"value_type": "text", "values": nil}, {"values": array{}}},
			"name: The name may not be greater than 60 characters.":                {{"name": strings.Repeat("é", 61)}},
			"description: The description may not be greater than 150 characters.": {{"description": strings.Repeat("é", 151)}},
		} {
			if strings.Contains(text, "greater") && !b.limited {
				continue
			}
			for _, fault := range faults {
				body := object{"name": "N", "value_type": "text_list", "values": array{"a"}}
				for field, value := range fault {
					body[field] = value
				}
				out = append(out, refusal{op: ".create", status: 422, text: text, call: "POST " + fields, body: body})
			}
		}
		for message, faults := range map[string][]object{
			"id: The selected id is invalid.":         {{"id": none, "value": "x"}, {"value": "x"}},
			"value: The selected value is invalid.":   {{"id": list, "value": "blue"}, {"id": list, "value": ""}},
			"value: The value must be a number.":      {{"id": number, "value": "many"}, {"id": number, "value": ""}},
			"value: The value is not a valid date.":   {{"id": day, "value": "soon"}, {"id": day, "value": 20250101}},
			"value: is invalid":                       {{"id": text, "value": object{}}, {"id": text, "value": true}},
			"value: The value field must be present.": {{"id": text}},
		} {
			for _, fault := range faults {
				out = append(out, refusal{op: ".setValues", status: 422, text: message, call: "PUT " + values, body: array{object{"id": text, "value": "fine"}, fault}})
			}
		}
		for i, r := range out {
			if strings.HasPrefix(r.op, ".") {
				out[i].op = b.ops + r.op
			}
		}
	}
	return out
}
