package recording

import (
	"slices"
	"testing"
)

func TestDifferences(t *testing.T) {
	const commands = `{"commands":[
		{"command":"create_or_update_discount","specs":{"promotion_id":"P","currency":"ARS","display_text":{"es":"a"},"line_items":[
			{"line_item":"1","discount_specs":{"type":"fixed","amount":"250.00"}},{"line_item":"2","discount_specs":{"type":"percentage","amount":"10.00"}}]}},
		{"command":"create_or_update_discount","specs":{"promotion_id":"Q","currency":"ARS","discount_specs":{"type":"fixed","amount":"20.00"}}},
		{"command":"remove_discount","specs":{"scope":"cart","promotion_ids":["R","S"]}},
		{"command":"remove_discount","specs":{"scope":"line_item","promotion_id":"T","line_items":["1"]}}]}`
	// The same in another order, with other texts, other forms of numbers, and the ids beside specs.
	const alike = `{"commands":[
		{"command":"remove_discount","scope":"line_item","promotion_id":"T","line_items":["1"]},
		{"command":"remove_discount","scope":"cart","promotion_ids":["S"]},
		{"command":"remove_discount","scope":"cart","promotion_ids":["R"]},
		{"command":"create_or_update_discount","promotion_id":"Q","specs":{"currency":"ARS","discount_specs":{"type":"fixed","amount":"20"}}},
		{"command":"create_or_update_discount","promotion_id":"P","specs":{"currency":"ARS","line_items":[{"line_item":"2","discount_specs":{"type":"percentage","amount":10.0}}]}},
		{"command":"create_or_update_discount","promotion_id":"P","specs":{"currency":"ARS","display_text":{"es":"b"},"line_items":[{"line_item":"1","discount_specs":{"type":"fixed","amount":"250.0"}}]}}]}`
	const rates = `{"rates":[{"code":"std","type":"ship","name":"A","price":14.10,"currency":"ARS","min_delivery_date":"2026-01-01T00:00:00Z"},
		{"code":"p","type":"pickup","price":"5.00","currency":"ARS"},{"code":"p","type":"pickup","price":"6.00","currency":"ARS"}]}`
	for name, tc := range map[string]struct {
		kind      Kind
		operation string
		status    int
		was       string
		now       int
		is        string
		want      []string
	}{
		"alike":       {Carts, "", 200, commands, 200, alike, nil},
		"204":         {Carts, "", 200, commands, 204, "", []string{"status: 204, was 200", "promotion P on line 1: nothing, was fixed 250 ARS off", "promotion P on line 2: nothing, was 10 % off", "promotion Q on the cart: nothing, was fixed 20 ARS off", "promotion R on the cart: nothing, was removed", "promotion S on the cart: nothing, was removed", "promotion T on line 1: nothing, was removed"}},
		"amount":      {Carts, "", 200, `{"commands":[{"command":"create_or_update_discount","specs":{"promotion_id":"Q","currency":"ARS","discount_specs":{"type":"fixed","amount":"20.00"}}}]}`, 200, `{"commands":[{"command":"create_or_update_discount","specs":{"promotion_id":"Q","currency":"BRL","discount_specs":{"type":"fixed","amount":"20.01"}}}]}`, []string{"promotion Q on the cart: fixed 20.01 BRL off, was fixed 20 ARS off"}},
		"none and 0":  {Carts, "", 200, `{"commands":[]}`, 200, `{"commands":[]}`, nil},
		"broken":      {Carts, "", 200, `{"commands":[]}`, 200, `{"commands":`, []string{"the answer: not of the form that the contract has, was nothing"}},
		"rates":       {Rates, "", 200, rates, 200, `{"rates":[{"code":"p","type":"pickup","price":6,"currency":"ARS"},{"code":"p","type":"pickup","price":5,"currency":"ARS"},{"code":"std","type":"ship","name":"B","price":"14.1","price_merchant":14.10,"currency":"ARS","accepts_cod":true}]}`, nil},
		"price":       {Rates, "", 200, rates, 201, `{"rates":[{"code":"std","type":"ship","price":15,"currency":"ARS","price_merchant":9,"phone_required":true,"accepts_cod":false},{"code":"p","type":"pickup","price":6,"currency":"ARS","availability":false,"id_required":true}]}`, []string{"status: 201, was 200", "pickup rate p: 6 ARS, identification required, out of stock, was 5 ARS and 6 ARS", "ship rate std: 15 ARS (merchant 9), phone required, no cash on delivery, was 14.1 ARS"}},
		"refused":     {Rates, "", 422, "", 422, "x", nil},
		"labels":      {Labels, "generate", 207, `[{"id":"L","status":"OK"},{"id":"M","status":"FAILED","reason":"text"}]`, 207, `[{"id":"M","status":"FAILED","reason":"other"},{"id":"L","status":"FAILED","reason":{"type":"OTHER_ERROR"}}]`, []string{"label L: FAILED OTHER_ERROR, was OK"}},
		"cancelled":   {Labels, "cancel", 207, `{"labels":[{"label_id":"L","status":"OK"}]}`, 207, `{"labels":[{"label_id":"L","status":"FAILED","reason":{"code":"LABEL_DELIVERED","message":"m"}}]}`, []string{"label L: FAILED LABEL_DELIVERED, was OK"}},
		"refund":      {Payments, Refund, 422, `{"error_code":"refund_rejected"}`, 422, `{"error_code":"transaction_date_too_old"}`, []string{"error_code: transaction_date_too_old, was refund_rejected"}},
		"status":      {Payments, Status, 200, `{"transactions":[{}]}`, 200, `{"transactions":[{},{}]}`, []string{"transactions: 2, was 1"}},
		"payment":     {Payments, Process, 201, `{"a":1}`, 201, `{"a":2}`, nil},
		"a delivery":  {Deliveries, "", 200, "", 503, "x", []string{"status: 503, was 200"}},
		"accepted":    {Deliveries, "", 200, "", 200, "x", nil},
		"not the end": {Payments, Refund, 202, "", 500, "x", []string{"status: 500, was 202"}},
	} {
		r := Record{Kind: tc.kind, Operation: tc.operation, Status: tc.status, Answer: tc.was}
		if got := Differences(r, tc.now, []byte(tc.is)); !slices.Equal(got, tc.want) {
			t.Errorf("%s: got %q, want %q", name, got, tc.want)
		}
	}
}
