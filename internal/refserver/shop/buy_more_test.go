package shop_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/carrier"
	"github.com/commerceplatform/commerce-go/internal/refserver/payment"
	"github.com/commerceplatform/commerce-go/internal/refserver/shop"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

const provider = "02aaa5c6-080a-40e9-a61f-90ca2150d6a2"

// cashier makes the app take payments: process is what it does with each.
func (a *app) cashier(process func(w http.ResponseWriter, order int64, amount string)) {
	a.Helper()
	app := a.App
	app.Features, app.Payments = []string{"discounts", "payments"}, world.PaymentURLs{Process: a.origin + "/process"}
	var err error
	if a.App, err = a.AddApp(app); err != nil {
		a.Fatal(err)
	}
	a.install(world.AllScopes()...)
	a.update(func(tx *world.Tx) error {
		return tx.PaymentProviders.Put(provider, world.PaymentProvider{
			ID: provider, AppID: a.ID, Name: "Pay", Enabled: true, Currencies: []string{"ARS"},
			Methods: []world.PaymentMethods{{Type: "wallet"}, {Type: "credit_card", IDs: []string{"visa"}}},
		})
	})
	if err := a.Partner(a.origin, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var b struct {
			Order  int64 `json:"order_id"`
			Amount struct {
				Value string `json:"value"`
			} `json:"amount"`
		}
		if err := json.NewDecoder(r.Body).Decode(&b); err != nil {
			a.Error(err)
		}
		process(w, b.Order, b.Amount.Value)
	})); err != nil {
		a.Fatal(err)
	}
}

// report is the app's transaction of an order.
func (a *app) report(order int64, amount string) object {
	a.Helper()
	return a.send(fmt.Sprintf("POST /orders/%d/transactions", order), object{
		"payment_provider_id": provider, "payment_method": object{"type": "wallet"}, "info": object{"external_id": "p-1"},
		"first_event": object{"type": "sale", "status": "success", "amount": object{"value": amount, "currency": "ARS"}},
	}, 201)
}

var wallet = shop.Charge{Provider: provider, MethodType: "wallet"}

// The app is called after the order is there, and may report its transaction, and look at the cart, meanwhile.
func TestPurchaseIsPaid(t *testing.T) {
	m := open(t)
	front := m.Storefront(m.store.ID, shop.Options{})
	a := m.app()
	var cart int64
	calls := 0
	a.cashier(func(w http.ResponseWriter, order int64, amount string) {
		calls++
		if _, err := front.Buy(t.Context(), cart, shop.Purchase{Contact: ana}); !errors.Is(err, shop.ErrNoCart) {
			t.Errorf("a purchase of the same cart: %v", err)
		}
		m.contents(a.send(fmt.Sprint("GET /orders/", order), nil, 200), map[string]any{
			"payment_status": "pending", "next_action": "waiting_ipn", "gateway": provider, "gateway_name": "Pay", "payment_details.method": "wallet"})
		a.report(order, amount)
		w.WriteHeader(http.StatusCreated)
	})
	cart = m.begin(front)
	m.add(front, cart, m.mug, 2)
	for _, wrong := range []struct {
		by   shop.Charge
		want string
	}{
		{shop.Charge{Provider: provider, MethodType: "pix"}, `payment method type "pix"`},
		{shop.Charge{Provider: provider, MethodType: "credit_card", MethodID: "amex"}, `payment method "amex"`},
		{shop.Charge{MethodType: "wallet"}, `payment provider ""`},
	} {
		if _, err := front.Buy(t.Context(), cart, shop.Purchase{Contact: ana, Payment: wrong.by}); !errors.Is(err, shop.ErrRefused) || !strings.Contains(err.Error(), wrong.want) {
			t.Errorf("%+v: %v", wrong.by, err)
		}
	}
	got := m.buy(front, cart, shop.Purchase{Contact: ana, Payment: wallet})
	if c := got.Payment; c == nil || c.Outcome != payment.Accepted || c.Kind != payment.Process || calls != 1 {
		t.Errorf("%d calls, the payment: %+v", calls, c)
	}
	m.contents(a.send(fmt.Sprint("GET /orders/", got.Order), nil, 200), map[string]any{"payment_status": "paid", "total_paid": "20.00", "customer.total_spent": "20.00"})

	m.coupon("ALL", func(k *world.Coupon) { k.Value = some("100") })
	cart = m.begin(front)
	m.add(front, cart, m.mug, 1)
	m.apply(front, cart, "ALL")
	if got := m.buy(front, cart, shop.Purchase{Contact: ana, Payment: wallet}); got.Payment != nil || calls != 1 {
		t.Errorf("nothing was to be paid: %d calls, %+v", calls, got.Payment)
	}

	ctx, cancel := context.WithCancel(t.Context()) // ends while the app is being asked
	a.cashier(func(http.ResponseWriter, int64, string) { cancel(); <-ctx.Done() })
	cart = m.begin(front)
	m.add(front, cart, m.mug, 1)
	got, err := front.Buy(ctx, cart, shop.Purchase{Contact: ana, Payment: wallet})
	if err != nil && (got.Order == 0 || !strings.Contains(err.Error(), fmt.Sprintf("order %d was made", got.Order))) {
		t.Errorf("bought %+v, %v", got, err)
	}
}

// An order whose payment is under way is restored as it is, with its cart bought, and so is a cart that was not.
func TestRestoreDuringAPurchase(t *testing.T) {
	m := open(t)
	a := m.app()
	k := m.coupon("ONCE", func(k *world.Coupon) { k.MaxUses = 1 })
	m.stocked(m.mug, 1)
	var before, during world.Snapshot
	front := m.Storefront(m.store.ID, shop.Options{Finish: func(context.Context, shop.Checkout) error { before = m.World().Snapshot(); return nil }})
	a.cashier(func(w http.ResponseWriter, order int64, amount string) {
		during = m.World().Snapshot()
		a.report(order, amount)
		w.WriteHeader(http.StatusCreated)
	})
	cart := m.begin(front)
	m.add(front, cart, m.mug, 1)
	m.apply(front, cart, "ONCE")
	first := m.buy(front, cart, shop.Purchase{Contact: ana, Payment: wallet})

	m.World().Restore(during)
	if _, err := front.Buy(t.Context(), cart, shop.Purchase{Contact: ana}); !errors.Is(err, shop.ErrNoCart) || m.used(k) != 1 || m.stock(m.mug) != 0 {
		t.Errorf("restored in the midst of the payment: %v, used %d, %d left", err, m.used(k), m.stock(m.mug))
	}
	m.contents(a.send(fmt.Sprint("GET /orders/", first.Order), nil, 200), map[string]any{"payment_status": "pending"})
	a.report(first.Order, first.Total.StringFixed(2))
	m.contents(a.send(fmt.Sprint("GET /orders/", first.Order), nil, 200), map[string]any{"payment_status": "paid"})

	m.World().Restore(before)
	if m.used(k) != 0 || m.stock(m.mug) != 1 {
		t.Errorf("restored before the purchase: used %d, %d left", m.used(k), m.stock(m.mug))
	}
	again := m.buy(front, cart, shop.Purchase{Contact: ana})
	if again.Order <= first.Order || again.Number != first.Number || !again.Total.Equal(first.Total) {
		t.Errorf("bought again: %+v, want %+v with a new id", again, first)
	}
}

// Rules see what is to be bought, before anything has changed, and may refuse it.
func TestFinishRefuses(t *testing.T) {
	m := open(t)
	var seen []shop.Checkout
	blocked := errors.New("blocked by app 12")
	front := m.Storefront(m.store.ID, shop.Options{Finish: func(_ context.Context, c shop.Checkout) error {
		if seen = append(seen, c); len(seen) == 1 {
			return blocked
		}
		return nil
	}})
	cart := m.begin(front)
	m.add(front, cart, m.mug, 2)
	if _, err := front.Buy(t.Context(), cart, shop.Purchase{Contact: ana, Note: "n"}); !errors.Is(err, blocked) || !errors.Is(err, shop.ErrRefused) {
		t.Errorf("got %v", err)
	}
	m.buy(front, cart, shop.Purchase{Contact: ana})
	if c := seen[0]; len(seen) != 2 || c.ID != cart || c.Purchase.Note != "n" || !c.Cart.Total.Equal(decimal.NewFromInt(20)) {
		t.Errorf("seen %+v", seen)
	}
}

// A kit is sold as its components, whose lines name it.
func TestKitIsBought(t *testing.T) {
	m := open(t)
	front := m.Storefront(m.store.ID, shop.Options{})
	a := m.app()
	a.install(world.AllScopes()...)
	m.stocked(m.mug, 9)
	m.update(func(tx *world.Tx) error {
		article(tx, 13, "0.00")
		return tx.Kits.Put(13, world.Kit{ID: 13, DiscountPercent: some("10"), Components: []world.Component{{ProductID: 11, Quantity: 2}, {ProductID: 12, Quantity: 1}}})
	})
	cart := m.begin(front)
	m.add(front, cart, world.Variant{ID: 130}, 2)
	begin := m.World().Snapshot()
	m.update(func(tx *world.Tx) error {
		k, _ := tx.Kits.Get(13)
		k.InvalidAt = m.clock.Now()
		return tx.Kits.Put(13, k)
	})
	if _, err := front.Buy(t.Context(), cart, shop.Purchase{Contact: ana}); !errors.Is(err, shop.ErrRefused) || !strings.Contains(err.Error(), "kit 13 is not valid any more") {
		t.Errorf("an invalid kit: %v", err)
	}
	m.World().Restore(begin)
	got := m.buy(front, cart, shop.Purchase{Contact: ana})
	o := a.send(fmt.Sprint("GET /orders/", got.Order), nil, 200)
	m.contents(o, map[string]any{"products.0.quantity": "4", "products.1.quantity": "2", "products.0.price": "9.00", "products.1.price": "30.00", "total": "96.00"})
	var sold []*world.SoldKit
	m.read(func(tx *world.Tx) {
		o, _ := tx.Orders.Get(got.Order)
		for _, l := range o.Lines {
			sold = append(sold, l.Kit)
		}
	})
	if k := sold[0]; k == nil || k.ProductID != 13 || k.VariantID != 130 || k.Price.String() != "48" || !reflect.DeepEqual(sold[1], k) || m.stock(m.mug) != 5 {
		t.Errorf("kits %+v, %d mugs are left", sold, m.stock(m.mug))
	}
}

// An abandoned checkout becomes an order once, for as long as it is kept, with what it has.
func TestCheckoutIsBought(t *testing.T) {
	m := open(t)
	front := m.Storefront(m.store.ID, shop.Options{})
	a := m.app()
	a.install(world.AllScopes()...)
	k := m.coupon("TEN", nil)
	cart := m.begin(front)
	m.add(front, cart, m.mug, 3)
	var left world.Cart
	m.update(func(tx *world.Tx) error { // the customer leaves
		left, _ = tx.Carts.Get(cart)
		tx.Carts.Delete(cart)
		return tx.Checkouts.Put(cart, world.Checkout{ID: cart, Sale: world.Sale{
			Token: left.Token, ContactName: "Ana Paz", ContactEmail: "ana@mail.example", Lines: left.Lines, Coupons: []int64{k}, Currency: "ARS", Language: "en",
			Shipping: "branch", ShippingOption: "Standard delivery", ShippingPickupType: "ship", ShippingCostCustomer: decimal.NewFromInt(5),
			Discount: decimal.NewFromInt(4), ShippingAddress: world.Address{City: "Rosario", Country: "AR", Zipcode: "2000"}, CreatedAt: tx.Now(), UpdatedAt: tx.Now(),
		}})
	})
	path := fmt.Sprint("/checkouts/", cart)
	m.contents(a.send("GET "+path, nil, 200), map[string]any{"completed_at": nil})
	m.clock.Advance(31 * 24 * time.Hour) // it cannot be read any more
	got := m.buy(front, cart, shop.Purchase{})
	m.contents(a.send(fmt.Sprint("GET /orders/", got.Order), nil, 200), map[string]any{
		"total": "28.00", "discount": "7.00", "discount_coupon": "3.00", "shipping_option": "Standard delivery", "contact_email": "ana@mail.example",
		"token": left.Token, "shipping_address.city": "Rosario", "coupon.0.used": 1.0,
	})
	if _, err := front.Buy(t.Context(), cart, shop.Purchase{}); !errors.Is(err, shop.ErrNoCart) || !strings.Contains(err.Error(), fmt.Sprint("order ", got.Order)) {
		t.Errorf("bought again: %v", err)
	}
	a.send("POST "+path+"/coupon", object{"coupon_id": k}, 404)
	a.send(fmt.Sprintf("DELETE /carts/%d/line-items/%d", cart, left.Lines[0].ID), nil, 404)
	m.clock.Advance(60 * 24 * time.Hour)
	m.update(func(*world.Tx) error { return nil })
	if _, err := front.Buy(t.Context(), cart, shop.Purchase{}); !errors.Is(err, shop.ErrNoCart) {
		t.Errorf("after 90 days: %v", err)
	}

	// One that is a cart again is bought as that, and completed.
	cart = m.begin(front)
	m.add(front, cart, m.mug, 2)
	m.update(func(tx *world.Tx) error {
		c, _ := tx.Carts.Get(cart)
		return tx.Checkouts.Put(cart, world.Checkout{ID: cart, Sale: world.Sale{Token: c.Token, ContactEmail: "ana@mail.example", Lines: c.Lines, CreatedAt: tx.Now()}})
	})
	m.add(front, cart, m.mug, 1)
	if got := m.buy(front, cart, shop.Purchase{}); got.Total.String() != "30" {
		t.Errorf("bought %+v, want what the cart has", got)
	}
	done := a.send(fmt.Sprint("GET /checkouts/", cart), nil, 200)
	if at, ok := done["completed_at"].(object); !ok || at["timezone"] != "UTC" || at["date"] == nil {
		t.Errorf("completed_at: %v", done["completed_at"])
	}
	if _, err := m.Carriers().CartParcel(m.store.ID, cart, carrier.Address{}, nil); err == nil {
		t.Error("a quote for what was bought")
	}
}
