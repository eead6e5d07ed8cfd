package shipping

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
)

// required are the members of a request that must have the form of the contract, because the Key or the quote depends
// on them, with the forms for which 400 is right. Texts of a place may be numbers, and are empty if unknown. So null is
// only wrong for the store, the items, and the number of pieces.
var required = map[string]string{
	"store_id":                  "null text array object true",
	"origin":                    "text number array true",
	"origin.name":               "array object true",
	"origin.location_id":        "array object true",
	"origin.address":            "array object true",
	"origin.number":             "array object true",
	"origin.floor":              "array object true",
	"origin.locality":           "array object true",
	"origin.city":               "array object true",
	"origin.province":           "array object true",
	"origin.country":            "array object true",
	"origin.postal_code":        "array object true",
	"origin.phone":              "array object true",
	"destination":               "text number array true",
	"destination.name":          "array object true",
	"destination.address":       "array object true",
	"destination.number":        "array object true",
	"destination.floor":         "array object true",
	"destination.locality":      "array object true",
	"destination.city":          "array object true",
	"destination.province":      "array object true",
	"destination.country":       "array object true",
	"destination.postal_code":   "array object true",
	"destination.phone":         "array object true",
	"items":                     "null text number array object true",
	"items.0.id":                "text array object true",
	"items.0.quantity":          "null text array object true",
	"items.0.grams":             "text array object true",
	"items.0.dimensions":        "text number array true",
	"items.0.dimensions.width":  "text array object true",
	"items.0.dimensions.height": "text array object true",
	"items.0.dimensions.depth":  "text array object true",
	"carrier":                   "text number array true",
	"carrier.id":                "array object true",
}

// optionals are the other members of the contract, and one that it does not have.
var optionals = []string{
	"cart_id", "currency", "language", "total_price", "destination.location_id",
	"items.0.product_id", "items.0.name", "items.0.sku", "items.0.free_shipping", "items.0.price", "items.0.cost",
	"carrier.name", "carrier.options", "carrier.options.0.id", "carrier.options.0.name", "carrier.options.0.code",
	"carrier.options.0.allow_free_shipping", "carrier.options.0.additional_cost", "carrier.options.0.additional_cost.amount",
	"carrier.options.0.additional_cost.currency", "carrier.options.0.additional_days",
	"newer", "origin.newer", "items.0.newer", "items.0.dimensions.newer", "carrier.newer", "carrier.options.0.newer",
}

// A member on which no rate depends may have any form. It is reported once, and changes neither the answer nor the key.
func TestMembersInAnyForm(t *testing.T) {
	forms := map[string]string{"null": `null`, "text": `"Ana Gómez"`, "number": `7`, "array": `[["Ana Gómez"]]`, "object": `{"0":{"a":[]}}`, "true": `true`}
	good := read(t, document(t, "rate_request"))
	paths := slices.Clone(optionals)
	for path := range required {
		paths = append(paths, path)
	}
	ignored := 0
	synctest.Test(t, func(t *testing.T) {
		for _, path := range paths {
			for form, value := range forms {
				p := newProbe(always(ship(t, "standard")), nil)
				w := post(p, with(t, path, raw(value)))
				bad, status := slices.Contains(strings.Fields(required[path]), form), 200
				if bad {
					status = 400
				}
				if w.Code != status {
					t.Errorf("%s = %s: got %d %v, want %d", path, value, w.Code, p.last().Err, status)
				}
				failed := p.failures()
				for _, f := range failed {
					if !errors.Is(f, ErrMalformed) || strings.Contains(f.Error(), "Ana") || !bad && (f.StoreID != 123456 || !strings.Contains(f.Error(), f.Err.Error())) {
						t.Errorf("%s = %s: reported %v", path, value, f)
					}
				}
				if len(failed) > 1 || bad && len(failed) == 0 {
					t.Errorf("%s = %s: %d reports", path, value, len(failed))
				}
				if slices.Contains(optionals, path) && (p.last().Key != good.Key() || p.last().Err != nil || w.Body.String() != post(newProbe(always(ship(t, "standard")), nil), document(t, "rate_request")).Body.String()) {
					t.Errorf("%s = %s: answered %+v, want the answer to the request of the contract", path, value, p.last())
				}
				if !bad {
					ignored += len(failed)
				}
			}
		}
	})
	t.Logf("%d members in %d forms: %d reported", len(paths), len(forms), ignored)
	if ignored < 50 {
		t.Errorf("%d members in another form were reported", ignored)
	}
}

// The walk has all members of the sample of the contract.
func TestAllMembersAreSpoiled(t *testing.T) {
	for _, path := range pathsIn("", generic(t, document(t, "rate_request"))) {
		if _, ok := required[path]; !ok && !slices.Contains(optionals, path) && path != "items.0" && path != "carrier.options.0" {
			t.Errorf("%s is neither required nor optional", path)
		}
	}
}

// Several members are named in one report, of bounded length, and the first kinds are read as far as they can be.
func TestManyMembersInAnotherForm(t *testing.T) {
	items := strings.Repeat(`{"id":1,"quantity":1,"price":{"amount":1},"name":{}},`, 1000)
	body := with(t, "items", raw("["+strings.TrimSuffix(items, ",")+"]"))
	r, ignored, err := readRequest(body)
	const price = ".price: an object: must be a decimal of at most 64 characters, with an exponent of at most 99; "
	const name = ".name: an object: must be a string or a number; "
	const want = "malformed call: members on which no answer depends could not be read: items[0]" + price + "items[0]" + name +
		"items[1]" + price + "items[1]" + name + "items[2]" + price + "and 1995 more"
	if err != nil || len(r.Items) != 1000 || r.Currency != "ARS" || ignored == nil || ignored.Error() != want {
		t.Errorf("got %v, %v", ignored, err)
	}
}

// With Volatile a rate may depend on any member of the contract.
func TestMembersWithVolatile(t *testing.T) {
	for path, status := range map[string]int{"total_price": 400, "items.0.price": 400, "newer": 200} {
		p := newProbe(always(ship(t, "standard")), func(h *Handler) { h.Volatile = true })
		if w := post(p, with(t, path, raw(`{"a":true}`))); w.Code != status || len(p.failures()) != map[int]int{400: 1}[status] {
			t.Errorf("%s: got %d, reported %v, want %d", path, w.Code, p.failures(), status)
		}
	}
}
