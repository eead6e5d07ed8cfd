package shop_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/carrier"
	"github.com/commerceplatform/commerce-go/internal/refserver/shop"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// abandon leaves a cart.
func (m *market) abandon(s *shop.Storefront, cart int64) {
	m.Helper()
	if err := s.Abandon(m.Context(), cart); err != nil {
		m.Fatal(err)
	}
}

func (m *market) contact(s *shop.Storefront, cart int64, c shop.Contact) {
	m.Helper()
	if _, err := s.SetContact(m.Context(), cart, c); err != nil {
		m.Fatal(err)
	}
}

func (m *market) destination(s *shop.Storefront, cart int64, city, cost string) {
	m.Helper()
	to := shop.Destination{Country: "AR", City: city, Zipcode: "2000", Cost: some(cost).Decimal}
	if _, err := s.SetDestination(m.Context(), cart, to); err != nil {
		m.Fatal(err)
	}
}

// A cart that is left is an abandoned checkout with all that it has, and is bought as that with the same amounts,
// however long after.
func TestAbandonedCart(t *testing.T) {
	m := open(t)
	front := m.Storefront(m.store.ID, shop.Options{})
	a := m.app()
	line, cross := a.promote("line_item"), a.promote("cross_items")
	a.answer = func(cart object) (int, []object) {
		if cart["execution_tier"] == "line_item" {
			return 200, offLines(line, specs("percentage", "10.00"))(cart)
		}
		return 200, offCart(cross, specs("fixed", "5.00"))(cart)
	}
	a.install(world.AllScopes()...)
	m.stocked(m.mug, 7)
	m.coupon("TEN", nil)
	cart := m.begin(front)
	m.add(front, cart, m.mug, 3)
	m.add(front, cart, m.pot, 1)
	m.apply(front, cart, "TEN")
	m.destination(front, cart, "Rosario", "4.00")
	m.contact(front, cart, shop.Contact{Name: " Eva ", Email: "eva@mail.example", Phone: "+541", Identification: "28"})
	asked, events := len(a.got), m.events()
	m.abandon(front, cart)
	if len(a.got) != asked || len(events()) != 0 || m.stock(m.mug) != 7 {
		t.Errorf("apps were asked %d times more, events %v, %d mugs are left", len(a.got)-asked, events(), m.stock(m.mug))
	}
	path := fmt.Sprint("/checkouts/", cart)
	left := a.send("GET "+path, nil, 200)
	m.contents(left, map[string]any{
		"id": float64(cart), "subtotal": "63.33", "discount": "17.66", "discount_coupon": "6.33", "total": "49.67", "coupon.0.code": "TEN",
		"coupon.0.used": 0.0, "promotional_discount.total_discount_amount": "11.33", "products.0.quantity": "3", "weight": "1.000",
		"promotional_discount.promotions_applied.1.discount_amount": "5.00", "shipping_cost_customer": "4.00", "shipping": "not-provided",
		"contact_name": "Eva", "contact_email": "eva@mail.example", "contact_phone": "+541", "contact_identification": "28",
		"shipping_city": "Rosario", "shipping_name": "Eva", "billing_city": "Rosario", "billing_phone": "+541", "completed_at": nil,
		"customer": nil, "storefront": "store", "shipping_pickup_type": "ship", "next_action": "noop", "gateway": nil,
		"abandoned_checkout_url": fmt.Sprintf("https://store1001.example/checkout/v3/proxy/%d/%s", cart, left["token"]),
	})
	if left["promotional_discount"].(object)["id"] == nil {
		t.Error("promotional_discount.id: got null")
	}

	// The checkout follows the cart, and a second time is no other checkout.
	m.clock.Advance(5 * time.Hour)
	m.add(front, cart, m.mug, 1)
	m.destination(front, cart, "Mendoza", "5.00")
	m.contact(front, cart, shop.Contact{Email: "other@mail.example"})
	m.contents(a.send("GET "+path, nil, 200), map[string]any{
		"subtotal": "73.33", "promotional_discount.total_discount_amount": "12.33", "total": "58.67", "contact_email": "other@mail.example",
	})
	m.abandon(front, cart)
	again := a.send("GET "+path, nil, 200)
	m.contents(again, map[string]any{
		"subtotal": "73.33", "promotional_discount.total_discount_amount": "12.33", "discount_coupon": "7.33", "total": "58.67",
		"contact_email": "other@mail.example", "shipping_city": "Mendoza", "billing_city": "Mendoza", "created_at": left["created_at"],
		"token": left["token"], "abandoned_checkout_url": left["abandoned_checkout_url"], "shipping_cost_customer": "5.00",
	})
	if again["updated_at"] == left["updated_at"] || again["promotional_discount"].(object)["id"] != left["promotional_discount"].(object)["id"] {
		t.Errorf("updated at %v, %v", again["updated_at"], again["promotional_discount"])
	}
	all := a.send("GET "+path, nil, 200)
	if !reflect.DeepEqual(all, again) {
		t.Errorf("a look has changed it: %v", all)
	}

	// After six hours it can only be bought, for what it cost then.
	m.clock.Advance(61 * time.Minute)
	for name, change := range map[string]func() error{
		"add":     func() error { _, err := front.Add(t.Context(), cart, m.mug.ID, 1); return err },
		"contact": func() error { _, err := front.SetContact(t.Context(), cart, ana); return err },
		"abandon": func() error { return front.Abandon(t.Context(), cart) },
	} {
		if err := change(); !errors.Is(err, shop.ErrNoCart) || !strings.Contains(err.Error(), "buy its checkout") {
			t.Errorf("%s: %v", name, err)
		}
	}
	a.send(fmt.Sprintf("DELETE /carts/%d/line-items/%.0f", cart, again["products"].(array)[0].(object)["id"]), nil, 404)
	v, err := front.View(cart)
	if err != nil || v.Total.String() != "58.67" || len(v.Discounts) != 3 || v.Promotions.String() != "12.33" {
		t.Errorf("the cart is %+v, %v", v, err)
	}
	m.clock.Advance(40 * 24 * time.Hour)
	m.update(func(tx *world.Tx) error { return tx.DropPromotions(a.ID) })
	asked = len(a.got)
	got := m.buy(front, cart, shop.Purchase{Shipping: world.Address{Country: "AR", City: "Salta", Zipcode: "4400"}})
	m.contents(a.send(fmt.Sprint("GET /orders/", got.Order), nil, 200), map[string]any{
		"total": "58.67", "discount": "19.66", "contact_email": "other@mail.example", "shipping_address.city": "Salta",
		"coupon.0.used": 1.0, "token": left["token"], "shipping_pickup_type": "ship", "shipping": "not-provided",
	})
	if len(a.got) != asked {
		t.Error("the app was asked about what was left long ago")
	}
	for name, err := range map[string]error{
		"abandoned": front.Abandon(t.Context(), cart), "bought": func() error { _, err := front.Buy(t.Context(), cart, shop.Purchase{}); return err }(),
	} {
		if !errors.Is(err, shop.ErrNoCart) || !strings.Contains(err.Error(), fmt.Sprint("order ", got.Order)) {
			t.Errorf("%s after the purchase: %v", name, err)
		}
	}
}

// The contact is that of the customer who has logged in, and of the next one.
func TestAbandonedByCustomers(t *testing.T) {
	m := open(t)
	front := m.Storefront(m.store.ID, shop.Options{})
	a := m.app()
	a.install(world.AllScopes()...)
	m.update(func(tx *world.Tx) error {
		address := []world.CustomerAddress{{Address: world.Address{Address: "Mitre", City: "Rosario", Country: "AR"}, Default: true}}
		return errors.Join(tx.Customers.Put(501, world.Customer{ID: 501, Name: "A", Email: "a@mail.example", Addresses: address}),
			tx.Customers.Put(502, world.Customer{ID: 502, Name: "B", Email: "b@mail.example"}))
	})
	v, err := front.NewCart(shop.Customer{ID: 501})
	if err != nil {
		t.Fatal(err)
	}
	m.add(front, v.ID, m.mug, 1)
	m.abandon(front, v.ID)
	path := fmt.Sprint("GET /checkouts/", v.ID)
	m.contents(a.send(path, nil, 200), map[string]any{"contact_name": "A", "contact_email": "a@mail.example", "shipping_address": "Mitre", "shipping_name": "A"})
	if _, err := front.SetCustomer(t.Context(), v.ID, 502); err != nil {
		t.Fatal(err)
	}
	m.contents(a.send(path, nil, 200), map[string]any{"contact_email": "b@mail.example", "contact_name": "B", "shipping_name": "B", "billing_name": "B"})
	if _, err := front.SetCustomer(t.Context(), v.ID, 0); err != nil { // who left it is known
		t.Fatal(err)
	}
	m.contents(a.send(path, nil, 200), map[string]any{"contact_email": "b@mail.example", "shipping_name": "B"})
	// What was written at the checkout counts more than the account.
	if _, err := front.SetCustomer(t.Context(), v.ID, 502); err != nil {
		t.Fatal(err)
	}
	m.contact(front, v.ID, shop.Contact{Email: "gift@mail.example"})
	m.contents(a.send(path, nil, 200), map[string]any{"contact_email": "gift@mail.example", "contact_name": "B"})
	if got := m.buy(front, v.ID, shop.Purchase{}); got.Customer != 502 {
		t.Errorf("bought by customer %d, want 502", got.Customer)
	}
}

// Whoever has not come to the second step leaves no checkout, and nothing has changed.
func TestNotAbandoned(t *testing.T) {
	m := open(t)
	front := m.Storefront(m.store.ID, shop.Options{})
	ctx := t.Context()
	cart := m.begin(front)
	m.contact(front, cart, ana)
	refused := func(name string, err error, want string) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), want) || errors.Is(err, shop.ErrNoCart) {
			t.Errorf("%s: got %v, want %s", name, err, want)
		}
		m.read(func(tx *world.Tx) {
			if n := tx.Checkouts.Len(); n != 0 {
				t.Errorf("%s: %d checkouts", name, n)
			}
		})
	}
	refused("empty", front.Abandon(ctx, cart), fmt.Sprintf("cart %d: it is empty", cart))
	m.add(front, cart, m.mug, 1)
	m.contact(front, cart, shop.Contact{Name: "Ana"})
	refused("no email", front.Abandon(ctx, cart), `contact: email "": must be an email address`)
	_, err := front.SetContact(ctx, cart, shop.Contact{Email: "ana"})
	refused("no address of mail", err, `contact: email "ana": must be an email address`)
	m.contact(front, cart, ana)
	m.update(func(tx *world.Tx) error {
		st := tx.Store()
		st.CustomerAccounts = "mandatory"
		tx.SetStore(st)
		return nil
	})
	refused("no account", front.Abandon(ctx, cart), "log in (SetCustomer) first")
	gone, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := front.SetContact(gone, cart, ana); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that has ended: %v", err)
	}
	refused("a context that has ended", front.Abandon(gone, cart), "context canceled")
	if err := front.Abandon(ctx, 7); !errors.Is(err, shop.ErrNoCart) {
		t.Errorf("no cart: %v", err)
	}
	if _, err := front.SetContact(ctx, 7, ana); !errors.Is(err, shop.ErrNoCart) {
		t.Errorf("no cart: %v", err)
	}
}

// A line that the API removes takes its discount along, also in the checkout.
func TestAbandonedCartLosesALine(t *testing.T) {
	m := open(t)
	front := m.Storefront(m.store.ID, shop.Options{})
	a := m.app()
	promotion := a.promote("line_item")
	a.always("line_item", offLines(promotion, specs("percentage", "10.00")))
	a.install(world.AllScopes()...)
	cart := m.begin(front)
	m.add(front, cart, m.mug, 3)
	v := m.add(front, cart, m.pot, 1)
	m.contact(front, cart, ana)
	m.abandon(front, cart)
	a.send(fmt.Sprintf("DELETE /carts/%d/line-items/%d", cart, v.Lines[1].ID), nil, 200)
	m.contents(a.send(fmt.Sprint("GET /checkouts/", cart), nil, 200), map[string]any{"subtotal": "30.00", "discount": "3.00", "total": "27.00",
		"promotional_discount.promotions_applied.0.line_items": array{fmt.Sprint(v.Lines[0].ID)}})
	a.always("line_item", offLines(promotion, specs("percentage", "20.00")))
	if _, err := front.Replay(t.Context(), cart); err != nil {
		t.Fatal(err)
	}
	m.contents(a.send(fmt.Sprint("GET /checkouts/", cart), nil, 200), map[string]any{"discount": "6.00"})
	a.answer = func(object) (int, []object) { return 310, nil } // the app says that it was uninstalled
	m.add(front, cart, m.mug, 1)
	m.contents(a.send(fmt.Sprint("GET /checkouts/", cart), nil, 200), map[string]any{"discount": "0.00", "total": "40.00"})
}

// An abandoned checkout is quoted again, and bought with a rate.
func TestAbandonedCartIsDelivered(t *testing.T) {
	m := open(t)
	front := m.Storefront(m.store.ID, shop.Options{})
	a := m.app()
	a.install(world.AllScopes()...)
	a.carrier(`{"name":"Two days","code":"standard","price":6,"currency":"ARS","type":"ship","reference":"r"}`)
	cart := m.begin(front)
	m.add(front, cart, m.mug, 1)
	m.contact(front, cart, ana)
	m.destination(front, cart, "Rosario", "0.00")
	m.abandon(front, cart)
	m.clock.Advance(7 * time.Hour)
	q, err := m.QuoteCart(t.Context(), m.store.ID, cart, carrier.Address{Country: "AR", City: "Rosario", PostalCode: "2000"})
	if err != nil || len(q.Options) != 1 {
		t.Fatalf("got %d options, %v", len(q.Options), err)
	}
	got := m.buy(front, cart, shop.Purchase{Rate: shop.Choice{Code: "standard"}})
	if got.Total.String() != "17" {
		t.Errorf("bought %+v", got)
	}
}

// One of many purchases of a cart that is being left and changed is made, and the checkout is completed.
func TestAbandonAndBuyAtOnce(t *testing.T) {
	m := open(t)
	front := m.Storefront(m.store.ID, shop.Options{})
	for range 20 {
		cart := m.begin(front)
		m.add(front, cart, m.mug, 1)
		m.contact(front, cart, ana)
		errs := m.atOnce(12, func(i int) error {
			switch i % 3 {
			case 0:
				return front.Abandon(t.Context(), cart)
			case 1:
				_, err := front.Add(t.Context(), cart, m.mug.ID, 1)
				return err
			}
			_, err := front.Buy(t.Context(), cart, shop.Purchase{})
			return err
		})
		bought := 0
		for i, err := range errs {
			if err != nil && !errors.Is(err, shop.ErrNoCart) {
				t.Error(err)
			}
			if i%3 == 2 && err == nil {
				bought++
			}
		}
		m.read(func(tx *world.Tx) {
			if k, ok := tx.Checkouts.Get(cart); bought != 1 || ok && k.OrderID == 0 {
				t.Errorf("bought %d times, the checkout became order %d", bought, k.OrderID)
			}
		})
	}
}

// An old cart that was abandoned later than a younger one stays longer.
func TestCheckoutsAreDeletedByAge(t *testing.T) {
	m := open(t)
	front := m.Storefront(m.store.ID, shop.Options{})
	var carts [3]int64
	for i := range carts {
		carts[i] = m.begin(front)
		m.add(front, carts[i], m.mug, 1)
		m.contact(front, carts[i], ana)
	}
	const day = 24 * time.Hour
	m.abandon(front, carts[1])
	m.clock.Advance(50 * day)
	m.abandon(front, carts[0])
	kept := func() (out string) {
		m.update(func(*world.Tx) error { return nil })
		m.read(func(tx *world.Tx) {
			for _, id := range carts {
				out += fmt.Sprint(tx.Checkouts.Has(id), " ")
			}
		})
		return out
	}
	for _, step := range []struct {
		after time.Duration
		want  string
	}{{40*day - time.Hour, "true true false "}, {2 * time.Hour, "true false false "}, {50*day - 2*time.Hour, "true false false "}, {2 * time.Hour, "false false false "}} {
		m.clock.Advance(step.after)
		if got := kept(); got != step.want {
			t.Errorf("after %v more: %s, want %s", step.after, got, step.want)
		}
	}
}
