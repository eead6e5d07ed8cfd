package rules_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/carrier"
	"github.com/commerceplatform/commerce-go/internal/refserver/rules"
	"github.com/commerceplatform/commerce-go/internal/refserver/shop"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// What an app is asked has the words of the contract's examples.
func TestRequests(t *testing.T) {
	c := open(t)
	a := c.app("")
	c.payments()
	c.from()
	c.blocked()
	options, err := c.desk.ShippingOptions(t.Context(), c.store.ID, c.cart, []carrier.Option{{Rate: world.Rate{Carrier: 7, ID: 8, Code: "x"}}})
	if err != nil || len(options) != 1 || len(a.got) != 4 {
		t.Fatalf("%v, %v after %d questions", options, err, len(a.got))
	}
	categories := array{object{"id": 2.0, "parent": 1.0, "subcategories": array{3.0}}}
	customer := object{"id": 501.0, "name": "A B", "email": "a@mail.example", "document": "1", "zipcode": "1000"}
	to := object{"country": "AR", "city": "C", "postalcode": "1000", "cost": "0.0"}
	for i, want := range []struct {
		event, action, domain string
		customer              any
		shipping              any
	}{
		{"payments/before-filter", "filter", "payments", object{"id": 501.0}, nil},
		{"location/prioritization", "prioritization", "location", object{"id": 501.0},
			object{"country": "AR", "city": "C", "postalcode": "1000", "cost": "0.0", "province": nil}},
		{"cart/before-finish", "filter", "cart", customer, to},
		{"shipping/before-filter", "filter", "shipping", object{"id": 501.0}, to},
	} {
		got := a.got[i]
		products := got["products"].([]any)
		slices.SortFunc(products, func(a, b any) int {
			return int(a.(object)["product_id"].(float64) - b.(object)["product_id"].(float64))
		})
		details := object{"event": want.event, "action": want.action, "domain": want.domain, "timestamp": float64(c.clock.Now().UnixMilli())}
		mug := object{"id": products[0].(object)["id"], "product_id": 11.0, "variant_id": 110.0, "quantity": 2.0, "stock": 6.0, "price": "10.00", "categories": categories}
		pot := object{"id": products[1].(object)["id"], "product_id": 12.0, "variant_id": 120.0, "quantity": 1.0, "stock": nil, "price": "33.33", "categories": categories}
		expect := object{
			"store_id": "1001", "cart_id": float64(c.cart), "currency": "ARS", "details": details, "products": array{mug, pot}, "customer": want.customer,
			"totals": object{"subtotal": "53.33", "total_discount": "0.00", "total": "53.33"},
		}
		if want.shipping != nil {
			expect["shipping"], expect["package"] = want.shipping, object{"weight": "0.750"}
		}
		if want.domain == "location" {
			first := got["locations"].([]any)[0].(object)
			if !reflect.DeepEqual(first, object{"id": c.places[0], "name": "Lugar 0", "priority": 0.0, "address": first["address"]}) {
				t.Errorf("location %v", first)
			}
			address := first["address"].(object)
			if address["country"] != "AR" || address["province"] != "Central" || address["region"] != "Centre" || address["street"] != "Main street" || len(address) != 11 {
				t.Errorf("address %v", address)
			}
			expect["locations"] = got["locations"]
		}
		if !reflect.DeepEqual(got, expect) {
			t.Errorf("%s: got\n%v, want\n%v", want.domain, got, expect)
		}
	}
}

// Options that an answer lists are hidden, or by the other reading all others. Several apps hide what any of them
// hides.
func TestPaymentRules(t *testing.T) {
	c := open(t)
	if got := c.payments(); !slices.Equal(got, []string{"card0", "cash0", "card2", "cash2"}) {
		t.Fatalf("without apps: got %v, want those of enabled providers", got)
	}
	filter := func(options ...string) string {
		return `{"command":"filter_payments_options","detail":{"filtered_options":[` + strings.Join(options, ",") + `]}}`
	}
	a := c.app(filter(`{"id":"provider0","option_id":"cash0"}`, `{"id":"provider2","option_id":"card0","new":1}`))
	if got := c.payments(); !slices.Equal(got, []string{"card0", "card2", "cash2"}) {
		t.Errorf("got %v", got)
	}
	r := c.last()
	if r.Outcome != rules.Applied || r.Command != "filter_payments_options" || r.Reason != "" || !slices.Equal(r.Unmatched, []string{"provider2/card0"}) ||
		!slices.Equal(r.Unread, []string{"detail.filtered_options.new"}) || r.App != a.ID || r.Status != 200 || r.Domain != world.PaymentRules || r.N == 0 {
		t.Errorf("run %+v", r)
	}
	b := c.app(filter(`{"id":"provider2","option_id":"card2"}`))
	b.status = 201
	if got := c.payments(); !slices.Equal(got, []string{"card0", "cash2"}) {
		t.Errorf("two apps: got %v", got)
	}
	c.desk.Set(rules.Settings{Keep: true})
	if got := c.payments(); len(got) != 0 {
		t.Errorf("two apps that keep different options: got %v", got)
	}
	b.answer = ""
	if got := c.payments(); !slices.Equal(got, []string{"cash0"}) {
		t.Errorf("kept: got %v", got)
	}
	if err := c.Uninstall(a.ID, c.store.ID); err != nil {
		t.Fatal(err)
	}
	before := len(c.desk.Runs())
	if got := c.payments(); len(got) != 4 || len(c.desk.Runs()) != before+1 {
		t.Errorf("after the app is uninstalled: got %v and %d runs", got, len(c.desk.Runs())-before)
	}
}

// Options of delivery are compared by the texts of three ids, and contingencies stay.
func TestShippingRules(t *testing.T) {
	c := open(t)
	c.app(`{"command":"filter_shipping_options","detail":{"filtered_options":[{"id":"7","option_id":"8","code":"x"},{"id":"0","option_id":"0","code":""},
		{"id":"7","option_id":"9","code":"Y"}]}}`)
	all := []carrier.Option{
		{Rate: world.Rate{Carrier: 7, ID: 8, Code: "x"}}, {Rate: world.Rate{Carrier: 7, ID: 9, Code: "y"}},
		{Source: carrier.Fallback, Rate: world.Rate{Name: "Flat"}},
	}
	for keep, want := range map[bool]string{false: "9 0", true: "8 0"} {
		c.desk.Set(rules.Settings{Keep: keep})
		left, err := c.desk.ShippingOptions(t.Context(), c.store.ID, c.cart, all)
		var got []string
		for _, o := range left {
			got = append(got, fmt.Sprint(o.ID))
		}
		if strings.Join(got, " ") != want || err != nil {
			t.Errorf("keep %v: got %v, %v, want %s", keep, got, err, want)
		}
	}
	if r := c.last(); !slices.Equal(r.Unmatched, []string{"7/9/Y"}) {
		t.Errorf("run %+v", r)
	}
	before := len(c.desk.Runs())
	if left, err := c.desk.ShippingOptions(t.Context(), c.store.ID, c.cart, nil); len(left) > 0 || err != nil || len(c.desk.Runs()) != before {
		t.Errorf("without options: %v, %v, and apps were asked", left, err)
	}
}

func TestLocationRules(t *testing.T) {
	c := open(t)
	order := func(priorities ...int) string {
		var list []string
		for i, p := range priorities {
			list = append(list, fmt.Sprintf(`{"id":%q,"priority":%d}`, c.places[i], p))
		}
		return `{"command":"location_prioritization","detail":{"location_prioritization":[` + strings.Join(list, ",") + `]}}`
	}
	if got := c.from(); got != "012" {
		t.Errorf("without apps: got %s", got)
	}
	c.desk.Set(rules.Settings{FewestPlaces: true})
	if got := c.from(); got != "102" {
		t.Errorf("the place that has everything: got %s", got)
	}
	c.desk.Set(rules.Settings{})
	a := c.app("")
	for _, v := range []struct {
		answer, want, reason string
		fewest               bool
	}{
		{order(2, 1, 0), "210", "", false},
		{order(5, 5, 0), "201", "", false}, // equal priorities
		{order(2, 1, 0), "120", "", true},
		{order(1), "0", "", false},
		{order(1), "0", "", true},
		{order(), "", "", false}, // no place to ship from
		{`{"command":"location_prioritization","detail":{"location_prioritization":[{"id":"01ARZ3NDEKTSV4RRFFQ69G5FAV","priority":0}]}}`, "012", "must be a location of the store", false},
		{`{"command":"location_prioritization","detail":{"location_prioritization":[{"id":"` + c.places[0] + `","priority":"0"}]}}`, "012", "priority: must be an integer", false},
		{`{"command":"location_prioritization","detail":{"location_prioritization":[{"id":"` + c.places[0] + `","priority":0},{"id":"` + c.places[0] + `","priority":1}]}}`, "012", "once", false},
		{`{"command":"location_prioritization","detail":{"location_prioritization":{}}}`, "012", "must be a list", false},
		{`{"command":"location_prioritization","detail":{}}`, "012", "must be a list", false},
		{`{"command":"location_prioritization"}`, "012", "detail: must be an object", false},
	} {
		a.answer = v.answer
		c.desk.Set(rules.Settings{FewestPlaces: v.fewest})
		if got := c.from(); got != v.want {
			t.Errorf("%s: got %s, want %s", v.answer, got, v.want)
		}
		if r := c.last(); !strings.Contains(r.Reason, v.reason) || (r.Reason == "") != (v.reason == "") || (r.Outcome == rules.Applied) != (v.reason == "") {
			t.Errorf("%s: %s, %q, want %q", v.answer, r.Outcome, r.Reason, v.reason)
		}
	}
}

// Any 2xx within 800 ms is an answer. What is none is no rule, and the checkout goes on.
func TestAnswers(t *testing.T) {
	c := open(t)
	a := c.app("")
	const block = `{"command":"block_checkout","detail":{}}`
	blocked := fmt.Sprint("blocked by app ", a.ID)
	for _, v := range []struct {
		name, answer string
		status       int
		takes, delay time.Duration
		want, reason string
		timeout      time.Duration
	}{
		{name: "block", answer: block, status: 200, want: blocked},
		{name: "block with 201", answer: block, status: 201, want: blocked},
		{name: "block with 299", answer: block, status: 299, want: blocked},
		{name: "204", status: 204},
		{name: "an empty body", status: 200, answer: " \n"},
		{name: "an empty object", status: 200, answer: "{}"},
		{name: "almost late", answer: block, status: 200, takes: 799 * time.Millisecond, want: blocked},
		{name: "late", answer: block, status: 200, takes: 800 * time.Millisecond, reason: "no answer within 800ms"},
		{name: "late by the network", answer: block, status: 200, takes: 400 * time.Millisecond, delay: 400 * time.Millisecond, reason: "no answer within 800ms"},
		{name: "more time", answer: block, status: 200, takes: 900 * time.Millisecond, timeout: time.Second, want: blocked},
		{name: "an error", answer: block, status: 500, reason: "status 500: must be 2xx"},
		{name: "a redirect", answer: block, status: 302, reason: "status 302"},
		{name: "gone", answer: block, status: 310, reason: "status 310"},
		{name: "broken", answer: block[1:], status: 200, reason: "not JSON"},
		{name: "not UTF-8", answer: "{\"command\":\"block_checkout\",\"detail\":{\"\xff\":1}}", status: 200, reason: "not JSON in UTF-8"},
		{name: "a list", answer: "[]", status: 200, reason: "must be an object"},
		{name: "null", answer: "null", status: 200, reason: "must be an object"},
		{name: "another domain", answer: `{"command":"filter_payments_options","detail":{"filtered_options":[]}}`, status: 200, reason: "the command of the domain cart"},
		{name: "another case", answer: `{"Command":"block_checkout","detail":{}}`, status: 200, reason: "command: must be a string"},
		{name: "no detail", answer: `{"command":"block_checkout"}`, status: 200, reason: "detail: must be an object"},
		{name: "a number", answer: `{"command":7,"detail":{}}`, status: 200, reason: "command: must be a string"},
		{name: "long", answer: `{"command":"block_checkout","detail":{"a":"` + strings.Repeat("a", 1<<20) + `"}}`, status: 200, reason: "longer than"},
	} {
		a.answer, a.status, a.takes = v.answer, v.status, v.takes
		c.desk.Set(rules.Settings{Timeout: v.timeout, Delay: v.delay})
		if got := c.blocked(); got != v.want {
			t.Errorf("%s: got %q, want %q", v.name, got, v.want)
		}
		r := c.last()
		if !strings.Contains(r.Reason, v.reason) || (r.Reason == "") != (v.reason == "") || r.Late != strings.HasPrefix(v.reason, "no answer") || r.DecidedBy != "virtual" {
			t.Errorf("%s: %q, late %v by the %s clock, want %q", v.name, r.Reason, r.Late, r.DecidedBy, v.reason)
		}
		if !r.Late && r.Duration != v.takes+v.delay {
			t.Errorf("%s: took %v, want %v", v.name, r.Duration, v.takes+v.delay)
		}
	}
}

// Each app is asked, and the first that blocks is the reason.
func TestAppsAreAskedInOrder(t *testing.T) {
	c := open(t)
	const block = `{"command":"block_checkout","detail":{}}`
	first, second := c.app(block), c.app(block)
	if first.ID > second.ID {
		first, second = second, first
	}
	if got := c.blocked(); got != fmt.Sprint("blocked by app ", first.ID) || len(second.got) != 1 {
		t.Errorf("got %q, and the second was asked %d times", got, len(second.got))
	}
	runs := c.desk.Runs()
	if len(runs) != 2 || runs[0].App != first.ID || runs[0].N != 1 || runs[1].N != 2 || string(runs[0].Request) != string(runs[1].Request) {
		t.Errorf("runs %+v", runs)
	}
}

// There must be a cart, and a caller that waits.
func TestNobodyIsAsked(t *testing.T) {
	c := open(t)
	a := c.app("")
	if _, err := c.desk.MayFinish(t.Context(), c.store.ID, 7); !errors.Is(err, shop.ErrNoCart) {
		t.Errorf("no cart: got %v", err)
	}
	if _, err := c.desk.Places(t.Context(), 7, c.cart); err == nil {
		t.Error("no store: got no error")
	}
	if len(a.got) > 0 {
		t.Errorf("asked %d times", len(a.got))
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.desk.PaymentOptions(ctx, c.store.ID, c.cart); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that ended: got %v", err)
	}
	if n := len(c.desk.Runs()); n != 0 {
		t.Errorf("%d runs", n)
	}
}

// A cart without lines or customer, to nowhere, is sent as such.
func TestRequestsOfEmptyCarts(t *testing.T) {
	c := open(t)
	a := c.app("")
	v, err := c.front.NewCart(shop.Customer{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.desk.MayFinish(t.Context(), c.store.ID, v.ID); err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(object{"products": a.got[0]["products"], "customer": a.got[0]["customer"], "shipping": a.got[0]["shipping"], "package": a.got[0]["package"]})
	if want := `{"customer":{"id":null},"package":{"weight":"0.000"},"products":[],"shipping":{"city":null,"cost":"0.0","country":null,"postalcode":null}}`; string(got) != want || err != nil {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
	if _, err := c.front.SetDestination(t.Context(), v.ID, shop.Destination{Cost: decimal.RequireFromString("7.5")}); err != nil {
		t.Fatal(err)
	}
	if _, err := c.desk.MayFinish(t.Context(), c.store.ID, v.ID); err != nil || a.got[1]["shipping"].(object)["cost"] != "7.50" {
		t.Errorf("got %v, %v", a.got[1]["shipping"], err)
	}
}
