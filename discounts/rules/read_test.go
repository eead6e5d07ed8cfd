package rules

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
)

// with is a request about locations in which a member of the top, or of the first element of a list, has another value.
func with(t testing.TB, path, value string) []byte {
	t.Helper()
	var all map[string]json.RawMessage
	if err := json.Unmarshal(about(t, client.RuleDomainLocation), &all); err != nil {
		t.Fatal(err)
	}
	name, member, nested := strings.Cut(path, ".")
	raw := json.RawMessage(value)
	if nested {
		var list []map[string]json.RawMessage
		of := map[string]json.RawMessage{}
		if json.Unmarshal(all[name], &list) == nil {
			of = list[0]
		} else if err := json.Unmarshal(all[name], &of); err != nil {
			t.Fatal(err)
		}
		if of[member] = raw; value == "absent" {
			delete(of, member)
		}
		if list == nil {
			raw = encoded(t, of)
		} else {
			raw = encoded(t, list)
		}
	}
	if all[name] = raw; value == "absent" && !nested {
		delete(all, name)
	}
	return encoded(t, all)
}

func encoded(t testing.TB, v any) []byte {
	t.Helper()
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestReadRequest(t *testing.T) {
	body := about(t, client.RuleDomainLocation)
	r, err := ReadRequest(body)
	if err != nil {
		t.Fatal(err)
	}
	l := r.Locations[0]
	if r.StoreID != 1001 || r.CartID != "77002" || r.Domain() != client.RuleDomainLocation || r.Customer.ID != 502 ||
		r.Products[0].Stock != nil ||
		r.Shipping.Province != "Santa Fe" || r.Package.Weight != "1.250" || l.ID != second || l.Name.Get() != "Depósito" ||
		l.Priority != 1 ||
		l.Address.Number != "123" || l.Address.Province != "Buenos Aires" || r.Totals.Total.String() != "983.33" ||
		string(r.Raw) != string(body) {
		t.Errorf("got %+v", r)
	}
	r, err = ReadRequest(about(t, client.RuleDomainCart))
	if err != nil || r.Customer.Email != "a@example.com" || *r.Products[0].Stock != 5 ||
		r.Products[0].Categories[0].Subcategories[0] != 32 || r.Locations != nil {
		t.Errorf("got %+v, %v", r, err)
	}
}

// Table and example of the contract name the domain of locations differently, and a request without one has its event.
func TestDomains(t *testing.T) {
	for value, want := range map[string]client.RuleDomain{
		`{"domain":"locations","event":"location/prioritization","action":"filter"}`: client.RuleDomainLocation,
		`{"domain":"location"}`:                                    client.RuleDomainLocation,
		`{"event":"payments/before-filter"}`:                       client.RuleDomainPayments,
		`{"domain":null,"event":"cart/before-finish"}`:             client.RuleDomainCart,
		`{"domain":"shipping","event":"cart/before-finish"}`:       client.RuleDomainShipping,
		`{"domain":"payments","event":"","new":{"a":[1]}}`:         client.RuleDomainPayments,
		`{"domain":"payments","timestamp":"1767607200000"}`:        client.RuleDomainPayments,
		`{"domain":"payments","timestamp":null,"action":null}`:     client.RuleDomainPayments,
		`{"domain":"payments","timestamp":1.7676072e12,"event":5}`: client.RuleDomainPayments,
	} {
		r, err := ReadRequest(with(t, "details", value))
		if err != nil || r.Domain() != want {
			t.Errorf("%s: got %v, %v, want %s", value, r, err, want)
		}
	}
	for domain, event := range map[client.RuleDomain]string{
		client.RuleDomainPayments: "payments/before-filter", client.RuleDomainShipping: "shipping/before-filter",
		client.RuleDomainLocation: "location/prioritization",
		client.RuleDomainCart:     "cart/before-finish", "locations": "", "": "",
	} {
		if got := domain.Event(); got != event || domain.Known() != (event != "") {
			t.Errorf("%q: event %q, known %v", domain, got, domain.Known())
		}
	}
}

// Values in another form that mean the same are read as those of the contract.
func TestReadRequestInOtherForms(t *testing.T) {
	for _, c := range []struct{ path, canonical, value string }{
		{"store_id", `"1001"`, `1001`},
		{"store_id", `"1001"`, `1001.0`},
		{"cart_id", `77001`, `"77001"`},
		{"customer", `{"id":null}`, `[]`},
		{"customer", `{"id":5}`, `{"id":"5"}`},
		{"customer", `{"id":5,"phone":"123","document":"7","zipcode":"1000"}`,
			`{"id":5,"phone":123,"document":7,"zipcode":1000}`},
		{"shipping", `{"country":"AR","postalcode":"2000","cost":"950.00"}`,
			`{"country":"AR","postalcode":2000,"cost":950.00}`},
		{"shipping", `{}`, `""`},
		{"shipping", `null`, `false`},
		{"package", `{"weight":"1.25"}`, `{"weight":1.25}`},
		{"package", `null`, `[]`},
		{"products", `[]`, `{}`},
		{"products", `null`, `""`},
		{"products.id", `3`, `"3"`},
		{"products.quantity", `1`, `"1"`},
		{"products.quantity", `1`, `1.0`},
		{"products.stock", `null`, `""`},
		{"products.stock", `5`, `"5"`},
		{"products.price", `"33.33"`, `33.33`},
		{"products.categories", `[]`, `{}`},
		{"products.categories", `[{"id":31,"parent":0,"subcategories":[]}]`,
			`[{"id":"31","parent":null,"subcategories":null}]`},
		{"locations.name", `"Local"`, `"Local"`},
		{"locations.priority", `1`, `"1"`},
		{"locations.address", `{"zipcode":"1425","number":"12","floor":"2"}`, `{"zipcode":1425,"number":12,"floor":2}`},
		{"locations.address", `null`, `[]`},
		{"locations", `null`, `false`},
		{"totals", `{"subtotal":"33.33","total_discount":"0.00","total":"983.33"}`,
			`{"subtotal":33.33,"total_discount":null,"total":"983.33"}`},
	} {
		got, err := ReadRequest(with(t, c.path, c.value))
		if err != nil {
			t.Errorf("%s %s: %v", c.path, c.value, err)
			continue
		}
		want, err := ReadRequest(with(t, c.path, c.canonical))
		if err != nil {
			t.Fatalf("%s %s: %v", c.path, c.canonical, err)
		}
		got.Raw, want.Raw = nil, nil
		if a, b := encoded(t, got), encoded(t, want); string(a) != string(b) {
			t.Errorf("%s %s: got\n%s, want\n%s", c.path, c.value, a, b)
		}
	}
}

// What cannot be read is refused by name, and not quoted.
func TestReadRequestRefuses(t *testing.T) {
	for _, c := range []struct{ body, says string }{
		{"", "not the strict JSON"},
		{"null", "null: must be an object"},
		{"[]", "a list: must be an object"},
		{`{"store_id":1,"store_id":2,"details":{"domain":"cart"}}`, "not the strict JSON"},
		{"{\"store_id\":1,\"details\":{\"domain\":\"cart\"},\"a\":\"\xff\"}", "not the strict JSON"},
		{string(with(t, "store_id", `0`)), "store_id"},
		{string(with(t, "store_id", `-5`)), "store_id"},
		{string(with(t, "store_id", `absent`)), "store_id"},
		{string(with(t, "store_id", `"secret"`)), "store_id: a string of 6 bytes: must be an integer"},
		{string(with(t, "details", `absent`)), "details.domain"},
		{string(with(t, "details", `{"domain":"checkout"}`)), "details.domain: a string of 8 bytes: must be payments, shipping, location or cart"},
		{string(with(t, "details.domain", `"secret"`)), "details.domain"},
		{string(with(t, "products", `"secret"`)), "products: a string of 6 bytes: must be a list"},
		{string(with(t, "products.price", `"secret"`)), "products[0].price: a string of 6 bytes: must be a decimal with a point"},
		{string(with(t, "products.quantity", `1.5`)), "products[0].quantity: a number: must be an integer"},
		{string(with(t, "locations.id", `"secret"`)), "locations[0].id: a string of 6 bytes: must be a ULID"},
		{string(with(t, "customer", `{"id":1,"email":{"a":"secret"}}`)), "customer.email: an object: must be a string"},
	} {
		r, err := ReadRequest([]byte(c.body))
		if r != nil || !errors.Is(err, ErrMalformed) || !strings.Contains(err.Error(), c.says) ||
			strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: got %v, %v, want %s", c.body, r, err, c.says)
		}
	}
}

// Nothing of a request is lost.
func TestRequestsKeepAllMembers(t *testing.T) {
	r, err := ReadRequest(with(t, "locations.new", `{"a":1}`))
	if err != nil || string(r.Locations[0].Extra["new"]) != `{"a":1}` {
		t.Errorf("got %v, %v", r, err)
	}
	for _, d := range []client.RuleDomain{client.RuleDomainCart, client.RuleDomainLocation} {
		r, err := ReadRequest(about(t, d))
		if err != nil {
			t.Fatal(err)
		}
		var again Request
		if err := json.Unmarshal(encoded(t, r), &again); err != nil {
			t.Fatal(err)
		}
		if got, want := encoded(t, again), encoded(t, r); string(got) != string(want) {
			t.Errorf("%s: got %s, want %s", d, got, want)
		}
	}
}

// First loses no location, whatever it is called with.
func TestOrders(t *testing.T) {
	r, err := ReadRequest(about(t, client.RuleDomainLocation))
	if err != nil {
		t.Fatal(err)
	}
	if got := r.First(first, second).IDs(); len(got) != 2 || got[0] != first || got[1] != second {
		t.Errorf("got %v", got)
	}
	if got := r.First(second).IDs(); len(got) != 2 || got[0] != second {
		t.Errorf("got %v", got)
	}
	if _, err := new(Request).First().command(r); !errors.Is(err, ErrInvalid) {
		t.Errorf("the order of a request without locations: got %v", err)
	}
	ids := Only(first)
	if got := ids.IDs(); len(got) != 1 {
		t.Errorf("got %v", got)
	}
	if got := Nowhere().IDs(); len(got) != 0 {
		t.Errorf("got %v", got)
	}
	var id client.Code = "card"
	if (PaymentOption{ProviderID: "a", OptionID: id}) != (PaymentOption{"a", "card"}) {
		t.Error("options of the lists are not those of answers")
	}
}
