package res_test

import (
	"fmt"
	"slices"
	"testing"
)

func TestEditOrder(t *testing.T) {
	f := open(t)
	token := f.cashier()
	a, b := f.sized("A", "S"), f.sized("B", "S")
	o := f.bought(id(a, "variants.0"), 3, object{"inventory_behaviour": "claim", "currency": "USD", "shipping_cost_customer": 5})
	order := fmt.Sprintf("/orders/%d", id(o))
	paid := payment(happening("sale", "success", "35.00"))
	info, _ := paid["info"].(object)
	info["supports_partial_refund"] = true
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
