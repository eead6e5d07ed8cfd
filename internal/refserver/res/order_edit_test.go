package res_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

func TestEditOrder(t *testing.T) {
	f := open(t)
	token := f.cashier()
	a, b := f.sized("A", "S"), f.sized("B", "S")
	o := f.bought(id(a, "variants.0"), 3, object{"inventory_behaviour": "claim", "currency": "USD", "shipping_cost_customer": 5})
	order := fmt.Sprintf("/orders/%d", id(o))
	paid := payment(happening("sale", "success", "35.00"))
	info, _ := paid["info"].(object)
	info["supports_partial_refund"], info["refund_url"] = true, "https://pay.example/refunds"
	tx := f.pay(token, order, paid)
	stock := func(p object, want int) {
		t.Helper()
		f.want(f.object(fmt.Sprintf("GET /products/%d", id(p)), nil), object{"variants.0.stock": want})
	}
	stock(a, 2)
	line := id(o, "products.0")
	edit := func(body object, want object, events ...string) {
		t.Helper()
		f.events()
		f.want(f.object("unstable POST "+order+"/edit", body), want)
		for i := range events {
			events[i] = fmt.Sprint(events[i], " ", id(o))
		}
		slices.Sort(events)
		got := slices.DeleteFunc(f.events(), func(e string) bool {
			return e == fmt.Sprint("product/updated ", id(a)) || e == fmt.Sprint("product/updated ", id(b))
		})
		if !slices.Equal(got, events) {
			t.Errorf("told %v, want %v", got, events)
		}
	}
	edit(object{"products": array{
		object{"line_item_id": line, "quantity": 1, "modify_stock": true}, object{"product_id": id(b), "variant_id": id(b, "variants.0"), "quantity": 4, "modify_stock": true},
	}, "reason": "swap"}, object{
		"products.0.quantity": "1", "products.1.quantity": "4", "subtotal": "50.00", "total": "55.00", "payment_status": "partially_paid", "auto_partial_refund_status": "skipped",
	}, "order/edited", "order/updated")
	stock(a, 4)
	stock(b, 1)
	edit(object{"products": array{object{"line_item_id": line, "quantity": 0}}, "auto_partial_refund": true},
		object{"products.0.product_id": id(b), "products.1": "absent", "total": "45.00", "auto_partial_refund_status": "skipped"}, "order/edited", "order/updated")
	stock(a, 4)
	second := id(f.object("GET "+order, nil), "products.0")
	edit(object{"products": array{object{"line_item_id": second, "quantity": 2}}, "auto_partial_refund": true},
		object{"total": "25.00", "payment_status": "partially_refunded", "auto_partial_refund_status": "success"}, "order/edited", "order/updated")
	f.want(f.as(token, fmt.Sprintf("GET %s/transactions/%s", order, tx["id"]), nil), object{"refunded_amount.value": "10.00", "status": "partially_refunded"})
	f.want(f.object("2025-03 GET "+order+"?aggregates=fulfillment_orders", nil), object{"fulfillment_orders.0.line_items.0.quantity": 2, "fulfillment_orders.0.line_items.1": "absent"})
	list, _ := f.do("2025-03 GET "+order+"/history/editions", nil).(array)
	f.want(object{"e": list}, object{
		"e.0.reason": "swap", "e.0.product_changes": array{
			object{"type": "REMOVED", "modified_stock": true, "previous_quantity": 3, "new_quantity": 1, "product_name": "A"},
			object{"type": "ADD", "modified_stock": true, "previous_quantity": 0, "new_quantity": 4, "product_name": "B"},
		}, "e.0.shipping_costs": array{}, "e.0.transaction_information.total_delta": 20, "e.1.reason": nil, "e.2.transaction_information.total_delta": -20, "e.3": "absent",
	})
	half := f.bought(id(a, "variants.0"), 2, object{"currency": "USD"})
	f.pay(token, fmt.Sprintf("/orders/%d", id(half)), payment(happening("sale", "success", "10.00")))
	f.events()
	f.want(f.object(fmt.Sprintf("unstable POST /orders/%d/edit", id(half)), object{"products": array{object{"line_item_id": id(half, "products.0"), "quantity": 1}}}),
		object{"total": "10.00", "payment_status": "paid"})
	f.wantEvents(fmt.Sprint("order/edited ", id(half)), fmt.Sprint("order/paid ", id(half)), fmt.Sprint("order/updated ", id(half)))
	other := f.bought(id(a, "variants.0"), 2, nil)
	f.do(fmt.Sprintf("PUT /orders/%d", id(other)), object{"status": "paid"})
	f.want(f.object(fmt.Sprintf("unstable POST /orders/%d/edit", id(other)), object{"products": array{object{"line_item_id": id(other, "products.0"), "quantity": 1}}, "auto_partial_refund": true}),
		object{"auto_partial_refund_status": "failed", "payment_status": "paid"})
}

// TestEditKeepsWhatWasGranted edits the second line of an order of 100.00 with a coupon
// of 20 % that nobody else can use any more.
func TestEditKeepsWhatWasGranted(t *testing.T) {
	f := open(t)
	a, b := f.sized("A", "S"), f.sized("B", "S")
	for name, change := range map[string]func(c *world.Coupon){
		"as it was":      func(*world.Coupon) {},
		"deleted":        func(c *world.Coupon) { c.DeletedAt = f.clock.Now() },
		"switched off":   func(c *world.Coupon) { c.Valid = false },
		"over":           func(c *world.Coupon) { c.EndDate = "2024-12-31" },
		"used up":        func(c *world.Coupon) { c.MaxUses, c.Used = 1, 1 },
		"first purchase": func(c *world.Coupon) { c.FirstConsumerPurchase = true },
	} {
		k := f.coupon(world.Coupon{Code: name, Type: "percentage", Value: percent("20"), Valid: true, Products: []int64{id(a)}})
		o := f.object("unstable POST /orders", object{"customer": object{"name": "Ana", "email": "ana@mail.example"},
			"products": array{object{"variant_id": id(a, "variants.0"), "quantity": 9}, object{"variant_id": id(b, "variants.0"), "quantity": 1}}})
		f.alter(func(tx *world.Tx) error {
			o, _ := tx.Orders.Get(id(o))
			o.Coupons, o.DiscountCoupon, o.Discount, o.Total = []int64{k}, decimal.NewFromInt(18), decimal.NewFromInt(18), decimal.NewFromInt(82)
			c, _ := tx.Coupons.Get(k)
			change(&c)
			if err := tx.Coupons.Put(k, c); err != nil {
				return err
			}
			return tx.Orders.Put(o.ID, o)
		})
		edit := fmt.Sprintf("unstable POST /orders/%d/edit", id(o))
		got := f.object(edit, object{"products": array{object{"line_item_id": id(o, "products.1"), "quantity": 2}}})
		f.want(got, object{"discount": "18.00", "discount_coupon": "18.00", "total": "92.00"})
		got = f.object(edit, object{"products": array{object{"line_item_id": id(o, "products.0"), "quantity": 10}}})
		f.want(got, object{"discount": "20.00", "discount_coupon": "20.00", "total": "100.00"})
		if t.Failed() {
			t.Fatalf("with a coupon %s", name)
		}
	}
	// A total that was sent is the total, less what an edition takes away.
	o := f.bought(id(a, "variants.0"), 2, object{"total": "99.90"})
	f.want(f.object(fmt.Sprintf("unstable POST /orders/%d/edit", id(o)), object{"products": array{object{"line_item_id": id(o, "products.0"), "quantity": 1}}}),
		object{"subtotal": "10.00", "total": "89.90", "total_usd": "89.90"})
	o = f.bought(id(a, "variants.0"), 2, object{"total": "5"})
	f.want(f.object(fmt.Sprintf("unstable POST /orders/%d/edit", id(o)), object{"products": array{object{"line_item_id": id(o, "products.0"), "quantity": 1}}}),
		object{"subtotal": "10.00", "total": "0.00"})
	// What a draft took off is taken off for as long as there is something to take it off.
	d := f.object("POST /draft_orders", with(draftBody(id(a, "variants.0")), object{"discount": "25", "discount_type": "absolute",
		"products": array{object{"variant_id": id(a, "variants.0"), "quantity": 3}}}))
	f.do(fmt.Sprintf("POST /draft_orders/%d/confirm", id(d)), nil)
	for _, step := range []struct {
		quantity        int
		discount, total string
	}{{2, "20.00", "0.00"}, {3, "25.00", "5.00"}} {
		f.want(f.object(fmt.Sprintf("unstable POST /orders/%d/edit", id(d)), object{"products": array{object{"line_item_id": id(d, "products.0"), "quantity": step.quantity}}}),
			object{"discount": step.discount, "total": step.total})
	}
}

// TestEditOfNothing edits an order to what it is.
func TestEditOfNothing(t *testing.T) {
	f := open(t)
	v := id(f.sized("P", "S"), "variants.0")
	o := f.bought(v, 2, object{"inventory_behaviour": "claim"})
	call, read := fmt.Sprintf("unstable POST /orders/%d/edit", id(o)), fmt.Sprintf("2025-03 GET /orders/%d", id(o))
	f.clock.Advance(60e9)
	before := f.object(read, nil)
	f.events()
	f.want(f.object(call, object{"products": array{object{"line_item_id": id(o, "products.0"), "quantity": 2, "modify_stock": true}, object{"variant_id": v, "quantity": 0, "modify_stock": true}},
		"auto_partial_refund": true}), object{"auto_partial_refund_status": "skipped", "products.1": "absent"})
	f.wantEvents()
	f.want(f.object(read, nil), object{"updated_at": before["updated_at"]})
	if w := f.send(f.token, read+"/history/editions", nil); w.Body.String() != "[]" {
		t.Errorf("editions %s", w.Body)
	}
}
