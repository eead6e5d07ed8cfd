package res_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// second adds another location to the store and returns the ids of both.
func (f *shop) second() (first, second string) {
	f.Helper()
	if err := f.World().Update(0, f.store.ID, func(tx *world.Tx) error {
		l := tx.FirstLocation()
		first = l.ID
		l.ID, l.Priority = tx.NewULID(), 1
		second = l.ID
		return tx.Locations.Put(l.ID, l)
	}); err != nil {
		f.Fatal(err)
	}
	return first, second
}

// TestStock is the rules of stock and inventory_levels; each step goes on from the
// one before.
func TestStock(t *testing.T) {
	f := open(t)
	first, second := f.second()
	p := f.object("POST /products", object{"name": "P"})
	path := fmt.Sprintf("PUT /products/%d/variants/%d", id(p), id(p, "variants.0"))
	for _, step := range []struct {
		name string
		body object
		want any
		at   map[string]int
	}{
		{"stock alone is at the first location", object{"stock": 5}, 5, map[string]int{first: 5}},
		{"nothing changes nothing", object{"price": 1}, 5, map[string]int{first: 5}},
		{"another location adds", object{"inventory_levels": array{object{"location_id": second, "stock": 3}}}, 8, map[string]int{first: 5, second: 3}},
		{"levels win over stock", object{"stock": 99, "inventory_levels": array{object{"location_id": second, "stock": 4}}}, 9, map[string]int{first: 5, second: 4}},
		{"a level without location is at the first", object{"inventory_levels": array{object{"stock": 1}}}, 5, map[string]int{first: 1, second: 4}},
		{"no levels leave it to stock", object{"stock": "2", "inventory_levels": array{}}, 6, map[string]int{first: 2, second: 4}},
		{"both locations at once", object{"inventory_levels": array{object{"location_id": first, "stock": 0}, object{"location_id": second, "stock": 0}}}, 0, map[string]int{first: 0, second: 0}},
		{"stock_management is read-only", object{"stock_management": false}, 0, map[string]int{first: 0, second: 0}},
		{"the empty string is unlimited", object{"stock": ""}, nil, nil},
		{"stock_management does not limit it", object{"stock_management": true}, nil, nil},
		{"and back", object{"stock": 1}, 1, map[string]int{first: 1}},
		{"null is unlimited", object{"stock": nil}, nil, nil},
	} {
		v := f.object(path, step.body)
		f.want(v, object{"stock": step.want, "stock_management": step.want != nil})
		levels, _ := v["inventory_levels"].([]any)
		if len(levels) != len(step.at) {
			t.Errorf("%s: levels %v, want %v", step.name, levels, step.at)
		}
		for _, l := range levels {
			location, _ := at(l, "location_id").(string)
			f.want(l, object{"stock": step.at[location], "variant_id": id(v)})
		}
	}
}

func TestStockEndpoint(t *testing.T) {
	f := open(t)
	first, second := f.second()
	p := f.sized("P", "S", "M")
	s, m := id(p, "variants.0"), id(p, "variants.1")
	path := fmt.Sprintf("/products/%d/variants/stock", id(p))
	for _, step := range []struct {
		body object
		want []any // stock of the variants of the answer
	}{
		{object{"action": "replace", "value": 10}, []any{10, 10}},
		{object{"action": "variation", "value": -4, "id": s}, []any{6}},
		{object{"action": "variation", "value": -7, "id": s}, []any{0}},
		{object{"action": "replace", "value": 3, "id": m, "location_id": second}, []any{13}},
		{object{"action": "variation", "value": -1, "location_id": second}, []any{0, 12}},
		{object{"action": "variation", "value": 2, "location_id": first}, []any{2, 14}},
		{object{"action": "replace", "value": nil, "id": m}, []any{nil}},
		{object{"action": "variation", "value": 5}, []any{7, nil}},
		{object{"action": "replace", "value": -5, "id": m}, []any{0}},
	} {
		got, _ := f.do("POST "+path, step.body).([]any)
		if len(got) != len(step.want) {
			t.Fatalf("%v: got %v", step.body, got)
		}
		for i, v := range got {
			f.want(v, object{"stock": step.want[i]})
		}
	}
	f.events()
	f.do("POST "+path, object{"action": "replace", "value": 1})
	f.wantEvents(fmt.Sprint("product/updated ", id(p)))
	f.do("POST "+path, object{"action": "variation", "value": 0})
	f.wantEvents()
}

// Numbers may be written as numbers or as strings and come back with their decimals.
func TestVariantNumbers(t *testing.T) {
	f := open(t)
	p := f.object("POST /products", object{"name": "P"})
	path := fmt.Sprintf("PUT /products/%d/variants/%d", id(p), id(p, "variants.0"))
	v := f.object(path, object{"price": 1000, "promotional_price": "999.9", "cost": 0.5, "weight": "1.23456", "width": 2, "height": "3.456", "depth": 0,
		"sku": "S", "barcode": "779", "mpn": "M", "age_group": "kids", "gender": "unisex"})
	f.want(v, object{"price": "1000.00", "promotional_price": "999.90", "cost": "0.50", "weight": "1.235", "width": "2.00", "height": "3.46", "depth": "0.00",
		"sku": "S", "barcode": "779", "mpn": "M", "age_group": "kids", "gender": "unisex"})
	f.want(f.object(path, object{"sku": 123, "barcode": 779.5}), object{"sku": "123", "barcode": "779.5"})
	if w := f.send(f.token, path, object{"sku": array{1}}); w.Code != 422 || w.Body.String() != `{"sku":["is invalid"]}` {
		t.Errorf("a list as SKU: %d %s", w.Code, w.Body)
	}
	f.want(f.object(path, object{"price": nil, "promotional_price": "", "cost": nil, "sku": "", "age_group": nil, "weight": nil}),
		object{"price": nil, "promotional_price": nil, "cost": nil, "sku": nil, "age_group": nil, "gender": "unisex", "weight": nil, "width": "2.00"})
}

func TestVirtualVariant(t *testing.T) {
	f := open(t)
	p := f.object("POST /products", object{"name": "P", "attributes": array{"Size"}})
	path := fmt.Sprintf("/products/%d/variants", id(p))
	virtual := id(p, "variants.0")
	s := f.object("POST "+path, object{"values": array{"S"}, "price": 1})
	// The position was in every answer, and is told of batches only.
	f.want(s, object{"position": "absent", "stock_management": false, "stock": nil, "sku": nil, "image_id": nil, "product_id": id(p)})
	f.wantIDs("GET "+path, id(s))
	m := f.object("POST "+path, object{"values": array{object{"en": "M"}}})
	f.want(m, object{"position": "absent"})
	f.want(object{"all": f.do("PATCH "+path, array{object{"id": id(m)}})}, object{"all.0.position": 1, "all.1.position": 2, "all.1.id": id(m)})
	f.do(fmt.Sprintf("DELETE %s/%d", path, id(s)), nil)
	f.want(object{"all": f.do("PATCH "+path, array{object{"id": id(m)}})}, object{"all.0.position": 1, "all.0.id": id(m)})
	f.want(f.object(fmt.Sprintf("GET %s/%d", path, id(m)), nil), object{"position": "absent"})
	f.do(fmt.Sprintf("DELETE %s/%d", path, id(m)), nil)
	left := f.ids("GET " + path)
	if len(left) != 1 || left[0] == virtual || left[0] == id(m) {
		t.Errorf("left: %v", left)
	}
	f.want(f.object(fmt.Sprintf("GET %s/%d", path, left[0]), nil), object{"values": array{}})
}

func TestReplaceVariants(t *testing.T) {
	f := open(t)
	p := f.sized("P", "S", "M", "L")
	path := fmt.Sprintf("/products/%d/variants", id(p))
	f.do("PATCH "+path, array{object{"id": id(p, "variants.0"), "sku": "A"}, object{"id": id(p, "variants.1"), "sku": "B", "mpn": "keep"}})
	f.clock.Advance(time.Minute)
	f.events()
	// M comes first and takes over the SKU of S, which goes; L stays as it is.
	got := f.do("PUT "+path, array{
		object{"values": array{object{"en": "M"}}, "sku": "A", "price": 20},
		object{"values": array{object{"en": "XL", "es": "GG"}}, "sku": "B", "stock": 1},
		object{"values": array{object{"en": "L"}}},
	})
	f.want(object{"v": got}, object{
		"v.0.id": id(p, "variants.1"), "v.0.sku": "A", "v.0.mpn": "keep", "v.0.price": "20.00", "v.0.stock": 5, "v.0.position": 1, "v.0.updated_at": now(f),
		"v.1.sku": "B", "v.1.stock": 1, "v.1.weight": "0.000", "v.1.width": "0.00", "v.1.price": nil, "v.1.created_at": now(f),
		"v.2.id": id(p, "variants.2"), "v.2.position": 3, "v.2.updated_at": "2025-01-01T12:00:00+0000", "v.3": "absent",
	})
	f.wantEvents(fmt.Sprint("product/updated ", id(p)))
	if w := f.send(f.token, fmt.Sprintf("GET %s/%d", path, id(p, "variants.0")), nil); w.Code != 404 {
		t.Errorf("a variant that was not sent: %d", w.Code)
	}
	// The same combination in another language is the same variant.
	f.want(object{"v": f.do("PUT "+path, array{object{"values": array{object{"es": "GG"}}}})}, object{"v.0.id": id(object{"v": got}, "v.1"), "v.0.values": array{object{"es": "GG"}}, "v.1": "absent"})
}

// TestReplaceVariantsInLanguages wants as many variants as were sent and each stored
// one meant by at most one of them, namely by the combination with its number in
// keep. Two could mean the same one once, and so one of them was lost.
func TestReplaceVariantsInLanguages(t *testing.T) {
	f := open(t)
	en := func(s string) object { return object{"en": s} }
	es := func(s string) object { return object{"es": s} }
	both := func(a, b string) object { return object{"en": a, "es": b} }
	for name, tc := range map[string]struct {
		stored, sent []object
		keep         map[int]int // place among the sent, by place among the stored
	}{
		"two halves of one":        {[]object{both("S", "P")}, []object{en("S"), es("P")}, map[int]int{0: 0}},
		"the main language first":  {[]object{both("S", "P")}, []object{es("P"), en("S")}, map[int]int{0: 1}},
		"one that changed sides":   {[]object{both("S", "Q")}, []object{both("S", "P"), both("M", "Q")}, nil},
		"alike in one language":    {[]object{both("Black", "Negro"), both("Dark", "Negro")}, []object{both("Dark", "Negro"), both("Black", "Negro")}, map[int]int{0: 1, 1: 0}},
		"two halves made one":      {[]object{es("P"), en("S")}, []object{both("S", "P")}, map[int]int{1: 0}},
		"identical before similar": {[]object{en("S"), es("P")}, []object{es("P"), en("S")}, map[int]int{0: 1, 1: 0}},
		"an empty text is none":    {[]object{both("S", "")}, []object{both("S", "P")}, map[int]int{0: 0}},
		"a third language":         {[]object{both("S", "P")}, []object{{"en": "S", "es": "P", "pt": "P"}}, map[int]int{0: 0}},
	} {
		t.Run(name, func(t *testing.T) {
			variants := func(values []object) (out array) {
				for _, v := range values {
					out = append(out, object{"values": array{v}})
				}
				return out
			}
			p := f.object("POST /products", object{"name": "P", "attributes": array{"Size"}, "variants": variants(tc.stored)})
			got, _ := f.do(fmt.Sprintf("PUT /products/%d/variants", id(p)), variants(tc.sent)).(array)
			if len(got) != len(tc.sent) {
				t.Fatalf("got %v, want %d variants", got, len(tc.sent))
			}
			for i, v := range got {
				f.want(v, object{"values": array{tc.sent[i]}, "position": i + 1})
				for j := range tc.stored {
					place, kept := tc.keep[j]
					if same := id(v) == id(p, fmt.Sprint("variants.", j)); same != (kept && place == i) {
						t.Errorf("sent %d is stored %d: %v", i, j, same)
					}
				}
			}
		})
	}
}

// Values of several attributes are compared one by one.
func TestCombinationsOfSeveralValues(t *testing.T) {
	f := open(t)
	p := f.object("POST /products", object{"name": "P", "attributes": array{"Colour", "Size"}, "variants": array{
		object{"values": array{object{"en": "Black", "es": "Negro"}, object{"en": "S"}}},
	}})
	call := fmt.Sprintf("POST /products/%d/variants", id(p))
	for _, tc := range []struct {
		values array
		want   int
	}{
		{array{object{"es": "Negro"}, object{"en": "S"}}, 422},
		{array{"Black", "S"}, 201},
		{array{object{"en": "Black"}, object{"en": "M"}}, 201},
		{array{object{"en": "Dark", "es": "Negro"}, object{"en": "S"}}, 201},
	} {
		if w := f.send(f.token, call, object{"values": tc.values}); w.Code != tc.want {
			t.Errorf("%v: got %d %s, want %d", tc.values, w.Code, w.Body, tc.want)
		}
	}
}

// TestStockIsBounded goes up to the bound; beyond it sums wrapped around.
func TestStockIsBounded(t *testing.T) {
	f := open(t)
	first, second := f.second()
	most := int64(1e15)
	p := f.object("POST /products", object{"name": "P", "variants": array{object{"inventory_levels": array{
		object{"location_id": first, "stock": most}, object{"location_id": second, "stock": fmt.Sprint(most)}}}}})
	f.want(p, object{"variants.0.stock": 2 * most})
	path := fmt.Sprintf("POST /products/%d/variants/stock", id(p))
	if w := f.send(f.token, path, object{"action": "variation", "value": 1}); w.Code != 422 || !strings.Contains(w.Body.String(), `"stock":["The stock may not be greater than 1000000000000000."]`) {
		t.Errorf("one more: %d %s", w.Code, w.Body)
	}
	f.want(object{"v": f.do(path, object{"action": "variation", "value": -most})}, object{"v.0.stock": most})
	f.want(object{"v": f.do(path, object{"action": "variation", "value": most})}, object{"v.0.stock": 2 * most})
}

func TestPatchVariants(t *testing.T) {
	f := open(t)
	p := f.sized("P", "S", "M", "L")
	s, m := id(p, "variants.0"), id(p, "variants.1")
	path := fmt.Sprintf("/products/%d/variants", id(p))
	f.do("PATCH "+path, array{object{"id": s, "sku": "A"}, object{"id": m, "sku": "B"}})
	f.clock.Advance(time.Minute)
	f.events()
	// Two may exchange both their values and their SKUs.
	got := f.do("PATCH "+path, array{
		object{"id": s, "values": array{object{"en": "M"}}, "sku": "B"},
		object{"id": fmt.Sprint(m), "values": array{object{"en": "S"}}, "sku": "A", "price": "7"},
	})
	f.want(object{"v": got}, object{
		"v.0.id": s, "v.0.values": array{object{"en": "M"}}, "v.0.sku": "B", "v.0.weight": nil,
		"v.1.id": m, "v.1.values": array{object{"en": "S"}}, "v.1.sku": "A", "v.1.price": "7.00",
		"v.2.updated_at": "2025-01-01T12:00:00+0000", "v.3": "absent",
	})
	f.wantEvents(fmt.Sprint("product/updated ", id(p)))
	f.clock.Advance(time.Minute)
	f.want(object{"v": f.do("PATCH "+path, array{object{"id": s, "sku": nil}})}, object{"v.0.sku": nil, "v.0.updated_at": now(f)})
}
