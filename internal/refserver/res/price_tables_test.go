package res_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver"
	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

const tables = "/products/price-tables"

// table makes a price table and returns its path.
func (f *shop) table(more object) string {
	f.Helper()
	in := object{"name": "Wholesale", "default_discount": "5.00"}
	for name, value := range more {
		in[name] = value
	}
	return tables + "/" + ulid(f.object("POST "+tables, in))
}

// customer makes a customer and returns the id as text.
func (f *shop) customer(name string) string {
	f.Helper()
	return strconv.FormatInt(id(f.object("POST /customers", object{"name": name, "email": name + "@mail.example"})), 10)
}

func priceTableRefusals(f *shop) (out []refusal) {
	p := f.sized("Tabled", "S")
	product, variant := fmt.Sprint(id(p)), fmt.Sprint(id(p, "variants.0"))
	category := fmt.Sprint(id(f.object("POST /categories", object{"name": "Tabled"})))
	here, there := f.table(nil), f.table(nil)
	ana, eva := f.customer("ana"), f.customer("eva")
	f.wantStatus(http.StatusNoContent, "PUT "+here+"/customers", array{ana})
	const nowhere = tables + "/1"
	const noTable, notPercent = "Product price table with such id does not exist", "must be a number from 0 to 100 with at most two decimals."
	const notCents = "must be a number that is at least 0 with at most two decimals."

	for op, call := range map[string]string{
		"get": "GET ", "delete": "DELETE ", "update": "PUT ", "setCategories": "PUT /categories", "categories": "GET /categories",
		"category": "GET /categories/1", "removeCategory": "DELETE /categories/1", "setVariants": "PUT /product-variants",
		"variants": "GET /product-variants", "variant": "GET /product-variants/1", "removeVariant": "DELETE /product-variants/1",
		"addCustomers": "PUT /customers", "customers": "GET /customers", "removeCustomer": "DELETE /customers/1",
		"approveCustomers": "POST /approve-customers",
	} {
		var method, below string
		_, _ = fmt.Sscan(call, &method, &below)
		out = append(out, refusal{op: "price_tables." + op, status: 404, text: noTable, call: method + " " + nowhere + below, body: array{}})
	}
	for op, call := range map[string]string{
		"category": "GET /categories/" + category, "removeCategory": "DELETE /categories/" + category,
		"variant": "GET /product-variants/" + variant, "removeVariant": "DELETE /product-variants/" + variant,
		"removeCustomer": "DELETE /customers/" + ana,
	} {
		var method, below string
		_, _ = fmt.Sscan(call, &method, &below)
		out = append(out, refusal{op: "price_tables." + op, status: 404, text: "null", call: method + " " + there + below})
	}
	for op, call := range map[string]string{"create": "POST " + tables, "update": "PUT " + here} {
		for text, faults := range map[string][]object{
			"name: The name field is required.":                         {{"name": ""}, {"name": " "}, {"name": nil}},
			"default_discount: The default discount field is required.": {{"default_discount": nil}, {"default_discount": ""}},
			"default_discount: The default discount " + notPercent: {
				{"default_discount": "100.01"}, {"default_discount": "-0.01"}, {"default_discount": "5.555"}, {"default_discount": "five"}, {"default_discount": array{5}},
			},
			"cart_minimum_price: The cart minimum price " + notCents:                                    {{"cart_minimum_price": "-0.01"}, {"cart_minimum_price": "1.001"}, {"cart_minimum_price": "1e99"}},
			"cart_minimum_quantity: The cart minimum quantity must be an integer from 0 to 1000000000.": {{"cart_minimum_quantity": -1}, {"cart_minimum_quantity": "1.5"}, {"cart_minimum_quantity": true}},
		} {
			for _, fault := range faults {
				in := object{"name": "X", "default_discount": "5.00"}
				for name, value := range fault {
					in[name] = value
				}
				out = append(out, refusal{op: "price_tables." + op, status: 422, text: text, call: call, body: in})
			}
		}
	}
	out = append(out,
		refusal{op: "price_tables.create", status: 422, text: "name: The name field is required.", call: "POST " + tables, body: object{"default_discount": "5"}},
		refusal{op: "price_tables.create", status: 422, text: "default_discount: The default discount field is required.", call: "POST " + tables, body: object{"name": "X"}})

	good := object{"category_id": category, "discount": "1.00"}
	exact := object{"product_id": product, "product_variant_id": variant, "discount": "1.00"}
	for path, ok := range map[string]object{"setCategories /categories": good, "setVariants /product-variants": exact} {
		var op, below string
		_, _ = fmt.Sscan(path, &op, &below)
		faults := map[string]object{
			"1.discount: The discount field is required.": {"discount": nil},
			"1.discount: The discount " + notPercent:      {"discount": "100.01"},
		}
		if op == "setCategories" {
			faults["1.category_id: The selected category id is invalid."] = object{"category_id": "1"}
		} else {
			faults["1.product_id: The selected product id is invalid."] = object{"product_id": "1"}
			faults["1.product_variant_id: The selected product variant id is invalid."] = object{"product_variant_id": "1"}
			faults["1.price: The price "+notCents] = object{"price": "0.001"}
		}
		for text, fault := range faults {
			in := object{}
			for name, value := range ok {
				in[name] = value
			}
			for name, value := range fault {
				in[name] = value
			}
			// The one before is right, and nothing of it is kept.
			out = append(out, refusal{op: "price_tables." + op, status: 422, text: text, call: "PUT " + here + below, body: array{ok, in}},
				refusal{op: "price_tables." + op, status: 422, text: "0" + text[1:], call: "PUT " + here + below, body: array{in}})
		}
		out = append(out, refusal{op: "price_tables." + op, status: 400, text: "Invalid input format", call: "PUT " + here + below, body: ok})
	}
	for op, call := range map[string]string{"addCustomers": "PUT " + there + "/customers", "approveCustomers": "POST " + there + "/approve-customers"} {
		out = append(out,
			refusal{op: "price_tables." + op, status: 400, text: "Invalid input format", call: call, body: object{"customers": array{eva}}},
			refusal{op: "price_tables." + op, status: 422, text: "0: The selected customer id is invalid.", call: call, body: array{"me"}},
			refusal{op: "price_tables." + op, status: 422, text: "1: The selected customer id is invalid.", call: call, body: array{eva, object{"id": eva}}})
	}
	few := func(l *world.Limits) { l.TableCustomers = 1 }
	const associated = "Customers are associated with a product price table."
	return append(out,
		refusal{op: "price_tables.addCustomers", status: 422, text: "1: The selected customer id is invalid.", call: "PUT " + there + "/customers", body: array{eva, "1"}},
		refusal{op: "price_tables.addCustomers", status: 422, text: "customers: The customers may not have more than 10000 items.", call: "PUT " + there + "/customers", body: array{eva, eva}, limits: few},
		refusal{op: "price_tables.addCustomers", status: 409, text: associated, call: "PUT " + there + "/customers", body: array{eva, ana}},
		refusal{op: "price_tables.addCustomers", status: 409, text: associated, call: "PUT " + here + "/customers", body: array{ana}})
}

func TestPriceTables(t *testing.T) {
	f := open(t)
	made := f.object("2025-03 POST "+tables, object{"name": " Wholesale ", "default_discount": 5})
	f.want(made, object{"name": "Wholesale", "default_discount": "5.00", "cart_minimum_price": nil, "cart_minimum_quantity": nil, "active": true,
		"auto_approve_customers": false, "store_id": fmt.Sprint(f.store.ID), "created_at": "2025-01-01T12:00:00.000Z", "price_table": "absent",
		"categories": "absent", "product_variants": "absent", "customers": "absent"})
	path := tables + "/" + ulid(made)
	f.clock.Advance(1e9)
	f.wantStatus(http.StatusNoContent, "PUT "+path, object{"cart_minimum_price": "300.5", "cart_minimum_quantity": "12", "active": nil})
	f.want(f.object("unstable GET "+path, nil), object{"price_table.cart_minimum_price": "300.50", "price_table.cart_minimum_quantity": 12,
		"price_table.active": true, "price_table.default_discount": "5.00", "price_table.updated_at": "2025-01-01T12:00:01.000Z"})
	f.clock.Advance(1e9)
	f.wantStatus(http.StatusNoContent, "PUT "+path, at(f.do("GET "+path, nil), "price_table"))
	f.want(f.object("GET "+path, nil), object{"price_table.updated_at": "2025-01-01T12:00:01.000Z"})
	f.wantStatus(http.StatusNoContent, "PUT "+path, object{"cart_minimum_price": nil, "cart_minimum_quantity": nil})
	f.want(f.object("GET "+path, nil), object{"price_table.cart_minimum_price": nil, "price_table.cart_minimum_quantity": nil})

	for range 11 {
		f.table(nil)
	}
	f.want(f.object("GET "+tables+"?per_page=50&page=2", nil), object{"total": 12, "page": 2, "price_tables.1.name": "Wholesale", "price_tables.2": "absent"})
	f.want(f.object("GET "+tables+"?page=7", nil), object{"total": 12, "page": 7, "price_tables": array{}})
	// The older spellings, and methods that the paths do not have.
	for call, status := range map[string]int{
		"GET " + path + "/products-variants": 404, "PUT " + path + "/products-variants": 404, "GET " + path + "/customers/1": 405, "PATCH " + path: 405,
	} {
		f.wantStatus(status, call, nil)
	}
}

func TestPriceTableExceptions(t *testing.T) {
	f := open(t)
	path := f.table(nil)
	p := f.sized("P", "S", "M")
	product, s, m := fmt.Sprint(id(p)), fmt.Sprint(id(p, "variants.0")), fmt.Sprint(id(p, "variants.1"))
	variant := func(id, discount string, price any) object {
		return object{"product_id": product, "product_variant_id": id, "discount": discount, "price": price}
	}
	f.wantStatus(http.StatusNoContent, "PUT "+path+"/product-variants", array{variant(s, "12.50", nil), variant(m, "0.00", "88"), variant(s, "13", "7.00")})
	f.want(f.object("GET "+path+"/product-variants", nil), object{"total": 2, "price_table.has_products_variants": true, "price_table.has_categories": false,
		"price_table.product_variants": array{variant(s, "13.00", "7.00"), variant(m, "0.00", "88.00")}})
	// An exception is replaced as a whole.
	f.wantStatus(http.StatusNoContent, "PUT "+path+"/product-variants", array{object{"product_id": product, "product_variant_id": m, "discount": "1"}})
	f.want(f.object("GET "+path+"/product-variants/"+m, nil), object{"price_table.product_variants": array{variant(m, "1.00", nil)}, "total": "absent"})
	f.wantStatus(http.StatusNoContent, "PUT "+path+"/product-variants", array{})
	f.want(f.object("GET "+path+"/product-variants?per_page=1&page=2", nil), object{"total": 2, "page": 2, "price_table.product_variants": array{variant(m, "1.00", nil)}})

	k, l := id(f.object("POST /categories", object{"name": "K"})), id(f.object("POST /categories", object{"name": "L"}))
	f.wantStatus(http.StatusNoContent, "PUT "+path+"/categories", array{object{"category_id": fmt.Sprint(k), "discount": "10"}, object{"category_id": l, "discount": "20"}})
	f.want(f.object("GET "+path+"/categories", nil), object{"price_table.categories": array{
		object{"category_id": fmt.Sprint(k), "discount": "10.00"}, object{"category_id": fmt.Sprint(l), "discount": "20.00"}}})

	// What is deleted leaves no exception.
	f.do(fmt.Sprint("DELETE /categories/", k), nil)
	f.do(fmt.Sprintf("DELETE /products/%s/variants/%s", product, s), nil)
	f.want(f.object("GET "+path+"/categories", nil), object{"total": 1, "price_table.categories.0.category_id": fmt.Sprint(l)})
	f.want(f.object("GET "+path+"/product-variants", nil), object{"total": 1, "price_table.product_variants.0.product_variant_id": m})
	f.do("DELETE /products/"+product, nil)
	f.want(f.object("GET "+path, nil), object{"price_table.has_products_variants": false, "price_table.has_categories": true})
	f.wantStatus(http.StatusNoContent, "DELETE "+path, nil)
	_ = f.World().View(0, f.store.ID, func(tx *world.Tx) error {
		if n := tx.PriceTableCategories.Len() + tx.PriceTableVariants.Len(); n != 0 {
			t.Errorf("%d exceptions are left of a table that was deleted", n)
		}
		return nil
	})
}

func TestPriceTableCustomers(t *testing.T) {
	f := open(t)
	one, two := f.table(nil), f.table(object{"auto_approve_customers": true})
	a, b, c := f.customer("a"), f.customer("b"), f.customer("c")
	f.wantStatus(http.StatusNoContent, "PUT "+one+"/customers", array{b, a, b})
	f.wantStatus(http.StatusNoContent, "PUT "+one+"/customers", array{})
	f.want(f.object("GET "+one+"/customers", nil), object{"total": 2, "page": 1, "price_table.has_customers": true, "price_table.customers": array{
		object{"id": a, "created_at": "2025-01-01T12:00:00.000Z", "approved_at": nil}, object{"id": b, "created_at": "2025-01-01T12:00:00.000Z", "approved_at": nil}}})
	var refused object
	w := f.send(f.token, "PUT "+two+"/customers", array{c, b, a, b})
	if err := json.Unmarshal(w.Body.Bytes(), &refused); err != nil || w.Code != http.StatusConflict {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	f.want(refused, object{"code": 409, "message": "Conflict", "errors": array{object{"customers": array{b, a}}}})
	f.want(f.object("GET "+tables+"/customers/"+c, nil), object{"total": 0, "page": 1, "price_tables": array{}})
	f.wantStatus(http.StatusNoContent, "PUT "+two+"/customers", array{c})
	f.want(f.object("GET "+two+"/customers", nil), object{"price_table.customers.0.approved_at": "2025-01-01T12:00:00.000Z"})

	f.clock.Advance(1e9)
	f.wantStatus(http.StatusNoContent, "POST "+one+"/approve-customers", array{a, c, "77"})
	f.clock.Advance(1e9)
	f.wantStatus(http.StatusNoContent, "POST "+one+"/approve-customers", array{a})
	f.want(f.object("GET "+one+"/customers", nil), object{"price_table.customers.0.approved_at": "2025-01-01T12:00:01.000Z", "price_table.customers.1.approved_at": nil})
	f.want(f.object("GET "+tables+"/customers/"+a, nil), object{"total": 1, "price_tables.0.id": one[len(tables)+1:], "price_tables.1": "absent"})

	f.do("DELETE /customers/"+a, nil)
	f.want(f.object("GET "+one+"/customers", nil), object{"total": 1})
	f.wantStatus(http.StatusNoContent, "DELETE "+one+"/customers/"+b, nil)
	f.wantStatus(http.StatusNoContent, "PUT "+two+"/customers", array{b})
	f.wantStatus(http.StatusNoContent, "DELETE "+two, nil)
	f.wantStatus(http.StatusNoContent, "PUT "+one+"/customers", array{b, c})
}

// An answer that rests on an assumption says so, also of an operation that does not.
func TestPriceTableAssumptions(t *testing.T) {
	f := open(t)
	one, auto := f.table(nil), f.table(object{"auto_approve_customers": true})
	a, b := f.customer("a"), f.customer("b")
	for _, tc := range []struct {
		call string
		body any
		want bool
	}{
		{"GET " + one, nil, true},
		{"PUT " + one + "/customers", array{a}, false},
		{"PUT " + one + "/customers", array{a}, false}, // the 409 is shown
		{"PUT " + one + "/customers", array{"1"}, true},
		{"PUT " + auto + "/customers", array{b}, true},
		{"GET " + one + "/customers", nil, false},
		{"GET " + tables + "/1/customers", nil, true},
		{"POST " + one + "/approve-customers", array{a}, false},
		{"PUT " + one + "/product-variants", array{}, false},
		{"PUT " + one + "/product-variants", array{object{}}, true},
		{"GET " + one + "/product-variants/1", nil, true},
		{"DELETE " + one, nil, true},
	} {
		if got := f.send(f.token, tc.call, tc.body).Header().Get("X-Ref-Provenance") == "assumed"; got != tc.want {
			t.Errorf("%s %v: assumed is %t, want %t", tc.call, tc.body, got, tc.want)
		}
	}
}

// With RepeatedCustomers204 a customer may be added to the same table twice, and to no other.
func TestPriceTableRepeatedCustomers(t *testing.T) {
	f := open(t)
	f.Server = refserver.New(refserver.Options{Clock: f.clock, Readings: api.Readings{RepeatedCustomers204: true}})
	t.Cleanup(f.Close)
	store, err := f.AddStore(f.store)
	if err != nil {
		t.Fatal(err)
	}
	f.store, f.token = store, f.install(world.AllScopes())
	one, two := f.table(nil), f.table(nil)
	a, b := f.customer("a"), f.customer("b")
	f.wantStatus(http.StatusNoContent, "PUT "+one+"/customers", array{a})
	f.wantStatus(http.StatusNoContent, "POST "+one+"/approve-customers", array{a})
	f.wantStatus(http.StatusNoContent, "PUT "+one+"/customers", array{a, b})
	f.want(f.object("GET "+one+"/customers", nil), object{"total": 2, "price_table.customers.0.approved_at": "2025-01-01T12:00:00.000Z"})
	f.wantStatus(http.StatusConflict, "PUT "+two+"/customers", array{a})
}
