package clienttest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

// promote registers a promotion and the address that carts are sent to.
func promote(ctx context.Context, c *client.Client, tier, address string) (id string, err error) {
	type object = map[string]any
	var made struct {
		Data struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	promotion := object{"name": "Ten percent off", "allocation_type": tier}
	if err := c.Do(ctx, client.Request{Method: http.MethodPost, Path: "/promotions", Body: promotion}, &made); err != nil {
		return "", err
	}
	return made.Data.ID, c.Do(ctx, client.Request{Method: http.MethodPut, Path: "/discounts/callbacks", Body: object{"url": address}}, nil)
}

// A customer fills a cart, and an app takes ten percent off it.
func ExampleServer_Shop() {
	ctx := context.Background()
	srv, err := clienttest.Start(clienttest.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer srv.Close()
	promotion, err := promote(ctx, srv.Client(), "cross_items", "https://app.example/carts")
	if err != nil {
		fmt.Println(err)
		return
	}
	tenOff := `{"commands":[{"command":"create_or_update_discount","specs":{"promotion_id":"` + promotion + `",
		"currency":"ARS","discount_specs":{"type":"percentage","amount":"10.00"}}}]}`
	if err := srv.Partner("https://app.example", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, tenOff)
	})); err != nil {
		fmt.Println(err)
		return
	}
	mug, err := v202503.Products(srv.Client()).Create(ctx, client.ProductInput{
		Name: client.Text{"en": "Mug"}, Variants: []client.VariantInput{{Price: client.Set(client.Cents(1250))}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}

	shop := srv.Shop()
	basket, err := shop.NewCart(clienttest.Visitor{})
	if err != nil {
		fmt.Println(err)
		return
	}
	cart, err := basket.Add(ctx, mug.Variants[0].ID, 3)
	fmt.Println(cart.Subtotal, "-", cart.Promotions, "=", cart.Total, err)

	tenOff = `{"commands":[{"command":"remove_discount"}]}`
	cart, err = basket.SetQuantity(ctx, cart.Lines[0].ID, 2)
	fmt.Println(cart.Subtotal, "-", cart.Promotions, "=", cart.Total, err)
	for _, run := range shop.Runs() {
		fmt.Printf("%s %d %s %q\n", run.Tier, run.Status, run.Outcome, run.Reason)
	}
	// Output:
	// 37.50 - 3.75 = 33.75 <nil>
	// 25.00 - 0.00 = 25.00 <nil>
	// cross_items 200 applied ""
	// cross_items 200 removed "commands[0].scope: is missing"
}

// stall is a shop with an app that answers carts. They have a host of their own: what
// the app is told of an uninstallation goes to another.
type stall struct {
	*clienttest.Server
	variant client.ID
	// answer is what the app answers; empty is 204.
	answer    string
	promotion string
	requests  []*http.Request
	bodies    []string
}

func openStall(t *testing.T, o clienttest.Options) *stall {
	t.Helper()
	s := &stall{Server: clienttest.New(t, o)}
	var err error
	if s.promotion, err = promote(t.Context(), s.Client(), "line_item", "https://carts.example/carts"); err != nil {
		t.Fatal(err)
	}
	if err := s.Partner("https://carts.example", s); err != nil {
		t.Fatal(err)
	}
	p, err := v202503.Products(s.Client()).Create(t.Context(), client.ProductInput{
		Name: client.Text{"en": "Mug"}, Variants: []client.VariantInput{{Price: client.Set(client.Cents(1000))}},
	})
	if err != nil {
		t.Fatal(err)
	}
	s.variant = p.Variants[0].ID
	return s
}

func (s *stall) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	s.requests, s.bodies = append(s.requests, r), append(s.bodies, string(body))
	if s.answer == "" {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	fmt.Fprint(w, s.answer)
}

// offLine takes an amount off a line.
func (s *stall) offLine(line client.ID, amount string) {
	s.answer = fmt.Sprintf(`{"commands":[{"command":"create_or_update_discount","specs":{"promotion_id":%q,"currency":"ARS",
		"display_text":{"es-ar":"Menos"},"line_items":[{"line_item":"%d","discount_specs":{"type":"fixed","amount":%q}}]}}]}`, s.promotion, line, amount)
}

func TestShop(t *testing.T) {
	s := openStall(t, clienttest.Options{Demo: true})
	shop := s.Shop(clienttest.ShopOptions{Signed: true, Source: "198.51.100.7"})
	basket, err := shop.NewCart(clienttest.Visitor{Language: "es", SoldBy: "5", UTM: []clienttest.UTM{{Source: "mail"}}})
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	cart, err := basket.Add(ctx, s.variant, 2)
	if err != nil {
		t.Fatal(err)
	}
	line := cart.Lines[0].ID
	s.offLine(line, "3.50")
	cart, err = basket.SetDestination(ctx, clienttest.Destination{Country: "AR", City: "Rosario", Zipcode: "2000", Cost: client.Cents(500)})
	if err != nil {
		t.Fatal(err)
	}
	if cart.Subtotal != client.Cents(2000) || cart.Promotions != client.Cents(350) || cart.Shipping != client.Cents(500) || cart.Total != client.Cents(2150) {
		t.Errorf("cart %+v", cart)
	}
	d := cart.Discounts
	if len(d) != 1 || d[0].PromotionID != s.promotion || d[0].LineID != line || d[0].Amount != client.Cents(350) || d[0].Text["es-ar"] != "Menos" || d[0].Name != "Ten percent off" || d[0].Tier != "line_item" || d[0].AppID != s.App().ID {
		t.Errorf("discounts %+v", d)
	}
	s.answer = ""
	if _, err := basket.SetPayment(ctx, clienttest.Payment{Method: "credit_card", CreditCardCompany: "visa", Installments: 6}); err != nil {
		t.Fatal(err)
	}
	if cart, err = basket.ApplyCoupon(ctx, "FREESHIP"); err != nil || cart.Coupon != client.Cents(500) || cart.Coupons[0] != "FREESHIP" {
		t.Errorf("with a coupon %+v, %v", cart, err)
	}
	if cart, err = basket.RemoveCoupon(ctx, "FREESHIP"); err != nil || len(cart.Coupons) != 0 {
		t.Errorf("without a coupon %+v, %v", cart, err)
	}
	if _, err := basket.SetCustomer(ctx, 1); err == nil || !strings.Contains(err.Error(), "there is no customer 1") {
		t.Errorf("got %v", err)
	}
	if cart, err = basket.Remove(ctx, line); err != nil || len(cart.Lines) != 0 || cart.Subtotal != client.Cents(0) {
		t.Errorf("an empty cart %+v, %v", cart, err)
	}
	if now, err := basket.Cart(); err != nil || now.Total != cart.Total || now.ID != basket.ID {
		t.Errorf("the cart as it is %+v, %v", now, err)
	}
	runs := shop.Runs()
	if len(runs) != 6 || len(s.requests) != 6 {
		t.Fatalf("%d runs, %d carts", len(runs), len(s.requests))
	}
	for i, r := range runs {
		if string(r.Request) != s.bodies[i] || r.Signature == "" || r.Signature != s.requests[i].Header.Get("x-platform-hmac-sha256") || s.requests[i].RemoteAddr != "198.51.100.7:443" {
			t.Errorf("run %d: %+v", i, r)
		}
	}
	var sent struct {
		SoldBy  string `json:"sold_by"`
		Payment struct {
			Installments int `json:"installments"`
		} `json:"payment"`
	}
	if err := json.Unmarshal(runs[5].Request, &sent); err != nil || sent.SoldBy != "5" || sent.Payment.Installments != 6 {
		t.Errorf("sent %+v, %v", sent, err)
	}
	if r := runs[1]; r.Outcome != "applied" || len(r.Faults) != 0 || r.After.Promotions != client.Cents(350) {
		t.Errorf("run %+v", r)
	}
}

// Time that a handler spends is charged, and 800 ms of it is too much.
func TestShopLate(t *testing.T) {
	for removes, want := range map[bool]string{false: "kept 3.50", true: "removed 0.00"} {
		s := openStall(t, clienttest.Options{})
		shop := s.Shop(clienttest.ShopOptions{LateRemoves: removes})
		basket, err := shop.NewCart(clienttest.Visitor{})
		if err != nil {
			t.Fatal(err)
		}
		cart, err := basket.Add(t.Context(), s.variant, 2)
		if err != nil {
			t.Fatal(err)
		}
		s.offLine(cart.Lines[0].ID, "3.50")
		if _, err := basket.Add(t.Context(), s.variant, 1); err != nil {
			t.Fatal(err)
		}
		if err := s.Partner("https://carts.example", http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			if err := clienttest.Spend(r.Context(), time.Second); err == nil {
				t.Error("the request went on after its time")
			}
		})); err != nil {
			t.Fatal(err)
		}
		if cart, err = basket.Add(t.Context(), s.variant, 1); err != nil {
			t.Fatal(err)
		}
		run := shop.Runs()[2]
		if got := run.Outcome + " " + cart.Promotions.String(); got != want || !run.Late || run.Status != 0 || run.Reason != "no answer within 800ms" {
			t.Errorf("LateRemoves %v: got %s, want %s; run %+v", removes, got, want, run)
		}
	}
}

// A store that uninstalls the app sends no more carts, but for those on their way.
func TestShopUninstalled(t *testing.T) {
	s := openStall(t, clienttest.Options{})
	shop := s.Shop(clienttest.ShopOptions{Stragglers: 1})
	basket, err := shop.NewCart(clienttest.Visitor{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Uninstall(); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if _, err := basket.Add(t.Context(), s.variant, 1); err != nil {
			t.Fatal(err)
		}
	}
	if runs := shop.Runs(); len(runs) != 1 || runs[0].Outcome != "ignored" || !strings.Contains(runs[0].Reason, "the status must be 310") {
		t.Errorf("runs %+v", runs)
	}
}

// A snapshot has the carts in it.
func TestShopSnapshot(t *testing.T) {
	s := openStall(t, clienttest.Options{})
	basket, err := s.Shop().NewCart(clienttest.Visitor{})
	if err != nil {
		t.Fatal(err)
	}
	state := s.Snapshot()
	if _, err := basket.Add(t.Context(), s.variant, 1); err != nil {
		t.Fatal(err)
	}
	s.Restore(state)
	if cart, err := basket.Cart(); err != nil || len(cart.Lines) != 0 {
		t.Errorf("cart %+v, %v", cart, err)
	}
}

// A test that opens the storefront again sees what happened in it, until it opens one with options.
func TestShopIsTheSame(t *testing.T) {
	s := openStall(t, clienttest.Options{})
	basket, err := s.Shop().NewCart(clienttest.Visitor{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := basket.Add(t.Context(), s.variant, 1); err != nil {
		t.Fatal(err)
	}
	if runs := s.Shop().Runs(); len(runs) != 1 {
		t.Errorf("%d runs, want 1", len(runs))
	}
	if runs := s.Shop(clienttest.ShopOptions{Seed: 2}).Runs(); len(runs) != 0 {
		t.Errorf("%d runs of a new storefront", len(runs))
	}
	if runs := s.Shop().Runs(); len(runs) != 0 {
		t.Errorf("%d runs of the storefront that was opened last", len(runs))
	}
}

// A run names its invalid commands by their number, and no valid one.
func TestRunNamesInvalidCommands(t *testing.T) {
	s := openStall(t, clienttest.Options{})
	shop := s.Shop()
	basket, err := shop.NewCart(clienttest.Visitor{})
	if err != nil {
		t.Fatal(err)
	}
	cart, err := basket.Add(t.Context(), s.variant, 2)
	if err != nil {
		t.Fatal(err)
	}
	s.offLine(cart.Lines[0].ID, "3.50")
	s.answer = strings.Replace(s.answer, `"commands":[`, `"commands":[{"command":"give_away","specs":{}},`, 1)
	if _, err := basket.Add(t.Context(), s.variant, 1); err != nil {
		t.Fatal(err)
	}
	runs := shop.Runs()
	if got := runs[len(runs)-1].Faults; len(got) == 0 || !strings.HasPrefix(got[0], "command 1: ") {
		t.Errorf("the answer %s has the faults %q", s.answer, got)
	}
}
