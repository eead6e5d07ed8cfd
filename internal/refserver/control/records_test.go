package control

import (
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver/seed"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// keysOf are the ids of the items of a list.
func keysOf(t *testing.T, d *desk, path string) (keys []string, answer any) {
	t.Helper()
	status, answer := d.call("GET", path, "")
	if status != http.StatusOK {
		t.Fatalf("%s: %d %v", path, status, answer)
	}
	items, _ := get(answer, "items").([]any)
	for _, item := range items {
		keys = append(keys, fmt.Sprintf("%.0f", get(item, "id")))
	}
	return keys, answer
}

// A filter is applied to the whole table, however many pages it has, and finds what a reader of all of them finds.
func TestFilter(t *testing.T) {
	d := open(t)
	const at = "stores/1001/entities/"
	for _, c := range []struct {
		path, filter string
		n            int
	}{
		{"products", "PLAIN t-shirt", 1}, {"products", "camiseta", 2}, {"products", "teapot nothing", 0},
		{"orders", "cancelled", 1}, {"payment_providers", "CANARY-A", 0}, {"variants", "tee-01", 2}, {"products", "true", 0},
		{"orders", "null", 0},
	} {
		keys, answer := keysOf(t, d, at+c.path+"?filter="+url.QueryEscape(c.filter))
		if len(keys) != c.n || get(answer, "next") != nil {
			t.Errorf("%s %q: %q, %v", c.path, c.filter, keys, answer)
		}
	}
	var paged []string
	all, _ := keysOf(t, d, at+"products?filter=camiseta")
	for after := ""; ; {
		keys, answer := keysOf(t, d, at+"products?limit=1&filter=camiseta"+after)
		paged = append(paged, keys...)
		next, _ := get(answer, "next").(string)
		if next == "" {
			break
		}
		after = "&after=" + next
	}
	if !slices.Equal(all, paged) {
		t.Errorf("one at a time %q, at once %q", paged, all)
	}
	if status, answer := d.call("GET", at+"products?filter="+strings.Repeat("x", 201),
		""); status != http.StatusUnprocessableEntity {
		t.Errorf("%d %v", status, answer)
	}
}

// A word of one or two letters has no index. A call looks at so many records and no more: the next page goes on there.
func TestFilterIsBounded(t *testing.T) {
	d := open(t)
	err := d.server.World().Update(0, seed.DemoStore, func(tx *world.Tx) error {
		for i := range int64(mostFiltered) {
			if err := tx.Pages.Put(5_000_000+i, world.Page{ID: 5_000_000 + i}); err != nil {
				return err
			}
		}
		last := world.Page{ID: 6_000_000, Name: map[string]string{"en": "A Qx"}}
		return tx.Pages.Put(last.ID, last)
	})
	if err != nil {
		t.Fatal(err)
	}
	keys, answer := keysOf(t, d, "stores/1001/entities/pages?filter=qx")
	next, _ := get(answer, "next").(string)
	if len(keys) != 0 || next == "" || get(answer, "searched") != float64(mostFiltered) {
		t.Fatalf("%q, %v", keys, answer)
	}
	if keys, _ = keysOf(t, d, "stores/1001/entities/pages?filter=qx&after="+next); !slices.Equal(keys,
		[]string{"6000000"}) {
		t.Errorf("after %s: %q", next, keys)
	}
	d.search.made.Wait()
	keys, answer = keysOf(t, d, "stores/1001/entities/pages?filter=a+qx+6000")
	searched, _ := get(answer, "searched").(float64)
	if !slices.Equal(keys, []string{"6000000"}) || get(answer, "next") != nil || searched > 100 {
		t.Errorf("with the index: %q, %v", keys, answer)
	}
}

func linksAt(t *testing.T, d *desk, path string) (names, usedBy []string) {
	t.Helper()
	status, answer := d.call("GET", "stores/1001/entities/"+path+"/links", "")
	if status != http.StatusOK || get(answer, "complete") != true {
		t.Fatalf("%s: %d %v", path, status, answer)
	}
	for member, to := range map[string]*[]string{"names": &names, "used_by": &usedBy} {
		all, _ := get(answer, member).([]any)
		for _, l := range all {
			*to = append(*to, fmt.Sprintf("%s %s/%s", get(l, "member"), get(l, "resource"), get(l, "key")))
		}
	}
	return names, usedBy
}

// What a record names leads there, and from there back.
func TestLinks(t *testing.T) {
	d := open(t)
	seen := 0
	_, answer := d.call("GET", "stores/1001/entities", "")
	counts, _ := get(answer, "resources").(map[string]any)
	for name := range counts {
		if name == "discount_callbacks" || name == "rule_callbacks" || name == "custom_field_values" || name == "visits" {
			continue // their keys are not their ids
		}
		_, answer := d.call("GET", "stores/1001/entities/"+name+"?limit=5", "")
		items, _ := get(answer, "items").([]any)
		for _, item := range items {
			key := fmt.Sprint(get(item, "id"))
			if n, ok := get(item, "id").(float64); ok {
				key = fmt.Sprintf("%.0f", n)
			}
			names, _ := linksAt(t, d, name+"/"+key)
			for _, one := range names {
				member, to, _ := strings.Cut(one, " ")
				if _, back := linksAt(t, d, to); !slices.Contains(back, member+" "+name+"/"+key) {
					t.Errorf("%s/%s names %s in %s, which has no way back: %q", name, key, to, member, back)
				}
				seen++
			}
		}
	}
	if seen < 60 {
		t.Errorf("only %d links", seen)
	}
	if names, usedBy := linksAt(t, d, "carriers/77"); len(names) != 0 || !slices.Contains(usedBy,
		"carrier_id carrier_options/1") ||
		!strings.Contains(strings.Join(usedBy, " "), "shipping.carrier.id fulfillment_orders/") {
		t.Errorf("a carrier names %q, and is named by %q", names, usedBy)
	}
}

// What is named and no longer there is no link.
func TestLinksToWhatIsGone(t *testing.T) {
	d := open(t)
	_, answer := d.call("GET", "stores/1001/entities/fulfillment_orders?limit=1", "")
	parcel := fmt.Sprint(get(answer, "items.0.id"))
	const link = "shipping.carrier.id carriers/77"
	if names, _ := linksAt(t, d, "fulfillment_orders/"+parcel); !slices.Contains(names, link) {
		t.Fatalf("%q", names)
	}
	if status, answer := d.call("POST", "stores/1001/call", `{"call":"DELETE /shipping_carriers/77"}`); status != http.StatusOK {
		t.Fatal(answer)
	}
	if names, _ := linksAt(t, d, "fulfillment_orders/"+parcel); slices.Contains(names, link) {
		t.Errorf("%q", names)
	}
}

// Every member that looks like the id of a record leads to one, or is known to be none.
func TestEveryIDIsALink(t *testing.T) {
	none := []string{
		"app_id", "author_id", "gateway_id", "legacy_id", "line_id", "method_id", "option_id", "order_kit_id",
		"promotions_id",
		"store_branch_id", "subscription_id", "version_id", "provider_tax_id", "external_id", "owner_id",
	}
	d := open(t)
	tables, err := d.tables(1001)
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, r := range tables {
		known[r.name] = true
	}
	for _, r := range tables {
		var members func(of reflect.Type, depth int)
		members = func(of reflect.Type, depth int) {
			for of.Kind() == reflect.Slice || of.Kind() == reflect.Pointer {
				of = of.Elem()
			}
			if of.Kind() != reflect.Struct || depth > 6 {
				return
			}
			for i := range of.NumField() {
				f := of.Field(i)
				name := snake(f.Name)
				if f.IsExported() && strings.HasSuffix(name, "_id") && namedBy()[name] == "" && !slices.Contains(none, name) {
					t.Errorf("%s: %s of %s is no link", r.name, name, of)
				}
				members(f.Type, depth+1)
			}
		}
		members(r.table.MethodByName("Get").Type().Out(0), 0)
		for _, trail := range r.trails() {
			if trail.of != "" && !known[trail.of] {
				t.Errorf("%s.%s leads to %q, which is no resource", r.name, trail.member, trail.of)
			}
		}
	}
	for member, index := range indexed() {
		name, path, _ := strings.Cut(member, ".")
		if !slices.ContainsFunc(tables, func(r resource) bool {
			return r.name == name && slices.ContainsFunc(r.trails(), func(t trail) bool { return t.member == path })
		}) {
			t.Errorf("the index %s is of %s, which is no link", index, member)
		}
	}
}

// The events of a record are those that name it, the newest first.
func TestEventsOfARecord(t *testing.T) {
	d := open(t)
	status, answer := d.call("POST", "seed", `{"records":[
		{"path":"/webhooks","body":{"event":"product/created","url":"https://app.example/fails"}},
		{"path":"/products","body":{"name":{"en":"Pot"}}},
		{"path":"/products","body":{"name":{"en":"Pan"}}}]}`)
	if status != http.StatusOK {
		t.Fatal(answer)
	}
	pot := fmt.Sprintf("%.0f", get(answer, "created.1.id"))
	if status, answer = d.call("POST", "settle", ""); status != http.StatusOK {
		t.Fatal(answer)
	}
	change := `{"call":"PUT /products/` + pot + `","body":{"name":{"en":"Iron pot"}}}`
	if status, answer = d.call("POST", "stores/1001/call", change); status != http.StatusOK || get(answer,
		"answer.name.en") != "Iron pot" {
		t.Fatal(status, answer)
	}
	_, answer = d.call("GET", "stores/1001/entities/products/"+pot+"/events", "")
	all, _ := get(answer, "events").([]any)
	if len(all) != 2 || get(answer, "complete") != true {
		t.Fatalf("%v", answer)
	}
	if get(all[0], "event") != "product/updated" || get(all[0], "state") != "unsent" ||
		!strings.Contains(fmt.Sprint(get(all[0], "why")), "no app had a webhook") {
		t.Errorf("first %v", all[0])
	}
	if get(all[1], "event") != "product/created" || get(all[1], "state") != "pending" || get(all[1],
		"delivery") != float64(1) ||
		get(all[1], "why") != "status 500: must be 2xx" {
		t.Errorf("then %v", all[1])
	}
	if status, answer = d.call("GET", "stores/1001/entities/products/77/events", ""); status != http.StatusNotFound {
		t.Errorf("%d %v", status, answer)
	}
}

// A call of the API is refused as the API refuses it, and what is masked elsewhere is masked in its answer.
func TestAPICall(t *testing.T) {
	d := open(t)
	for body, want := range map[string]int{
		`{"call":"GET /store"}`:                                       200,
		`{"call":"GET /products/1","version":"v1"}`:                   422,
		`{"call":"GET /products","version":"v9"}`:                     404,
		`{"call":"GET /products","app":7}`:                            404,
		`{"call":"POST /products","body":{"name":7}}`:                 422,
		`{"call":"POST /products","body":{"name":{"en":"{pot.id}"}}}`: 200,
		`{}`:                                   422,
		`{"call":"POST /orders/1000111/pack"}`: 422, `{"call":"/products"}`: 422,
		`{"call":"BREW /products"}`:                                             422,
		`{"call":"GET http://evil.example/"}`:                                   422,
		`{"call":"GET /../../1002/store"}`:                                      422,
		`{"call":"POST /products","body":"` + strings.Repeat("x", 1<<10) + `"}`: 422,
		`{"call":"DELETE /webhooks/1","body":null}`:                             422,
		`{"call":"GET /payment_providers"}`:                                     200,
		`{"call":"GET ` + strings.Repeat("/x", 1000) + `","version":"2025-03"}`: 422,
	} {
		status, answer := d.call("POST", "stores/1001/call", body)
		if status != want || strings.Contains(fmt.Sprint(answer), "CANARY") || len(fmt.Sprint(answer)) > 20_000 {
			t.Errorf("%.100s: %d %.300v, want %d", body, status, answer, want)
		}
	}
}
