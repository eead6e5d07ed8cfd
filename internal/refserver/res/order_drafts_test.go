package res_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver/res"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

func draftBody(variant int64) object {
	return object{"contact_name": "Eva", "contact_lastname": "Paz", "contact_email": "eva@mail.example", "payment_status": "unpaid",
		"products": array{object{"variant_id": variant, "quantity": 2}}}
}

func TestDraftOnTheWire(t *testing.T) {
	f := open(t)
	body := with(draftBody(id(f.sized("P", "S"), "variants.0")), object{"note": "By phone", "contact_phone": 5550100, "cpf_cnpj": "20999",
		"sale_channel": "phone", "discount": "12.5", "shipping": object{"cost": "4.00", "shipping_address": object{"address": "Calle Dos", "number": 34}},
		"products": array{object{"variant_id": id(f.sized("Q", "S"), "variants.0"), "quantity": 2, "properties": object{"text": "A & B"}}}})
	f.events()
	made := f.object("POST /draft_orders", body)
	f.wantEvents()
	f.want(made, object{
		"store_id": f.store.ID, "number": 0, "contact_name": "Eva Paz", "contact_phone": "5550100", "contact_identification": "20999", "note": nil, "owner_note": "By phone",
		"subtotal": "20.00", "discount": "2.50", "shipping_cost_customer": "4.00", "total": "21.50", "shipping": "draft", "shipping_option_code": "draft_99999",
		"gateway": "not-provided", "gateway_name": "absent", "storefront": "form", "next_action": "noop", "status": "open", "payment_status": "pending", "shipping_status": "unpacked",
		"shipping_address": "Calle Dos", "shipping_number": "34", "shipping_zipcode": "0000", "customer": nil, "sale_channel": "phone",
		"completed_at.date": "-0001-11-30 00:00:00.000000", "risk_management": object{}, "products.0.properties": object{"text": "A & B"},
		"checkout_url": made["abandoned_checkout_url"], "products.0.quantity": "2",
	})
	call := fmt.Sprintf("GET /draft_orders/%d", id(made))
	f.want(f.object(call, nil), object{"store_id": fmt.Sprint(f.store.ID), "shipping_address.address": "Calle Dos", "shipping_address.country": "US",
		"shipping_number": "absent", "abandoned_checkout_url": "absent", "checkout_url": made["checkout_url"]})
	plain := f.object("POST /draft_orders", draftBody(id(f.sized("R", "S"), "variants.0")))
	f.want(f.object(fmt.Sprintf("GET /draft_orders/%d", id(plain)), nil), object{"shipping_address": nil, "discount": "0.00", "products.0.properties": array{}, "app_id": plain["app_id"]})
	f.wantIDs("GET /draft_orders", id(made), id(plain))
	f.wantIDs(fmt.Sprint("GET /draft_orders?since_id=", id(made)), id(plain))
	f.want(f.object("POST /draft_orders", with(body, object{"discount": "20.00", "discount_type": "absolute"})), object{"discount": "20.00", "total": "4.00"})
	f.wantStatus(http.StatusUnprocessableEntity, "POST /draft_orders", with(body, object{"discount": "20.01", "discount_type": "absolute"}))
	// The products of a draft have no price of their own.
	f.want(f.object("POST /draft_orders", with(draftBody(id(f.sized("S", "S"), "variants.0")), object{
		"products": array{object{"variant_id": id(f.sized("T", "S"), "variants.0"), "quantity": 2, "price": "1.00"}}})), object{"total": "20.00"})
	log := f.Requests()
	if got := fmt.Sprint(log[len(log)-1].UnreadBody); got != "[products.price]" {
		t.Errorf("unread %s, want [products.price]", got)
	}
}

func TestDraftQueries(t *testing.T) {
	f := open(t)
	v := id(f.sized("P", "S"), "variants.0")
	var made []int64
	for range 2 {
		f.clock.Advance(60e9)
		made = append(made, id(f.object("POST /draft_orders", draftBody(v))))
	}
	f.clock.Advance(58 * 60e9)
	f.alter(func(tx *world.Tx) error {
		d, _ := tx.DraftOrders.Get(made[0])
		d.UpdatedAt = f.clock.Now()
		return tx.DraftOrders.Put(d.ID, d)
	})
	f.wantQueries("draftOrders.list", "/draft_orders", made, windows(made))
}

// TestConfirm makes drafts orders of the same id, with numbers in the order of
// confirmation.
func TestConfirm(t *testing.T) {
	f := open(t)
	v := id(f.sized("P", "S"), "variants.0")
	first, second := f.object("POST /draft_orders", draftBody(v)), f.object("POST /draft_orders", with(draftBody(v), object{"payment_status": "paid", "note": "N"}))
	third := f.object("POST /draft_orders", with(draftBody(v), object{"payment_status": "pending_confirmation"}))
	f.want(third, object{"payment_status": "pending_confirmation"})
	confirm := func(d object) (string, object) { return fmt.Sprintf("POST /draft_orders/%d/confirm", id(d)), object{} }
	f.events()
	got := f.object(confirm(second))
	f.want(got, object{
		"id": id(second), "store_id": f.store.ID, "number": 100, "payment_status": "paid", "paid_at": now(f), "next_action": "waiting_packing",
		"completed_at.date": "2025-01-01 12:00:00.000000", "customer.email": "eva@mail.example", "customer.name": "Eva Paz", "storefront": "form",
		"owner_note": "N", "total": "20.00", "token": second["token"],
	})
	c := id(got, "customer")
	f.wantEvents(fmt.Sprint("customer/created ", c), fmt.Sprint("order/created ", id(second)))
	f.want(f.object(confirm(first)), object{"number": 101, "payment_status": "pending", "customer.id": c, "paid_at": nil})
	f.wantEvents(fmt.Sprint("order/created ", id(first)))
	f.want(f.object(confirm(third)), object{"number": 102, "payment_status": "pending"})
	call, body := confirm(second)
	f.wantStatus(http.StatusNotFound, call, body)
	f.wantStatus(http.StatusNotFound, fmt.Sprintf("GET /draft_orders/%d", id(second)), nil)
	f.want(f.object(fmt.Sprintf("GET /orders/%d", id(second)), nil), object{"number": 100, "status": "open"})
	f.wantIDs("GET /orders?channels=api")
	f.wantIDs("GET /orders?channels=form", id(third), id(second), id(first))
}

// TestDraftStates tries every act in every status that a draft can be read in.
func TestDraftStates(t *testing.T) {
	m := res.DraftStates()
	acts := map[string]string{"confirm": "POST /draft_orders/%d/confirm", "delete": "DELETE /draft_orders/%d"}
	for _, from := range []string{"open", "closed", "cancelled"} {
		for on, call := range acts {
			f := open(t)
			d := id(f.object("POST /draft_orders", draftBody(id(f.sized("P", "S"), "variants.0"))))
			f.alter(func(tx *world.Tx) error {
				k, _ := tx.DraftOrders.Get(d)
				k.Status = from
				return tx.DraftOrders.Put(k.ID, k)
			})
			f.events()
			to, w := m.Next(from, on), f.send(f.token, fmt.Sprintf(call, d), nil)
			if len(to) == 0 {
				if w.Code != http.StatusNotFound {
					t.Errorf("%s of a draft that is %s: %d %s, the table has no way", on, from, w.Code, w.Body)
				}
				f.wantEvents()
				f.want(f.object(fmt.Sprintf("GET /draft_orders/%d", d), nil), object{"status": from})
				continue
			}
			if w.Code != http.StatusOK {
				t.Errorf("%s of a draft that is %s: %d %s", on, from, w.Code, w.Body)
			}
			f.wantStatus(http.StatusNotFound, fmt.Sprintf("GET /draft_orders/%d", d), nil)
			order := http.StatusNotFound
			if to[0] == "confirmed" {
				order = http.StatusOK
			}
			f.wantStatus(order, fmt.Sprintf("GET /orders/%d", d), nil)
		}
	}
	if got := m.Events(); len(got) != len(acts) {
		t.Errorf("the table has the events %v, want those of the acts", got)
	}
}

func TestDeleteDraft(t *testing.T) {
	f := open(t)
	d := f.object("POST /draft_orders", draftBody(id(f.sized("P", "S"), "variants.0")))
	call := fmt.Sprintf("/draft_orders/%d", id(d))
	f.alter(func(tx *world.Tx) error {
		k, _ := tx.DraftOrders.Get(id(d))
		k.Status, k.CancelReason, k.CancelledAt = "cancelled", "customer", tx.Now()
		return tx.DraftOrders.Put(k.ID, k)
	})
	f.want(f.object("GET "+call, nil), object{"status": "cancelled", "cancel_reason": "customer"})
	f.wantStatus(http.StatusNotFound, "POST "+call+"/confirm", nil)
	if got := f.object("DELETE "+call, nil); len(got) != 0 {
		t.Errorf("answer %v", got)
	}
	f.wantStatus(http.StatusNotFound, "GET "+call, nil)
	f.wantStatus(http.StatusNotFound, "DELETE "+call, nil)
}
