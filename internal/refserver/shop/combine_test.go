package shop_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver/shop"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// What promotions do that do not combine is not documented: they act as they would alone, and the run says so.
func TestWarnings(t *testing.T) {
	all := object{"combines_with_quantity_discounts": true, "combines_with_free_shipping": true, "combines_with_cart_amount_discounts": true,
		"combines_with_app_discounts": true, "combines_with_price_discounts": true}
	for name, tc := range map[string]struct {
		a, b   object // settings of two promotions, of two apps
		coupon world.Coupon
		want   []string // parts of the warnings
	}{
		"none is set":                    {},
		"all are true":                   {a: all, b: all, coupon: world.Coupon{CombinesWithOthers: true}},
		"the first with no app's":        {a: object{"combines_with_app_discounts": false}, want: []string{"combines_with_app_discounts of promotion \"a\""}},
		"the second with no app's":       {b: object{"combines_with_app_discounts": false}, want: []string{"combines_with_app_discounts of promotion \"b\""}},
		"none with the other":            {a: object{"combines_with_other_discounts": false}, b: object{"combines_with_other_discounts": false}, want: []string{"of promotion \"a\"", "of promotion \"b\""}},
		"no price discounts":             {a: object{"combines_with_price_discounts": false}},
		"a coupon with no discounts":     {coupon: world.Coupon{Type: "absolute"}, want: []string{"combines_with_other_discounts of coupon \"C\"", "combines_with_other_discounts of coupon \"C\""}},
		"free shipping for the first":    {a: object{"combines_with_free_shipping": false}, coupon: world.Coupon{Type: "shipping", CombinesWithOthers: true}, want: []string{"combines_with_free_shipping of promotion \"a\""}},
		"a coupon that is no free cargo": {a: object{"combines_with_free_shipping": false}, coupon: world.Coupon{Type: "absolute", CombinesWithOthers: true}},
	} {
		t.Run(name, func(t *testing.T) {
			m := open(t)
			front := m.Storefront(m.store.ID, shop.Options{})
			apps := []*app{m.app(), m.app()}
			for i, settings := range []object{tc.a, tc.b} {
				body := object{"name": string(rune('a' + i)), "allocation_type": "line_item"}
				for setting, v := range settings {
					body[setting] = v
				}
				id, _ := apps[i].send("POST /promotions", body, 201)["data"].(object)["id"].(string)
				apps[i].always("line_item", offLines(id, specs("fixed", "1.00")))
			}
			cart := m.begin(front)
			if tc.coupon.Type != "" {
				m.update(func(tx *world.Tx) error {
					tc.coupon.ID, tc.coupon.Code, tc.coupon.Valid = 9, "C", true
					return tx.Coupons.Put(9, tc.coupon)
				})
				if _, err := front.ApplyCoupon(t.Context(), cart, "C"); err != nil {
					t.Fatal(err)
				}
			}
			m.add(front, cart, m.mug, 1)
			r := m.last(front)
			if r.After.Promotions.StringFixed(2) != "2.00" {
				t.Errorf("promotions take off %s, want 2.00: both act", r.After.Promotions)
			}
			ok := slices.EqualFunc(r.Warnings, tc.want, func(got, part string) bool {
				return strings.Contains(got, part) && strings.Contains(got, "is assumed")
			})
			if !ok {
				t.Errorf("got %q, want %q", r.Warnings, tc.want)
			}
		})
	}
}
