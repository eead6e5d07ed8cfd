package shipping

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// What can be read can be asked about, written, and read again with the same key.
func FuzzReadRequest(f *testing.F) {
	f.Add(document(f, "rate_request"))
	f.Add([]byte(`{"store_id":1,"carrier":{"id":"7"},"items":[{"id":1,"quantity":1,"dimensions":{"width":1.20e1}}]}`))
	f.Add([]byte(`{"store_id":"1","carrier":{"id":7,"options":null},"items":[{"quantity":"1","dimensions":[]}],"origin":[],"x":{}}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		readAsInGeneral(t, body)
		r, err := ReadRequest(body)
		if err != nil {
			if !errors.Is(err, ErrMalformed) || len(err.Error()) > 400 {
				t.Errorf("got %v", err)
			}
			return
		}
		if q := r.Quote(); q.Grams() < 0 || q.Pieces() < int64(len(q.Items)) {
			t.Errorf("got %+v", q)
		}
		back, err := wire.Marshal(r)
		if err != nil {
			t.Fatalf("%v of %s", err, body)
		}
		again, err := ReadRequest(back)
		if err != nil || again.Key() != r.Key() {
			t.Errorf("%s: read again %v, keys %s and %s", back, err, again.Key(), r.Key())
		}
	})
}

// readAsInGeneral fails the test if forms read a request otherwise than the general decoder.
func readAsInGeneral(t *testing.T, body []byte) {
	t.Helper()
	var quick, general Request
	quickErr, err := forms.UnmarshalStrict(body, &quick), wire.UnmarshalStrict(body, &general)
	if (quickErr == nil) != (err == nil) || !reflect.DeepEqual(quick, general) {
		t.Errorf("%.300q: got %+v, %v, want %+v, %v", body, quick, quickErr, general, err)
	}
}

// Two numbers have the same form if and only if they are equal.
func FuzzNumber(f *testing.F) {
	f.Add("12.0", "1.2e1")
	f.Add("-0", "0.00")
	f.Add("1e-99", "10e-100")
	f.Fuzz(func(t *testing.T, a, b string) {
		var m, n Number
		if m.UnmarshalJSON([]byte(a)) != nil || n.UnmarshalJSON([]byte(b)) != nil || m == "" || n == "" {
			return
		}
		if !json.Valid([]byte(m)) {
			t.Fatalf("%s is no number of JSON", m)
		}
		x, err := m.Decimal()
		if err != nil {
			t.Fatal(err)
		}
		y, err := n.Decimal()
		if err != nil {
			t.Fatal(err)
		}
		if same := bytes.Equal(m.identity(nil), n.identity(nil)); same != x.Equal(y) {
			t.Errorf("%s and %s: the same %v, want %v", m, n, same, !same)
		}
	})
}

// Parts of a key cannot be shifted into each other.
func FuzzKey(f *testing.F) {
	f.Add("Centro", "Rosario", "Centr", "oRosario")
	f.Add("", "a", "a", "")
	f.Fuzz(func(t *testing.T, a, b, c, d string) {
		key := func(x, y string) Key {
			r := Request{Carrier: CarrierRef{ID: "7"}, Destination: Place{City: client.Code(x), Province: client.Code(y)}, Items: []Item{{ID: 1, Quantity: 1}}}
			return r.Key()
		}
		if same := key(a, b) == key(c, d); same != (a == c && b == d) {
			t.Errorf("%q, %q and %q, %q: the same %v", a, b, c, d, same)
		}
	})
}

// The validator does not fail on anything, and what it accepts is what it says.
func FuzzValidate(f *testing.F) {
	req := read(f, document(f, "rate_request"))
	good, err := req.Encode([]Rate{ship(f, "standard")})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add([]byte(`{"rates":[{"name":"N","code":"c","price":1,"currency":"ARS","type":"pickup","reference":"r","address":{"address":"A"},"hours":[{"day":1,"start":"0900","end":"1800"}]}]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		if err := Validate(req, body); err != nil {
			if !errors.Is(err, ErrInvalid) {
				t.Errorf("got %v", err)
			}
			return
		}
		var v struct {
			Rates []struct {
				Code, Reference string
				Price           json.Number
			}
		}
		if err := json.Unmarshal(body, &v); err != nil || len(v.Rates) == 0 || v.Rates[0].Code == "" || v.Rates[0].Reference == "" || v.Rates[0].Price == "" {
			t.Errorf("%s: accepted, %v", body, err)
		}
	})
}
