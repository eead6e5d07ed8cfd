package res_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver"
	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/res"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// TestOrderStates plays every act in every status, by its own path and by PUT.
func TestOrderStates(t *testing.T) {
	f := open(t)
	m := res.OrderStates()
	names := map[string]string{"open": "open", "close": "closed", "cancel": "cancelled"}
	for _, from := range m.States {
		for _, on := range m.Events() {
			for _, put := range []bool{false, true} {
				o := f.order(0, func(o *world.Order) { o.Status = from })
				call, body := fmt.Sprintf("POST /orders/%d/%s", o, on), any(nil)
				if put {
					call, body = fmt.Sprintf("PUT /orders/%d", o), object{"status": names[on]}
				}
				f.events()
				w := f.send(f.token, call, body)
				to := m.Next(from, on)
				switch {
				case put && names[on] == from: // it has that status already
					if w.Code != http.StatusOK {
						t.Errorf("%s in %s: %d %s", call, from, w.Code, w.Body)
					}
					f.wantEvents()
				case len(to) == 0:
					if w.Code != http.StatusUnprocessableEntity {
						t.Errorf("%s in %s: %d %s, the table has no way", call, from, w.Code, w.Body)
					}
					f.wantEvents()
				default:
					f.want(f.object(fmt.Sprintf("GET /orders/%d", o), nil), object{"status": to[0]})
					want := []string{fmt.Sprint("order/updated ", o)}
					if on == "cancel" {
						want = append(want, fmt.Sprint("order/cancelled ", o))
					}
					f.wantEvents(want...)
				}
			}
		}
	}
}

// TestActsWithoutMembers take {} or nothing. What was no JSON closed an order, opened it
// again and confirmed a draft.
func TestActsWithoutMembers(t *testing.T) {
	f := open(t)
	draft := id(f.object("POST /draft_orders", draftBody(id(f.sized("P", "S"), "variants.0"))))
	o := f.order(0, nil)
	for _, call := range []string{fmt.Sprintf("POST /orders/%d/close", o), fmt.Sprintf("POST /orders/%d/open", o), fmt.Sprintf("POST /draft_orders/%d/confirm", draft)} {
		f.wantStatus(http.StatusBadRequest, call, "{")
		f.wantStatus(http.StatusOK, call, "{}")
	}
	f.wantStatus(http.StatusOK, fmt.Sprintf("POST /orders/%d/close", o), nil)
}

// TestPaymentStates brings orders from every payment status to every other by a
// transaction, and marks orders in every status as paid.
func TestPaymentStates(t *testing.T) {
	f := open(t)
	token := f.cashier()
	m := res.PaymentStates()
	ten := decimal.NewFromInt(10)
	// Each status by transactions that are there before and one that is reported.
	ways := map[string]struct {
		before []world.Transaction
		last   object
	}{
		"pending":            {nil, happening("sale", "pending", "10.00")},
		"authorized":         {nil, happening("authorization", "success", "10.00")},
		"partially_paid":     {nil, happening("sale", "success", "9.99")},
		"paid":               {nil, happening("sale", "success", "10.00")},
		"partially_refunded": {[]world.Transaction{{Status: world.TransactionPartiallyRefunded, Captured: ten, Refunded: decimal.NewFromInt(4)}}, happening("sale", "pending", "1.00")},
		"refunded":           {[]world.Transaction{{Status: world.TransactionRefunded, Captured: ten, Refunded: ten}}, happening("sale", "pending", "1.00")},
		"voided":             {[]world.Transaction{{Status: world.TransactionVoided, Authorized: ten, Voided: ten}}, happening("sale", "failure", "1.00")},
	}
	told := map[string][]string{"paid": {"order/paid", "order/updated"}, "voided": {"order/voided"}, "pending": {"order/pending"}}
	for _, from := range m.States {
		for to, way := range ways {
			o := f.order(0, func(o *world.Order) { o.Currency, o.Total, o.PaymentStatus = "USD", ten, from })
			f.alter(func(tx *world.Tx) error {
				for _, x := range way.before {
					x.ID, x.OrderID, x.Currency, x.CreatedAt = tx.NewUUID(), o, "USD", tx.Now()
					if err := tx.Transactions.Put(x.ID, x); err != nil {
						return err
					}
				}
				return nil
			})
			f.events()
			f.pay(token, fmt.Sprintf("/orders/%d", o), payment(way.last))
			leads := m.Leads(from, to, to)
			want, events := from, []string(nil)
			if leads {
				want = to
				names := told[to]
				if names == nil {
					names = []string{"order/updated"}
				}
				for _, name := range names {
					events = append(events, fmt.Sprint(name, " ", o))
				}
			}
			got := f.events()
			f.want(f.object(fmt.Sprintf("2025-03 GET /orders/%d", o), nil), object{"payment_status": want})
			slices.Sort(events)
			if leads && !slices.Equal(got, events) || !leads && from != to && slices.ContainsFunc(got, func(e string) bool { return e != fmt.Sprint("order/updated ", o) }) {
				t.Errorf("%s to %s: told %v, want %v", from, to, got, events)
			}
		}
		o := f.order(0, func(o *world.Order) { o.PaymentStatus = from })
		f.events()
		w := f.send(f.token, fmt.Sprintf("PUT /orders/%d", o), object{"status": "paid"})
		if !m.Leads(from, "mark as paid", "paid") {
			if w.Code != http.StatusUnprocessableEntity {
				t.Errorf("marked as paid in %s: %d", from, w.Code)
			}
			f.wantEvents()
			continue
		}
		f.wantEvents(fmt.Sprint("order/paid ", o), fmt.Sprint("order/updated ", o))
		f.want(f.object(fmt.Sprintf("GET /orders/%d", o), nil), object{"payment_status": "paid", "gateway": "internal", "paid_at": now(f), "total_paid": "50.00"})
	}
}

// TestShippingOfOrder follows an order to its recipient, and the events beside each
// change of its shipping status.
func TestShippingOfOrder(t *testing.T) {
	t.Run("words of the contract", func(t *testing.T) { shippingOfOrder(t, open(t), "unfulfilled", "fulfilled") })
	t.Run("published words", func(t *testing.T) {
		f := openWith(t, refserver.Options{Readings: api.Readings{PublishedShippingWords: true}})
		shippingOfOrder(t, f, "unshipped", "shipped")
		for _, filter := range []string{"fulfilled", "unfulfilled"} {
			f.wantStatus(map[string]int{"fulfilled": 200, "unfulfilled": 404}[filter], "GET /orders?shipping_status="+filter, nil)
		}
	})
}

func shippingOfOrder(t *testing.T, f *shop, packed, sent string) {
	o := f.bought(id(f.sized("P", "S"), "variants.0"), 1, object{"shipping_pickup_type": "ship"})
	order := fmt.Sprintf("/orders/%d", id(o))
	step := func(call string, body any, want object, events ...string) {
		t.Helper()
		f.events()
		if call != "" {
			f.want(f.object(call, body), want)
		}
		for i := range events {
			events[i] = fmt.Sprint(events[i], " ", id(o))
		}
		told := slices.DeleteFunc(f.events(), func(e string) bool { return e == "fulfillment_order/status_updated <nil>" })
		slices.Sort(events)
		if !slices.Equal(told, events) {
			t.Errorf("%s: told %v, want %v", call, told, events)
		}
	}
	f.want(f.object("GET "+order, nil), object{"shipping_status": "unpacked", "next_action": "waiting_manual_confirmation"})
	step("PUT "+order, object{"status": "paid"}, object{"next_action": "waiting_packing"}, "order/paid", "order/updated")
	f.events()
	f.alter(func(tx *world.Tx) error { return res.PrepareOrder(tx, id(o)) })
	f.wantEvents(fmt.Sprint("order/in_preparation ", id(o)), fmt.Sprint("order/updated ", id(o)))
	step("GET "+order, nil, object{"shipping_status": "in_preparation", "next_action": "waiting_packing"})
	step("POST "+order+"/close", nil, object{"next_action": "noop"}, "order/updated")
	step("POST "+order+"/open", nil, object{"next_action": "waiting_packing"}, "order/updated")
	if err := f.World().Update(0, f.store.ID, func(tx *world.Tx) error { return res.PrepareOrder(tx, id(o)) }); err == nil {
		t.Error("an order was prepared twice")
	}
	step("POST "+order+"/pack", nil, object{"shipping_status": packed, "next_action": "waiting_shipment"}, "order/packed", "order/updated")
	fo := fmt.Sprintf("PATCH %s/fulfillment-orders/%s", order, at(f.object("2025-03 GET "+order, nil), "fulfillment_orders.0"))
	step(fo, object{"status": "UNPACKED"}, object{"status": "UNPACKED"}, "order/unpacked", "order/updated")
	step("POST "+order+"/fulfill", object{"shipping_tracking_number": 123, "shipping_tracking_url": "https://t.example/1", "notify_customer": false},
		object{"shipping_status": sent, "shipping_tracking_number": "123", "shipping_tracking_url": "https://t.example/1", "shipped_at": now(f), "next_action": "close"},
		"order/fulfilled", "order/updated")
	step("POST "+order+"/close", nil, object{"next_action": "noop", "closed_at": now(f)}, "order/updated")
	step("POST "+order+"/open", nil, object{"next_action": "close", "closed_at": nil}, "order/updated")
	for _, version := range []string{"2025-03", "unstable"} {
		for _, act := range []string{"pack", "fulfill"} {
			f.wantStatus(http.StatusNotFound, version+" POST "+order+"/"+act, object{})
		}
	}
	f.want(f.object("2025-03 GET "+order, nil), object{"next_action": "absent", "shipped_at": "absent", "landing_url": "absent", "shipping_option": "absent", "shipping_status": sent})
}
