package res_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

func TestProductDefaults(t *testing.T) {
	f := open(t)
	p := f.object("POST /products", object{"name": object{"en": "Café com Açúcar & Pão"}})
	f.want(p, object{
		"description": object{"en": "", "es": ""}, "handle": object{"en": "cafe-com-acucar-pao"}, "attributes": array{},
		"published": true, "free_shipping": false, "requires_shipping": true, "video_url": nil, "brand": nil, "tags": "",
		"seo_title": "Café com Açúcar & Pão", "seo_description": "", "images": array{}, "categories": array{},
		"variants.0.values": array{}, "variants.0.price": nil, "variants.0.stock": nil, "variants.0.stock_management": false,
		"variants.0.weight": nil, "variants.0.sku": nil, "variants.0.position": "absent", "variants.0.inventory_levels": array{},
		"created_at": "2025-01-01T12:00:00+0000",
	})
	long := f.object("POST /products", object{"name": strings.Repeat("é", 80)})
	f.want(long, object{"seo_title": strings.Repeat("é", 70), "name.es": strings.Repeat("é", 80)})
}

// A plain string stands for every language of the store; answers are objects.
func TestPlainStrings(t *testing.T) {
	f := open(t)
	both := func(s string) object { return object{"en": s, "es": s} }
	p := f.object("POST /products", object{
		"name": "N", "description": "D", "attributes": array{"Size"}, "variants": array{object{"values": array{"S"}}},
		"images": array{object{"src": "https://img.example/a.webp", "alt": "Front"}},
	})
	f.want(p, object{
		"name": both("N"), "description": both("D"), "handle": both("n"), "attributes": array{both("Size")},
		"variants.0.values": array{both("S")}, "images.0.alt": both("Front"),
	})
	f.want(f.object("POST /categories", object{"name": "N", "handle": "My Handle"}), object{"name": both("N"), "handle": both("my-handle")})
}

func TestHandlesAreUnique(t *testing.T) {
	f := open(t)
	for _, want := range []string{"cup", "cup-1", "cup-2"} {
		f.want(f.object("POST /products", object{"name": object{"en": "Cup"}}), object{"handle": object{"en": want}})
		f.want(f.object("POST /categories", object{"name": object{"en": "Cup"}}), object{"handle": object{"en": want}})
	}
	p := f.object("POST /products", object{"name": object{"en": "日本"}})
	f.want(p, object{"handle.en": "product"})
	path := fmt.Sprintf("PUT /products/%d", id(p))
	f.want(f.object(path, object{"handle": object{"en": "cup"}}), object{"handle.en": "cup-3"})
	f.want(f.object(path, object{"name": object{"en": "Mug", "es": "Cup"}}), object{"handle": object{"en": "cup-3", "es": "cup"}})
}

func TestProductUpdateIsPartial(t *testing.T) {
	f := open(t)
	k := f.category(object{"name": "K"})
	p := f.object("POST /products", object{"name": "N", "brand": "B", "tags": "a,b", "categories": array{k, k}, "video_url": "https://v.example/1", "seo_title": "T"})
	f.want(p, object{"categories.0.id": k, "categories.1": "absent", "categories.0.visibility": "absent", "categories.0.name.en": "K"})
	path := fmt.Sprintf("/products/%d", id(p))
	kept := object{"name.en": "N", "tags": "a,b", "categories.0.id": k, "video_url": "https://v.example/1", "seo_title": "T", "variants.0.id": id(p, "variants.0")}
	got := f.object("PUT "+path, object{"id": 5, "brand": nil, "price": 3, "variants": array{}, "nonsense": 1})
	kept["brand"] = nil
	f.want(got, kept)
	f.want(f.object("PUT "+path, object{"categories": array{}}), object{"categories": array{}, "tags": "a,b"})
	f.want(f.object("PUT "+path, object{"categories": array{object{"id": k}}, "tags": ""}), object{"categories.0.id": k, "tags": ""})
}

// null unpublished a product once.
func TestNullFlagsSayNothing(t *testing.T) {
	f := open(t)
	null := object{"published": nil, "free_shipping": nil, "requires_shipping": nil}
	f.want(f.object("POST /products", object{"name": "P", "published": nil, "free_shipping": nil, "requires_shipping": nil}),
		object{"published": true, "free_shipping": false, "requires_shipping": true})
	for _, flags := range []object{{"published": true, "free_shipping": true, "requires_shipping": true}, {"published": false, "free_shipping": false, "requires_shipping": false}} {
		p := f.object("POST /products", object{"name": "P"})
		path := fmt.Sprintf("PUT /products/%d", id(p))
		f.want(f.object(path, flags), flags)
		f.events()
		f.want(f.object(path, null), flags)
		f.wantEvents()
	}
}

// Ids as text were refused in these places.
func TestIDsAsText(t *testing.T) {
	f := open(t)
	k, l := f.category(object{"name": "K"}), f.category(object{"name": "L"})
	p := f.object("POST /products", object{"name": "P", "categories": array{fmt.Sprint(k), object{"id": fmt.Sprint(l)}}})
	f.want(p, object{"categories.0.id": k, "categories.1.id": l})
	v := id(p, "variants.0")
	got := f.do("PATCH /products/stock-price", array{object{"id": fmt.Sprint(id(p)), "variants": array{object{"id": fmt.Sprint(v), "price": 5}}}})
	f.want(object{"got": got}, object{"got": array{object{"id": id(p), "variants": array{object{"id": v, "success": true}}}}})
	for call, body := range map[string]any{
		"POST /products":              object{"name": "P", "categories": array{"first"}},
		"PATCH /products/stock-price": array{object{"id": "first", "variants": array{}}},
	} {
		if w := f.send(f.token, call, body); w.Code != http.StatusUnprocessableEntity {
			t.Errorf("%s: %d %s", call, w.Code, w.Body)
		}
	}
	for _, path := range []string{"/products/%%2B%d", "/products/+%d", "/products/%d%%20"} {
		if w := f.send(f.token, "GET "+fmt.Sprintf(path, id(p)), nil); w.Code != http.StatusNotFound {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
}

// What GET answers can be sent back: it changes nothing and nobody is told.
func TestAnswersCanBeSentBack(t *testing.T) {
	f := open(t)
	k := f.category(object{"name": "K", "visibility": "hidden"})
	child := f.category(object{"name": "L", "parent": k, "feed_shopping_category": "A > B"})
	p := f.sized("P", "S", "M")
	path := fmt.Sprintf("/products/%d", id(p))
	f.do("PUT "+path, object{"categories": array{child}, "brand": "B"})
	i := id(f.object("POST "+path+"/images", object{"src": "https://img.example/a.png", "alt": object{"en": "A"}}))
	f.do(fmt.Sprintf("PUT %s/variants/%d", path, id(p, "variants.0")), object{"image_id": i, "cost": "2", "weight": 1, "sku": "A"})
	c := f.object("POST /customers", object{"name": "C", "email": "c@mail.example", "extra": object{"a": 1}, "addresses": array{object{"city": "X"}, object{"city": "Y", "default": true}}})
	w := f.object("POST /webhooks", object{"event": "domain/updated", "url": "https://app.example/x"})
	f.clock.Advance(time.Hour)
	f.events()
	for _, path := range []string{
		path, fmt.Sprintf("%s/variants/%d", path, id(p, "variants.0")), fmt.Sprintf("%s/images/%d", path, i),
		fmt.Sprintf("/categories/%d", k), fmt.Sprintf("/categories/%d", child), fmt.Sprintf("/customers/%d", id(c)),
	} {
		before := f.object("GET "+path, nil)
		f.want(f.object("PUT "+path, before), before)
	}
	f.do("PATCH "+path+"/variants", f.do("GET "+path+"/variants", nil))
	f.do("PUT "+path+"/variants", f.do("GET "+path+"/variants", nil))
	f.wantEvents()
	for _, e := range f.Requests() {
		if len(e.UnreadBody) > 0 {
			t.Errorf("%s %s: nothing reads %v", e.Method, e.Path, e.UnreadBody)
		}
	}
	f.want(f.object(fmt.Sprintf("PUT /webhooks/%d", id(w)), w), object{"updated_at": now(f), "created_at": w["created_at"]})
}

func TestProductDeleteCascades(t *testing.T) {
	f := open(t)
	p := f.sized("P", "S")
	path := fmt.Sprintf("/products/%d", id(p))
	f.do(fmt.Sprintf("PUT %s/variants/%d", path, id(p, "variants.0")), object{"sku": "ONLY"})
	f.do("POST "+path+"/images", object{"src": "https://img.example/a.png"})
	f.events()
	if got := f.object("DELETE "+path, nil); len(got) != 0 {
		t.Errorf("got %v, want {}", got)
	}
	f.wantEvents(fmt.Sprint("product/deleted ", id(p)))
	if err := f.World().View(0, f.store.ID, func(tx *world.Tx) error {
		if n := tx.Products.Len() + tx.Variants.Len() + tx.Images.Len() + tx.InventoryLevels.Len(); n != 0 {
			t.Errorf("%d records are left", n)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	f.want(f.object("POST /products", object{"name": "Q", "variants": array{object{"sku": "ONLY"}}}), object{"variants.0.sku": "ONLY"})
}

func TestProductBySKU(t *testing.T) {
	f := open(t)
	p := f.object("POST /products", object{"name": "P", "variants": array{object{"sku": "A/1 é"}}})
	f.want(f.object("GET /products/sku/A%2F1%20%C3%A9", nil), object{"id": id(p), "variants.0.sku": "A/1 é"})
}

func TestStockPrice(t *testing.T) {
	f := open(t)
	p, q := f.sized("P", "S", "M"), f.sized("Q", "S")
	s := id(p, "variants.0")
	f.events()
	got := f.do("PATCH /products/stock-price", array{
		object{"id": id(p), "variants": array{object{"id": s, "price": 12.345, "inventory_levels": array{object{"stock": 30}}}, object{"id": 7, "price": 1}}},
		object{"id": id(q), "variants": array{object{"id": s, "price": 1}}},
	})
	f.want(object{"got": got}, object{"got": array{
		object{"id": id(p), "variants": array{object{"id": s, "success": true}, object{"id": 7, "success": false}}},
		object{"id": id(q), "variants": array{object{"id": s, "success": false}}},
	}})
	f.want(f.object(fmt.Sprintf("GET /products/%d", id(p)), nil), object{"variants.0.price": "12.35", "variants.0.stock": 30, "variants.1.price": "10.00"})
	f.wantEvents(fmt.Sprint("product/updated ", id(p)))
}

// A kit has the price and the stock of its components.
func TestKit(t *testing.T) {
	f := open(t)
	cup := f.object("POST /products", object{"name": "Cup", "variants": array{object{"price": "3.33", "stock": 7}}})
	plate := f.object("POST /products", object{"name": "Plate", "variants": array{object{"price": "5.00", "promotional_price": "1.00"}}})
	kit := f.object("POST /products", object{"name": "Set"})
	if err := f.World().Update(0, f.store.ID, func(tx *world.Tx) error {
		return tx.Kits.Put(id(kit), world.Kit{ID: id(kit), DiscountPercent: decimal.NewNullDecimal(decimal.NewFromInt(10)),
			Components: []world.Component{{ProductID: id(cup), Quantity: 2}, {ProductID: id(plate), Quantity: 1}}})
	}); err != nil {
		t.Fatal(err)
	}
	path := fmt.Sprintf("2025-03 GET /kits/%d", id(kit))
	f.want(f.object(path, nil), object{
		"id": id(kit), "discount_percent": 10, "kit_stock": 3, "components.0.position": 0, "components.0.quantity": 2,
		"components.0.price": "3.33", "components.0.stock": 7, "components.0.name": object{"en": "Cup", "es": "Cup", "default": "Cup"},
		"components.1.promotional_price": "1.00", "components.1.stock": nil, "components.1.is_deleted": false,
	})
	f.want(f.object(fmt.Sprintf("GET /products/%d", id(kit)), nil), object{"variants.0.price": "10.49", "variants.0.stock": 3})
	f.do(fmt.Sprintf("DELETE /products/%d", id(plate)), nil)
	f.want(f.object(path, nil), object{"kit_stock": 0, "components.1.is_deleted": true})
	if w := f.send(f.token, fmt.Sprintf("v1 GET /kits/%d", id(kit)), nil); w.Code != http.StatusNotFound {
		t.Errorf("kits in v1: %d", w.Code)
	}
}

// TestConcurrentWrites is for the race detector; the SKU stays unique.
func TestConcurrentWrites(t *testing.T) {
	f := open(t)
	f.wantAtOnce(8, map[int]int{http.StatusCreated: 1, http.StatusUnprocessableEntity: 7}, func(int) int {
		made := f.serve(f.token, "POST /products", object{"name": "P", "variants": array{object{"sku": "ONE"}}})
		f.serve(f.token, "GET /products", nil)
		return made.Code
	})
}

// A product has stock if a variant has some or is unlimited, in every version, also where the stock changes by itself.
// Its address follows from the handle in the main language.
func TestProductHasStockAndAddress(t *testing.T) {
	f := open(t)
	p := f.object("POST /products", object{"name": object{"en": "A Mug", "es": "Taza"}, "attributes": array{object{"en": "Size"}}, "variants": array{
		object{"values": array{object{"en": "S"}}, "stock": 0}, object{"values": array{object{"en": "M"}}, "stock": 0}}})
	path := fmt.Sprintf("/products/%d", id(p))
	variant := fmt.Sprintf("PUT %s/variants/%d", path, id(p, "variants.0"))
	f.want(p, object{"has_stock": false, "canonical_url": "https://" + f.store.OriginalDomain + "/products/a-mug/"})
	for _, stock := range []struct {
		of   any
		want bool
	}{{1, true}, {0, false}, {nil, true}, {0, false}, {"", true}} {
		f.object(variant, object{"stock": stock.of})
		for _, version := range []string{"", "2025-03 ", "unstable "} {
			f.want(f.object(version+"GET "+path, nil), object{"has_stock": stock.want})
			f.want(object{"list": f.do(version+"GET /products", nil)}, object{"list.0.has_stock": stock.want})
		}
	}
	f.want(f.object("PUT "+path, object{"has_stock": false, "canonical_url": "https://other.example", "deleted_at": "2020-01-01"}),
		object{"has_stock": true, "canonical_url": p["canonical_url"], "deleted_at": "absent"})
	requests := f.Requests()
	if last := requests[len(requests)-1]; len(last.UnreadBody) > 0 {
		t.Errorf("nothing reads %v of an answer that is sent back", last.UnreadBody)
	}
}
