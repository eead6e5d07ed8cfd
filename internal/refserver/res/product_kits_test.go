package res_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// kit makes a product a kit of so many of each of the others.
func (f *shop) kit(discount string, parts map[int64]int64, order ...int64) int64 {
	f.Helper()
	k := world.Kit{ID: id(f.object("POST /products", object{"name": "Kit"}))}
	if discount != "" {
		k.DiscountPercent = decimal.NewNullDecimal(decimal.RequireFromString(discount))
	}
	for _, p := range order {
		k.Components = append(k.Components, world.Component{ProductID: p, Quantity: parts[p]})
	}
	if err := f.World().Update(0, f.store.ID, func(tx *world.Tx) error { return tx.Kits.Put(k.ID, k) }); err != nil {
		f.Fatal(err)
	}
	return k.ID
}

// TestPriceOfKit: the price of the body counts, also for a kit that has none of its own.
func TestPriceOfKit(t *testing.T) {
	f := open(t)
	part := func(price any) int64 {
		return id(f.object("POST /products", object{"name": "Part", "variants": array{object{"price": price}}}))
	}
	a, unpriced, free := part("10.00"), part(nil), part("0.00")
	for _, tc := range []struct {
		kit       int64
		subtotal  string
		of, other any
	}{
		{f.kit("", map[int64]int64{a: 1, unpriced: 1}, a, unpriced), "30.00", "30.00", "0.00"},
		{f.kit("", map[int64]int64{free: 1}, free), "30.00", "30.00", "absent"},
		{f.kit("", map[int64]int64{free: 3, a: 0}, free, a), "30.00", "10.00", "0.00"},
	} {
		v := id(f.object(fmt.Sprintf("GET /products/%d", tc.kit), nil), "variants.0")
		f.want(f.object("POST /orders", object{"products": array{object{"variant_id": v, "quantity": 1, "price": "30.00"}}}),
			object{"subtotal": tc.subtotal, "products.0.price": tc.of, "products.1.price": tc.other})
	}
}

func TestKitDerives(t *testing.T) {
	f := open(t)
	part := func(price string, stock any) int64 {
		return id(f.object("POST /products", object{"name": object{"en": "Part", "es": "Parte"}, "images": array{object{"src": "https://img.example/a.png"}},
			"variants": array{object{"price": price, "stock": stock}}}))
	}
	a, b, endless := part("10.10", 7), part("3.33", 9), part("1.00", nil)
	k := f.kit("12.5", map[int64]int64{a: 2, b: 1, endless: 4}, a, b, endless)
	call := fmt.Sprintf("GET /kits/%d", k)
	// 10.10·2 + 3.33 + 1.00·4 = 27.53, less 12.5 % is 24.09; floor(7/2) = 3.
	got := f.object("2025-03 "+call, nil)
	f.want(got, object{"id": k, "discount_percent": 12.5, "kit_stock": 3, "invalid_at": nil, "components.0.position": 0, "components.0.quantity": 2, "components.0.price": "10.10",
		"components.0.name": object{"en": "Part", "es": "Parte", "default": "Part"}, "components.1.stock": 9, "components.2.stock": nil, "components.2.is_deleted": false, "components.3": "absent"})
	f.want(f.object(fmt.Sprintf("GET /products/%d", k), nil), object{"variants.0.price": "24.09", "variants.0.stock": 3, "has_stock": true})
	f.wantStatus(http.StatusNotFound, "v1 "+call, nil)

	f.want(f.object("unstable "+fmt.Sprintf("GET /kits/%d", f.kit("", map[int64]int64{endless: 1}, endless)), nil), object{"kit_stock": nil, "discount_percent": nil})
	f.want(f.object("2025-03 "+fmt.Sprintf("GET /kits/%d", f.kit("", map[int64]int64{a: 8, endless: 1}, a, endless)), nil), object{"kit_stock": 0})

	f.do(fmt.Sprintf("DELETE /products/%d", b), nil)
	f.want(f.object("2025-03 "+call, nil), object{"invalid_at": now(f), "kit_stock": 0, "components.1.is_deleted": true, "components.1.price": nil, "components.0.is_deleted": false})
	f.want(f.object(fmt.Sprintf("GET /products/%d", k), nil), object{"variants.0.price": nil, "variants.0.stock": 0, "has_stock": false})
}

// TestAgeGroupOfKit: a kit knows fewer age groups than the variant that it is sold as.
func TestAgeGroupOfKit(t *testing.T) {
	f := open(t)
	part := id(f.object("POST /products", object{"name": "Part"}))
	k := f.kit("", map[int64]int64{part: 1}, part)
	v := id(f.object(fmt.Sprintf("GET /products/%d", k), nil), "variants.0")
	for _, tc := range []struct{ of, want any }{
		{"adult", "adult"}, {"kids", "kids"}, {"infant", nil}, {"newborn", nil}, {"toddler", nil}, {nil, nil},
	} {
		f.do(fmt.Sprintf("PUT /products/%d/variants/%d", k, v), object{"age_group": tc.of})
		f.want(f.object(fmt.Sprintf("2025-03 GET /kits/%d", k), nil), object{"age_group": tc.want})
	}
}
