package shipping

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/carriers"
	"github.com/commerceplatform/commerce-go/internal/hostile"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

func generic(t *testing.T, data []byte) any {
	t.Helper()
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// extras lists the members of v, at any depth, that have no field.
func extras(v reflect.Value, path string) (found []string) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			return extras(v.Elem(), path)
		}
	case reflect.Slice:
		for i := range v.Len() {
			found = append(found, extras(v.Index(i), path+"[]")...)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if !f.IsExported() {
				continue
			}
			if f.Name == "Extra" && f.Type.Kind() == reflect.Map {
				for _, key := range v.Field(i).MapKeys() {
					found = append(found, path+"."+key.String())
				}
				continue
			}
			found = append(found, extras(v.Field(i), path+"."+f.Name)...)
		}
	}
	return found
}

func TestRecordsHaveAFieldForEveryMember(t *testing.T) {
	for name, record := range map[string]any{
		"carrier": &carriers.Carrier{}, "carrier_option": &carriers.Option{}, "store_carrier": &carriers.StoreCarrier{}, "rate_request": &Request{}, "label_request": &Label{},
	} {
		data := document(t, name)
		if err := wire.Unmarshal(data, record); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if left := extras(reflect.ValueOf(record), name); len(left) > 0 {
			t.Errorf("%s: no field for %v", name, left)
		}
		if name == "label_request" {
			continue // money in fulfillment orders is tested where they are
		}
		back, err := wire.Marshal(record)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		want := generic(t, data)
		if items, ok := want.(map[string]any)["items"].([]any); ok {
			delete(items[1].(map[string]any), "cost") // null is as good as absent
		}
		for _, d := range hostile.Differences(generic(t, back), want) {
			t.Errorf("%s: read and written again: %s", name, d)
		}
	}
}

func TestRecordsKeepUnknownMembers(t *testing.T) {
	for _, record := range []any{
		&carriers.Carrier{}, &carriers.Option{}, &carriers.StoreCarrier{}, &carriers.StoreOption{}, &Request{}, &Place{}, &Item{}, &Dimensions{}, &CarrierRef{}, &OptionRef{}, &Cost{},
		&Label{}, &Requester{}, &LabelRef{},
	} {
		if err := wire.Unmarshal([]byte(`{"newer":{"list":[1,null]}}`), record); err != nil {
			t.Errorf("%T: %v", record, err)
			continue
		}
		if back, err := wire.Marshal(record); err != nil || !strings.Contains(string(back), `"newer":{"list":[1,null]}`) {
			t.Errorf("%T: wrote %s, %v", record, back, err)
		}
	}
}

// A request that is too large was called no strict JSON, which sends one to look for a mistake of the platform.
func TestRequestTooLarge(t *testing.T) {
	item := `{"id":1,"quantity":1,"grams":1,"price":1,"dimensions":{"width":1,"height":1,"depth":1}}`
	body := `{"store_id":1,"items":[` + strings.Repeat(item+",", 2_000) + item + `]}`
	if _, err := ReadRequest([]byte(body)); !errors.Is(err, ErrMalformed) || !strings.Contains(err.Error(), "holds more than 20000 values") {
		t.Errorf("got %v, want how many values it may hold", err)
	}
	if _, err := ReadRequest([]byte(`{"store_id":1`)); !errors.Is(err, ErrMalformed) || !strings.Contains(err.Error(), "not the strict JSON of a rate callback") {
		t.Errorf("no JSON: got %v", err)
	}
}

func TestRequestReadsQuirks(t *testing.T) {
	for _, v := range []struct {
		path  string
		value any
		want  func(*Request) bool
	}{
		{"cart_id", raw("null"), func(r *Request) bool { return r.CartID == "" }},
		{"cart_id", nil, func(r *Request) bool { return r.CartID == "" }},
		{"cart_id", 1234567890, func(r *Request) bool { return r.CartID == "1234567890" }},
		{"store_id", "123456", func(r *Request) bool { return r.StoreID == 123456 }},
		{"total_price", "59.97", func(r *Request) bool { return r.TotalPrice == "59.97" }},
		{"total_price", raw("59.970000000000006"), func(r *Request) bool { return r.TotalPrice == "59.970000000000006" }},
		{"total_price", raw("6e1"), func(r *Request) bool { d, err := r.TotalPrice.Decimal(); return err == nil && d.String() == "60" }},
		{"total_price", nil, func(r *Request) bool { d, err := r.TotalPrice.Decimal(); return err == nil && d.IsZero() }},
		{"language", raw("null"), func(r *Request) bool { return r.Language == "" }},
		{"origin", []any{}, func(r *Request) bool { return r.Origin.City == "" && r.Destination.City == "Rosario" }},
		{"origin.location_id", raw("null"), func(r *Request) bool { return r.Origin.LocationID == "" }},
		{"origin.number", 1520, func(r *Request) bool { return r.Origin.Number == "1520" }},
		{"destination.postal_code", 2000, func(r *Request) bool { return r.Destination.PostalCode == "2000" }},
		{"destination", map[string]any{"country": "AR"}, func(r *Request) bool { return r.Destination.Country == "AR" }},
		{"items.0.id", "1479416655", func(r *Request) bool { return r.Items[0].ID == 1479416655 }},
		{"items.0.id", int64(9223372036854775807), func(r *Request) bool { return r.Items[0].ID == 9223372036854775807 }},
		{"items.0.quantity", "2", func(r *Request) bool { return r.Items[0].Quantity == 2 }},
		{"items.0.grams", raw("null"), func(r *Request) bool { return r.Items[0].Grams == 0 }},
		{"items.0.price", "19.99", func(r *Request) bool { return r.Items[0].Price == "19.99" }},
		{"items.0.sku", 77, func(r *Request) bool { return r.Items[0].SKU == "77" }},
		{"items.0.dimensions", []any{}, func(r *Request) bool { return r.Items[0].Dimensions.Width == "" }},
		{"items.0.dimensions", false, func(r *Request) bool { return r.Items[0].Dimensions.Width == "" && r.Items[1].Dimensions.Width == "20" }},
		{"carrier.options.1.additional_cost", []any{}, func(r *Request) bool {
			return len(r.Carrier.Options) == 2 && r.Carrier.Options[0].AdditionalCost.Amount == "1500"
		}},
		{"carrier.options", map[string]any{}, func(r *Request) bool { return len(r.Carrier.Options) == 0 && r.Carrier.ID == "1234567" }},
		{"destination", "", func(r *Request) bool { return r.Destination.City == "" && r.Origin.City != "" }},
		{"items.0.dimensions", raw("null"), func(r *Request) bool { return r.Items[0].Dimensions.Width == "" }},
		{"items.0.dimensions.width", "12.0", func(r *Request) bool { return r.Items[0].Dimensions.Width == "12.0" }},
		{"carrier.id", 1234567, func(r *Request) bool { return r.Carrier.ID == "1234567" }},
		{"carrier.options", raw("null"), func(r *Request) bool { return len(r.Carrier.Options) == 0 }},
		{"carrier.options.0.id", 14349849, func(r *Request) bool { return r.Carrier.Options[0].ID == "14349849" }},
		{"carrier.options.0.additional_cost", raw("null"), func(r *Request) bool { return r.Carrier.Options[0].AdditionalCost.Amount == "" }},
		{"carrier.options.0.additional_days", "3", func(r *Request) bool { return r.Carrier.Options[0].AdditionalDays == 3 }},
		{"newer", map[string]any{"a": 1}, func(r *Request) bool { return string(r.Extra["newer"]) == `{"a":1}` }},
	} {
		r, err := ReadRequest(with(t, v.path, v.value))
		if err != nil || !v.want(r) {
			t.Errorf("%s = %v: got %+v, %v", v.path, v.value, r, err)
		}
	}
}

func TestRequestRefuses(t *testing.T) {
	for _, v := range []struct {
		path  string
		value any
		want  string
	}{
		{"store_id", nil, `store_id: "0"`},
		{"store_id", -1, `store_id: "-1"`},
		{"items", []any{}, `items: "0"`},
		{"items.0.quantity", 0, `items[0].quantity: "0"`},
		{"items.0.quantity", 1_000_000_001, "1 to 1000000000"},
		{"items.1.grams", -1, `items[1].grams: "-1"`},
		{"items.0.dimensions.depth", -1, "dimensions"},
		{"items.0.dimensions.width", raw("1e999999999"), "items[0].dimensions.width: a number: must be a decimal of at most 64 characters"},
		{"items.0.dimensions.width", raw(strings.Repeat("9", 65)), "items[0].dimensions.width: a number: must be a decimal of at most 64 characters"},
		{"items.0.dimensions.depth", true, "items[0].dimensions.depth: true: must be a decimal"},
		{"items.1.quantity", "two", "items[1].quantity: a string of 3 bytes: must be an integer"},
		{"origin", "Florida", "origin: a string of 7 bytes: must be an object"},
		{"destination.postal_code", map[string]any{"code": "2000"}, "destination.postal_code: an object: must be a string or a number"},
	} {
		_, err := ReadRequest(with(t, v.path, v.value))
		if !errors.Is(err, ErrMalformed) || !strings.Contains(err.Error(), v.want) {
			t.Errorf("%s = %v: got %v, want …%s…", v.path, v.value, err, v.want)
		}
	}
}

func TestNumberGrammar(t *testing.T) {
	for in, want := range map[string]string{
		"0": "0", "-0": "0", "0.000": "0", "12": "12", "12.0": "12", "12.50": "12.5", "0.05": "0.05", "1.2e1": "12", "120e-1": "12", "1e2": "100",
		"-3.5": "-3.5", "5e-3": "0.005", "100": "100", "0e99": "0",
	} {
		var n Number
		if err := n.UnmarshalJSON([]byte(in)); err != nil {
			t.Errorf("%s: %v", in, err)
			continue
		}
		if got := string(n.identity(nil)); got != want {
			t.Errorf("%s: got %s, want %s", in, got, want)
		}
		if back, err := n.MarshalJSON(); err != nil || string(back) != in {
			t.Errorf("%s: wrote %s, %v", in, back, err)
		}
	}
	for in, want := range map[string]Number{`"12.50"`: "12.50", `"\u0031\u002E5"`: "1.5", `"\u002d1e\u002b1"`: "-1e+1", `""`: "", "null": ""} {
		if n := Number("7"); n.UnmarshalJSON([]byte(in)) != nil || n != want {
			t.Errorf("%s: got %s, want %s", in, n, want)
		}
	}
	for _, in := range []string{"+1", `"null"`, `"\u0061"`, `"` + strings.Repeat(`\u0031`, 65) + `"`, "01", ".5", "5.", "1e", "1e100", "1e-100", "1e99999999999999999999", "NaN", "0x1", "1_0", `"a"`, "--1", "-", "[]", strings.Repeat("1", 65)} {
		var n Number
		if err := n.UnmarshalJSON([]byte(in)); err == nil {
			t.Errorf("%s: read", in)
		}
		if _, err := Number(in).Decimal(); err == nil {
			t.Errorf("%s: a decimal", in)
		}
		if _, err := Number(in).MarshalJSON(); err == nil {
			t.Errorf("%s: written", in)
		}
	}
}

func TestQuoteHidesWhatIsNotInTheKey(t *testing.T) {
	q := read(t, document(t, "rate_request")).Quote()
	if q.Grams() != 1700 || q.Pieces() != 3 || q.CarrierID != "1234567" || q.StoreID != 123456 || q.Volatile != nil || q.Items[0].Depth != "10.5" {
		t.Errorf("got %+v", q)
	}
	req := read(t, with(t, "destination.location_id", "L"))
	req.Origin.Extra, req.Destination.Extra = client.Extra{"newer": raw("1")}, client.Extra{"newer": raw("1")}
	q = req.Quote()
	if q.Origin.Extra != nil || q.Destination.Extra != nil || q.Destination.LocationID != "" || q.Origin.LocationID == "" {
		t.Errorf("got %+v to %+v", q.Origin, q.Destination)
	}
	big := Quote{Items: make([]Parcel, 20)}
	for i := range big.Items {
		big.Items[i] = Parcel{Quantity: most, Grams: most}
	}
	if big.Grams() != 1<<63-1 {
		t.Errorf("got %d grams", big.Grams())
	}
}

// All members that are wrong are named at once, and none of their values is quoted.
func TestRefusedRequestNamesItsMembers(t *testing.T) {
	body := strings.NewReplacer(`"store_id": 123456`, `"store_id": "shop of Ana"`, `"grams": 350`, `"grams": "heavy"`, `"phone": "+543415550000"`, `"phone": ["+54"]`).
		Replace(string(document(t, "rate_request")))
	_, err := ReadRequest([]byte(body))
	const want = "malformed call: store_id: a string of 11 bytes: must be an integer; " +
		"destination.phone: a list: must be a string or a number; items[0].grams: a string of 5 bytes: must be an integer"
	if err == nil || err.Error() != want {
		t.Errorf("got %v\nwant %s", err, want)
	}
	if _, err := ReadRequest(append(document(t, "rate_request"), '}')); err == nil || !strings.Contains(err.Error(), "is not as JSON in UTF-8 must be") {
		t.Errorf("a brace more: got %v, want the place", err)
	}
}

// What merchants add is for information, and comes in several forms.
func TestAdditionalCostInOtherForms(t *testing.T) {
	for form, want := range map[string]Cost{
		`{"amount": 15.50, "currency": "ARS"}`: {Amount: "15.50", Currency: "ARS"},
		`15.50`:                                {Amount: "15.50", Currency: "ARS"},
		`"15.50"`:                              {Amount: "15.50", Currency: "ARS"},
		`0`:                                    {Amount: "0", Currency: "ARS"},
		`null`:                                 {}, `[]`: {}, `""`: {}, `{}`: {}, `false`: {},
	} {
		r, err := ReadRequest(with(t, "carrier.options.0.additional_cost", raw(form)))
		if err != nil || !reflect.DeepEqual(r.Carrier.Options[0].AdditionalCost, want) || r.Carrier.Options[1].AdditionalCost.Currency != "ARS" {
			t.Errorf("%s: got %+v, %v, want %+v", form, r, err, want)
		}
	}
	r, ignored, err := readRequest(with(t, "carrier.options.0.additional_cost", raw(`"much"`)))
	if err != nil || !reflect.DeepEqual(r.Carrier.Options[0].AdditionalCost, Cost{}) || ignored == nil || !strings.Contains(ignored.Error(), "carrier.options[0].additional_cost: a string of 4 bytes") {
		t.Errorf("a word: got %+v, %v, %v", r, ignored, err)
	}
}

// A request that does not name its carrier is answered, and never from the cache: it may be about another carrier.
func TestRequestWithoutCarrier(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, v := range []struct {
			path  string
			value any
		}{{"carrier.id", nil}, {"carrier", nil}, {"carrier", []any{}}, {"carrier.id", raw("null")}} {
			s := &script{}
			s.set([]Rate{ship(t, "standard")}, nil, 0)
			p := newProbe(s.do, nil)
			body := with(t, v.path, v.value)
			p.want(t, body, 200, SourceCalled)
			p.want(t, body, 200, SourceCalled)
			s.set(nil, errDown, 0)
			p.want(t, body, 503, SourceNobody)
			if a := p.last(); a.StoreID != 123456 || a.CarrierID != "" {
				t.Errorf("answered %+v", a)
			}
		}
	})
}
