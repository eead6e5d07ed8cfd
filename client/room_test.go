package client

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/wire"
)

// What the platform sends has room: full pages, with long texts, with few members and with none.
func TestAnswersHaveRoom(t *testing.T) {
	html := strings.Repeat(`p{margin:0},a{color:red},[x]{}`, 1000)
	for name, record := range map[string]reflect.Type{
		"product": reflect.TypeFor[Product](), "order_2025_03": reflect.TypeFor[Order](), "order_v1": reflect.TypeFor[Order](),
		"customer": reflect.TypeFor[Customer](), "draft_order": reflect.TypeFor[DraftOrder](), "checkout": reflect.TypeFor[Checkout](),
		"category": reflect.TypeFor[Category](), "fulfillment_order": reflect.TypeFor[FulfillmentOrder](), "variant": reflect.TypeFor[Variant](),
		"coupon": reflect.TypeFor[Coupon](), "location": reflect.TypeFor[Location](),
	} {
		var short bytes.Buffer
		if err := json.Compact(&short, document(t, name)); err != nil {
			t.Fatal(err)
		}
		for what, one := range map[string][]byte{
			"whole": short.Bytes(), "with a long text": slices.Concat([]byte(`{"note":"`+html+`",`), short.Bytes()[1:]), "with an id": []byte(`{"id":1234567}`), "empty": []byte(`{}`),
		} {
			list := slices.Concat([]byte("["), bytes.Repeat(append(slices.Clone(one), ','), 199), one, []byte("]"))
			if err := wire.CheckRoom(list, reflect.SliceOf(record)); err != nil {
				t.Errorf("a page of 200 of %s, %s: %v", name, what, err)
			}
		}
	}
}
