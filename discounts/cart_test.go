package discounts

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/promotions"
	"github.com/commerceplatform/commerce-go/internal/hostile"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

func document(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile("../testdata/wire/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// generic reads JSON without any of our types, numbers as they stand.
func generic(t *testing.T, data []byte) map[string]any {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var v map[string]any
	if err := dec.Decode(&v); err != nil {
		t.Fatal(err)
	}
	if s, ok := v["store_id"].(string); ok { // we write ids as numbers
		v["store_id"] = json.Number(s)
	}
	return v
}

func TestRecordsHaveAFieldForEveryMember(t *testing.T) {
	for name, record := range map[string]any{"discount_cart": new(Cart), "promotion": new(promotions.Promotion)} {
		data := document(t, name)
		if err := wire.UnmarshalStrict(data, record); err != nil {
			t.Fatal(err)
		}
		unset(t, name, reflect.ValueOf(record).Elem())
		back, err := wire.Marshal(record)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range hostile.Differences(generic(t, back), generic(t, data)) {
			t.Errorf("%s: read and written again: %s", name, d)
		}
	}
}

// unset reports fields without a value, and Extra with one.
func unset(t *testing.T, path string, v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		if v.Type().PkgPath() != reflect.TypeFor[Cart]().PkgPath() {
			break
		}
		for i := range v.NumField() {
			name := v.Type().Field(i).Name
			if name == "Extra" {
				if v.Field(i).Len() > 0 {
					t.Errorf("%s: %v has no field", path, v.Field(i))
				}
				continue
			}
			unset(t, path+"."+name, v.Field(i))
		}
		return
	case reflect.Slice:
		for i := range v.Len() {
			unset(t, fmt.Sprintf("%s[%d]", path, i), v.Index(i))
		}
	}
	if v.IsZero() {
		t.Errorf("%s: no member of the document is in it", path)
	}
}

// with returns the full cart with a member replaced: "coupons", or "products.price" of its line.
func with(t testing.TB, member, value string) []byte {
	t.Helper()
	var cart map[string]json.RawMessage
	if err := json.Unmarshal(document(t, "discount_cart"), &cart); err != nil {
		t.Fatal(err)
	}
	if ofLine, ok := strings.CutPrefix(member, "products."); ok {
		var lines []map[string]json.RawMessage
		if err := json.Unmarshal(cart["products"], &lines); err != nil {
			t.Fatal(err)
		}
		lines[0][ofLine] = json.RawMessage(value)
		member, value = "products", encode(t, lines)
	}
	cart[member] = json.RawMessage(value)
	return []byte(encode(t, cart))
}

func encode(t testing.TB, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// What the platform writes in more than one form, and what is absent or null.
func TestReadCartQuirks(t *testing.T) {
	const promotion = "02aaa5c6-080a-40e9-a61f-90ca2150d6a2"
	one := Applied{{ID: promotion, LineItems: []client.ID{9717394929}}}
	for _, c := range []struct {
		member, value string
		get           func(*Cart) any
		want          any
	}{
		{"cart_id", `1612216732`, func(c *Cart) any { return c.ID }, client.Code("1612216732")},
		{"store_id", `817495`, func(c *Cart) any { return c.StoreID }, client.ID(817495)},
		{"customer", `{"id":null}`, func(c *Cart) any { return c.Customer.ID }, client.Code("")},
		{"customer", `{"id":101011}`, func(c *Cart) any { return c.Customer.ID }, client.Code("101011")},
		{"customer", `[]`, func(c *Cart) any { return c.Customer.ID }, client.Code("")},
		{"customer", `null`, func(c *Cart) any { return c.Customer.ID }, client.Code("")},
		{"shipping", `{"country":null,"city":null,"postalcode":null,"cost":"0.0"}`,
			func(c *Cart) any { return c.Shipping.Cost.String() }, "0.00"},
		{"shipping", `{"cost":12.5}`, func(c *Cart) any { return c.Shipping.Cost.String() }, "12.50"},
		{"shipping", `{"postalcode":2000}`, func(c *Cart) any { return c.Shipping.PostalCode }, client.Code("2000")},
		{"shipping", `[]`, func(c *Cart) any { return c.Shipping.Country }, ""},
		{"shipping", `""`, func(c *Cart) any { return c.Shipping.Country }, ""},
		{"package", `{"weight":1.25}`, func(c *Cart) any { return c.Package.Weight }, client.Measure("1.25")},
		{"package", `{"weight":null}`, func(c *Cart) any { return c.Package.Weight }, client.Measure("")},
		{"package", `false`, func(c *Cart) any { return c.Package.Weight }, client.Measure("")},
		{"payment", `{"installments":1}`, func(c *Cart) any { return c.Payment.Installments }, client.Int(1)},
		{"payment", `{"installments":"12"}`, func(c *Cart) any { return c.Payment.Installments }, client.Int(12)},
		{"payment", `{"installments":null,"method":null}`, func(c *Cart) any { return c.Payment.Installments },
			client.Int(0)},
		{"payment", `[]`, func(c *Cart) any { return c.Payment.Method }, ""},
		{"totals", `[]`, func(c *Cart) any { return c.Totals.Total.String() }, "0.00"},
		{"products", `null`, func(c *Cart) any { return len(c.Products) }, 0},
		{"products", `[]`, func(c *Cart) any { return len(c.Products) }, 0},
		{"products.id", `"717394929"`, func(c *Cart) any { return c.Products[0].ID }, client.ID(717394929)},
		{"products.quantity", `"3"`, func(c *Cart) any { return c.Products[0].Quantity }, client.Int(3)},
		{"products.compare_at_price", `null`, func(c *Cart) any { return c.Products[0].CompareAtPrice.String() }, "0.00"},
		{"products.compare_at_price", `""`, func(c *Cart) any { return c.Products[0].CompareAtPrice.String() }, "0.00"},
		{"products.variant_values", `null`, func(c *Cart) any { return len(c.Products[0].VariantValues) }, 0},
		{"products.properties", `[]`, func(c *Cart) any { return len(c.Products[0].Properties.Members) }, 0},
		{"products.properties", `null`, func(c *Cart) any { return len(c.Products[0].Properties.Members) }, 0},
		{"products.properties", `{"label":"x"}`, func(c *Cart) any { return string(c.Products[0].Properties.Members["label"]) }, `"x"`},
		{"products.catalog_kit_id", `null`, func(c *Cart) any { return c.Products[0].CatalogKitID }, client.Code("")},
		{"products.catalog_kit_id", `7001`, func(c *Cart) any { return c.Products[0].CatalogKitID }, client.Code("7001")},
		{"products.kit_quantity", `null`, func(c *Cart) any { return c.Products[0].KitQuantity }, client.Int(0)},
		{"products.categories", `[{"id":"4567","parent":null,"subcategories":[]}]`,
			func(c *Cart) any { return c.Products[0].Categories[0] }, CategoryRef{ID: 4567}},
		{"products.categories", `[{"id":1,"parent":0,"subcategories":[{"id":2,"parent":1},"3"]}]`,
			func(c *Cart) any { return c.Products[0].Categories[0].Subcategories }, []client.ID{2, 3}},
		{"promotions", `[{"id":"` + promotion + `","line_items":["9717394929"]}]`,
			func(c *Cart) any { return c.Promotions }, one},
		{"promotions", `{"id":"` + promotion + `","line_items":[9717394929]}`, func(c *Cart) any { return c.Promotions },
			one},
		{"promotions", `{"` + promotion + `":["9717394929"]}`, func(c *Cart) any { return c.Promotions }, one},
		{"promotions", `{"0":{"id":"` + promotion + `","line_items":["9717394929"]}}`,
			func(c *Cart) any { return c.Promotions }, one},
		{"promotions", `{}`, func(c *Cart) any { return len(c.Promotions) }, 0},
		{"promotions", `[]`, func(c *Cart) any { return len(c.Promotions) }, 0},
		{"promotions", `null`, func(c *Cart) any { return len(c.Promotions) }, 0},
		{"promotions", `[{"id":"x","line_items":null}]`, func(c *Cart) any { return len(c.Promotions[0].LineItems) }, 0},
		{"coupons", `null`, func(c *Cart) any { return len(c.Coupons) }, 0},
		{"utm", `[{"utm_source":null,"timestamp":"1735732800"}]`, func(c *Cart) any { return c.UTM[0].Timestamp },
			client.Int(1735732800)},
		{"sold_by", `null`, func(c *Cart) any { return c.SoldBy }, client.Code("")},
		{"sold_by", `55`, func(c *Cart) any { return c.SoldBy }, client.Code("55")},
		{"newer", `{"a":1}`, func(c *Cart) any { return string(c.Extra["newer"]) }, `{"a":1}`},
	} {
		cart, err := ReadCart(with(t, c.member, c.value))
		if err != nil {
			t.Errorf("%s %s: %v", c.member, c.value, err)
			continue
		}
		if got := c.get(cart); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s %s: got %v, want %v", c.member, c.value, got, c.want)
		}
	}
}

func TestReadCartRefuses(t *testing.T) {
	line := func(id, price, quantity string) string {
		return fmt.Sprintf(`{"id":%s,"price":%q,"quantity":%s}`, id, price, quantity)
	}
	cases := map[string][]byte{
		"cart_id":        with(t, "cart_id", `""`),
		"store_id":       with(t, "store_id", `"0"`),
		"execution_tier": with(t, "execution_tier", `"shipping_line"`),
		"currency":       with(t, "currency", `"ars"`),
		"products[0].id": with(t, "products", "["+line("0", "1.00", "1")+"]"),
		"products[1].id": with(t, "products", "["+line("7", "1.00", "1")+","+line(`"7"`, "1.00",
			"1")+"]"),
		"products[0].quantity":                with(t, "products", "["+line("7", "1.00", "-1")+"]"),
		"quantity: \"1000000001":              with(t, "products", "["+line("7", "1.00", "1000000001")+"]"),
		"products[0].price":                   with(t, "products", "["+line("7", "-1.00", "1")+"]"),
		"products: an object: must be a list": with(t, "products", `{"id":1}`),
		// It was said not to be strict JSON, which sends one to look for a mistake of the platform.
		"holds more than 20000 values": with(t, "products", "["+strings.Repeat(line("7", "1.00", "1")+",", 3_000)+line("8",
			"1.00", "1")+"]"),
	}
	for _, bad := range []string{
		``, `null x`, `[]`, `"cart"`, `{"cart_id":"1","cart_id":"2"}`, "{\"cart_id\":\"\xff\"}", `{}{}`, `{"cart_id":"1"`,
		strings.Repeat(`{"a":`, 100) + `1` + strings.Repeat(`}`, 100),
	} {
		cases["strict JSON\n"+bad] = []byte(bad)
	}
	for _, bad := range []string{`{"totals":{"total":1e1000000000}}`, `{"totals":{"total":"` + strings.Repeat("9",
		1<<16) + `"}}`} {
		cases["cart_id: nothing: must be an id\n"+bad] = []byte(bad)
	}
	for _, bad := range [][2]string{
		{`{"products":[{"price":"−5.00"}]}`, "products[0].price: a string of 7 bytes: must be a decimal with a point"},
		{`{"products":[[]]}`, "products[0]: a list: must be an object"},
		{`{"promotions":{"x":5}}`, "promotions: an object: must be a list of promotions"},
		{`{"promotions":"x"}`, "promotions: a string of 1 bytes: must be a list of promotions"},
		{`{"customer":[1]}`, "customer: a list: must be an object"},
	} {
		cases[bad[1]] = []byte(bad[0])
	}
	cases["holds more than 20000 values\nutm"] = []byte(`{"utm":[` + strings.Repeat(`{},`, 20_000) + `{}]}`)
	for want, body := range cases {
		want, _, _ := strings.Cut(want, "\n")
		var c *Cart
		var err error
		spent := hostile.Cost(func() { c, err = ReadCart(body) })
		if c != nil || !errors.Is(err, ErrMalformed) || !strings.Contains(err.Error(), want) || len(err.Error()) > 300 {
			t.Errorf("%.60s: got %v, want …%s…", body, err, want)
		}
		if spent.Bytes > 32<<20 {
			t.Errorf("%.60s: took %v, want 32 MiB at most", body, spent)
		}
	}
	if _, err := ReadCart([]byte(`null`)); !errors.Is(err, ErrMalformed) {
		t.Errorf("null: %v", err)
	}
	full := document(t, "discount_cart")
	for n := range len(bytes.TrimSpace(full)) {
		if _, err := ReadCart(full[:n]); !errors.Is(err, ErrMalformed) {
			t.Errorf("cut at byte %d: %v", n, err)
		}
	}
}

func TestLineItemIn(t *testing.T) {
	l := &LineItem{Categories: []CategoryRef{{ID: 7}, {ID: 5, Parent: 2, Subcategories: []client.ID{9}}}}
	for id, want := range map[client.ID]bool{5: true, 2: true, 9: false, 3: false, 0: false} {
		if got := l.In(id); got != want {
			t.Errorf("category %d: got %v", id, got)
		}
	}
}
