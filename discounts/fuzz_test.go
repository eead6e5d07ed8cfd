package discounts

import (
	"encoding/json"
	"errors"
	"reflect"
	"testing"

	"github.com/commerceplatform/commerce-go/client/promotions"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// FuzzReadCart: what is read as a cart can be answered, and says the same when it is
// written and read again.
func FuzzReadCart(f *testing.F) {
	f.Add(document(f, "discount_cart"))
	for _, cart := range readCorpus(f).Carts {
		f.Add([]byte(cart))
	}
	for _, v := range [][2]string{
		{"payment", `{"installments":"6"}`}, {"products.id", `"5"`}, {"promotions", `{}`}, {"promotions", `{"a":["1"]}`},
		{"customer", `[]`},
		{"products.properties", `[]`}, {"products.price", `"999999999999999.99"`}, {"products.categories",
			`[{"subcategories":[{"id":1}]}]`},
		{"products.categories", `[null,{"id":"1","new":[],"subcategories":null},{}]`}, {"products.variant_values",
			`["\u00e9\"",null]`},
		{"products.categories", `[{"subcategories":{}}]`}, {"products.categories", `[{"subcategories":[null]}]`},
		{"products.categories", `[{"new":1,"id":1.0}]`}, {"customer", `{"id":"","name":5}`},
		{"products.variant_values", `null`}, {"products.free_shipping", `null`}, {"products.properties", `{"a":{"b":1}}`},
		{"products.new", `{ "a" : [ 1 ] }`},
	} {
		f.Add(with(f, v[0], v[1]))
	}
	own := readCorpus(f).Promotions
	plans := Plans{LineItems: half}
	f.Fuzz(func(t *testing.T, body []byte) {
		c, err := ReadCart(body)
		var general Cart // as the decoder reads it by itself
		other := wire.UnmarshalStrict(body, &general)
		if other == nil {
			other = general.check()
		}
		if other == nil && (err != nil || !reflect.DeepEqual(*c, general)) {
			t.Fatalf("read as %+v, %v; by the decoder as %+v, %v", c, err, general, other)
		}
		if err != nil {
			if c != nil || !errors.Is(err, ErrMalformed) {
				t.Fatalf("got %v, %v", c, err)
			}
			return
		}
		var another struct { // as another reader has it
			ID    json.RawMessage `json:"cart_id"`
			Lines []struct{}      `json:"products"`
		}
		if err := json.Unmarshal(body, &another); err != nil {
			t.Fatalf("not JSON to another reader: %v", err)
		}
		back, err := wire.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		again, err := ReadCart(back)
		if err != nil {
			t.Fatalf("written as %s: %v", back, err)
		}
		if twice, err := wire.Marshal(again); err != nil || string(twice) != string(back) {
			t.Fatalf("written as %s, then as %s: %v", back, twice, err)
		}
		answer, err := plans.Evaluate(t.Context(), c, own)
		if errors.Is(err, ErrInvalid) {
			t.Fatalf("%s: %v", answer, err)
		}
	})
}

// FuzzValidate: whatever is valid is strict JSON with commands, and nothing crashes.
func FuzzValidate(f *testing.F) {
	c := readCorpus(f)
	for _, v := range append(c.Invalid, c.Valid...) {
		f.Add(v.Cart == "cross_items", v.body())
	}
	carts := map[bool]*Cart{true: c.cart(f, promotions.TierCrossItems), false: c.cart(f, promotions.TierLineItems)}
	f.Fuzz(func(t *testing.T, cross bool, answer []byte) {
		if Validate(carts[cross], c.Promotions, answer) != nil {
			return
		}
		var body struct {
			Commands []struct{ Command string }
		}
		if err := json.Unmarshal(answer, &body); err != nil || len(body.Commands) == 0 {
			t.Errorf("valid: %s, %v", answer, err)
		}
	})
}
