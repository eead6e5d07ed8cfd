package shop_test

import (
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/carrier"
	"github.com/commerceplatform/commerce-go/internal/refserver/shop"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// rosario is where the parcels of tests go.
var rosario = carrier.Address{Address: "Mitre", Number: "742", City: "Rosario", Country: "AR", PostalCode: "2000"}

// carrier adds one of the app, with options standard and point, whose answer to everything is the rates.
func (a *app) carrier(rates string) (id int64) {
	a.Helper()
	a.update(func(tx *world.Tx) error {
		id = tx.NewID()
		errs := []error{tx.Carriers.Put(id, world.Carrier{ID: id, AppID: a.ID, Name: "Post", RatesURL: a.origin + "/rates", Types: []string{"ship", "pickup"}, Active: true})}
		for _, code := range []string{"standard", "point"} {
			option := tx.NewID()
			errs = append(errs, tx.CarrierOptions.Put(option, world.CarrierOption{ID: option, CarrierID: id, Code: code, Name: code, Active: true, AdditionalCost: decimal.NewFromInt(1)}))
		}
		return errors.Join(errs...)
	})
	if err := a.Partner(a.origin, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/rates" {
			_, _ = fmt.Fprintf(w, `{"rates":[%s]}`, rates)
			return
		}
		a.ServeHTTP(w, r)
	})); err != nil {
		a.Fatal(err)
	}
	return id
}

const (
	standardRate = `{"name":"Two days","code":"standard","price":14.15,"price_merchant":12,"currency":"ARS","type":"ship","reference":"r-1",
		"min_delivery_date":"2025-01-03T12:00:00Z","max_delivery_date":"2025-01-07T12:00:00Z","phone_required":true}`
	pointRates = `{"name":"Kiosk","code":"point","price":2,"currency":"ARS","type":"pickup","reference":"p-1",
		"address":{"address":"Salta","number":"9","city":"Rosario","country":"AR","zipcode":"2000"},"hours":[{"day":1,"start":"0900","end":"1800"}]},
		{"name":"Pharmacy","code":"point","price":3,"currency":"ARS","type":"pickup","reference":"p-2","availability":false,
		"address":{"address":"Jujuy"},"hours":[{"day":2,"start":"0900","end":"1800"}]}`
)

func (m *market) quote(cart int64) carrier.Quote {
	m.Helper()
	parcel, err := m.Carriers().CartParcel(m.store.ID, cart, rosario, nil)
	if err != nil {
		m.Fatal(err)
	}
	q, err := m.Carriers().Quote(m.Context(), m.store.ID, parcel)
	if err != nil {
		m.Fatal(err)
	}
	return q
}

func TestRatesAreChosen(t *testing.T) {
	m := open(t)
	front := m.Storefront(m.store.ID, shop.Options{})
	a := m.app()
	a.install(world.AllScopes()...)
	post := a.carrier(standardRate + "," + pointRates)
	reachable := ana
	reachable.Phone = "+5493415550101"
	cart := m.begin(front)
	m.add(front, cart, m.mug, 2)
	refuse := func(p shop.Purchase, want string) {
		t.Helper()
		if _, err := front.Buy(t.Context(), cart, p); !errors.Is(err, shop.ErrRefused) || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	m.quote(cart)
	refuse(shop.Purchase{Contact: ana}, `rate: none was chosen: choose one of (option 1000004, code "standard", name "Two days", reference "r-1") at 15.15 ARS, (`)
	refuse(shop.Purchase{Contact: ana, Rate: shop.Choice{Code: "standart"}}, `rate: code "standart": the last quote has no such rate; the nearest is (option 1000004, code "standard"`)
	refuse(shop.Purchase{Contact: ana, Rate: shop.Choice{Code: "point"}}, `has 2 such rates: name one of (`)
	refuse(shop.Purchase{Contact: ana, Rate: shop.Choice{Reference: "p-2"}}, "the point has not everything in stock")
	refuse(shop.Purchase{Contact: ana, Rate: shop.Choice{Code: "standard"}}, `contact: phone: rate "Two days" requires one`)
	refuse(shop.Purchase{Contact: reachable, Rate: shop.Choice{Code: "standard"}, Shipping: world.Address{Country: "AR", Zipcode: "5000"}}, "shipping: AR 5000: the rates were quoted for AR 2000")
	m.add(front, cart, m.mug, 1)
	refuse(shop.Purchase{Contact: reachable, Rate: shop.Choice{Code: "standard"}}, "the last quote was for other lines or quantities: ask for one again")
	m.quote(cart)
	v, err := front.View(cart)
	if err != nil {
		t.Fatal(err)
	}
	got := m.buy(front, cart, shop.Purchase{Contact: reachable, Rate: shop.Choice{Code: "standard"}})
	if !got.Total.Equal(v.Total.Add(some("15.15").Decimal)) {
		t.Errorf("the total is %s", got.Total)
	}
	m.contents(a.send(fmt.Sprint("GET /orders/", got.Order), nil, 200), map[string]any{
		"shipping": fmt.Sprint(post), "shipping_option": "Two days", "shipping_option_code": "standard", "shipping_option_reference": "r-1",
		"shipping_carrier_name": "Post", "shipping_cost_customer": "15.15", "shipping_cost_owner": "12.00", "shipping_pickup_type": "ship",
		"shipping_min_days": 2.0, "shipping_max_days": 4.0, "shipping_pickup_details": nil, "shipping_suboption": array{},
		"shipping_address.address": "Mitre", "shipping_address.zipcode": "2000", "shipping_address.phone": "+5493415550101",
	})
	parts := m.parts(got.Order)
	if s := parts[0].Shipping; len(parts) != 1 || s.Carrier != (world.Carriage{ID: fmt.Sprint(post), Code: "api", Name: "Post", AppID: a.ID}) ||
		!s.MaxDeliveryDate.Equal(time.Date(2025, 1, 7, 12, 0, 0, 0, time.UTC)) || !s.Extras.PhoneRequired || s.Option.Reference != "r-1" {
		t.Errorf("fulfillment orders %+v", parts)
	}

	cart = m.begin(front)
	line := m.add(front, cart, m.mug, 1).Lines[0].ID
	m.quote(cart)
	got = m.buy(front, cart, shop.Purchase{Contact: ana, Rate: shop.Choice{Reference: "p-1"}})
	o := a.send(fmt.Sprint("GET /orders/", got.Order), nil, 200)
	m.contents(o, map[string]any{
		"shipping_pickup_type": "pickup", "shipping_pickup_details": "Salta 9, Rosario, 2000, AR", "shipping_store_branch_name": "Kiosk",
		"shipping_option_code": "point", "shipping_cost_customer": "3.00", "shipping_min_days": nil, "products.0.id": float64(line),
	})
	if at := m.parts(got.Order)[0].Shipping.Pickup; at.Address.Street != "Salta" || !reflect.DeepEqual(at.Hours, []world.PickupHours{{Day: "MONDAY", Start: "0900", End: "1800"}}) {
		t.Errorf("pickup %+v", at)
	}
}

// parts are the fulfillment orders of an order.
func (m *market) parts(order int64) (out []world.FulfillmentOrder) {
	m.Helper()
	m.read(func(tx *world.Tx) {
		for _, f := range tx.FulfillmentOrders.Where("order", fmt.Sprint(order)) {
			out = append(out, f)
		}
	})
	slices.SortFunc(out, func(a, b world.FulfillmentOrder) int { return a.Number - b.Number })
	if len(out) == 0 {
		m.Fatalf("order %d has no fulfillment orders", order)
	}
	return out
}

// While the carrier is down the merchant's own rate is chosen by its name.
func TestContingencyIsChosen(t *testing.T) {
	m := open(t)
	front := m.Storefront(m.store.ID, shop.Options{})
	a := m.app()
	a.install(world.AllScopes()...)
	a.carrier("")
	if err := m.Partner(a.origin, http.NotFoundHandler()); err != nil {
		t.Fatal(err)
	}
	m.update(func(tx *world.Tx) error {
		st := tx.Store()
		st.Contingencies = []world.Contingency{{Name: "Flat rate", Price: decimal.NewFromInt(20), MinDays: 2, MaxDays: 6}}
		tx.SetStore(st)
		return nil
	})
	cart := m.begin(front)
	m.add(front, cart, m.mug, 1)
	m.quote(cart)
	got := m.buy(front, cart, shop.Purchase{Contact: ana, Rate: shop.Choice{Name: "Flat rate"}})
	m.contents(a.send(fmt.Sprint("GET /orders/", got.Order), nil, 200), map[string]any{
		"shipping": "custom", "shipping_option": "Flat rate", "shipping_option_code": nil, "shipping_cost_customer": "20.00", "total": "30.00",
		"shipping_min_days": 2.0, "shipping_max_days": 4.0, "shipping_carrier_name": nil,
	})
}

// What is digital is not shipped, and no rate of an earlier quote can be chosen for it.
func TestDigitalCart(t *testing.T) {
	m := open(t)
	front := m.Storefront(m.store.ID, shop.Options{})
	a := m.app()
	a.install(world.AllScopes()...)
	a.carrier(standardRate)
	m.update(func(tx *world.Tx) error {
		p, _ := tx.Products.Get(12)
		p.RequiresShipping = false
		return tx.Products.Put(p.ID, p)
	})
	cart := m.begin(front)
	mug := m.add(front, cart, m.mug, 1).Lines[0].ID
	m.quote(cart)
	m.add(front, cart, m.pot, 1)
	if _, err := front.Remove(t.Context(), cart, mug); err != nil {
		t.Fatal(err)
	}
	if _, err := front.Buy(t.Context(), cart, shop.Purchase{Contact: ana, Rate: shop.Choice{Code: "standard"}}); err == nil || !strings.Contains(err.Error(), "nothing in it is shipped: choose none") {
		t.Errorf("a rate for nothing: %v", err)
	}
	got := m.buy(front, cart, shop.Purchase{Contact: ana})
	m.contents(a.send(fmt.Sprint("GET /orders/", got.Order), nil, 200), map[string]any{"total": "33.33", "shipping": "not-provided", "shipping_pickup_type": "ship"})
	if s := m.parts(got.Order)[0].Shipping; s.Type != world.NonShippable {
		t.Errorf("shipping %+v", s)
	}
}

// A rate is for each origin, and each origin gives what it has before the others do.
func TestOrigins(t *testing.T) {
	m := open(t)
	front := m.Storefront(m.store.ID, shop.Options{})
	a := m.app()
	a.carrier(strings.Replace(standardRate, `,"phone_required":true`, "", 1))
	var first, second string
	m.update(func(tx *world.Tx) error {
		first, second = tx.FirstLocation().ID, tx.NewULID()
		level := func(id int64, v world.Variant, location string, stock int64) error {
			return tx.InventoryLevels.Put(id, world.InventoryLevel{ID: id, VariantID: v.ID, LocationID: location, Stock: stock})
		}
		return errors.Join(tx.Locations.Put(second, world.Location{ID: second, Priority: 1}),
			level(1, m.mug, first, 5), level(2, m.pot, first, 1), level(3, m.pot, second, 4))
	})
	cart := m.begin(front)
	m.add(front, cart, m.mug, 2)
	m.add(front, cart, m.pot, 3) // the first location has not enough of it
	m.quote(cart)
	got := m.buy(front, cart, shop.Purchase{Contact: ana, Rate: shop.Choice{Code: "standard"}})
	if got.Shipping.String() != "30.3" {
		t.Errorf("shipping costs %s, want that of two parcels", got.Shipping)
	}
	parts := m.parts(got.Order)
	if len(parts) != 2 || parts[0].LocationID != first || parts[1].LocationID != second || parts[1].Shipping.ConsumerCost.String() != "15.15" ||
		parts[0].Shipping.ConsumerCost.String() != "15.15" {
		t.Errorf("fulfillment orders %+v", parts)
	}
	if left := m.levels(); left != "3 1 1" {
		t.Errorf("left %s, want 3 mugs, and 1 pot in each place", left)
	}
	cart = m.begin(front)
	m.add(front, cart, m.pot, 2) // nowhere is enough of it: it leaves from the first, as far as that goes
	m.quote(cart)
	got = m.buy(front, cart, shop.Purchase{Contact: ana, Rate: shop.Choice{Code: "standard"}})
	parts = m.parts(got.Order)
	if left := m.levels(); left != "3 0 0" || len(parts) != 2 || !parts[1].Shipping.ConsumerCost.IsZero() || got.Shipping.String() != "15.15" {
		t.Errorf("left %s, shipping costs %s, fulfillment orders %+v", left, got.Shipping, parts)
	}
}

// levels are the stock by id.
func (m *market) levels() string {
	var out []string
	m.read(func(tx *world.Tx) {
		for _, l := range tx.InventoryLevels.All() {
			out = append(out, fmt.Sprint(l.Stock))
		}
	})
	return strings.Join(out, " ")
}
