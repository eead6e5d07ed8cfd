package res_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
	"github.com/commerceplatform/commerce-go/internal/tier"
)

// strange are values in place of good ones.
var strange = []any{
	nil, true, -1, 0, 1.5, json.Number("1e400"), json.Number("-0"), json.Number("99999999999999999999999999"), json.Number("9223372036854775808"),
	json.Number("0." + strings.Repeat("0", 500) + "1"), "", " ", "-1", "-0.01", "100.01", "1e2", "0x10", "१२", "NaN", "1,5", "\x00", "a\x00b",
	"\u202eexe.gnp", "\ufeff1", "\u2028", strings.Repeat("9", 400), strings.Repeat("x", 1<<16), "<script>", "'; --", "../../x", array{}, array{array{}},
	object{}, object{"": ""}, array{nil}, array{1, "1", 1.0}, array{object{"": nil}},
}

// desk is a store with a blog, a price table, an order and the calls that write to them.
func (f *shop) desk() map[string]object {
	f.Helper()
	f.blog()
	table, p := f.table(nil), f.sized("P", "S")
	category, customer := id(f.object("POST /categories", object{"name": "K"})), f.customer("a")
	post := f.object("2025-03 POST "+blogs, form{"metadata": object{"language": "en", "title": "T"}})
	order := f.parcel(world.Unpacked, nil)
	invoices := order.order + "/invoices/external"
	f.object("unstable POST "+invoices, object{"key": accessKey(1)})
	return map[string]object{
		"POST " + tables:               {"name": "N", "default_discount": "5.00", "cart_minimum_price": "1.00", "cart_minimum_quantity": 2, "active": true},
		"PUT " + table:                 {"name": "N", "default_discount": "5.00", "cart_minimum_price": "1.00", "cart_minimum_quantity": 2, "auto_approve_customers": true},
		"PUT " + table + "/categories": {"category_id": fmt.Sprint(category), "discount": "5.00"},
		"PUT " + table + "/product-variants": {
			"product_id": fmt.Sprint(id(p)), "product_variant_id": fmt.Sprint(id(p, "variants.0")), "discount": "5.00", "price": "7.00",
		},
		"PUT " + table + "/customers":                   {"": customer},
		"POST " + table + "/approve-customers":          {"": customer},
		"unstable POST " + invoices:                     {"key": accessKey(2), "series": "1", "number": "2", "status": "Denied", "subtype": "sale", "fulfillment_order_id": order.id},
		"unstable PUT " + invoices + "/" + accessKey(1): {"series": "1", "number": "2", "status": "Denied", "subtype": "sale", "fulfillment_order_id": order.id},
		"2025-03 PUT /email-templates/1": {
			"html_enabled": true, "subject": object{"en": "S"}, "template_text": object{"en": "T"}, "template_html": object{"en": "H"},
		},
		"2025-03 POST " + blogs: {"metadata": object{"language": "en", "title": "T", "handle": "h", "summary": "s"}, "content": "c", "published": "true", "thumbnail": "https://cdn.example/t.png"},
		"2025-03 PUT " + blogs + "/" + fmt.Sprint(post["post_id"]): {"metadata": object{"language": "pt", "title": "T", "handle": "h"}, "content": "c", "published": "true", "thumbnail": ""},
	}
}

// bodyFor is the body of a call on the desk: an array where the call takes one, of ids if the member has no name.
func bodyFor(call string, in object) any {
	if id, ok := in[""]; ok {
		return array{id}
	}
	for _, of := range []string{"/categories", "/product-variants"} {
		if strings.HasSuffix(call, of) {
			return array{in}
		}
	}
	if strings.Contains(call, "/blogs/") {
		return form(in)
	}
	return in
}

// What is strange is taken or refused in words: it is no fault of the server, a refusal changes nothing, and what was
// taken can be read.
func TestProofStrangeValues(t *testing.T) {
	f := open(t)
	// With a step of ten, each member has every tenth value, beginning with another one.
	step, begin := tier.Size(10, 1, 1), 0
	calls := f.desk()
	start := f.World().Snapshot()
	reads := []string{
		"GET " + tables, "2025-03 GET " + blogs, "2025-03 GET /email-templates",
	}
	for _, call := range slices.Sorted(maps.Keys(calls)) {
		good := calls[call]
		if w := f.send(f.token, call, bodyFor(call, good)); w.Code >= 300 {
			t.Fatalf("%s: %d %s", call, w.Code, w.Body)
		}
		f.World().Restore(start)
		before := f.picture()
		var bodies []any
		for _, member := range slices.Sorted(maps.Keys(good)) {
			begin++
			for i := begin % step; i < len(strange); i += step {
				value, changed := strange[i], object{}
				for name, v := range good {
					changed[name] = v
				}
				changed[member] = value
				bodies = append(bodies, bodyFor(call, changed))
				if inner, ok := good[member].(object); ok {
					for name := range inner {
						deep := object{}
						for n, v := range inner {
							deep[n] = v
						}
						deep[name] = value
						bodies = append(bodies, bodyFor(call, object{member: deep}))
					}
				}
			}
		}
		bodies = append(bodies, strange...)
		for _, body := range bodies {
			w := f.send(f.token, call, body)
			raw, _ := json.Marshal(body)
			shown := string(raw[:min(len(raw), 200)])
			switch {
			case w.Code >= 500, w.Body.Len() > 0 && !json.Valid(w.Body.Bytes()):
				t.Errorf("%s %s: %d %s", call, shown, w.Code, w.Body)
			case w.Code >= 300 && f.picture() != before:
				t.Errorf("%s %s: %d %s, and something has changed", call, shown, w.Code, w.Body)
			case w.Code < 300:
				for _, read := range reads {
					if w := f.send(f.token, read, nil); w.Code != http.StatusOK || !json.Valid(w.Body.Bytes()) {
						t.Errorf("%s %s, then %s: %d %s", call, shown, read, w.Code, w.Body)
					}
				}
				f.World().Restore(start)
			}
		}
	}
}

// Paths with strange segments are 400, 404 or 405, and change nothing. Members twice, and other stores' ids, are
// refused.
func TestStrangePaths(t *testing.T) {
	f := open(t)
	f.desk()
	before := f.picture()
	segments := []string{
		"%2F", "..%2F..", "%00", "%E2%80%AE", "1%2F", "+1", "-1", "0", "9223372036854775808", "1e3", "%31%00", "1;2", "1,2", "%25", "%C3%28",
		strings.Repeat("1", 2000), "5D0F6F0C-3F0B-4C55-9A3D-0C9F4F6C1A01", "%7B5d0f6f0c-3f0b-4c55-9a3d-0c9f4f6c1a01%7D", "*", "null", "undefined",
	}
	for _, route := range []string{
		"/products/price-tables/X", "/products/price-tables/X/categories/X", "/products/price-tables/X/product-variants/X",
		"/products/price-tables/X/customers/X", "/blogs/X/posts", "/blogs/X/posts/X", "/blogs/" + blogID + "/posts/X", "/blogs/X/posts/X/publish",
		"/email-templates/X", "/orders/X/invoices/external", "/orders/X/invoices/external/X",
	} {
		for _, s := range segments {
			for _, method := range []string{"GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"} {
				call := "unstable " + method + " " + strings.ReplaceAll(route, "X", s)
				w := f.send(f.token, call, object{})
				if !slices.Contains([]int{400, 404, 405, 415, 422}, w.Code) || method != "HEAD" && !json.Valid(w.Body.Bytes()) {
					t.Errorf("%.100s: %d %.200s", call, w.Code, w.Body)
				}
			}
		}
	}
	if f.picture() != before {
		t.Error("something has changed")
	}
}

// A hundred writers at once lose nothing: each customer is in one table, each key is of one order, each language is
// there.
func TestAHundredWriters(t *testing.T) {
	f := open(t)
	f.blog()
	one, two := f.table(nil), f.table(nil)
	first, second := f.parcel(world.Unpacked, nil), f.parcel(world.Unpacked, nil)
	post := f.object("2025-03 POST "+blogs, form{"metadata": object{"language": "en", "title": "T"}})
	var customers []string
	for i := range 50 {
		customers = append(customers, f.customer(fmt.Sprint("c", i)))
	}
	codes := make([][4]int, 100)
	var all sync.WaitGroup
	for i := range codes {
		all.Go(func() {
			table, order := one, first
			if i%2 == 1 {
				table, order = two, second
			}
			codes[i][0] = f.serve(f.token, "PUT "+table+"/customers", array{customers[i/2]}).Code
			codes[i][1] = f.serve(f.token, "unstable POST "+order.order+"/invoices/external", object{"key": accessKey(i / 2)}).Code
			text := object{"language": fmt.Sprint("l", i), "title": "T", "handle": "same"}
			codes[i][2] = f.serve(f.token, fmt.Sprintf("2025-03 PUT %s/%s", blogs, post["post_id"]), form{"metadata": text}).Code
			codes[i][3] = f.serve(f.token, "2025-03 POST "+blogs, form{"metadata": object{"language": "en", "title": "T"}}).Code
			if i%10 == 0 { // deletes while others list
				f.serve(f.token, "2025-03 GET "+blogs, nil)
				f.serve(f.token, "DELETE "+f.table(nil), nil)
				f.serve(f.token, "GET "+tables, nil)
			}
		})
	}
	all.Wait()
	for i := 0; i < len(codes); i += 2 {
		a, b := codes[i], codes[i+1]
		if min(a[0], b[0]) != 204 || max(a[0], b[0]) != 409 || min(a[1], b[1]) != 201 || max(a[1], b[1]) != 422 {
			t.Errorf("customer and key %d: %v and %v", i/2, a, b)
		}
		if a[2] != 204 || b[2] != 204 || a[3] != 201 || b[3] != 201 {
			t.Errorf("posts: %v and %v", a, b)
		}
	}
	texts := f.object(fmt.Sprintf("2025-03 GET %s/%s", blogs, post["post_id"]), nil)["data"].(array)
	if len(texts) != 101 {
		t.Errorf("%d languages, want 101", len(texts))
	}
	handles := map[string]bool{}
	f.alter(func(tx *world.Tx) error {
		for _, p := range tx.BlogPosts.All() {
			for _, text := range p.Texts {
				handle := text.Language + "/" + text.Handle
				if handles[handle] {
					t.Errorf("two posts have the handle %s", handle)
				}
				handles[handle] = true
			}
		}
		return nil
	})
}

// Bodies that are broken, or say a thing twice, are refused or read in one way; whatever was read can be read again.
func TestStrangeBodies(t *testing.T) {
	f := open(t)
	calls := f.desk()
	part := func(disposition, text string) string {
		return "--B\r\nContent-Disposition: " + disposition + "\r\n\r\n" + text + "\r\n"
	}
	metadata := part(`form-data; name="metadata"`, `{"language":"en","title":"T"}`)
	const end = "--B--\r\n"
	png := "\x89PNG\r\n\x1a\n"
	picture := part("form-data; name=\"media\"; filename=\"a.png\"", png)
	for _, body := range []string{
		metadata, metadata[:30], "", "--B--", end, metadata + metadata + end, metadata + part(`form-data; name="published"`, "true") +
			part(`form-data; name="published"`, "false") + end, part(`form-data`, "x") + end, part(`attachment; name="metadata"`, "{}") + end,
		part(`form-data; name=""`, "x") + end, part(`form-data; name="metadata"; filename="m.json"`, `{"language":"en","title":"T"}`) + end,
		part(`form-data; name="metadata"`, `{"language":"en","title":"T","title":"U"}`) + end, part(`form-data; name="metadata"`, strings.Repeat("[", 20000)) + end,
		part(`form-data; name="metadata"`, "{\"language\":\"en\",\"title\":\"\xff\"}") + end, strings.Repeat(part(`form-data; name="x"`, ""), 2000) + metadata + end,
		picture, picture + end, part("form-data; name=\"media\"; filename=\"\u202egnp.exe\"", png) + end, part("form-data; name=\"media\"; filename=\"../../a\x00.png\"", png) + end,
		part(`form-data; name="media"`, "GIF89a") + end, part(`form-data; name="media"`, "<svg onload=alert(1)>") + end, part(`form-data; name="media"`, png[:4]) + end,
		part(`form-data; name="media"`, "") + end, picture + picture + end, part(`form-data; name="media"`, png+strings.Repeat("x", 17<<20)) + end,
	} {
		for call := range calls {
			if !strings.Contains(call, "/blogs/") {
				continue
			}
			f.whole(call, broken(body))
			f.whole("2025-03 POST "+blogs+"/media", broken(body))
		}
	}
	for _, body := range []string{
		`{"name":"a","name":"b","default_discount":"1","default_discount":"2"}`, `{"name":"a"`, `{"name":"a"}}`, `[`, `nul`, "\ufeff{}", `{"name":"\ud800"}`,
		`{"name":"\u0000","default_discount":"1.00"}`, "{\"name\":\"\xff\"}", strings.Repeat("[", 50000), strings.Repeat(`{"a":`, 50000), `[{"category_id":1}`,
		`["1","1","1"]`, "[" + strings.Repeat(`"1",`, 200000) + `"1"]`,
	} {
		for call := range calls {
			f.whole(call, body)
		}
	}
}

// whole plays a call that may be refused but not fail, and leaves what can be read.
func (f *shop) whole(call string, body any) {
	f.Helper()
	start := f.World().Snapshot()
	defer f.World().Restore(start)
	w := f.send(f.token, call, body)
	if w.Code >= 500 || w.Body.Len() > 0 && !json.Valid(w.Body.Bytes()) {
		f.Errorf("%s %.100q: %d %.300s", call, body, w.Code, w.Body)
	}
	for _, read := range []string{"GET " + tables, "2025-03 GET " + blogs, "2025-03 GET /email-templates"} {
		if w := f.send(f.token, read, nil); w.Code != http.StatusOK || !json.Valid(w.Body.Bytes()) {
			f.Errorf("%s %.100q, then %s: %d %.300s", call, body, read, w.Code, w.Body)
		}
	}
}

// Without the scope, in another version, in another store and while the store is suspended, nothing of it can be read
// or written.
func TestStrangers(t *testing.T) {
	f := open(t)
	calls := f.desk()
	before := f.picture()
	reader := f.install(world.Scopes{"read_products", "read_content", "read_email_templates", "read_orders"})
	other, err := f.AddStore(world.Store{})
	if err != nil {
		t.Fatal(err)
	}
	in, err := f.Install(f.appOf(f.token), other.ID, world.AllScopes())
	if err != nil {
		t.Fatal(err)
	}
	refused := func(who, token, call string, body any, codes ...int) {
		t.Helper()
		if w := f.send(token, call, body); !slices.Contains(codes, w.Code) {
			t.Errorf("%s: %s: %d %s, want %v", who, call, w.Code, w.Body, codes)
		}
	}
	for call, good := range calls {
		refused("a reader", reader, call, bodyFor(call, good), 403)
		refused("another store", in.Token, call, bodyFor(call, good), 401, 403, 404)
		if version, rest, ok := strings.Cut(call, " "); ok && version != "POST" && version != "PUT" {
			refused("version v1", f.token, "v1 "+rest, bodyFor(call, good), 404)
		}
	}
	if f.picture() != before {
		t.Error("something has changed")
	}
	if err := f.Suspend(f.store.ID); err != nil {
		t.Fatal(err)
	}
	for call, good := range calls {
		refused("suspended", f.token, call, bodyFor(call, good), 402)
	}
	if f.picture() != before {
		t.Error("something has changed")
	}
}
