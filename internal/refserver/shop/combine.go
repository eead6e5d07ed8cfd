package shop

import (
	"fmt"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// clashes says which promotions and coupons act on a cart although one of them does not combine with the other. The
// contract has the settings and does not say what they do, so each takes off what it would alone. Of the granular
// settings, those about discounts that this platform does not make of its own have nothing to clash with.
func clashes(tx *world.Tx, c cart) []string {
	var out []string
	clash := func(a, b, setting, of string) {
		const text = "%s and %s act on one cart, and %s of %s is false; that both act is assumed"
		out = append(out, fmt.Sprintf(text, a, b, setting, of))
	}
	var before []world.Promotion
	for _, d := range c.Discounts {
		p, ok := tx.Promotions.Get(d.PromotionID)
		if !ok {
			continue
		}
		for _, other := range before {
			for _, strict := range []world.Promotion{other, p} {
				if !strict.Combines.AppDiscounts {
					clash(named(other), named(p), "combines_with_app_discounts", named(strict))
				}
			}
		}
		for _, id := range c.Coupons {
			k, _ := tx.Coupons.Get(id)
			coupon := fmt.Sprintf("coupon %q", k.Code)
			if !k.CombinesWithOthers {
				clash(coupon, named(p), "combines_with_other_discounts", coupon)
			}
			if k.Type == "shipping" && !p.Combines.FreeShipping {
				clash(coupon, named(p), "combines_with_free_shipping", named(p))
			}
		}
		before = append(before, p)
	}
	return out
}

func named(p world.Promotion) string { return fmt.Sprintf("promotion %q (%s)", p.Name, p.ID) }
