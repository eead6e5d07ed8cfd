package res_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/res"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

func (f *shop) coupon(c world.Coupon) (made int64) {
	f.Helper()
	f.alter(func(tx *world.Tx) error {
		made = f.couponIn(tx, c)
		return nil
	})
	return made
}

func (f *shop) couponIn(tx *world.Tx, c world.Coupon) int64 {
	f.Helper()
	c.ID, c.CreatedAt, c.UpdatedAt = tx.NewID(), tx.Now(), tx.Now()
	if err := tx.Coupons.Put(c.ID, c); err != nil {
		f.Fatal(err)
	}
	return c.ID
}

// checkout is one of two lines of 10.00 and 2.50, sent for 5.00.
func (f *shop) checkout() int64 {
	f.Helper()
	var made int64
	f.alter(func(tx *world.Tx) error {
		c := world.Checkout{ID: tx.NewID(), Sale: world.Sale{CreatedAt: tx.Now(), UpdatedAt: tx.Now(), Currency: "USD",
			ShippingMinDays: new(-5), ShippingCostCustomer: decimal.NewFromInt(5), Lines: []world.Line{
				{ID: tx.NewID(), Price: decimal.NewFromInt(10), Quantity: 1}, {ID: tx.NewID(), Price: decimal.New(125, -2), Quantity: 2}}}}
		made = c.ID
		return tx.Checkouts.Put(c.ID, c)
	})
	return made
}

func percent(n string) decimal.NullDecimal {
	return decimal.NewNullDecimal(decimal.RequireFromString(n))
}

// TestCouponOfCheckout attaches coupons to a checkout of 12.50 and 5.00 for
// shipping.
func TestCouponOfCheckout(t *testing.T) {
	f := open(t)
	for name, tc := range map[string]struct {
		coupon      world.Coupon
		taken, left string
	}{
		"percentage":             {world.Coupon{Type: "percentage", Value: percent("12.5"), Valid: true}, "1.56", "15.94"},
		"with shipping":          {world.Coupon{Type: "percentage", Value: percent("10"), Valid: true, IncludesShipping: true}, "1.75", "15.75"},
		"absolute":               {world.Coupon{Type: "absolute", Value: percent("3.33"), Valid: true}, "3.33", "14.17"},
		"no more than there is":  {world.Coupon{Type: "absolute", Value: percent("99"), Valid: true}, "12.50", "5.00"},
		"shipping":               {world.Coupon{Type: "shipping", Valid: true}, "5.00", "12.50"},
		"another product":        {world.Coupon{Type: "percentage", Value: percent("50"), Valid: true, Products: []int64{1}}, "0.00", "17.50"},
		"another category":       {world.Coupon{Type: "percentage", Value: percent("50"), Valid: true, Categories: []int64{1}}, "0.00", "17.50"},
		"over":                   {world.Coupon{Type: "percentage", Value: percent("50"), Valid: true, EndDate: "2024-12-31"}, "0.00", "17.50"},
		"to come":                {world.Coupon{Type: "percentage", Value: percent("50"), Valid: true, StartDate: "2025-01-02"}, "0.00", "17.50"},
		"its last day":           {world.Coupon{Type: "percentage", Value: percent("50"), Valid: true, EndDate: "2025-01-01"}, "6.25", "11.25"},
		"switched off":           {world.Coupon{Type: "percentage", Value: percent("50")}, "0.00", "17.50"},
		"used up":                {world.Coupon{Type: "percentage", Value: percent("50"), Valid: true, MaxUses: 1, Used: 1}, "0.00", "17.50"},
		"too small a purchase":   {world.Coupon{Type: "percentage", Value: percent("50"), Valid: true, MinPrice: percent("12.51")}, "0.00", "17.50"},
		"just enough a purchase": {world.Coupon{Type: "percentage", Value: percent("50"), Valid: true, MinPrice: percent("12.50")}, "6.25", "11.25"},
	} {
		tc.coupon.Code = name
		k, c := f.coupon(tc.coupon), f.checkout()
		got := f.object(fmt.Sprintf("POST /checkouts/%d/coupon", c), object{"coupon_id": k})
		f.want(got, object{"coupon.0.id": k, "discount_coupon": tc.taken, "discount": tc.taken, "total": tc.left, "subtotal": "12.50"})
		if t.Failed() {
			t.Fatalf("with the coupon %q", name)
		}
	}
}

// A coupon that is deleted stays on the checkout and tells the day; it once told a time.
func TestCouponOfCheckoutIsDeleted(t *testing.T) {
	f := open(t)
	k, c := f.coupon(world.Coupon{Code: "GONE", Type: "shipping", Valid: true}), f.checkout()
	f.want(f.object(fmt.Sprintf("POST /checkouts/%d/coupon", c), object{"coupon_id": k}), object{"coupon.0.deleted_at": nil})
	f.do(fmt.Sprintf("DELETE /coupons/%d", k), nil)
	f.want(f.object(fmt.Sprintf("GET /checkouts/%d", c), nil), object{"coupon.0.id": k, "coupon.0.deleted_at": "2025-01-01"})
}

// TestDiscountsOfCheckout: neither a coupon nor a promotion eats the other, though both
// take off more than there is.
func TestDiscountsOfCheckout(t *testing.T) {
	f := open(t)
	c := f.checkout()
	f.alter(func(tx *world.Tx) error {
		k, _ := tx.Checkouts.Get(c)
		k.Discount = decimal.NewFromInt(10)
		return tx.Checkouts.Put(k.ID, k)
	})
	k := f.coupon(world.Coupon{Code: "MUCH", Type: "absolute", Value: percent("99"), Valid: true})
	f.want(f.object(fmt.Sprintf("POST /checkouts/%d/coupon", c), object{"coupon_id": k}), object{"discount_coupon": "7.50", "discount": "17.50", "total": "0.00",
		"promotional_discount.total_discount_amount": "10.00"})
	f.do(fmt.Sprintf("DELETE /carts/%d/coupons/%d", c, k), nil)
	f.want(f.object(fmt.Sprintf("GET /checkouts/%d", c), nil), object{"discount_coupon": "0.00", "discount": "10.00", "total": "7.50"})
	f.alter(func(tx *world.Tx) error {
		k, _ := tx.Checkouts.Get(c)
		k.Discount, k.Coupons = decimal.Decimal{}, nil
		for i, value := range []string{"10", "12", "12"} {
			k.Coupons = append(k.Coupons, f.couponIn(tx, world.Coupon{Code: fmt.Sprint("C", i), Type: "absolute", Value: percent(value), Valid: true}))
		}
		if err := tx.Carts.Put(c, world.Cart{ID: c, Lines: k.Lines, Coupons: k.Coupons}); err != nil {
			return err
		}
		return tx.Checkouts.Put(k.ID, k)
	})
	coupons, _ := f.object("2025-03 GET "+fmt.Sprintf("/carts/%d", c), nil)["coupon"].(array)
	for i, left := range []string{"0.00", "5.50", "17.50"} {
		f.do(fmt.Sprintf("DELETE /carts/%d/coupons/%d", c, id(object{"c": coupons}, fmt.Sprintf("c.%d", i))), nil)
		f.want(f.object(fmt.Sprintf("GET /checkouts/%d", c), nil), object{"total": left})
	}
}

func TestCheckoutOnTheWire(t *testing.T) {
	f := open(t)
	c := f.object(fmt.Sprintf("2025-03 GET /checkouts/%d", f.checkout()), nil)
	f.want(c, object{"store_id": f.store.ID, "customer": nil, "gateway": nil, "completed_at": nil, "promotional_discount.order_id": id(c), "shipping_min_days": -5, "shipping_address": nil, "next_action": "noop", "products.0.issues": "absent"})
}

// TestCheckoutAges lets the clock pass over a checkout: 6 hours as a cart, 30 days
// to be read, 90 days until it is gone.
func TestCheckoutAges(t *testing.T) {
	f := open(t)
	c, k := f.checkout(), f.coupon(world.Coupon{Code: "LATE", Valid: true, Type: "shipping"})
	cart, checkout := fmt.Sprintf("2025-03 GET /carts/%d", c), fmt.Sprintf("GET /checkouts/%d", c)
	f.clock.Advance(6*time.Hour - time.Minute)
	f.do(cart, nil)
	f.clock.Advance(2 * time.Minute)
	f.wantStatus(http.StatusNotFound, cart, nil)
	f.clock.Advance(30*24*time.Hour - 7*time.Hour)
	f.do(checkout, nil)
	f.clock.Advance(7 * time.Hour)
	f.wantStatus(http.StatusNotFound, checkout, nil)
	f.do(fmt.Sprintf("POST /checkouts/%d/coupon", c), object{"coupon_id": k})
	kept := func() (is bool) {
		if err := f.World().View(0, f.store.ID, func(tx *world.Tx) error { is = tx.Checkouts.Has(c); return nil }); err != nil {
			t.Fatal(err)
		}
		return is
	}
	f.clock.Advance(59 * 24 * time.Hour)
	f.coupon(world.Coupon{Code: "BEFORE"})
	if !kept() {
		t.Error("deleted before 90 days")
	}
	f.clock.Advance(24 * time.Hour)
	f.coupon(world.Coupon{Code: "AFTER"})
	if kept() {
		t.Error("kept for more than 90 days")
	}
	f.wantStatus(http.StatusNotFound, fmt.Sprintf("POST /checkouts/%d/coupon", c), object{"coupon_id": k})
}

// TestCheckoutStates tries every act at every age, on both sides of each limit.
func TestCheckoutStates(t *testing.T) {
	m := res.CheckoutStates()
	const day = 24 * time.Hour
	ages := map[string][]time.Duration{
		"revivable": {time.Minute, 6*time.Hour - time.Minute}, "readable": {6*time.Hour + time.Minute, 30*day - time.Minute},
		"kept": {30*day + time.Minute, 90*day - time.Minute}, "deleted": {90*day + time.Minute},
	}
	acts := map[string]string{"make a cart": "2025-03 GET /carts/%d", "read": "GET /checkouts/%d", "attach a coupon": "POST /checkouts/%d/coupon"}
	for _, state := range m.States {
		if len(ages[state]) == 0 {
			t.Errorf("no age for %s", state)
		}
		for _, age := range ages[state] {
			for act, call := range acts {
				f := open(t)
				c, body := f.checkout(), any(nil)
				if act == "attach a coupon" {
					body = object{"coupon_id": f.coupon(world.Coupon{Code: "ANY", Valid: true, Type: "shipping"})}
				}
				f.clock.Advance(age)
				want := http.StatusNotFound
				if len(m.Next(state, act)) > 0 {
					want = http.StatusOK
				}
				if w := f.send(f.token, fmt.Sprintf(call, c), body); w.Code != want {
					t.Errorf("%s after %v (%s): %d %s, want %d", act, age, state, w.Code, w.Body, want)
				}
			}
		}
	}
}

func TestCarts(t *testing.T) {
	f := open(t)
	k := f.coupon(world.Coupon{Code: "CART", Valid: true, Type: "percentage", Value: percent("10")})
	c := f.checkout()
	f.do(fmt.Sprintf("POST /checkouts/%d/coupon", c), object{"coupon_id": k})
	path, checkout := fmt.Sprintf("/carts/%d", c), fmt.Sprintf("GET /checkouts/%d", c)
	got := f.object("2025-03 GET "+path, nil)
	f.want(got, object{"coupon.0.id": k, "coupon.1": "absent"})
	f.events()
	if a := f.object(fmt.Sprintf("DELETE %s/coupons/%d", path, k), nil); len(a) != 0 {
		t.Errorf("answer %v", a)
	}
	f.want(f.object(checkout, nil), object{"coupon": array{}, "discount_coupon": "0.00", "total": "17.50"})
	if a := f.object(fmt.Sprintf("DELETE %s/line-items/%d", path, id(got, "products.0")), nil); len(a) != 0 {
		t.Errorf("answer %v", a)
	}
	f.want(f.object(checkout, nil), object{"products.0.id": id(got, "products.1"), "products.1": "absent", "total": "7.50"})
	f.want(f.object("unstable GET "+path, nil), object{"products.1": "absent", "coupon": array{}})
	f.wantStatus(http.StatusNotFound, fmt.Sprintf("DELETE %s/line-items/%d", path, id(got, "products.0")), nil)
	f.wantEvents()
	f.alter(func(tx *world.Tx) error {
		cart, _ := tx.Carts.Get(c)
		cart.Converted = true
		return tx.Carts.Put(c, cart)
	})
	f.wantStatus(http.StatusNotFound, "2025-03 GET "+path, nil)
	f.wantStatus(http.StatusNotFound, "GET "+path, nil)
}

// TestCartDiscounts shows an app its own promotions only.
func TestCartDiscounts(t *testing.T) {
	f := open(t)
	token := f.payer()
	app := f.appOf(token)
	c := f.checkout()
	call := fmt.Sprintf("GET /carts/%d/discounts", c)
	if w := f.send(token, call, nil); w.Body.String() != `{"data":[]}` {
		t.Errorf("got %d %s", w.Code, w.Body)
	}
	if w := f.send(f.token, call, nil); w.Code != http.StatusForbidden {
		t.Errorf("an app without the feature: %d", w.Code)
	}
	f.alter(func(tx *world.Tx) error {
		return tx.Carts.Put(c, world.Cart{ID: c, Promotions: []world.CartPromotion{{AppID: app, PromotionID: provider, LineItems: []int64{7}}, {AppID: 1, PromotionID: "other"}}})
	})
	w := f.send(token, call, nil)
	var got object
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	f.want(got, object{"data": array{object{"promotion_id": provider, "line_items": array{"7"}}}})
}

// TestLineOfDiscountIsGone takes a line away that a promotion is on.
func TestLineOfDiscountIsGone(t *testing.T) {
	f := open(t)
	token := f.payer()
	app, c := f.appOf(token), f.checkout()
	var lines []world.Line
	f.alter(func(tx *world.Tx) error {
		k, _ := tx.Checkouts.Get(c)
		lines = k.Lines
		if err := tx.Carts.Put(c, world.Cart{ID: c, Lines: lines}); err != nil {
			return err
		}
		on := func(promotion string, lines ...world.Line) world.CartDiscount {
			d := world.CartDiscount{AppID: app, PromotionID: promotion, Tier: world.LineItem}
			for _, l := range lines {
				d = d.With(l.ID, world.Reduction{})
			}
			return d
		}
		return tx.KeepVisit(world.Visit{CartID: c, Discounts: []world.CartDiscount{on("a", lines[0]), on("b", lines...)}})
	})
	f.do(fmt.Sprintf("DELETE /carts/%d/line-items/%d", c, lines[0].ID), nil)
	w := f.send(token, fmt.Sprintf("GET /carts/%d/discounts", c), nil)
	if want := fmt.Sprintf(`{"data":[{"promotion_id":"b","line_items":["%d"]}]}`, lines[1].ID); w.Body.String() != want {
		t.Errorf("got %s, want %s", w.Body, want)
	}
}

// appOf is the app that a token belongs to.
func (f *shop) appOf(token string) int64 {
	in, _ := f.World().ByToken(token)
	return in.App
}
