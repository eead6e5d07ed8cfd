package discounts

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
)

// Values in another form that say the same are read as those of the contract.
func TestReadCartInOtherForms(t *testing.T) {
	for _, c := range []struct{ member, canonical, value string }{
		{"cart_id", `"16"`, `16`},
		{"cart_id", `"16"`, `16.0`},
		{"store_id", `"123"`, `123.0`},
		{"customer", `{"id":"7"}`, `{"id":7}`},
		{"language", `""`, `null`},
		{"language", `"5"`, `5`},
		{"shipping", `{"country":"AR","city":"5","postalcode":"1425","cost":"12.50"}`,
			`{"country":"AR","city":5,"postalcode":1425.0,"cost":12.5}`},
		{"shipping", `{"country":""}`, `""`},
		{"package", `{"weight":"1.25"}`, `{"weight":1.25}`},
		{"payment", `{"installments":6,"method":"1"}`, `{"installments":"6","method":1}`},
		{"payment", `{"installments":1}`, `{"installments":"1.0"}`},
		{"payment", `{}`, `""`},
		{"totals", `{"subtotal":"20.00","total_discount":"0.00","total":"20.00"}`,
			`{"subtotal":20,"total_discount":null,"total":"20.00"}`},
		{"coupons", `["123","A"]`, `[123,"A"]`},
		{"coupons", `[]`, `{}`},
		{"coupons", `[]`, `""`},
		{"coupons", `[]`, `false`},
		{"coupons", `["A","B"]`, `{"0":"A","2":"B"}`},
		{"utm", `[]`, `{}`},
		{"utm", `[{"utm_source":"5","timestamp":1735732800}]`, `[{"utm_source":5,"timestamp":"1735732800"}]`},
		{"sold_by", `"55"`, `55`},
		{"promotions", `null`, `false`},
		{"products", `[{"id":1,"price":"1.00","quantity":2}]`, `{"0":{"id":"1","price":1,"quantity":"2"}}`},
		{"products.id", `9717394929`, `"9717394929"`},
		{"products.price", `"1999.90"`, `1999.9`},
		{"products.product_id", `5`, `"5"`},
		{"products.variant_id", `5`, `5.0`},
		{"products.quantity", `3`, `"3"`},
		{"products.free_shipping", `true`, `1`},
		{"products.free_shipping", `true`, `"true"`},
		{"products.free_shipping", `false`, `"0"`},
		{"products.free_shipping", `false`, `""`},
		{"products.variant_values", `["5","true"]`, `[5,true]`},
		{"products.variant_values", `[]`, `{}`},
		{"products.categories", `[]`, `{}`},
		{"products.kit_quantity", `2`, `"2"`},
	} {
		got, err := ReadCart(with(t, c.member, c.value))
		if err != nil {
			t.Errorf("%s %s: %v", c.member, c.value, err)
			continue
		}
		want, err := ReadCart(with(t, c.member, c.canonical))
		if err != nil {
			t.Fatalf("%s %s: %v", c.member, c.canonical, err)
		}
		if a, b := encode(t, got), encode(t, want); a != b {
			t.Errorf("%s %s:\n got %s\nwant %s", c.member, c.value, a, b)
		}
	}
}

// A member on which no discount depends may hold anything, and what it holds is in Extra.
func TestReadCartWithoutWhatIsOptional(t *testing.T) {
	for _, c := range []struct {
		member, value string
		extra         func(*Cart) client.Extra
		name, kept    string
		gone          func(*Cart) any
	}{
		{"language", `["es"]`, func(c *Cart) client.Extra { return c.Extra }, "language", `["es"]`,
			func(c *Cart) any { return c.Language }},
		{"sold_by", `{"id":5}`, func(c *Cart) client.Extra { return c.Extra }, "sold_by", `{"id":5}`,
			func(c *Cart) any { return c.SoldBy }},
		{"utm", `"newsletter"`, func(c *Cart) client.Extra { return c.Extra }, "utm", `"newsletter"`,
			func(c *Cart) any { return len(c.UTM) }},
		{"utm", `[{"utm_source":"a","timestamp":"yesterday"}]`, func(c *Cart) client.Extra { return c.UTM[0].Extra },
			"timestamp", `"yesterday"`, func(c *Cart) any { return c.UTM[0].Timestamp }},
		{"package", `{"weight":["2"]}`, func(c *Cart) client.Extra { return c.Package.Extra }, "weight", `["2"]`,
			func(c *Cart) any { return c.Package.Weight }},
		{"package", `5`, func(c *Cart) client.Extra { return c.Extra }, "package", `5`,
			func(c *Cart) any { return c.Package.Weight }},
		{"shipping", `{"country":"AR","cost":"free"}`, func(c *Cart) client.Extra { return c.Shipping.Extra }, "cost",
			`"free"`, func(c *Cart) any { return c.Shipping.Cost.String() == "0.00" && c.Shipping.Country != "AR" }},
		{"payment", `{"installments":"six"}`, func(c *Cart) client.Extra { return c.Payment.Extra }, "installments",
			`"six"`, func(c *Cart) any { return c.Payment.Installments }},
		{"products.compare_at_price", `"1.999,90"`, func(c *Cart) client.Extra { return c.Products[0].Extra },
			"compare_at_price", `"1.999,90"`, func(c *Cart) any { return c.Products[0].CompareAtPrice.String() != "0.00" }},
		{"products.properties", `"engraved"`, func(c *Cart) client.Extra { return c.Products[0].Extra }, "properties",
			`"engraved"`, func(c *Cart) any { return len(c.Products[0].Properties.Members) }},
		{"products.variant_values", `"XL"`, func(c *Cart) client.Extra { return c.Products[0].Extra }, "variant_values",
			`"XL"`, func(c *Cart) any { return len(c.Products[0].VariantValues) }},
		{"products.free_shipping", `"maybe"`, func(c *Cart) client.Extra { return c.Products[0].Extra }, "free_shipping",
			`"maybe"`, func(c *Cart) any { return c.Products[0].FreeShipping }},
	} {
		cart, err := ReadCart(with(t, c.member, c.value))
		if err != nil {
			t.Errorf("%s %s: %v", c.member, c.value, err)
			continue
		}
		if got := string(c.extra(cart)[c.name]); got != c.kept || !reflect.ValueOf(c.gone(cart)).IsZero() {
			t.Errorf("%s %s: Extra has %s, and the field %v; want %s and none", c.member, c.value, got, c.gone(cart), c.kept)
		}
		if cart.ID == "" || len(cart.Products) == 0 || cart.Products[0].Quantity == 0 {
			t.Errorf("%s %s: the rest is not read: %+v", c.member, c.value, cart)
		}
	}
}

// A member on which no discount depends is reported, and changes no answer.
func TestHandlerReportsWhatIsOptional(t *testing.T) {
	p := newProbe(t, Plans{LineItems: half}, nil)
	good := post(newProbe(t, p.Plans, nil), document(t, "discount_cart"))
	got := post(p, with(t, "language", `["es"]`))
	if got.Code != 200 || got.Body.String() != good.Body.String() || p.answers[0].Err != nil {
		t.Errorf("got %d %s, %v", got.Code, got.Body, p.answers[0].Err)
	}
	const want = "malformed call: members on which no answer depends could not be read: language: a list: must be a string"
	if f := p.failures(); len(f) != 1 || f[0].Err.Error() != want || f[0].CartID == "" || !errors.Is(f[0], ErrMalformed) {
		t.Errorf("reported %v", f)
	}
}

// A refusal names member, form and rule, of several members at once, is short, and quotes nothing that may be personal.
func TestRefusalsOfCarts(t *testing.T) {
	const secret = "Ana García 11-4444-5555"
	quoted := encode(t, secret)
	for _, c := range []struct {
		name string
		body []byte
		want []string
	}{
		{"a customer", with(t, "customer", quoted), []string{"customer: a string of 24 bytes: must be an object"}},
		{"a customer's id", with(t, "customer", `{"id":{"name":`+quoted+`}}`),
			[]string{"customer.id: an object: must be a string or a number"}},
		{"a currency", with(t, "currency", quoted), []string{"currency: a string of 24 bytes: must be an ISO 4217 code"}},
		{"a tier", with(t, "execution_tier", `"shipping_line"`), []string{`execution_tier: "shipping_line": must be line_item or cross_items`}},
		{"a store", with(t, "store_id", quoted), []string{"store_id: a string of 24 bytes: must be an integer"}},
		{"no store", with(t, "store_id", `null`), []string{"store_id: nothing, or 0: must be an integer above 0"}},
		{"a price", with(t, "products.price", `"1.999,90"`), []string{"products[0].price: a string of 8 bytes: must be a decimal with a point"}},
		{"a quantity", with(t, "products.quantity", `1.5`), []string{"products[0].quantity: a number: must be an integer"}},
		{"a line that is none", with(t, "products", `[{"id":1,"price":"1.00","quantity":1},`+quoted+`]`),
			[]string{"products[1]: a string of 24 bytes: must be an object"}},
		{"a line that is null", with(t, "products", `[null]`), []string{"products[0].id: nothing, or 0: must be an integer above 0"}},
		{"categories", with(t, "products.categories", quoted), []string{"products[0].categories: a string of 24 bytes: must be a list"}},
		{"coupons", with(t, "coupons", `[{"code":`+quoted+`}]`), []string{"coupons[0]: an object: must be a string"}},
		{"a subtotal", with(t, "totals", `{"subtotal":true}`), []string{"totals.subtotal: true: must be a decimal with a point"}},
		{"several", []byte(`{"cart_id":{},"store_id":"x","execution_tier":7,"currency":"ARS","products":[{"id":"1","price":[],"quantity":-1}],"customer":` + quoted + `}`), []string{
			"cart_id: an object: must be a string or a number", "store_id: a string of 1 bytes: must be an integer",
			"products[0].price: a list: must be a decimal with a point", "and 1 more",
		}},
		{"a member twice", []byte(`{"customer":{"id":"1","id":` + quoted + `}}`),
			[]string{"not the strict JSON of a cart: customer.id: a member that stands twice: must stand once"}},
		{"the beginning of a cart", []byte(`{"customer":` + quoted),
			[]string{"not the strict JSON of a cart: it ends too early, after 38 bytes"}},
		{"no UTF-8", []byte("{\"customer\":\"\xff\"}"), []string{"byte 13 is not as JSON in UTF-8 must be"}},
		{"a text", []byte(quoted), []string{"not the strict JSON of a cart: a string of 24 bytes: must be an object"}},
		{"nothing", nil, []string{"it ends too early, after 0 bytes"}},
	} {
		cart, err := ReadCart(c.body)
		if cart != nil || !errors.Is(err, ErrMalformed) {
			t.Errorf("%s: got %v, %v", c.name, cart, err)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: got %v, want …%s…", c.name, err, want)
			}
		}
		if len(err.Error()) > 400 || strings.Contains(err.Error(), "Ana") || strings.Contains(err.Error(), "4444") {
			t.Errorf("%s: quotes too much: %v", c.name, err)
		}
	}
	// A thousand bad lines are one short error, in little work.
	var lines []string
	for i := range 1000 {
		lines = append(lines, fmt.Sprintf(`{"id":%d,"price":"x","quantity":"y"}`, i+1))
	}
	_, err := ReadCart(with(t, "products", "["+strings.Join(lines, ",")+"]"))
	if err == nil || len(err.Error()) > 400 || !strings.HasSuffix(err.Error(), " more") {
		t.Errorf("a thousand lines: %v", err)
	}
}

// Whatever member is replaced by whatever value, the cart is read, or the refusal names the member.
func TestAnyMemberMayBeWrong(t *testing.T) {
	var all map[string]any
	if err := json.Unmarshal(document(t, "discount_cart"), &all); err != nil {
		t.Fatal(err)
	}
	values := []string{`null`, `true`, `0`, `-1`, `1.5`, `1e3`, `""`, `"x"`, `"7"`, `[]`, `{}`, `[null]`, `[[]]`,
		`{"id":null}`, `{"0":1}`}
	tried, refused := 0, 0
	var replace func(path string, object map[string]any)
	replace = func(path string, object map[string]any) {
		for name, was := range object {
			for _, value := range values {
				object[name] = json.RawMessage(value)
				tried++
				if _, err := ReadCart([]byte(encode(t, all))); err != nil {
					refused++
					if !strings.Contains(err.Error(), "malformed call: "+path+name) {
						t.Errorf("%s%s is %s: %v", path, name, value, err)
					}
				}
			}
			object[name] = was
			switch v := was.(type) {
			case map[string]any:
				replace(path+name+".", v)
			case []any:
				if first, ok := v[0].(map[string]any); ok {
					replace(path+name+"[0].", first)
				}
			}
		}
	}
	replace("", all)
	if tried < 500 || refused < tried/10 || refused > tried/2 {
		t.Errorf("%d of %d carts are refused", refused, tried)
	}
}
