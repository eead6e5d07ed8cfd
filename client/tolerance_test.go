package client

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/internal/hostile"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// TestEmptyTextIsNil: a promotional price of "" was a sale at 0.00, and stock of "" was none where it means unlimited.
func TestEmptyTextIsNil(t *testing.T) {
	if n := hostile.EmptyTexts(t, catalog); n < 80 {
		t.Errorf("the records have %d pointers, want 80 or more", n)
	}
	var v Variant
	document := `{"id":1,"price":"10.00","promotional_price":"","cost":"","stock":"","image_id":"","sku":"","barcode":""}`
	if err := wire.Unmarshal([]byte(document), &v); err != nil {
		t.Fatal(err)
	}
	if v.PromotionalPrice != nil || v.Cost != nil || v.Stock != nil || v.ImageID != nil {
		t.Errorf("read a promotional price of %v, a cost of %v, a stock of %v and image %v; want none of them", v.PromotionalPrice, v.Cost, v.Stock, v.ImageID)
	}
	if v.SKU == nil || *v.SKU != "" {
		t.Errorf("read SKU %v, want the empty text", v.SKU)
	}
	for _, bad := range []string{`"  "`, `"null"`, `"none"`, `[]`, `false`, `{}`} {
		var v Variant
		if err := wire.Unmarshal([]byte(`{"promotional_price":`+bad+`}`), &v); err == nil {
			t.Errorf("a promotional price of %s was read as %v, want an error", bad, v.PromotionalPrice)
		}
	}
}

// TestLastMemberWins: of a member that comes twice the first was merged with the second.
func TestLastMemberWins(t *testing.T) {
	for twice, once := range map[string]string{
		`{"name":{"es":"a","pt":"b"},"name":{"en":"c"}}`:                                   `{"name":{"en":"c"}}`,
		`{"name":{"es":"a"},"name":null}`:                                                  `{"name":null}`,
		`{"name":{"es":"a","es":null}}`:                                                    `{"name":{}}`,
		`{"brand":"a","brand":null}`:                                                       `{}`,
		`{"id":5,"id":""}`:                                                                 `{}`,
		`{"variants":[{"id":1,"price":"5.00","sku":"a"}],"variants":[{"id":2}]}`:           `{"variants":[{"id":2}]}`,
		`{"variants":[{"id":1},{"id":2}],"variants":[]}`:                                   `{"variants":[]}`,
		`{"variants":[{"id":1},{"id":2}],"variants":null}`:                                 `{}`,
		`{"variants":[{"price":"1.00","price":"2.00","sku":"a","sku":null}]}`:              `{"variants":[{"price":"2.00"}]}`,
		`{"variants":[{"promotional_price":"1.00","promotional_price":""}]}`:               `{"variants":[{}]}`,
		`{"variants":[{"values":[{"es":"S","pt":"M"}],"values":[{"pt":"L"}]}]}`:            `{"variants":[{"values":[{"pt":"L"}]}]}`,
		`{"variants":[{"new":{"a":1},"new":{"b":2}}]}`:                                     `{"variants":[{"new":{"b":2}}]}`,
		`{"new":{"a":1},"new":{"b":2}}`:                                                    `{"new":{"b":2}}`,
		`{"new":[1,2],"n\u0065w":null}`:                                                    `{"new":null}`,
		`{"NAME":"x","name":"y","Name":"z"}`:                                               `{"Name":"z","NAME":"x","name":"y"}`,
		`{"published":true,"published":null}`:                                              `{}`,
		`{"created_at":"2025-01-01","created_at":"0000-00-00 00:00:00"}`:                   `{}`,
		`{"images":[{"alt":{"es":"a"},"src":"x"}],"images":[{"alt":{"pt":"b"},"id":"7"}]}`: `{"images":[{"alt":{"pt":"b"},"id":7}]}`,
	} {
		if got, want := parsed[Product](t, twice), parsed[Product](t, once); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: read as\n%+v, want\n%+v", twice, got, want)
		}
		sameAsGeneral(t, []byte(twice), reflect.TypeFor[Product]())
	}
	for twice, once := range map[string]string{
		`{"customer":{"id":1,"name":"a"},"customer":{"id":2}}`:                                       `{"customer":{"id":2}}`,
		`{"customer":{"id":1,"name":"a"},"customer":null}`:                                           `{}`,
		`{"total":"5.00","total":"6.00","currency":"ARS","currency":null}`:                           `{"total":"6.00"}`,
		`{"shipping_address":{"city":"a","zipcode":1},"shipping_address":{"address":"b"}}`:           `{"shipping_address":{"address":"b"}}`,
		`{"payment_details":{"method":"a","installments":2},"payment_details":{"installments":"3"}}`: `{"payment_details":{"installments":3}}`,
	} {
		if got, want := parsed[Order](t, twice), parsed[Order](t, once); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: read as\n%+v, want\n%+v", twice, got, want)
		}
		sameAsGeneral(t, []byte(twice), reflect.TypeFor[Order]())
	}
}

// TestScalarsInOtherForms: each value is read as the one in the form of its type.
func TestScalarsInOtherForms(t *testing.T) {
	for _, tt := range []struct {
		name  string
		plain string
		forms []string
	}{
		{"id", `5`, []string{`"5"`, `5.0`, `5e0`, `"5.0"`, `"\u0035"`, `500e-2`, `0.5e1`, `5.000`}},
		{"promotional_price", `"-3.50"`, []string{`-3.50`, `"\u002D3.50"`, `"\u002d3\u002e5\u0030"`, `"-3.50"`}},
		{"price", `"10.5"`, []string{`10.5`, `1.05e1`, `105e-1`, `"1.05E+1"`, `0.105e+2`}},
		{"price", `"100"`, []string{`100`, `1e2`, `"1E2"`}},
		{"price", `"1.000000"`, []string{`1.0000000`, `"1.00000000000000000000"`}},
		{"stock", `5`, []string{`"5"`, `5.0`, `5e0`, `"5e0"`, `"\u0035"`}},
		{"position", `100`, []string{`"100"`, `1E2`, `100.0`}},
		{"weight", `"0.250"`, []string{`0.250`, `"\u0030.250"`}},
		{"sku", `"12345678901234567890123"`, []string{`12345678901234567890123`}},
		{"sku", `"1000"`, []string{`1000`, `1000.0`, `1e3`, `"\u0031000"`}},
		{"sku", `"-7.25"`, []string{`-7.25`}},
		{"sku", `"true"`, []string{`true`}},
		{"barcode", `"7790123456789"`, []string{`7790123456789`, `7.790123456789e12`}},
		{"mpn", `"false"`, []string{`false`}},
		{"age_group", `"12"`, []string{`12`}},
		{"stock_management", `true`, []string{`1`, `"1"`, `"true"`, `1.0`, `"\u0074rue"`}},
		{"stock_management", `false`, []string{`0`, `"0"`, `"false"`, `""`, `null`}},
		{"visible", `true`, []string{`1`, `"1"`, `"true"`}},
		{"visible", `false`, []string{`0`, `"0"`, `"false"`}},
		{"visible", `null`, []string{`""`}},
		{"created_at", `"2025-01-01T12:00:00+0000"`, []string{`"2025\u002d01-01T12:00:00\u002B0000"`, `1735732800`, `1735732800000`, `"1735732800"`, `1.7357328e9`}},
		{"values", `[{"es":"S"}]`, []string{`[{"\u0065s":"\u0053"}]`, `[{"es":"S","pt":null}]`, `{"0":{"es":"S"}}`}},
		{"inventory_levels", `[{"location_id":"01FHZXHK8PTP9FVK99Z66GXTTA"}]`, []string{`[{"location_id":"\u00301FHZXHK8PTP9FVK99Z66GXTTA"}]`, `{"3":{"location_id":"01FHZXHK8PTP9FVK99Z66GXTTA"}}`}},
	} {
		want := parsed[Variant](t, `{"`+tt.name+`":`+tt.plain+`}`)
		for _, form := range tt.forms {
			document := `{"` + tt.name + `":` + form + `}`
			if got := parsed[Variant](t, document); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: read %+v, want %+v", document, got, want)
			}
			sameAsGeneral(t, []byte(document), reflect.TypeFor[Variant]())
		}
	}
	for _, bad := range []string{
		`{"id":5.5}`, `{"id":"5e-1"}`, `{"id":1e999999999}`, `{"id":[]}`, `{"stock":"many"}`, `{"position":true}`, `{"stock_management":2}`, `{"stock_management":"yes"}`,
		`{"stock_management":"TRUE"}`, `{"stock_management":0.5}`, `{"sku":{}}`, `{"sku":[""]}`, `{"price":1e-7}`, `{"price":"1,50"}`, `{"visible":"2"}`,
	} {
		if v := new(Variant); wire.Unmarshal([]byte(bad), v) == nil {
			t.Errorf("%s: read as %+v, want an error", bad, v)
		}
		sameAsGeneral(t, []byte(bad), reflect.TypeFor[Variant]())
	}
	if f := parsed[CustomField](t, `{"values":[5,"x",true,1e3,{"value":7,"created":"1"}]}`); len(f.Values) != 5 || f.Values[0].Value != "5" || f.Values[2].Value != "true" ||
		f.Values[3].Value != "1000" || f.Values[4].Value != "7" || !*f.Values[4].Created {
		t.Errorf("read values %+v", f.Values)
	}
	a := parsed[CustomerAddress](t, `{"zipcode":1425,"phone":5491122334455,"floor":3,"number":1000.0,"default":"1","id":"7"}`)
	if a.Zipcode != "1425" || a.Phone != "5491122334455" || a.Floor != "3" || a.Number != "1000" || !a.Default || a.ID != 7 {
		t.Errorf("read %+v", a)
	}
}

func TestTimesOfOtherSystems(t *testing.T) {
	for in, want := range map[string]string{
		`"2025-01-01t12:00:00z"`:                 "2025-01-01T12:00:00Z",
		`"2025-01-01 12:00:00 UTC"`:              "2025-01-01T12:00:00Z",
		`"2025-01-01T12:00:00 gmt"`:              "2025-01-01T12:00:00Z",
		`"2025-01-01T12:00:00UTC"`:               "2025-01-01T12:00:00Z",
		`"2025-01-01 12:00:00z"`:                 "2025-01-01T12:00:00Z",
		`"2025-01-01 12:00:00 Z"`:                "2025-01-01T12:00:00Z",
		`"2025-01-01 12:00:00+00"`:               "2025-01-01T12:00:00Z",
		`"2025-01-01 12:00:00 +0000"`:            "2025-01-01T12:00:00Z",
		`"2025-01-01 12:00:00 +00:00"`:           "2025-01-01T12:00:00Z",
		`"2025-01-01T12:00:00-03"`:               "2025-01-01T15:00:00Z",
		`"2025-01-01 12:00:00 -03"`:              "2025-01-01T15:00:00Z",
		`"2025-01-01T12:00:00+05:30"`:            "2025-01-01T06:30:00Z",
		`"2025-01-01T12:00:00.5+0000"`:           "2025-01-01T12:00:00.5Z",
		`"2025-01-01T12:00:00,086Z"`:             "2025-01-01T12:00:00.086Z",
		`"2025-01-01T12:00:00.123456789012345Z"`: "2025-01-01T12:00:00.123456789Z",
		`"2025-01-01 12:00:00.000000-03"`:        "2025-01-01T15:00:00Z",
		`"2025-01-01 12:00 UTC"`:                 "2025-01-01T12:00:00Z",
		`1735732800`:                             "2025-01-01T12:00:00Z",
		`1735732800.5`:                           "2025-01-01T12:00:00.5Z",
		`1.7357328e9`:                            "2025-01-01T12:00:00Z",
		`1735732800000`:                          "2025-01-01T12:00:00Z",
		`1735732800000.25`:                       "2025-01-01T12:00:00.00025Z",
		`1735732800000000`:                       "2025-01-01T12:00:00Z",
		`1735732800000000000`:                    "2025-01-01T12:00:00Z",
		`"1735732800"`:                           "2025-01-01T12:00:00Z",
		`"1735732800.123"`:                       "2025-01-01T12:00:00.123Z",
		`"1735732800000000"`:                     "2025-01-01T12:00:00Z",
		`-86400`:                                 "1969-12-31T00:00:00Z",
		`-0.5`:                                   "1969-12-31T23:59:59.5Z",
		`-1735732800000000`:                      "1914-12-31T12:00:00Z",
		`{"date":"2025-01-01T12:00:00z","timezone":"-0300"}`:        "2025-01-01T12:00:00Z", // the zone is not known
		`{"date":"2025-01-01 12:00:00.000000","timezone":"-03:00"}`: "2025-01-01T15:00:00Z",
		`{"date":"2025-01-01 12:00:00.000000","timezone":null}`:     "2025-01-01T12:00:00Z",
	} {
		var got Time
		var completed CompletedAt
		if err := errors.Join(wire.Unmarshal([]byte(in), &got), wire.Unmarshal([]byte(in), &completed)); err != nil {
			t.Errorf("read %s: %v", in, err)
		} else if s := got.UTC().Format(time.RFC3339Nano); s != want || !completed.Equal(got.Time) {
			t.Errorf("%s = %s, completed %v; want %s", in, s, completed, want)
		}
	}
	for _, unset := range []string{
		`"0000-00-00"`, `"0000-00-00 00:00:00"`, `"0000-00-00T00:00:00+0000"`, `"0000-00-00T00:00:00.000000Z"`, `"0000-00-00 00:00:00 UTC"`, `"\u0030000-00-00"`,
		`"-0001-11-30"`, `"-0001-11-30 00:00:00"`, `"-0001-11-30T00:00:00-03:00"`, `"-0001-11-30T00:00:00.000000Z"`,
		`{"date":"0000-00-00 00:00:00.000000","timezone_type":3,"timezone":"UTC"}`, `{"date":"-0001-11-30 00:00:00.000000","timezone_type":3,"timezone":"UTC"}`,
	} {
		got, day := At(time.Unix(1, 0)), DateOf(time.Unix(1, 0))
		completed := CompletedAt(got)
		err := errors.Join(wire.Unmarshal([]byte(unset), &got), wire.Unmarshal([]byte(unset), &day), wire.Unmarshal([]byte(unset), &completed))
		if err != nil || !got.IsZero() || !day.IsZero() || !completed.IsZero() {
			t.Errorf("%s = %v, day %v, completed %v, %v; want none", unset, got, day, completed, err)
		}
	}
	for _, bad := range []string{
		`"0000-00-00x"`, `"-0001-11-30 soon"`, `"-0002-11-30"`, `"2025-01-01T12:00:00+24:00"`, `"2025-01-01T12:00:00+00:60"`, `"2025-01-01T12:00:00 EST"`, `"2025-01-01T12:00:00."`,
		`"2025-01-01T12"`, `"2025-01-01T12:00:00+"`, `"2025-01-01T12:00:00+0"`, `"2025-01-01T12:00:00+000"`, `"2025-01-01  12:00:00"`, `"12345678"`, `"20250101120000"`, `"202501011200"`,
		`"2025-00-00"`, `"2025-13-01"`, `1e40`, `1e999999999`, `9223372036854775808`,
	} {
		var got Time
		if err := wire.Unmarshal([]byte(bad), &got); err == nil {
			t.Errorf("%s was read as %v, want an error", bad, got)
		}
	}
	long := `"2025-01-01T12:00:00.` + strings.Repeat("1", 1<<20) + `Z"`
	if err := wire.Unmarshal([]byte(long), new(Time)); err == nil || len(err.Error()) > 500 {
		t.Errorf("a fraction of a mebibyte: %.200v", err)
	}
}

// TestNothingWhereAPartIsDue: PHP prints an empty list for an empty object, and the other way round.
func TestNothingWhereAPartIsDue(t *testing.T) {
	for _, nothing := range []string{`[]`, `""`, `false`, `null`, `[ ]`} {
		o := parsed[Order](t, `{"customer":`+nothing+`,"shipping_address":`+nothing+`,"billing_address":`+nothing+`,"payment_details":`+nothing+`,"client_details":`+nothing+`}`)
		if o.Customer != nil || o.BillingAddress != "" && o.BillingAddress != "false" || o.PaymentDetails.Valid || o.ClientDetails.Valid || o.ShippingAddress != nil && !reflect.DeepEqual(*o.ShippingAddress, OrderAddress{}) {
			t.Errorf("%s: read customer %+v, address %+v, payment %+v", nothing, o.Customer, o.ShippingAddress, o.PaymentDetails)
		}
	}
	for document, want := range map[string]int{
		`{"variants":{}}`: 0, `{"variants":""}`: 0, `{"variants":false}`: 0, `{"variants":{ }}`: 0,
		`{"variants":{"0":{"id":1},"1":{"id":2}}}`: 2, `{"variants":{"1":{"id":1},"7":{"id":2}}}`: 2,
	} {
		p := parsed[Product](t, document)
		if len(p.Variants) != want || want == 2 && (p.Variants[0].ID != 1 || p.Variants[1].ID != 2) {
			t.Errorf("%s: read %+v", document, p.Variants)
		}
		sameAsGeneral(t, []byte(document), reflect.TypeFor[Product]())
	}
	var seen []Drift
	c := newTest(t, nil, func(c *Config) { c.OnDrift = func(_ context.Context, d Drift) { seen = append(seen, d) } })
	items, err := DecodeList[Product](t.Context(), c, []byte(`{"1":{"id":1},"2":null,"7":{"id":2}}`))
	if bad := badItems(err); len(items) != 2 || items[1].ID != 2 || len(bad) != 1 || bad[0].Index != 1 || len(seen) != 1 || seen[0].Want != "a list" {
		t.Errorf("a page with gaps: read %+v, %v, reported %+v", items, err, seen)
	}
	for _, bad := range []string{
		`{"variants":{"id":1}}`, `{"variants":{"1":{},"0":{}}}`, `{"variants":{"0":null}}`, `{"variants":{"0":[]}}`, `{"variants":{"x":{}}}`, `{"variants":{"-1":{}}}`,
		`{"variants":{"1.5":{}}}`, `{"variants":true}`, `{"variants":"x"}`, `{"variants":[[]]}`, `{"variants":[""]}`, `{"variants":[false]}`, `{"variants":[{"inventory_levels":[0]}]}`,
	} {
		if p := new(Product); wire.Unmarshal([]byte(bad), p) == nil {
			t.Errorf("%s: read as %+v, want an error", bad, p.Variants)
		}
		sameAsGeneral(t, []byte(bad), reflect.TypeFor[Product]())
	}
	if o := new(Order); wire.Unmarshal([]byte(`{"customer":[{"id":1}]}`), o) == nil {
		t.Errorf("a list with an element was read as customer %+v", o.Customer)
	}
}

// TestItemsWithoutAnID: an item without an id was a record with id 0.
func TestItemsWithoutAnID(t *testing.T) {
	for _, item := range []string{`{}`, `{"id":0}`, `{"id":null}`, `{"id":""}`, `{"name":{"en":"Mug"}}`} {
		for _, watched := range []func(context.Context, Drift){nil, func(context.Context, Drift) {}} {
			c := newTest(t, nil, func(c *Config) { c.OnDrift = watched })
			items, err := DecodeList[Product](t.Context(), c, []byte(`[{"id":1},`+item+`,{"id":2}]`))
			bad := badItems(err)
			if len(items) != 2 || items[0].ID != 1 || items[1].ID != 2 || len(bad) != 1 || bad[0].Index != 1 || string(bad[0].Raw) != item {
				t.Errorf("%s: read %d items, %v, want products 1 and 2 and item 1 to be unreadable", item, len(items), err)
			}
		}
	}
}

// TestNullItems: null in a list was a record, with id 0.
func TestNullItems(t *testing.T) {
	c := newTest(t, nil)
	items, err := DecodeList[Product](t.Context(), c, []byte(`[{"id":1},null,{"id":2}, null]`))
	if len(items) != 2 || items[0].ID != 1 || items[1].ID != 2 {
		t.Errorf("read %+v, want products 1 and 2", items)
	}
	bad := badItems(err)
	if len(bad) != 2 || bad[0].Index != 1 || bad[1].Index != 3 || string(bad[0].Raw) != "null" || !strings.HasSuffix(bad[0].Error(), "item must be a record, got null") {
		t.Errorf("got %v, want items 1 and 3 to be unreadable, because they are null", err)
	}
	for _, document := range []string{
		`{"variants":[{"id":1},null]}`, `{"images":[null]}`, `{"categories":[null]}`, `{"categories":[3,null]}`, `{"categories":[""]}`, `{"variants":[{"inventory_levels":[null]}]}`,
	} {
		if p := new(Product); wire.Unmarshal([]byte(document), p) == nil {
			t.Errorf("%s: read as %+v, want an error", document, p)
		}
		sameAsGeneral(t, []byte(document), reflect.TypeFor[Product]())
		items, err := DecodeList[Product](t.Context(), c, []byte(`[{"id":1},`+document+`]`))
		if bad := badItems(err); len(items) != 1 || len(bad) != 1 || bad[0].Index != 1 {
			t.Errorf("%s in a list: got %+v, %v; want item 1 to be unreadable", document, items, err)
		}
	}
	if o := new(Order); wire.Unmarshal([]byte(`{"products":[null]}`), o) == nil {
		t.Errorf("null among the products of an order: read as %+v", o.Products)
	}
	// A text that is null is no text, and keeps its place.
	v := parsed[Variant](t, `{"values":[null,{"es":"S"}]}`)
	if len(v.Values) != 2 || v.Values[0] != nil || v.Values[1]["es"] != "S" {
		t.Errorf("read values %v", v.Values)
	}
}

// TestLanguagesWithoutText: null for one language was the empty text, which Get returned and an update wrote.
func TestLanguagesWithoutText(t *testing.T) {
	text := *parsed[Text](t, `{"es":null,"en":"Mug","pt":"Caneca"}`)
	if got := text.Get("es", "pt"); got != "Caneca" {
		t.Errorf("Get(es, pt) = %q, want Caneca", got)
	}
	if got, _ := wire.Marshal(ProductInput{Name: text}); string(got) != `{"name":{"en":"Mug","pt":"Caneca"}}` {
		t.Errorf("wrote %s", got)
	}
	for _, none := range []string{`{"es":null}`, `{"es":null,"pt":null}`} {
		if text := *parsed[Text](t, none); text.Get() != "" || len(text) != 0 {
			t.Errorf("%s: read as %v", none, text)
		}
	}
	if got := parsed[Text](t, `{"es":"","pt":"b"}`).Get("es"); got != "" {
		t.Errorf("Get(es) = %q, want the empty text that the language has", got)
	}
}

// An empty object is an empty list, whatever white space is in it.
func TestEmptyObject(t *testing.T) {
	for body, want := range map[string]bool{
		"{}": true, " {}\n": true, "{ }": true, "{\r\n\t}": true,
		"": false, "{": false, "}": false, "[]": false, `{"a":1}`: false, "{}{}": false, "{ } }": false,
	} {
		if isEmptyObject([]byte(body)) != want {
			t.Errorf("%q: want %v", body, want)
		}
	}
}
