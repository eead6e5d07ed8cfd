package res_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

func TestCoupon(t *testing.T) {
	f := open(t)
	k, p := f.category(object{"name": "K"}), id(f.object("POST /products", object{"name": "P"}))
	c := f.object("POST /coupons", object{"code": "TEN", "type": "percentage", "value": "10.00"})
	f.want(c, object{"used": nil, "value": "10.00", "valid": true, "start_date": nil, "end_date": nil, "deleted_at": nil, "max_uses": nil, "min_price": nil,
		"includes_shipping": false, "first_consumer_purchase": false, "combines_with_other_discounts": true, "only_cheapest_shipping": false,
		"categories": nil, "products": nil})
	call := fmt.Sprintf("/coupons/%d", id(c))
	f.want(f.object("GET "+call, nil), object{"used": 0, "value": "10.00"})

	f.want(f.object("PUT "+call, object{"value": 50, "max_uses": 3, "min_price": "99.90", "start_date": "2025-02-01", "end_date": "2025-03-01T10:00:00Z",
		"categories": array{k}, "combines_with_other_discounts": false, "only_cheapest_shipping": true}), object{"value": 50, "max_uses": 3, "min_price": 99.9,
		"start_date": "2025-02-01", "end_date": "2025-03-01", "categories.0.id": k, "categories.0.parent": 0, "products": nil,
		"combines_with_other_discounts": false, "only_cheapest_shipping": false})
	// An answer may be sent back.
	f.want(f.object("PUT "+call, f.object("GET "+call, nil)), object{"value": "50.00", "max_uses": 3, "categories.0.id": k})
	f.want(f.object("PUT "+call, object{"max_uses": nil, "min_price": nil, "start_date": nil, "end_date": "", "valid": false, "combines_with_other_discounts": nil, "categories": array{}, "products": array{p}}),
		object{"max_uses": nil, "min_price": nil, "start_date": nil, "end_date": nil, "valid": false, "combines_with_other_discounts": false, "categories": nil, "products.0.id": p, "value": "50.00"})
	f.want(f.object("PUT "+call, object{"type": "shipping", "value": nil, "only_cheapest_shipping": true}), object{"value": nil, "only_cheapest_shipping": true})
	f.want(f.object("PUT "+call, object{"type": "absolute", "value": "7.5"}), object{"value": "7.50", "only_cheapest_shipping": false})
}

// A code that was deleted may be used again, in any case of letters.
func TestCouponCodeIsFreed(t *testing.T) {
	f := open(t)
	first := id(f.object("POST /coupons", object{"code": "Free", "type": "shipping"}))
	f.want(f.do(fmt.Sprintf("DELETE /coupons/%d", first), nil), object{"id": "absent"})
	f.wantIDs("GET /coupons")
	f.wantStatus(http.StatusNotFound, fmt.Sprintf("DELETE /coupons/%d", first), nil)
	f.wantIDs("GET /coupons", id(f.object("POST /coupons", object{"code": "FREE", "type": "shipping"})))
}

// TestCouponCodeAtOnce creates a hundred with one code at once, in both cases of letters: one is made.
func TestCouponCodeAtOnce(t *testing.T) {
	f := open(t)
	f.wantAtOnce(100, map[int]int{http.StatusCreated: 1, http.StatusUnprocessableEntity: 99}, func(i int) int {
		return f.serve(f.token, "POST /coupons", object{"code": [...]string{"ONCE", "once"}[i%2], "type": "shipping"}).Code
	})
	if made := f.ids("GET /coupons"); len(made) != 1 {
		t.Errorf("%d coupons have the code, want 1", len(made))
	}
}

// A category that is gone does not keep products out.
func TestCouponOfDeletedCategory(t *testing.T) {
	f := open(t)
	k, p := f.category(object{"name": "K"}), id(f.object("POST /products", object{"name": "P"}))
	c := id(f.object("POST /coupons", object{"code": "A", "type": "shipping", "categories": array{k}}))
	f.do(fmt.Sprintf("DELETE /categories/%d", k), nil)
	f.want(f.object(fmt.Sprintf("PUT /coupons/%d", c), object{"products": array{p}}), object{"categories": nil, "products.0.id": p})
}

// A coupon for a category that is gone is not for everything, whatever else changes.
func TestCouponStaysLimited(t *testing.T) {
	f := open(t)
	k := f.category(object{"name": "K"})
	c := f.object("POST /coupons", object{"code": "HALF", "type": "percentage", "value": "50", "categories": array{k}})
	f.do(fmt.Sprintf("DELETE /categories/%d", k), nil)
	call := fmt.Sprintf("/coupons/%d", id(c))
	off := func() string {
		t.Helper()
		checkout := f.checkout()
		return fmt.Sprint(f.object(fmt.Sprintf("POST /checkouts/%d/coupon", checkout), object{"coupon_id": id(c)})["discount_coupon"])
	}
	for _, body := range []object{{"max_uses": 5}, f.object("GET "+call, nil)} {
		f.do("PUT "+call, body)
		if got := off(); got != "0.00" {
			t.Errorf("after PUT %v: %s taken off, want 0.00", body, got)
		}
	}
	f.do("PUT "+call, object{"categories": array{}})
	if got := off(); got != "6.25" {
		t.Errorf("without categories: %s taken off, want 6.25", got)
	}
}

func couponRefusals(f *shop) []refusal {
	k, p := f.category(object{"name": "Coupons"}), id(f.object("POST /products", object{"name": "Coupons"}))
	f.do("POST /coupons", object{"code": "TAKEN", "type": "shipping"})
	c := id(f.object("POST /coupons", object{"code": "HAVE", "type": "absolute", "value": 5, "categories": array{k}}))
	path := fmt.Sprintf("/coupons/%d", c)
	out := []refusal{
		{op: "coupons.update", status: 404, text: "null", call: "PUT /coupons/1", body: object{"valid": true}},
		{op: "coupons.delete", status: 404, text: "null", call: "DELETE /coupons/1"},
		{op: "coupons.update", status: 422, text: "categories: cannot be combined with products", call: "PUT " + path, body: object{"products": array{p}}},
		{op: "coupons.update", status: 422, text: "value: can't be blank", call: "PUT " + path, body: object{"value": nil}},
		{op: "coupons.create", status: 422, text: "code: can't be blank", call: "POST /coupons", body: object{"type": "shipping"}},
		{op: "coupons.create", status: 422, text: "type: can't be blank", call: "POST /coupons", body: object{"code": "NEW"}},
		{op: "coupons.create", status: 422, text: "value: can't be blank", call: "POST /coupons", body: object{"code": "NEW", "type": "percentage"}},
	}
	for op, call := range map[string]string{"coupons.create": "POST /coupons", "coupons.update": "PUT " + path} {
		for text, faults := range map[string][]object{
			"code: can't be blank":                          {{"code": ""}, {"code": nil}},
			"code: must be alphanumeric":                    {{"code": "TEN-OFF"}, {"code": "TEN OFF"}, {"code": "DÍA"}},
			"code: has already been taken":                  {{"code": "TAKEN"}, {"code": "taken"}},
			"type: can't be blank":                          {{"type": ""}},
			"type: is not included in the list":             {{"type": "gift"}},
			"value: can't be blank":                         {{"value": ""}},
			"value: is not a number":                        {{"value": "much"}, {"value": object{}}},
			"value: must be greater than or equal to 0":     {{"value": -1}, {"value": "-0.01"}},
			"min_price: is not a number":                    {{"min_price": "much"}},
			"min_price: must be greater than or equal to 0": {{"min_price": -1}},
			"max_uses: is not a number":                     {{"max_uses": 1.5}, {"max_uses": "often"}},
			"max_uses: must be greater than 0":              {{"max_uses": 0}, {"max_uses": -3}},
			"start_date: is not a valid date":               {{"start_date": "soon"}, {"start_date": "2025-13-01"}},
			"end_date: is not a valid date":                 {{"end_date": "31-12-2025"}},
			"categories: does not exist":                    {{"categories": array{1}}, {"categories": array{k, p}}},
			"categories: cannot be combined with products":  {{"categories": array{k}, "products": array{p}}},
			"products: does not exist":                      {{"products": array{k}}},
		} {
			for _, fault := range faults {
				body := object{"code": "NEW", "type": "percentage", "value": "10.00"}
				for field, value := range fault {
					body[field] = value
				}
				out = append(out, refusal{op: op, status: 422, text: text, call: call, body: body})
			}
		}
	}
	return out
}

// TestFirstPurchase attaches a coupon to a checkout whose email is that of an order.
func TestFirstPurchase(t *testing.T) {
	for status, want := range map[string]string{"open": "0.00", "cancelled": "1.25"} {
		f := open(t)
		k := f.coupon(world.Coupon{Code: "FIRST", Valid: true, Type: "percentage", Value: percent("10"), FirstConsumerPurchase: true})
		f.order(0, func(o *world.Order) { o.ContactEmail, o.Status = "Eva@Mail.example", status })
		c := f.checkout()
		f.alter(func(tx *world.Tx) error {
			x, _ := tx.Checkouts.Get(c)
			x.ContactEmail = "eva@mail.example"
			return tx.Checkouts.Put(c, x)
		})
		f.want(f.object(fmt.Sprintf("POST /checkouts/%d/coupon", c), object{"coupon_id": k}), object{"discount_coupon": want})
	}
}
