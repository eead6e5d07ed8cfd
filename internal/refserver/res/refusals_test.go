package res_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"net/http"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver/res"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// refusal is one way of being refused by an operation. The text is that of the
// operation's table of errors.
type refusal struct {
	op, text string
	status   int
	call     string
	body     any
	// token, limits and alter prepare the case.
	token  string
	limits func(*world.Limits)
	alter  func(*world.Tx)
}

var digits = regexp.MustCompile(`\d+`)

// key is the same for texts that differ in a limit only.
func (r refusal) key() string {
	return fmt.Sprint(r.op, " ", r.status, " ", digits.ReplaceAllString(r.text, "N"))
}

// refusalsFile has the status and the body of each refusal. The client's tests read them there, because the two share
// no code.
const refusalsFile = "testdata/refusals.txt"

var update = flag.Bool("update", false, "write the file of refusals")

// TestRefusals plays every refusal that an operation declares, and wants it to
// leave nothing behind.
func TestRefusals(t *testing.T) {
	f := open(t)
	covered, said, cases := map[string]bool{}, map[string]bool{}, refusals(f)
	records := f.picture()
	for _, r := range cases {
		covered[r.key()] = true
		t.Run(r.key(), func(t *testing.T) { said[r.play(t, f)] = true })
	}
	// What is written into a record stays there when a case is undone, so that one look behind all of them is enough.
	if f.picture() != records {
		t.Error("a call was refused and changed a record in place")
	}
	all := strings.Join(slices.Sorted(maps.Keys(said)), "\n") + "\n"
	if *update {
		if err := os.WriteFile(refusalsFile, []byte(all), 0o600); err != nil {
			t.Fatal(err)
		}
	} else if listed, err := os.ReadFile(refusalsFile); err != nil || string(listed) != all {
		t.Errorf("%s does not list all refusals: go test -run 'TestRefusals$' -update writes it (%v)", refusalsFile, err)
	}
	for _, op := range res.Ops() {
		for _, e := range op.Errors {
			if r := (refusal{op: op.ID, status: e.Status, text: e.Text}); !covered[r.key()] {
				t.Errorf("no case for %s", r.key())
			}
		}
	}
}

// play returns the status and the body of the refusal.
func (r refusal) play(t *testing.T, f *shop) string {
	w := f.World()
	begin := w.Snapshot()
	defer w.Restore(begin)
	if r.limits != nil {
		l := w.Limits()
		r.limits(&l)
		w.SetLimits(l)
	}
	if r.alter != nil {
		if err := w.Update(0, f.store.ID, func(tx *world.Tx) error { r.alter(tx); return nil }); err != nil {
			t.Fatal(err)
		}
	}
	token := r.token
	if token == "" {
		token = f.token
	}
	f.events()
	before := w.Snapshot()
	got := f.send(token, r.call, r.body)
	if got.Code != r.status || !says(got.Body.Bytes(), r.text) {
		t.Errorf("%s %.200v: got %d %s, want %d %s", r.call, r.body, got.Code, got.Body, r.status, r.text)
	}
	if !reflect.DeepEqual(before, w.Snapshot()) {
		t.Errorf("%s was refused and changed something", r.call)
	}
	f.wantEvents()
	return fmt.Sprintf("%d %s", got.Code, got.Body)
}

// says reports whether a body has a text of the table: "field: message" in either
// of the shapes that have fields, a description, a detail of an error, or null.
func says(raw []byte, text string) bool {
	var body map[string]any
	if json.Unmarshal(raw, &body) != nil {
		return false
	}
	same := func(got any) bool {
		s, ok := got.(string)
		return ok && digits.ReplaceAllString(s, "N") == digits.ReplaceAllString(text, "N")
	}
	if detail := at(body, "error.detail"); same(detail) {
		return true
	} else if list, ok := detail.([]any); ok {
		return slices.ContainsFunc(list, same)
	}
	if same(body["description"]) || text == "null" && body["description"] == nil && body["code"] != nil {
		return true
	}
	field, message, _ := strings.Cut(text, ": ")
	list, _ := body[field].([]any)
	if messages, ok := body["messages"].(map[string]any); ok {
		list, _ = messages[field].([]any)
	}
	_, coded := body["code"].(float64) // a field may be called so
	return slices.ContainsFunc(list, func(m any) bool { text = message; return same(m) }) &&
		(!coded || body["description"] != nil)
}

func refusals(f *shop) []refusal {
	p := f.sized("Refused", "S", "M")
	s, m := id(p, "variants.0"), id(p, "variants.1")
	other := f.object("POST /products", object{"name": "Other", "variants": array{object{"sku": "TAKEN", "price": "1.00"}}})
	i := id(f.object(fmt.Sprintf("POST /products/%d/images", id(p)), object{"src": "https://img.example.com/a.png"}))
	foreign := id(f.object(fmt.Sprintf("POST /products/%d/images", id(other)), object{"src": "https://img.example.com/a.png"}))
	k := id(f.object("POST /categories", object{"name": "Top"}))
	below := id(f.object("POST /categories", object{"name": "Below", "parent": k}))
	c := id(f.object("POST /customers", object{"name": "Buyer", "email": "buyer@mail.example"}))
	f.order(c, nil)
	h := id(f.object("POST /webhooks", object{"event": "product/created", "url": "https://app.example/h"}))

	product, variants, images := fmt.Sprintf("/products/%d", id(p)), fmt.Sprintf("/products/%d/variants", id(p)), fmt.Sprintf("/products/%d/images", id(p))
	variant, image := fmt.Sprintf("%s/%d", variants, s), fmt.Sprintf("%s/%d", images, i)
	category, webhook := fmt.Sprintf("/categories/%d", k), fmt.Sprintf("/webhooks/%d", h)
	customer := fmt.Sprintf("/customers/%d", c)
	const blank, noProduct, noCategory = "can't be blank", "Product with such id does not exist", "Category with such id does not exist"
	value := func(s string) array { return array{object{"en": s}} }
	poor := f.install(world.Scopes{"write_orders"})
	poorHook := f.send(poor, "POST /webhooks", object{"event": "order/created", "url": "https://app.example/o"})
	var made object
	if err := json.Unmarshal(poorHook.Body.Bytes(), &made); err != nil {
		f.Fatal(err)
	}

	out := []refusal{
		{op: "products.list", status: 422, text: "ids: The ids may not have more than 30 items.", call: "GET /products?ids=" + strings.Repeat("1,", 31)},
		{op: "products.list", status: 422, text: "The published and visibility parameters cannot be combined", call: "GET /products?published=true&visibility=visible"},
		{op: "products.get", status: 404, text: noProduct, call: "GET /products/1"},
		{op: "products.get", status: 404, text: noProduct, call: "GET /products/n0ne"},
		{op: "products.getBySKU", status: 404, text: "null", call: "GET /products/sku/NONE"},
		{op: "products.create", status: 422, text: "name: " + blank, call: "POST /products", body: object{}},
		{op: "products.create", status: 422, text: "name: " + blank, call: "POST /products", body: object{"name": object{"en": " "}}},
		{op: "products.create", status: 422, text: "name: " + blank, call: "POST /products", body: object{"name": nil}},
		{op: "products.create", status: 422, text: "Store has reached maximum limit of 100000 allowed products", call: "POST /products", body: object{"name": "X"}, limits: func(l *world.Limits) { l.Products = 2 }},
		{op: "products.create", status: 422, text: "Product is not allowed to have more than 250 images", call: "POST /products", body: object{"name": "X", "images": array{object{"src": "https://a.example/1.png"}, object{"src": "https://a.example/2.png"}}}, limits: func(l *world.Limits) { l.Images = 1 }},
		{op: "products.create", status: 422, text: "Product is not allowed to have more than 1000 variants", call: "POST /products", body: object{"name": "X", "attributes": array{"Size"}, "variants": array{object{"values": value("1")}, object{"values": value("2")}}}, limits: func(l *world.Limits) { l.Variants = 1 }},
		{op: "products.create", status: 422, text: "Variants cannot be repeated", call: "POST /products", body: object{"name": "X", "variants": array{object{"price": 1}, object{"price": 2}}}},
		{op: "products.create", status: 422, text: "values: is invalid", call: "POST /products", body: object{"name": "X", "attributes": array{"Size"}, "variants": array{object{"values": "S"}}}},
		{op: "products.create", status: 422, text: "The number of attributes must equal the number of values in each variant", call: "POST /products", body: object{"name": "X", "attributes": array{"Size", "Colour"}, "variants": array{object{"values": value("S")}}}},
		{op: "products.update", status: 404, text: noProduct, call: "PUT /products/1", body: object{"brand": "X"}},
		{op: "products.update", status: 422, text: "name: " + blank, call: "PUT " + product, body: object{"name": object{}}},
		{op: "products.update", status: 422, text: "The number of attributes must equal the number of values in each variant", call: "PUT " + product, body: object{"attributes": array{"Size", "Colour"}}},
		{op: "products.delete", status: 404, text: noProduct, call: "DELETE /products/1"},
		{op: "products.updateStockPrice", status: 400, text: "Invalid input format", call: "PATCH /products/stock-price", body: object{}},
		{op: "products.updateStockPrice", status: 422, text: "Too many variants sent for update", call: "PATCH /products/stock-price", body: array{object{"id": id(p), "variants": array{object{"id": s}, object{"id": m}}}}, limits: func(l *world.Limits) { l.StockPriceBatch = 1 }},
		{op: "products.updateStockPrice", status: 422, text: "price: The price must be a number.", call: "PATCH /products/stock-price", body: array{object{"id": id(p), "variants": array{object{"id": m, "price": 9}, object{"id": s, "price": "dear"}}}}},
		{op: "products.updateStockPrice", status: 422, text: "price: The price must be at least 0.", call: "PATCH /products/stock-price", body: array{object{"id": id(p), "variants": array{object{"id": s, "price": -1}}}}},

		{op: "variants.list", status: 404, text: noProduct, call: "GET /products/1/variants"},
		{op: "variants.get", status: 404, text: noProduct, call: fmt.Sprintf("GET /products/1/variants/%d", s)},
		{op: "variants.get", status: 404, text: "null", call: fmt.Sprintf("GET /products/%d/variants/%d", id(other), s)},
		{op: "variants.create", status: 404, text: noProduct, call: "POST /products/1/variants", body: object{"values": value("L")}},
		{op: "variants.create", status: 422, text: "values: " + blank, call: "POST " + variants, body: object{"price": 1}},
		{op: "variants.create", status: 422, text: "values: is invalid", call: "POST " + variants, body: object{"values": object{"en": "L"}}},
		{op: "variants.create", status: 422, text: "values: is invalid", call: "POST " + variants, body: object{"values": array{""}}},
		{op: "variants.create", status: 422, text: "The number of attributes must equal the number of values in each variant", call: "POST " + variants, body: object{"values": array{"L", "Red"}}},
		{op: "variants.create", status: 422, text: "Variants cannot be repeated", call: "POST " + variants, body: object{"values": value("S")}},
		{op: "variants.create", status: 422, text: "Variants cannot be repeated", call: "POST " + variants, body: object{"values": array{"S"}}},
		{op: "variants.create", status: 422, text: "Product is not allowed to have more than 1000 variants", call: "POST " + variants, body: object{"values": value("L")}, limits: func(l *world.Limits) { l.Variants = 2 }},
		{op: "variants.update", status: 404, text: noProduct, call: "PUT /products/1/variants/1", body: object{"price": 1}},
		{op: "variants.update", status: 404, text: "null", call: "PUT " + variants + "/1", body: object{"price": 1}},
		{op: "variants.update", status: 422, text: "values: " + blank, call: "PUT " + variant, body: object{"values": array{}}},
		{op: "variants.update", status: 422, text: "values: is invalid", call: "PUT " + variant, body: object{"values": 1}},
		{op: "variants.update", status: 422, text: "The number of attributes must equal the number of values in each variant", call: "PUT " + variant, body: object{"values": array{"S", "Red"}}},
		{op: "variants.update", status: 422, text: "Variants cannot be repeated", call: "PUT " + variant, body: object{"values": value("M")}},
		{op: "variants.replace", status: 404, text: noProduct, call: "PUT /products/1/variants", body: array{object{"values": value("S")}}},
		{op: "variants.replace", status: 400, text: "Invalid input format", call: "PUT " + variants, body: object{"values": value("S")}},
		{op: "variants.replace", status: 400, text: "Invalid input format", call: "PUT " + variants, body: array{"S"}},
		{op: "variants.replace", status: 400, text: "There must be at least one variant", call: "PUT " + variants, body: array{}},
		{op: "variants.replace", status: 400, text: "Variant values should not be empty", call: "PUT " + variants, body: array{object{"price": 1}}},
		{op: "variants.replace", status: 400, text: "Variant values should not be empty", call: "PUT " + variants, body: array{object{"values": array{}}}},
		{op: "variants.replace", status: 400, text: "Invalid values format", call: "PUT " + variants, body: array{object{"values": "S"}}},
		{op: "variants.replace", status: 400, text: "Invalid values format", call: "PUT " + variants, body: array{object{"values": array{1}}}},
		{op: "variants.replace", status: 422, text: "Variant values should not be repeated", call: "PUT " + variants, body: array{object{"values": value("L")}, object{"values": value("L")}}},
		{op: "variants.replace", status: 422, text: "The number of attributes must equal the number of values in each variant", call: "PUT " + variants, body: array{object{"values": array{"L", "Red"}}}},
		{op: "variants.replace", status: 422, text: "Product is not allowed to have more than 1000 variants", call: "PUT " + variants, body: array{object{"values": value("L")}, object{"values": value("XL")}}, limits: func(l *world.Limits) { l.Variants = 1 }},
		// They are counted before they are compared, which takes long.
		{op: "variants.replace", status: 422, text: "Product is not allowed to have more than 1000 variants", call: "PUT " + variants, body: array{object{"values": value("L")}, object{"values": value("L")}}, limits: func(l *world.Limits) { l.Variants = 1 }},
		{op: "products.create", status: 422, text: "Product is not allowed to have more than 3 attributes", call: "POST /products", body: object{"name": "X", "attributes": array{"A", "A", "A", "A"}}},
		{op: "variants.replace", status: 400, text: "Invalid input format", call: "PUT " + variants, body: json.RawMessage("null")},
		{op: "variants.patch", status: 400, text: "Invalid input format", call: "PATCH " + variants, body: json.RawMessage("null")},
		{op: "products.updateStockPrice", status: 400, text: "Invalid input format", call: "PATCH /products/stock-price", body: json.RawMessage("null")},
		{op: "variants.patch", status: 404, text: noProduct, call: "PATCH /products/1/variants", body: array{object{"id": s}}},
		{op: "variants.patch", status: 400, text: "Invalid input format", call: "PATCH " + variants, body: object{"id": s}},
		{op: "variants.patch", status: 422, text: "Variants cannot be repeated", call: "PATCH " + variants, body: array{object{"id": s, "values": value("M")}}},
		{op: "variants.patch", status: 422, text: "values: is invalid", call: "PATCH " + variants, body: array{object{"id": m, "price": 3}, object{"id": s, "values": "M"}}},
		{op: "variants.patch", status: 422, text: "The number of attributes must equal the number of values in each variant", call: "PATCH " + variants, body: array{object{"id": s, "values": array{}}}},
		{op: "variants.delete", status: 404, text: noProduct, call: "DELETE /products/1/variants/1"},
		{op: "variants.delete", status: 404, text: "null", call: fmt.Sprintf("DELETE /products/%d/variants/%d", id(other), s)},
		{op: "variants.stock", status: 404, text: noProduct, call: "POST /products/1/variants/stock", body: object{"action": "replace", "value": 1}},
		{op: "variants.stock", status: 404, text: "null", call: "POST " + variants + "/stock", body: object{"action": "replace", "value": 1, "id": 1}},
		{op: "variants.stock", status: 422, text: "Valid actions are 'replace', 'variation'.", call: "POST " + variants + "/stock", body: object{"action": "add", "value": 1}},
		{op: "variants.stock", status: 422, text: "value: The value must be an integer.", call: "POST " + variants + "/stock", body: object{"action": "replace", "value": 1.5}},
		{op: "variants.stock", status: 422, text: "value: The value must be an integer.", call: "POST " + variants + "/stock", body: object{"action": "variation", "value": nil}},
		{op: "variants.stock", status: 422, text: "stock: The stock may not be greater than 1000000000000000.", call: "POST " + variants + "/stock", body: object{"action": "replace", "value": int64(1e15) + 1}},
		{op: "variants.stock", status: 422, text: "stock: The stock may not be greater than 1000000000000000.", call: "POST " + variants + "/stock", body: object{"action": "variation", "value": int64(-1e15) - 1}},
		{op: "variants.stock", status: 422, text: "stock: The stock may not be greater than 1000000000000000.", call: "POST " + variants + "/stock", body: object{"action": "variation", "value": int64(1e15) - 4}},
		{op: "variants.stock", status: 422, text: "location_id: The selected location id is invalid.", call: "POST " + variants + "/stock", body: object{"action": "replace", "value": 1, "location_id": "01HZZZZZZZZZZZZZZZZZZZZZZZ"}},

		{op: "images.list", status: 404, text: noProduct, call: "GET /products/1/images"},
		{op: "images.get", status: 404, text: noProduct, call: fmt.Sprintf("GET /products/1/images/%d", i)},
		{op: "images.get", status: 404, text: "null", call: fmt.Sprintf("GET %s/%d", images, foreign)},
		{op: "images.create", status: 404, text: noProduct, call: "POST /products/1/images", body: object{"src": "https://a.example/1.png"}},
		{op: "images.create", status: 422, text: "Product is not allowed to have more than 250 images", call: "POST " + images, body: object{"src": "https://a.example/1.png"}, limits: func(l *world.Limits) { l.Images = 1 }},
		{op: "images.update", status: 404, text: noProduct, call: "PUT /products/1/images/1", body: object{"position": 1}},
		{op: "images.update", status: 404, text: "null", call: "PUT " + images + "/1", body: object{"position": 1}},
		{op: "images.update", status: 422, text: "src: " + blank, call: "PUT " + image, body: object{"src": ""}},
		{op: "images.delete", status: 404, text: noProduct, call: "DELETE /products/1/images/1"},
		{op: "images.delete", status: 404, text: "null", call: "DELETE " + images + "/1"},

		{op: "categories.list", status: 422, text: "language: The language field is required.", call: "GET /categories?handle=top"},
		{op: "categories.get", status: 404, text: noCategory, call: "GET /categories/1"},
		{op: "categories.create", status: 422, text: "Store has reached maximum limit of 5000 allowed categories", call: "POST /categories", body: object{"name": "X"}, limits: func(l *world.Limits) { l.Categories = 2 }},
		{op: "categories.update", status: 404, text: noCategory, call: "PUT /categories/1", body: object{"name": "X"}},
		{op: "categories.update", status: 422, text: "parent: The parent may not be the category itself or below it.", call: "PUT " + category, body: object{"parent": below}},
		{op: "categories.update", status: 422, text: "parent: The parent may not be the category itself or below it.", call: "PUT " + category, body: object{"parent": k}},
		{op: "categories.delete", status: 404, text: noCategory, call: "DELETE /categories/1"},

		{op: "customers.get", status: 404, text: "null", call: "GET /customers/1"},
		{op: "customers.update", status: 404, text: "null", call: "PUT /customers/1", body: object{"name": "X"}},
		{op: "customers.delete", status: 404, text: "null", call: "DELETE /customers/1"},
		{op: "customers.delete", status: 422, text: "Cannot delete a customer with orders", call: "DELETE " + customer},

		{op: "coupons.get", status: 404, text: "null", call: "GET /coupons/1"},
		{op: "locations.get", status: 404, text: "null", call: "GET /locations/01HZZZZZZZZZZZZZZZZZZZZZZZ"},
		{op: "kits.get", status: 404, text: "null", call: fmt.Sprintf("2025-03 GET /kits/%d", id(p))},
		{op: "carts.get", status: 404, text: "null", call: "2025-03 GET /carts/1"},
		{op: "checkouts.get", status: 404, text: "null", call: "GET /checkouts/1"},
		{op: "orders.get", status: 404, text: "null", call: "GET /orders/1"},
		{op: "orders.list", status: 422, text: "The query matches more than 10000 orders", call: "GET /orders", limits: func(l *world.Limits) { l.OrdersPerQuery = 0 }},

		{op: "webhooks.get", status: 404, text: "null", call: "GET /webhooks/1"},
		{op: "webhooks.get", status: 404, text: "null", call: "GET " + webhook, token: poor},
		{op: "webhooks.update", status: 404, text: "null", call: "PUT " + webhook, body: object{"url": "https://app.example/x"}, token: poor},
		{op: "webhooks.delete", status: 404, text: "null", call: "DELETE " + webhook, token: poor},
		{op: "webhooks.create", status: 403, text: "Missing a required scope: read_products", call: "POST /webhooks", body: object{"event": "product/created", "url": "https://app.example/x"}, token: poor},
		{op: "webhooks.update", status: 403, text: "Missing a required scope: read_products", call: fmt.Sprintf("PUT /webhooks/%d", id(made)), body: object{"event": "product/created"}, token: poor},
	}
	out = append(out, fulfillmentRefusals(f)...)
	out = append(out, entityRefusals(f)...)
	out = append(out, orderRefusals(f)...)
	out = append(out, paymentProviderRefusals(f)...)
	out = append(out, promotionRefusals(f)...)
	out = append(out, businessRuleRefusals(f)...)
	out = append(out, disputeRefusals(f)...)
	out = append(out, billingRefusals(f)...)
	out = append(out, carrierRefusals(f)...)
	out = append(out, emailTemplateRefusals()...)
	out = append(out, blogRefusals(f)...)
	out = append(out, priceTableRefusals(f)...)
	out = append(out, externalInvoiceRefusals(f)...)
	const wrongEvent = "event: Invalid event specified. Events allowed are available on Parameters section: https://docs.example/webhooks"
	for op, call := range map[string]string{"webhooks.create": "POST /webhooks", "webhooks.update": "PUT " + webhook} {
		for _, event := range []string{"product/sold", "store/redact", "customer/created", "order/unpacked", ""} {
			out = append(out, refusal{op: op, status: 422, text: wrongEvent, call: call, body: object{"event": event, "url": "https://app.example/x"}})
		}
		for _, url := range []string{"http://app.example/x", "https://localhost/x", "https://127.0.0.1/x", "not a url", ""} {
			out = append(out, refusal{op: op, status: 422, text: "url: invalid url specified", call: call, body: object{"event": "product/created", "url": url}})
		}
	}
	for op, call := range map[string]string{"products.create": "POST /products", "products.update": "PUT " + product} {
		for text, fault := range productFaults() {
			fault["name"] = "X"
			out = append(out, refusal{op: op, status: 422, text: text, call: call, body: fault})
		}
	}
	for op, call := range map[string]string{"categories.create": "POST /categories", "categories.update": "PUT " + category} {
		for text, faults := range categoryFaults() {
			for _, fault := range faults {
				if _, ok := fault["name"]; !ok {
					fault["name"] = "X"
				}
				out = append(out, refusal{op: op, status: 422, text: text, call: call, body: fault, limits: func(l *world.Limits) { l.CategoryText = 10 }})
			}
		}
	}
	for op, call := range map[string]string{"customers.create": "POST /customers", "customers.update": "PUT " + customer} {
		for text, faults := range map[string][]object{
			"name: " + blank:        {{"name": " ", "email": ""}, {"name": nil, "email": nil}},
			"email: is invalid":     {{"name": "X", "email": "nobody"}, {"name": "X", "email": "a b@c.example"}, {"email": 7}},
			"addresses: is invalid": {{"name": "X", "addresses": array{"here"}}, {"name": "X", "addresses": object{}}},
			"extra: is invalid":     {{"name": "X", "extra": "more"}, {"name": "X", "extra": array{1}}},
		} {
			for _, fault := range faults {
				out = append(out, refusal{op: op, status: 422, text: text, call: call, body: fault})
			}
		}
	}
	for _, fault := range variantFaults(foreign) {
		for op, wrap := range map[string]func(object) (string, any){
			"products.create": func(v object) (string, any) {
				v["values"] = value("XL")
				return "POST /products", object{"name": "X", "attributes": array{"Size"}, "variants": array{object{"values": value("S")}, v}}
			},
			"variants.create": func(v object) (string, any) { v["values"] = value("XL"); return "POST " + variants, v },
			"variants.update": func(v object) (string, any) { return "PUT " + variant, v },
			"variants.replace": func(v object) (string, any) {
				v["values"] = value("XL")
				return "PUT " + variants, array{object{"values": value("S")}, v}
			},
			"variants.patch": func(v object) (string, any) {
				v["id"] = s
				return "PATCH " + variants, array{object{"id": m, "price": 7}, v}
			},
			"products.updateStockPrice": func(v object) (string, any) {
				v["id"] = s
				return "PATCH /products/stock-price", array{object{"id": id(p), "variants": array{v}}}
			},
		} {
			if op == "products.updateStockPrice" && !fault.stock {
				continue
			}
			body := object{}
			for key, v := range fault.body {
				body[key] = v
			}
			call, wrapped := wrap(body)
			out = append(out, refusal{op: op, status: 422, text: fault.text, call: call, body: wrapped, alter: fault.alter})
		}
	}
	for _, fault := range imageFaults() {
		for op, wrap := range map[string]func(object) (string, any){
			"products.create": func(i object) (string, any) { return "POST /products", object{"name": "X", "images": array{i}} },
			"images.create":   func(i object) (string, any) { return "POST " + images, i },
			"images.update":   func(i object) (string, any) { return "PUT " + image, i },
		} {
			if op == "images.update" && fault.creating {
				continue
			}
			text := fault.text
			if _, file := fault.body["attachment"]; file && op == "products.create" {
				text = "src: can't be blank" // a new product took images from files, too
			}
			call, wrapped := wrap(fault.body)
			out = append(out, refusal{op: op, status: 422, text: text, call: "unstable " + call, body: wrapped, limits: func(l *world.Limits) { l.ImageBytes = 100 }})
		}
	}
	return out
}

// TestAllThatIsWrong wants every field that is wrong told of, in whichever variant
// of a body it is; only the first was.
func TestAllThatIsWrong(t *testing.T) {
	f := open(t)
	p := f.sized("P", "S", "M")
	s, m := id(p, "variants.0"), id(p, "variants.1")
	path := fmt.Sprintf("/products/%d/variants", id(p))
	value := func(s string) array { return array{object{"en": s}} }
	dear, owed := object{"price": "dear"}, object{"price": -1, "inventory_levels": array{object{"stock": -1}}}
	with := func(body, more object) object {
		out := maps.Clone(body)
		maps.Copy(out, more)
		return out
	}
	const numeric, least, stock = "The price must be a number.", "The price must be at least 0.", "The stock must be at least 0."
	both := object{"code": 422, "description": "Validation error", "price": array{numeric, least}, "stock": array{stock}}
	aged := with(both, object{"description": "The selected age group is invalid", "age_group": array{"The selected age group is invalid"}})
	for _, tc := range []struct {
		call string
		body any
		want object
	}{
		{"PUT " + path, array{with(dear, object{"values": value("S")}), with(owed, object{"values": value("L")})}, both},
		{"PUT " + path, array{with(dear, object{"values": value("S"), "age_group": "old"}), with(owed, object{"values": value("L")})}, aged},
		{"PATCH " + path, array{with(dear, object{"id": s}), with(owed, object{"id": m})}, both},
		{"PATCH /products/stock-price", array{object{"id": id(p), "variants": array{with(dear, object{"id": s}), with(owed, object{"id": m})}}}, both},
		{"PATCH /products/stock-price", array{
			object{"id": id(p), "variants": array{object{"id": m, "price": 3}, with(dear, object{"id": s})}}, object{"id": id(p), "variants": array{with(owed, object{"id": m})}},
		}, both},
		{"POST /products", object{"name": "Q", "attributes": array{"Size"}, "variants": array{with(dear, object{"values": value("S")}), with(owed, object{"values": value("L")})}}, both},
		{"POST " + path, with(owed, object{"values": value("L")}), object{"price": array{least}, "stock": array{stock}}},
		{fmt.Sprintf("PUT %s/%d", path, s), with(dear, object{"stock": -1}), object{"price": array{numeric}, "stock": array{stock}}},
	} {
		before := f.moment()
		w := f.send(f.token, tc.call, tc.body)
		var got object
		if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != http.StatusUnprocessableEntity {
			t.Errorf("%s: %d %s", tc.call, w.Code, w.Body)
			continue
		}
		f.want(got, tc.want)
		if f.left(before) {
			t.Errorf("%s was refused and changed something", tc.call)
		}
	}
}

// TestDuplicateVariantIDs wants the ids that are in the way of each other named.
func TestDuplicateVariantIDs(t *testing.T) {
	f := open(t)
	p := f.sized("P", "S", "M", "L")
	s, m, l := id(p, "variants.0"), id(p, "variants.1"), id(p, "variants.2")
	stranger := id(f.sized("Q", "S"), "variants.0")
	call := fmt.Sprintf("PATCH /products/%d/variants", id(p))
	value := func(s string) array { return array{object{"en": s}} }
	for name, tc := range map[string]struct {
		body array
		want []int64
	}{
		"taken by one not sent": {array{object{"id": s, "values": value("M")}}, []int64{s}},
		"taken by one sent":     {array{object{"id": s, "values": value("XL")}, object{"id": m, "values": value("XL")}}, []int64{s, m}},
		"of another product":    {array{object{"id": stranger}, object{"id": l}}, []int64{stranger}},
		"unknown":               {array{object{"id": 1}}, []int64{1}},
		"sent twice":            {array{object{"id": s}, object{"id": s}}, []int64{s}},
		"without an id":         {array{object{"price": 1}}, []int64{}},
		"one right and one not": {array{object{"id": l, "price": 2}, object{"id": 7}}, []int64{7}},
	} {
		t.Run(name, func(t *testing.T) {
			w := f.send(f.token, call, tc.body)
			var got struct {
				Code        int     `json:"code"`
				Message     string  `json:"message"`
				Description string  `json:"description"`
				IDs         []int64 `json:"duplicate_variant_ids"`
			}
			if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != http.StatusUnprocessableEntity {
				t.Fatalf("%d %s", w.Code, w.Body)
			}
			if got.Code != 422 || got.Message != "Unprocessable Entity" || got.Description != "Variants cannot be repeated" || !slices.Equal(got.IDs, tc.want) {
				t.Errorf("got %+v, want the ids %v", got, tc.want)
			}
		})
	}
}
