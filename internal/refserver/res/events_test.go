package res_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/res"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// TestEventOfAnotherVersion changes the address of what was registered in a later version.
func TestEventOfAnotherVersion(t *testing.T) {
	f := open(t)
	w := f.object("2025-03 POST /webhooks", object{"event": "customer/created", "url": "https://app.example/x"})
	for _, body := range []object{{"url": "https://app.example/y"}, {"event": "customer/created", "url": "https://app.example/z"}} {
		f.want(f.object(fmt.Sprintf("v1 PUT /webhooks/%d", id(w)), body), body)
	}
	f.wantStatus(http.StatusUnprocessableEntity, fmt.Sprintf("v1 PUT /webhooks/%d", id(w)), object{"event": "customer/deleted"})
}

// TestEventsOfVersions registers every event in every version, with the scope it
// needs and without any.
func TestEventsOfVersions(t *testing.T) {
	f := open(t)
	bare := f.install(world.Scopes{"write_scripts"})
	tokens := map[string]string{}
	for _, e := range res.Events() {
		for _, s := range e.Scopes {
			if tokens[s] == "" {
				tokens[s] = f.install(world.Scopes{s})
			}
		}
		for _, version := range api.Versions() {
			call, body := version+" POST /webhooks", object{"event": e.Name, "url": "https://app.example/x"}
			known := e.Versions == nil || slices.Contains(e.Versions, version)
			want := map[bool]int{true: http.StatusCreated, false: http.StatusUnprocessableEntity}[known]
			if w := f.send(f.token, call, body); w.Code != want {
				t.Errorf("%s in %s: %d, want %d", e.Name, version, w.Code, want)
			}
			if !known {
				continue
			}
			for _, s := range e.Scopes {
				if w := f.send(tokens[s], call, body); w.Code != http.StatusCreated {
					t.Errorf("%s with %s: %d", e.Name, s, w.Code)
				}
			}
			want = map[bool]int{true: http.StatusCreated, false: http.StatusForbidden}[e.Scopes == nil]
			if w := f.send(bare, call, body); w.Code != want {
				t.Errorf("%s without a scope for it: %d, want %d", e.Name, w.Code, want)
			}
		}
	}
}

// TestTableOfEvents spells out the contract's table, with the scopes that read what the
// events are about. What the contract has in 2025-03 only is in unstable too.
func TestTableOfEvents(t *testing.T) {
	var want []string
	for _, row := range []struct{ category, events, scopes, versions string }{
		{"app", "uninstalled suspended resumed", "", ""},
		{"category", "created updated deleted", "read_products", ""},
		{"order", "created updated paid packed fulfilled cancelled custom_fields_updated edited pending voided in_preparation", "read_orders", ""},
		{"order", "unpacked", "read_orders", "2025-03 unstable"},
		{"product", "created updated deleted", "read_products", ""},
		{"product_variant", "custom_fields_updated", "read_products", ""},
		{"domain", "updated", "", ""},
		{"order_custom_field", "created updated deleted", "read_orders", ""},
		{"product_variant_custom_field", "created updated deleted", "read_products", ""},
		{"fulfillment", "updated", "read_orders read_shipping", ""},
		{"fulfillment_order", "status_updated label_status_updated tracking_event_created tracking_event_updated tracking_event_deleted", "read_fulfillment_orders", ""},
		{"location", "created updated deleted", "read_locations", ""},
		{"app_subscription", "updated", "", "2025-03 unstable"},
		{"charge", "created paid failed", "", "2025-03 unstable"},
		{"customer", "created updated deleted", "read_customers", "2025-03 unstable"},
		{"subscription", "updated", "", "2025-03 unstable"},
	} {
		for name := range strings.FieldsSeq(row.events) {
			want = append(want, fmt.Sprintf("%s/%s [%s] [%s]", row.category, name, row.scopes, row.versions))
		}
	}
	var got []string
	for _, e := range res.Events() {
		got = append(got, fmt.Sprintf("%s %v %v", e.Name, e.Scopes, e.Versions))
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestEmitted plays a call of each operation that writes and compares what is told
// with what the operation declares.
func TestEmitted(t *testing.T) {
	f := open(t)
	k := f.category(object{"name": "K"})
	below := f.category(object{"name": "Below", "parent": k})
	p := f.sized("P", "S", "M")
	f.do(fmt.Sprintf("PUT /products/%d", id(p)), object{"categories": array{k}})
	path := fmt.Sprintf("/products/%d", id(p))
	i := id(f.object("POST "+path+"/images", object{"src": "https://img.example/a.png"}))
	c := id(f.object("POST /customers", object{"name": "C"}))
	variant, image := fmt.Sprintf("%s/variants/%d", path, id(p, "variants.0")), fmt.Sprintf("%s/images/%d", path, i)
	category, customer := fmt.Sprintf("/categories/%d", k), fmt.Sprintf("/customers/%d", c)
	updated := fmt.Sprint("product/updated ", id(p))
	for _, step := range []struct {
		call string
		body any
		want []string
	}{
		{"PUT " + path, object{"brand": "B"}, []string{updated}},
		{"PUT " + path, object{"brand": "B"}, nil},
		{"PUT " + variant, object{"price": 3}, []string{updated}},
		{"PUT " + variant, object{"price": "3.0"}, nil},
		{"POST " + path + "/variants", object{"values": array{object{"en": "XL"}}}, []string{updated}},
		{"PUT " + image, object{"alt": "A"}, []string{updated}},
		{"PUT " + image, object{"alt": "A"}, nil},
		{"DELETE " + image, nil, []string{updated}},
		{"DELETE " + variant, nil, []string{updated}},
		{"PUT " + customer, object{"note": "N"}, []string{fmt.Sprint("customer/updated ", c)}},
		{"PUT " + customer, object{"note": "N", "accepts_marketing": true}, nil},
		{"DELETE " + customer, nil, []string{fmt.Sprint("customer/deleted ", c)}},
		{"PUT " + category, object{"name": "L"}, []string{fmt.Sprint("category/updated ", k)}},
		{"PUT " + category, object{"name": "L", "visibility": "visible"}, nil},
		{"PUT " + category, object{"visibility": "hidden"}, []string{fmt.Sprint("category/updated ", k), fmt.Sprint("category/updated ", below)}},
		{"DELETE " + category, nil, []string{fmt.Sprint("category/deleted ", k), fmt.Sprint("category/updated ", below), updated}},
		{"DELETE " + path, nil, []string{fmt.Sprint("product/deleted ", id(p))}},
	} {
		f.events()
		f.do(step.call, step.body)
		f.wantEvents(step.want...)
	}
	f.want(f.object(fmt.Sprintf("GET /categories/%d", below), nil), object{"parent": nil, "visibility": "visible"})
}

// A change of a variant or an image dates the product.
func TestProductIsDated(t *testing.T) {
	f := open(t)
	p := f.sized("P", "S")
	f.clock.Advance(time.Hour)
	f.do(fmt.Sprintf("PUT /products/%d/variants/%d", id(p), id(p, "variants.0")), object{"stock": 1})
	f.want(f.object(fmt.Sprintf("GET /products/%d", id(p)), nil), object{"updated_at": now(f), "variants.0.updated_at": now(f), "created_at": p["created_at"]})
}

func TestCustomerEventsHaveATime(t *testing.T) {
	f := open(t)
	c := id(f.object("POST /customers", object{"name": "C"}))
	f.do(fmt.Sprintf("PUT /customers/%d", c), object{"note": "1"})
	f.do(fmt.Sprintf("PUT /customers/%d", c), object{"note": "2"})
	var stamps []any
	for _, e := range f.happened {
		stamps = append(stamps, e.Fields["event_launch_ts"])
	}
	if len(stamps) != 3 || stamps[1] == stamps[2] {
		t.Errorf("times %v: want three that differ", stamps)
	}
	for _, s := range stamps {
		if text, _ := s.(string); text == "" {
			t.Errorf("time %v", s)
		} else if _, err := time.Parse(time.RFC3339Nano, text); err != nil {
			t.Error(err)
		}
	}
}
