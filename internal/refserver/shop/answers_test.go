package shop_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/delivery"
	"github.com/commerceplatform/commerce-go/internal/refserver/shop"
)

// Whatever cannot be applied takes all discounts off the cart, those of other apps too.
func TestWhatRemovesEverything(t *testing.T) {
	invalid := []object{{"command": "remove_discount", "specs": object{"scope": "cart", "promotion_ids": array{"none"}}}}
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		reason string
	}{
		"an invalid command": {func(w http.ResponseWriter, _ *http.Request) { answerWith(w, 200, invalid) }, `promotion "none" does not belong`},
		"no JSON":            {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(200) }, "answer is not JSON"},
		"an error":           {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) }, "status 500: must be 200, 204 or 310"},
		"a refusal":          {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(403) }, "status 403"},
		"created":            {func(w http.ResponseWriter, _ *http.Request) { answerWith(w, 201, nil) }, "status 201"},
		"a redirect": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://other.example", http.StatusTemporaryRedirect)
		}, "status 307"},
		"a panic": {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, "the handler panicked"},
	} {
		t.Run(name, func(t *testing.T) {
			m := open(t)
			front := m.Storefront(m.store.ID, shop.Options{})
			a, b, c2 := m.app(), m.app(), m.app()
			p := a.promote("line_item")
			a.always("line_item", offLines(p, specs("fixed", "1.00")))
			b.promote("line_item")
			c2.promote("line_item")
			b.promote("cross_items")
			cart := m.begin(front)
			m.wantTotals(m.add(front, cart, m.mug, 1), "10.00", "1.00", "9.00")
			if err := m.Partner(b.origin, c.answer); err != nil {
				t.Fatal(err)
			}
			asked := len(c2.got)
			v := m.add(front, cart, m.mug, 1)
			m.wantTotals(v, "20.00", "0.00", "20.00")
			r := m.last(front)
			if r.Outcome != shop.Removed || !strings.Contains(r.Reason, c.reason) || r.App != b.ID || len(r.After.Discounts) != 0 {
				t.Errorf("run %+v, want the reason %q", r, c.reason)
			}
			if len(c2.got) != asked {
				t.Error("an app was asked after all discounts had been removed")
			}
		})
	}
}

func answerWith(w http.ResponseWriter, status int, commands []object) {
	a := &app{answer: func(object) (int, []object) { return status, commands }}
	r, _ := http.NewRequest(http.MethodPost, "/", strings.NewReader("{}"))
	a.ServeHTTP(w, r)
}

// The contract says of an answer after 800 ms that it removes what was there, and that
// the cart stays unchanged.
func TestLateAnswers(t *testing.T) {
	for _, c := range []struct {
		late    shop.Late
		spend   time.Duration
		outcome shop.Outcome
		off     string
	}{
		{shop.LateKeeps, 799 * time.Millisecond, shop.Applied, "2.00"},
		{shop.LateKeeps, 800 * time.Millisecond, shop.Kept, "1.00"},
		{shop.LateRemoves, 799 * time.Millisecond, shop.Applied, "2.00"},
		{shop.LateRemoves, 800 * time.Millisecond, shop.Removed, "0.00"},
	} {
		for _, where := range []string{"the app", "the network"} {
			t.Run(fmt.Sprint(c.late, c.spend, where), func(t *testing.T) {
				m := open(t)
				a := m.app()
				p := a.promote("cross_items")
				a.always("cross_items", offCart(p, specs("fixed", "1.00")))
				cart := m.begin(m.Storefront(m.store.ID, shop.Options{}))
				m.add(m.Storefront(m.store.ID, shop.Options{}), cart, m.mug, 1)

				a.always("cross_items", offCart(p, specs("fixed", "2.00")))
				o := shop.Options{Late: c.late}
				if where == "the network" {
					o.Delay = c.spend
				} else {
					slow := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
						_ = delivery.Spend(r.Context(), c.spend)
						a.ServeHTTP(w, r)
					})
					if err := m.Partner(a.origin, slow); err != nil {
						t.Fatal(err)
					}
				}
				front := m.Storefront(m.store.ID, o)
				v := m.add(front, cart, m.mug, 1)
				if got := v.Promotions.StringFixed(2); got != c.off {
					t.Errorf("%s is taken off, want %s", got, c.off)
				}
				r := m.last(front)
				late := c.outcome != shop.Applied
				if r.Outcome != c.outcome || r.Late != late || r.DecidedBy != "virtual" || r.Duration != c.spend || (r.Reason == "no answer within 800ms") != late {
					t.Errorf("run %+v", r)
				}
			})
		}
	}
}

func TestUninstalled(t *testing.T) {
	m := open(t)
	front := m.Storefront(m.store.ID, shop.Options{})
	a, b := m.app(), m.app()
	p, q := a.promote("line_item"), b.promote("line_item")
	a.always("line_item", offLines(p, specs("fixed", "1.00")))
	b.always("line_item", offLines(q, specs("fixed", "2.00")))
	cart := m.begin(front)
	m.wantTotals(m.add(front, cart, m.mug, 1), "10.00", "3.00", "7.00")

	a.answer = func(object) (int, []object) { return 310, nil }
	m.wantTotals(m.add(front, cart, m.mug, 1), "20.00", "2.00", "18.00")
	if r := front.Runs()[2]; r.Outcome != shop.Uninstalled || r.App != a.ID {
		t.Errorf("run %+v", r)
	}
	if list := a.send("GET /promotions", nil, 200)["data"].(array); len(list) != 0 {
		t.Errorf("promotions after 310: %v", list)
	}
	sent := len(a.got)
	m.add(front, cart, m.mug, 1)
	if len(a.got) != sent {
		t.Error("an app that said it was uninstalled was sent a cart")
	}

	if err := m.Uninstall(b.ID, m.store.ID); err != nil {
		t.Fatal(err)
	}
	v, err := front.View(cart)
	if err != nil {
		t.Fatal(err)
	}
	m.wantTotals(v, "30.00", "0.00", "30.00")
	sent = len(b.got)
	if m.add(front, cart, m.mug, 1); len(b.got) != sent {
		t.Error("an app that is not installed was sent a cart")
	}
	b.install()
	if list := b.send("GET /promotions", nil, 200)["data"].(array); len(list) != 0 {
		t.Errorf("promotions after installing anew: %v", list)
	}
}

// Carts still sent for a store that has uninstalled the app must be answered with 310.
func TestStragglers(t *testing.T) {
	m := open(t)
	front := m.Storefront(m.store.ID, shop.Options{Stragglers: 2})
	a := m.app()
	p := a.promote("line_item")
	a.always("line_item", offLines(p, specs("fixed", "1.00")))
	cart := m.begin(front)
	m.add(front, cart, m.mug, 1)
	if err := m.Uninstall(a.ID, m.store.ID); err != nil {
		t.Fatal(err)
	}
	m.wantTotals(m.add(front, cart, m.mug, 1), "20.00", "0.00", "20.00")
	if r := m.last(front); r.Outcome != shop.Ignored || r.Reason != "the store has uninstalled the app: the status must be 310" {
		t.Errorf("commands of an app that is gone: %+v", r)
	}
	a.answer = func(object) (int, []object) { return 310, nil }
	m.add(front, cart, m.mug, 1)
	if r := m.last(front); r.Outcome != shop.Ignored || r.Reason != "" {
		t.Errorf("310: %+v", r)
	}
	if m.add(front, cart, m.mug, 1); len(a.got) != 3 {
		t.Errorf("%d carts were sent, want 3", len(a.got))
	}
}

// What becomes of the promotion becomes of the discount.
func TestPromotionsThatEnd(t *testing.T) {
	m := open(t)
	front := m.Storefront(m.store.ID, shop.Options{})
	a := m.app()
	p, q := a.promote("line_item"), a.promote("cross_items")
	a.answer = func(cart object) (int, []object) {
		if cart["execution_tier"] == "line_item" {
			return 200, offLines(p, specs("fixed", "1.00"))(cart)
		}
		return 200, offCart(q, specs("fixed", "2.00"))(cart)
	}
	cart := m.begin(front)
	m.wantTotals(m.add(front, cart, m.mug, 1), "10.00", "3.00", "7.00")
	a.send("PATCH /promotions/"+p, object{"active": false}, 204)
	v, err := front.View(cart)
	if err != nil {
		t.Fatal(err)
	}
	m.wantTotals(v, "10.00", "2.00", "8.00")
	a.send("DELETE /promotions/"+q, nil, 204)
	if v, err = front.View(cart); err != nil {
		t.Fatal(err)
	}
	m.wantTotals(v, "10.00", "0.00", "10.00")
	m.add(front, cart, m.mug, 1)
	if r := m.last(front); r.Outcome != shop.Removed || !strings.Contains(r.Reason, "is not active") {
		t.Errorf("a promotion that is not active: %+v", r)
	}
}

func TestAsCarried(t *testing.T) {
	m := open(t)
	a := m.app()
	a.promote("line_item")
	plain := m.Storefront(m.store.ID, shop.Options{})
	cart := m.begin(plain)
	m.add(plain, cart, m.mug, 1)
	r := a.headers[0]
	if r.Method != "POST" || r.URL.String() != a.origin+"/carts" || r.RemoteAddr != "192.0.2.1:443" || r.Header.Get("Content-Type") != "application/json" || r.Header.Get(delivery.DefaultHeader) != "" {
		t.Errorf("%s %s from %s with %v", r.Method, r.URL, r.RemoteAddr, r.Header)
	}
	signed := m.Storefront(m.store.ID, shop.Options{Signed: true, Source: "198.51.100.7"})
	m.add(signed, cart, m.mug, 1)
	r = a.headers[1]
	run := m.last(signed)
	if want := delivery.Sign(a.Secret, run.Request); r.Header.Get("x-platform-hmac-sha256") != want || run.Signature != want || r.RemoteAddr != "198.51.100.7:443" {
		t.Errorf("from %s with %v, want the signature %s", r.RemoteAddr, r.Header, want)
	}
	other := m.Storefront(m.store.ID, shop.Options{Signed: true, Header: "x-signature"})
	m.add(other, cart, m.mug, 1)
	if a.headers[2].Header.Get("x-signature") == "" {
		t.Errorf("headers %v", a.headers[2].Header)
	}
}

// A caller who goes away leaves the cart changed, and its discounts as they were.
func TestCallerGoesAway(t *testing.T) {
	m := open(t)
	front := m.Storefront(m.store.ID, shop.Options{})
	a := m.app()
	p := a.promote("line_item")
	a.always("line_item", offLines(p, specs("fixed", "1.00")))
	cart := m.begin(front)
	m.add(front, cart, m.mug, 1)
	ctx, cancel := context.WithCancel(t.Context())
	a.answer = func(object) (int, []object) { cancel(); return 500, nil }
	if _, err := front.Add(ctx, cart, m.mug.ID, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	v, err := front.View(cart)
	if err != nil || len(front.Runs()) != 1 {
		t.Errorf("%d runs, %v", len(front.Runs()), err)
	}
	m.wantTotals(v, "20.00", "1.00", "19.00")
}
