package carts

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"strings"
	"testing"
)

// peers are the handlers beside ours.
func peers() map[string]http.Handler {
	return map[string]http.Handler{
		"codec": byHand(own), "timeout": byTimeoutHandler(own), "v2": byHand(v2), "v1": byHand(v1),
	}
}

func newOurs(tb testing.TB) http.Handler {
	tb.Helper()
	h, held, err := ours()
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := held.Close(); err != nil {
			tb.Error(err)
		}
	})
	return h
}

// body is the contract's cart with so many lines, on each of which the promotion acts.
func body(tb testing.TB, lines int) []byte {
	tb.Helper()
	data, err := os.ReadFile("../../../../testdata/wire/discount_cart.json")
	if err != nil {
		tb.Fatal(err)
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(data, &all); err != nil {
		tb.Fatal(err)
	}
	var products, ids []string
	for i := range lines {
		products = append(products, fmt.Sprintf(`{"id":%d,"price":"1999.90","compare_at_price":"2499.90",`+
			`"product_id":%d,"quantity":%d,"free_shipping":false,"variant_id":%d,"variant_values":["Azul","XL"],`+
			`"categories":[{"id":4567,"parent":12,"subcategories":[4568]}],"properties":{},"catalog_kit_id":null,`+
			`"order_kit_id":null,"kit_quantity":null,"quantity_per_kit":null}`,
			9717394929+i, 426215947+i, 1+i%4, 1479416655+i))
		ids = append(ids, fmt.Sprintf(`"%d"`, 9717394929+i))
	}
	all["products"] = json.RawMessage("[" + strings.Join(products, ",") + "]")
	all["promotions"] = fmt.Appendf(nil, `[{"id":%q,"line_items":[%s]}]`, half, strings.Join(ids, ","))
	data, err = json.Marshal(all)
	if err != nil {
		tb.Fatal(err)
	}
	return data
}

// Every handler answers the same.
func TestHandlers(t *testing.T) {
	answered := func(h http.Handler) (all any) {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/", bytes.NewReader(body(t, 3))))
		if err := json.Unmarshal(w.Body.Bytes(), &all); err != nil || w.Code != http.StatusOK {
			t.Fatalf("status %d, %v: %s", w.Code, err, w.Body)
		}
		return all
	}
	want := answered(newOurs(t))
	for name, h := range peers() {
		if got := answered(h); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
	}
}

// The structs by hand lack no member of the contract's cart.
func TestCartReadsAllMembers(t *testing.T) {
	data, err := os.ReadFile("../../../../testdata/wire/discount_cart.json")
	if err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(new(cart)); err != nil {
		t.Error(err)
	}
}
