package res_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// TestPaymentStatusOfTransactions plays what happens to the transactions of an order of
// 50.00. A step is the transaction, the type, the status and the amount of an event, and
// behind the arrow the payment status of the order and what is told: nothing if the
// order stays as it is.
func TestPaymentStatusOfTransactions(t *testing.T) {
	for name, story := range map[string]string{
		"a sale pays":                 "a sale success 50.00 > paid order/paid order/updated",
		"a pending sale does not":     "a sale pending 50.00 > pending order/updated; a sale success 50.00 > paid order/paid order/updated",
		"a failed sale does not":      "a sale failure 50.00 > pending order/updated; b sale success 50.00 > paid order/paid order/updated",
		"a sale in error does not":    "a sale error 50.00 > pending order/updated",
		"a capture pays":              "a authorization success 50.00 > authorized order/updated; a capture success 50.00 > paid order/paid order/updated",
		"a failed capture does not":   "a authorization success 50.00 > authorized order/updated; a capture failure 50.00 > authorized; a capture error 50.00 > authorized",
		"parts pay a part":            "a sale success 20.00 > partially_paid order/updated; b sale success 30.00 > paid order/paid order/updated",
		"captures in parts":           "a authorization success 50.00 > authorized order/updated; a capture success 20.00 > partially_paid order/updated; a capture success 30.00 > paid order/paid order/updated",
		"more than the total":         "a sale success 60.00 > paid order/paid order/updated",
		"a void":                      "a authorization pending 50.00 > pending order/updated; a void success 50.00 > voided order/voided",
		"a void of what is held":      "a authorization success 50.00 > authorized order/updated; a void success 50.00 > voided order/voided",
		"a void that fails":           "a authorization success 50.00 > authorized order/updated; a void failure 50.00 > authorized",
		"another try after a void":    "a authorization success 50.00 > authorized order/updated; a void success 50.00 > voided order/voided; b sale success 50.00 > paid order/paid order/updated",
		"back to pending":             "a authorization success 50.00 > authorized order/updated; a in_fraud_analysis success 50.00 > pending order/pending",
		"a review":                    "a needs_merchant_review success 50.00 > pending order/updated; a sale success 50.00 > paid order/paid order/updated",
		"a refund":                    "a sale success 50.00 > paid order/paid order/updated; a refund success 50.00 > refunded order/updated",
		"refunds in parts":            "a sale success 50.00 > paid order/paid order/updated; a refund success 20.00 > partially_refunded order/updated; a refund success 30.00 > refunded order/updated",
		"a refund that is pending":    "a sale success 50.00 > paid order/paid order/updated; a refund pending 50.00 > paid; a refund failure 50.00 > paid",
		"one of two transactions":     "a sale success 20.00 > partially_paid order/updated; b sale success 30.00 > paid order/paid order/updated; b refund success 30.00 > partially_refunded order/updated",
		"a void beside a sale":        "a authorization success 50.00 > authorized order/updated; b sale success 50.00 > paid order/paid order/updated; a void success 50.00 > paid",
		"a void beside a pending one": "a authorization success 50.00 > authorized order/updated; b sale pending 50.00 > authorized; a void success 50.00 > pending order/pending",
		"a failure beside a sale":     "a sale success 50.00 > paid order/paid order/updated; b sale failure 50.00 > paid",
	} {
		t.Run(name, func(t *testing.T) {
			f := open(t)
			token := f.cashier()
			o := f.order(0, func(o *world.Order) { o.Currency, o.PaymentStatus = "USD", "pending" })
			order := fmt.Sprintf("/orders/%d", o)
			made := map[string]string{}
			for step := range strings.SplitSeq(story, "; ") {
				on, want, _ := strings.Cut(step, " > ")
				words, wanted := strings.Fields(on), strings.Fields(want)
				f.events()
				event := happening(words[1], words[2], words[3])
				if id, ok := made[words[0]]; ok {
					f.as(token, "POST "+order+"/transactions/"+id+"/events", event)
				} else {
					made[words[0]] = fmt.Sprint(f.pay(token, order, payment(event))["id"])
				}
				told := f.events()
				for i := range wanted[1:] {
					wanted[i+1] += fmt.Sprint(" ", o)
				}
				if !slices.Equal(told, wanted[1:]) {
					t.Errorf("%s: told %v, want %v", on, told, wanted[1:])
				}
				f.want(f.as(token, "2025-03 GET "+order, nil), object{"payment_status": wanted[0]})
			}
		})
	}
}

// TestDiscountOfTheProvider pays an order whose provider took something off.
func TestDiscountOfTheProvider(t *testing.T) {
	f := open(t)
	token := f.cashier()
	order := fmt.Sprintf("/orders/%d", f.order(0, func(o *world.Order) { o.Currency, o.PaymentStatus = "USD", "pending" }))
	f.pay(token, order, with(payment(happening("sale", "success", "45.00")), object{"info": object{
		"external_id": "e", "installments": object{"quantity": 1}, "consumer_discounts": array{object{"amount": object{"value": "5.00", "currency": "USD"}}}}}))
	f.want(f.as(token, "GET "+order, nil), object{"payment_status": "paid", "total_paid": "45.00"})
}

// TestGatewayOfTransactions pays an order that was to be paid elsewhere: its gateway is the provider then, by id and by
// name. It kept the name of the gateway that it had before.
func TestGatewayOfTransactions(t *testing.T) {
	f := open(t)
	token := f.cashier()
	order := fmt.Sprintf("/orders/%d", f.order(0, func(o *world.Order) {
		o.Currency, o.PaymentStatus, o.Gateway, o.GatewayName = "USD", "pending", "offline", "Wire transfer"
	}))
	made := f.pay(token, order, payment(happening("sale", "pending", "50.00")))
	f.want(f.as(token, "GET "+order, nil), object{"gateway": "offline", "gateway_name": "Wire transfer"})
	event := fmt.Sprintf("POST %s/transactions/%s/events", order, made["id"])
	f.as(token, event, happening("sale", "success", "50.00"))
	f.want(f.as(token, "GET "+order, nil), object{"gateway": provider, "gateway_name": "Payments", "gateway_id": "ext"})
	w := f.send(token, "2025-03 GET "+order+"/history/values", nil)
	values := f.listOf(w.Body.Bytes())
	f.want(values[len(values)-1], object{"status": "PAID", "gateway_name": "Payments"})
	// A provider that is gone leaves its name.
	f.alter(func(tx *world.Tx) error {
		tx.PaymentProviders.Delete(provider)
		return nil
	})
	f.as(token, event, happening("refund", "success", "50.00"))
	f.want(f.as(token, "GET "+order, nil), object{"payment_status": "refunded", "gateway": provider, "gateway_name": "Payments"})
}

// TestPaymentAfterCancellation: a cancellation leaves the payment status, and what was
// paid can be given back.
func TestPaymentAfterCancellation(t *testing.T) {
	f := open(t)
	token := f.cashier()
	order := fmt.Sprintf("/orders/%d", f.order(0, func(o *world.Order) { o.Currency, o.PaymentStatus = "USD", "pending" }))
	made := f.pay(token, order, payment(happening("sale", "success", "50.00")))
	f.want(f.as(token, "POST "+order+"/cancel", nil), object{"status": "cancelled", "payment_status": "paid"})
	f.as(token, fmt.Sprintf("POST %s/transactions/%s/events", order, made["id"]), happening("refund", "success", "50.00"))
	f.want(f.as(token, "GET "+order, nil), object{"status": "cancelled", "payment_status": "refunded"})
}

// TestPaymentOptions lists the options of all providers in a store, and those that customers can choose from.
func TestPaymentOptions(t *testing.T) {
	f := open(t)
	token, other := f.payer(), f.payer()
	const all, active = "GET /payment_providers/options", "GET /payment-options"
	for _, call := range []string{all, active, "2025-03 " + active, "unstable " + active} {
		if w := f.send(f.token, call, nil); w.Code != http.StatusOK || strings.TrimSpace(w.Body.String()) != "[]" {
			t.Errorf("%s without options: %d %s", call, w.Code, w.Body)
		}
	}
	first := f.provide(token, providerBody(nil))
	second := f.provide(other, providerBody(object{"name": "Other", "checkout_payment_options": array{checkoutOption(object{"id": "card_slug"})}}))
	names := func(call string) (out []string) {
		t.Helper()
		w := f.send(f.token, call, nil) // any app may ask
		for _, o := range f.listOf(w.Body.Bytes()) {
			out = append(out, fmt.Sprint(o["name"]))
		}
		return out
	}
	w := f.send(f.token, all, nil)
	f.want(f.listOf(w.Body.Bytes())[0], object{
		"id": strings.TrimPrefix(first, "/payment_providers/"), "name": "Pay", "logo_url": "https://cdn.pay.example/a.png",
		"checkout_payment_options.0": object{"id": optionID, "name": "Card", "supported_payment_method_types": array{"credit_card"},
			"integration_type": "transparent", "translation_key": nil},
		"checkout_payment_options.1": "absent",
	})
	w = f.send(f.token, active, nil)
	f.want(f.listOf(w.Body.Bytes())[1], object{"name": "Other", "checkout_payment_options.0.id": "card_slug",
		"checkout_payment_options.0.translation_key": "absent"})
	f.change(token, first, object{"enabled": false})
	if got := names(all); !slices.Equal(got, []string{"Pay", "Other"}) {
		t.Errorf("all: got %v", got)
	}
	if got := names(active); !slices.Equal(got, []string{"Other"}) {
		t.Errorf("active: got %v, want the enabled one", got)
	}
	if err := f.Uninstall(f.appOf(other), f.store.ID); err != nil {
		t.Fatal(err)
	}
	if got := append(names("unstable "+active), names(all)...); !slices.Equal(got, []string{"Pay"}) {
		t.Errorf("got %v, want none of an app that is not installed", got)
	}
	for call, scope := range map[string]string{all: "read_payment_options", active: "read_payments"} {
		if w := f.send(f.install(world.Scopes{scope}), call, nil); w.Code != http.StatusForbidden {
			t.Errorf("%s with %s: %d", call, scope, w.Code)
		}
	}
	if w := f.send(token, "POST "+second+"/options", nil); w.Code != http.StatusNotFound {
		t.Errorf("a path that is none: %d", w.Code)
	}
}

// listOf are the records of an answer.
func (f *shop) listOf(raw []byte) []object {
	f.Helper()
	var out []object
	if err := json.Unmarshal(raw, &out); err != nil {
		f.Fatalf("%v: %s", err, raw)
	}
	return out
}

// TestDiscountAmount pays an order of 50.00 with discounts that the provider gave at its own checkout.
func TestDiscountAmount(t *testing.T) {
	f := open(t)
	token := f.cashier()
	usd := func(value string) object { return object{"value": value, "currency": "USD"} }
	off := func(event object, value string) object { return with(event, object{"discount_amount": usd(value)}) }
	sale := func(value string) object { return happening("sale", "success", value) }
	begin := func() string {
		return fmt.Sprintf("/orders/%d", f.order(0, func(o *world.Order) { o.Currency, o.PaymentStatus = "USD", "pending" }))
	}
	status := func(order, want string) {
		t.Helper()
		f.want(f.as(token, "2025-03 GET "+order, nil), object{"payment_status": want})
	}
	tooMuch := func(order string, body object) {
		t.Helper()
		w := f.send(token, "POST "+order+"/transactions", body)
		if w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), "discount_amount") {
			t.Errorf("%v: %d %s", body, w.Code, w.Body)
		}
	}

	order := begin()
	f.pay(token, order, payment(off(sale("18.00"), "2.00")))
	status(order, "partially_paid")
	tooMuch(order, payment(off(sale("28.00"), "2.01"))) // what the first one took off counts
	f.pay(token, order, payment(off(happening("sale", "failure", "30.00"), "2.01")))
	f.pay(token, order, payment(off(sale("28.00"), "2.00")))
	status(order, "paid")

	order = begin() // what was given back does not count, and a capture or a refund without an amount is of all
	made := f.pay(token, order, payment(off(happening("authorization", "success", "45.00"), "5.00")))
	tooMuch(order, payment(off(sale("45.00"), "5.00")))
	event := fmt.Sprintf("POST %s/transactions/%s/events", order, made["id"])
	for _, kind := range []string{"capture", "refund"} {
		bare := off(happening(kind, "success", "1.00"), "1.00") // a later discount is not read
		delete(bare, "amount")
		f.want(f.as(token, event, bare), object{"amount": usd("45.00")})
	}
	f.want(f.as(token, fmt.Sprintf("GET %s/transactions/%s", order, made["id"]), nil), object{"status": "refunded", "discount_amount": usd("5.00")})
	f.pay(token, order, payment(off(sale("45.00"), "5.00")))

	order = begin() // the first event says more than the transaction, and both more than the information
	made = f.pay(token, order, with(payment(off(sale("45.00"), "5.00")), object{"discount_amount": usd("1.00"), "info": object{
		"external_id": "e", "installments": object{"quantity": 1}, "consumer_discounts": array{object{"amount": usd("2.00")}}}}))
	f.want(made, object{"discount_amount": usd("5.00")})
	status(order, "paid")
	made = f.pay(token, begin(), with(payment(off(sale("50.00"), "0.00")), object{"discount_amount": nil}))
	f.want(made, object{"discount_amount": nil})
}
