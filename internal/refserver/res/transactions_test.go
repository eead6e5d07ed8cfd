package res_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/res"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// as plays a call that has to succeed with a token and returns its answer.
func (f *shop) as(token, call string, body any) object {
	f.Helper()
	w := f.send(token, call, body)
	var out object
	if err := json.Unmarshal(w.Body.Bytes(), &out); err != nil || w.Code < 200 || w.Code > 299 {
		f.Fatalf("%s %v: %d %s", call, body, w.Code, w.Body)
	}
	return out
}

func (f *shop) pay(token, order string, body object) object {
	f.Helper()
	return f.as(token, "POST "+order+"/transactions", body)
}

// TestTransactionStates plays every event in every state. What the table does not
// have is refused.
func TestTransactionStates(t *testing.T) {
	f := open(t)
	token := f.cashier()
	order := fmt.Sprintf("/orders/%d", f.order(0, func(o *world.Order) { o.Currency, o.PaymentStatus = "USD", "pending" }))
	m := res.TransactionStates()
	begin := f.World().Snapshot()
	for _, from := range m.States {
		for _, on := range m.Events() {
			kind, status, _ := strings.Cut(on, " ")
			for _, amount := range []string{"2.00", "5.00"} {
				f.World().Restore(begin)
				w := f.send(token, "POST "+order+"/transactions", payment(happening(kind, status, amount)))
				if from != world.TransactionNew {
					f.alter(func(tx *world.Tx) error {
						x := world.Transaction{ID: provider, OrderID: firstOrderOf(tx), Currency: "USD", MethodType: "credit_card", Status: from, Authorized: decimal.NewFromInt(10)}
						if slices.Contains([]world.TransactionStatus{world.TransactionPaid, world.TransactionPartiallyRefunded}, from) {
							x.Captured = decimal.NewFromInt(5)
						}
						if kind == "expiration" {
							x.MethodType = "boleto"
						}
						return tx.Transactions.Put(x.ID, x)
					})
					w = f.send(token, "POST "+order+"/transactions/"+provider+"/events", happening(kind, status, amount))
				}
				to := m.Next(from, on)
				if len(to) == 0 {
					if w.Code != http.StatusUnprocessableEntity {
						t.Errorf("%q in %q: %d %s, the table has no way", on, from, w.Code, w.Body)
					}
					continue
				}
				if w.Code != http.StatusCreated {
					t.Errorf("%q in %q: %d %s", on, from, w.Code, w.Body)
					continue
				}
				want := to[0]
				if len(to) > 1 && amount == "2.00" {
					want = to[1]
				}
				if got := f.statuses(token, order); !slices.Contains(got, string(want)) {
					t.Errorf("%q of %s in %q: got %v, want %q", on, amount, from, got, want)
				}
			}
		}
	}
}

func firstOrderOf(tx *world.Tx) int64 {
	for id := range tx.Orders.All() {
		return id
	}
	return 0
}

// statuses are those of the transactions of an order.
func (f *shop) statuses(token, order string) []string {
	f.Helper()
	var list []struct {
		Status string `json:"status"`
	}
	w := f.send(token, "GET "+order+"/transactions", nil)
	if err := json.Unmarshal(w.Body.Bytes(), &list); err != nil {
		f.Fatal(err)
	}
	var out []string
	for _, x := range list {
		out = append(out, x.Status)
	}
	return out
}

// TestEventTypesOfMethods plays each type as the first event of each method.
func TestEventTypesOfMethods(t *testing.T) {
	f := open(t)
	token := f.cashier()
	order := fmt.Sprintf("/orders/%d", f.order(0, func(o *world.Order) { o.Currency = "USD" }))
	for method, allowed := range map[string]string{
		"credit_card": "authorization capture in_fraud_analysis refund needs_merchant_review sale void",
		"boleto":      "sale expiration refund", "pix": "sale expiration refund", "ticket": "sale expiration refund",
		"wallet": "sale refund", "cash": "sale refund", "debit_card": "sale refund",
	} {
		for _, kind := range []string{"authorization", "capture", "expiration", "in_fraud_analysis", "refund", "needs_merchant_review", "sale", "void"} {
			body := with(payment(happening(kind, "pending", "1.00")), object{"payment_method": object{"type": method, "id": "x"}})
			w := f.send(token, "POST "+order+"/transactions", body)
			refused := strings.Contains(w.Body.String(), "must be an event type of the payment method")
			if slices.Contains(strings.Fields(allowed), kind) == refused {
				t.Errorf("%s of %s: %d %s", kind, method, w.Code, w.Body)
			}
		}
	}
	for _, method := range []string{"cash", "pix", "wallet"} {
		f.pay(token, order, with(payment(happening("sale", "pending", "1.00")), object{"payment_method": object{"type": method}}))
	}
	bare := happening("sale", "success", "1.00")
	delete(bare, "authorization_code")
	delete(bare, "failure_code")
	f.pay(token, order, with(payment(bare), object{"payment_method": object{"type": "wallet"}, "info": object{"external_id": "e"}}))
	for _, method := range []string{"credit_card", "debit_card", "pix"} {
		w := f.send(token, "POST "+order+"/transactions", with(payment(bare), object{"payment_method": object{"type": method, "id": "x"}}))
		if w.Code != http.StatusUnprocessableEntity {
			t.Errorf("a sale by %s without an authorization code: %d", method, w.Code)
		}
	}
}

func TestTransactionOnTheWire(t *testing.T) {
	f := open(t)
	token := f.cashier()
	o := f.bought(id(f.sized("P", "S"), "variants.0"), 1, object{"currency": "USD"})
	order := fmt.Sprintf("/orders/%d", id(o))
	first := with(happening("authorization", "success", "10.00"), object{"happened_at": "2025-01-01T07:00:00-03:00", "expires_at": "2025-01-09", "info": object{"message": "waits"}})
	made := f.pay(token, order, with(payment(first), object{"payment_attempt_id": "try-1", "info": object{
		"external_id": "ext-1", "external_url": "https://pay.example/1", "installments": object{"quantity": 3, "interest": "1.5"}, "card": object{"last_digits": "1111"},
		"consumer_charges":   array{object{"type": "financing_cost", "amount": object{"value": "0.55", "currency": "USD"}, "description": "three parts"}},
		"consumer_discounts": array{object{"type": "other", "amount": object{"value": "1.00", "currency": "USD"}}},
	}}))
	amount := func(v string) object { return object{"value": v, "currency": "USD"} }
	f.want(made, object{
		"app_id": f.appOf(token), "payment_provider_id": provider, "payment_method": object{"type": "credit_card", "id": "visa"}, "status": "authorized",
		"authorized_amount": amount("10.00"), "captured_amount": amount("0.00"), "refunded_amount": amount("0.00"), "voided_amount": amount("0.00"),
		"discount_amount": amount("1.00"), "failure_code": nil, "payment_attempt_id": "absent", "payment_provider_tax_id": "absent", "info.card.last_digits": "1111",
		"created_at": "2025-01-01T12:00:00.000Z", "events.0.happened_at": "2025-01-01T10:00:00.000Z", "events.0.expires_at": "2025-01-09T00:00:00.000Z",
		"info.consumer_charges.0.description": "three parts", "info.consumer_discounts.0.type": "other", "events.0.info": object{"message": "waits"}, "events.0.amount": amount("10.00"), "events.1": "absent",
	})
	event := func(kind, status, value string) object {
		return f.as(token, fmt.Sprintf("POST %s/transactions/%s/events", order, made["id"]), happening(kind, status, value))
	}
	f.want(event("capture", "failure", "10.00"), object{"type": "capture", "status": "failure", "failure_code": "declined"})
	get := fmt.Sprintf("GET %s/transactions/%s", order, made["id"])
	f.want(f.as(token, get, nil), object{"status": "authorized", "failure_code": "declined"})
	event("capture", "success", "10.00")
	f.want(f.as(token, "GET "+order, nil), object{
		"payment_status": "paid", "total_paid": "10.55", "gateway": provider, "gateway_id": "ext-1", "gateway_link": "https://pay.example/1",
		"payment_details": object{"method": "credit_card", "credit_card_company": "visa", "installments": 3},
	})
	f.want(f.as(token, "2025-03 GET "+order, nil), object{"total_paid": "absent", "total_paid_by_customer": "10.00", "total_paid_by_customer_including_fees": "10.55"})
	event("refund", "success", "4.00")
	f.want(f.as(token, get, nil), object{"status": "partially_refunded", "refunded_amount": amount("4.00")})
	event("refund", "pending", "6.00")
	event("refund", "success", "6.00")
	f.want(f.as(token, get, nil), object{"status": "refunded", "refunded_amount": amount("10.00")})
	f.wantIDs(fmt.Sprintf("GET /orders?payment_provider=%s", provider), id(o))
	f.wantIDs("GET /orders?payment_methods=pix,credit_card", id(o))
	other := f.order(0, nil)
	if w := f.send(token, fmt.Sprintf("GET /orders/%d/transactions/%s", other, made["id"]), nil); w.Code != http.StatusNotFound {
		t.Errorf("the transaction of another order: %d", w.Code)
	}
	if w := f.send(f.token, "GET "+order+"/transactions", nil); w.Code != http.StatusForbidden {
		t.Errorf("an app without the feature: %d", w.Code)
	}
}

// A payment that is authorized and then voided leaves the order to one that is pending.
func TestPendingPaymentRemains(t *testing.T) {
	f := open(t)
	token := f.cashier()
	o := f.bought(id(f.sized("P", "S"), "variants.0"), 1, object{"currency": "USD"})
	order := fmt.Sprintf("/orders/%d", id(o))
	authorized := f.pay(token, order, payment(happening("authorization", "success", "10.00")))
	f.pay(token, order, payment(happening("sale", "pending", "10.00")))
	f.events()
	f.as(token, fmt.Sprintf("POST %s/transactions/%s/events", order, authorized["id"]), happening("void", "success", "10.00"))
	f.wantEvents(fmt.Sprint("order/pending ", id(o)))
	f.want(f.object("GET "+order, nil), object{"payment_status": "pending"})
}
