package clienttest_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v1"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

// seller is an app that takes something off carts, delivers, takes payments and listens.
type seller struct {
	*testing.T
	srv       *clienttest.Server
	client    *client.Client
	promotion string
	provider  uuid.UUID
	mug       client.ID

	mu   sync.Mutex
	told []string
}

const sellerApp = "https://seller.example"

func openSeller(t *testing.T) *seller {
	t.Helper()
	srv, ctx := clienttest.New(t), t.Context()
	s := &seller{T: t, srv: srv, client: srv.Client()}
	if err := srv.Partner(sellerApp, s); err != nil {
		t.Fatal(err)
	}
	var err error
	if s.promotion, err = promote(ctx, srv.Client(), "cross_items", sellerApp+"/carts"); err != nil {
		t.Fatal(err)
	}
	if _, err := addCarrier(ctx, srv, fields{"callback_url": sellerApp + "/rates"}); err != nil {
		t.Fatal(err)
	}
	var provider struct {
		ID uuid.UUID `json:"id"`
	}
	if err := srv.Client().Do(ctx, client.Request{Method: http.MethodPost, Path: "/payment_providers", Body: fields{
		"name": "Wallet", "description": "A wallet", "checkout_js_url": "https://pay.example/checkout.js", "supported_currencies": []string{"ARS"},
		"logo_urls":                 fields{"400x120": "https://pay.example/w.png", "160x100": "https://pay.example/s.png"},
		"supported_payment_methods": []fields{{"payment_method_type": "wallet", "payment_methods": []string{"wallet"}}},
		"checkout_payment_options": []fields{{
			"id": "8c6b1f0e-0c0f-4ac5-9d8c-6f5a3a1a7c11", "name": "Wallet", "supported_billing_countries": []string{"AR"},
			"supported_payment_method_types": []string{"wallet"}, "integration_type": "redirect",
		}},
	}}, &provider); err != nil {
		t.Fatal(err)
	}
	s.provider = provider.ID
	if err := srv.SetPaymentURLs(clienttest.PaymentURLs{Process: sellerApp + "/process"}); err != nil {
		t.Fatal(err)
	}
	mug, err := v202503.Products(s.client).Create(ctx, client.ProductInput{
		Name: client.Text{"en": "Mug"}, Variants: []client.VariantInput{{Price: client.Set(client.Cents(1250)), Stock: client.Set(client.Stock(5))}},
	})
	if err != nil {
		t.Fatal(err)
	}
	s.mug = mug.Variants[0].ID
	return s
}

func (s *seller) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		s.Error(err)
	}
	switch r.URL.Path {
	case "/carts":
		fmt.Fprintf(w, `{"commands":[{"command":"create_or_update_discount","specs":{"promotion_id":%q,"currency":"ARS",
			"discount_specs":{"type":"percentage","amount":"10.00"}}}]}`, s.promotion)
	case "/rates":
		_, _ = io.WriteString(w, `{"rates":[{"name":"Two days","code":"standard","price":6,"currency":"ARS","type":"ship","reference":"r-9"}]}`)
	case "/process":
		s.process(w, r, body)
	default:
		var event struct {
			Name string    `json:"event"`
			ID   client.ID `json:"id"`
		}
		if err := json.Unmarshal(body, &event); err != nil {
			s.Error(err)
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		s.told = append(s.told, fmt.Sprint(event.Name, " ", event.ID))
	}
}

// process takes a payment, of which it takes 1.00 off itself.
func (s *seller) process(w http.ResponseWriter, r *http.Request, body []byte) {
	var asked struct {
		Order   client.ID `json:"order_id"`
		Attempt string    `json:"payment_attempt_id"`
		Amount  struct {
			Value client.Money `json:"value"`
		} `json:"amount"`
	}
	if err := json.Unmarshal(body, &asked); err != nil {
		s.Error(err)
	}
	charged, err := asked.Amount.Value.Sub(client.Cents(100))
	if err != nil {
		s.Error(err)
	}
	ars := func(m client.Money) fields { return fields{"value": m.String(), "currency": "ARS"} }
	if err := s.srv.Client().Do(r.Context(), client.Request{
		Method: http.MethodPost, Path: "/orders/{order_id}/transactions", Args: []any{asked.Order}, Body: fields{
			"payment_provider_id": s.provider, "payment_method": fields{"type": "wallet"}, "payment_attempt_id": asked.Attempt,
			"info":        fields{"external_id": "w-1"},
			"first_event": fields{"type": "sale", "status": "success", "amount": ars(charged), "discount_amount": ars(client.Cents(100))},
		},
	}, nil); err != nil {
		s.Error(err)
	}
	w.WriteHeader(http.StatusCreated)
}

// A visitor buys with all that apps and merchants offer, and the order is paid, packed and sent.
func TestPurchase(t *testing.T) {
	s, ctx := openSeller(t), t.Context()
	register(t, s.client, sellerApp+"/hooks", "order/created", "order/paid", "order/packed", "order/fulfilled", "customer/created", "product/updated")
	if _, err := v202503.Coupons(s.client).Create(ctx, client.CouponInput{
		Code: "ONCE", Type: client.CouponAbsolute, Value: client.Set(client.Cents(300)), MaxUses: client.Set(client.Int(1)),
	}); err != nil {
		t.Fatal(err)
	}
	shop := s.srv.Shop()
	basket, err := shop.NewCart(clienttest.Visitor{SoldBy: "7"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := basket.Add(ctx, s.mug, 2); err != nil {
		t.Fatal(err)
	}
	if _, err := basket.ApplyCoupon(ctx, "once"); err != nil {
		t.Fatal(err)
	}
	q, err := basket.Quote(ctx, clienttest.ShippingAddress{Address: "Mitre", Number: "742", City: "Rosario", Country: "AR", PostalCode: "2000"})
	if err != nil || len(q.Options) != 1 {
		t.Fatalf("%+v, %v", q, err)
	}
	bought, err := basket.Buy(ctx, clienttest.Purchase{
		Contact: clienttest.Contact{Name: "Ana Paz", Email: "ana@mail.example"}, Rate: q.Options[0].Choice(),
		ProviderID: s.provider, MethodType: "wallet",
	})
	if err != nil {
		t.Fatal(err)
	}
	// 25.00 less 2.50 and 3.00, and 7.50 for the delivery.
	if got := fmt.Sprintln(bought.Subtotal, bought.Promotions, bought.Coupon, bought.Shipping, bought.Total, bought.Currency, bought.SoldBy); got != "25.00 2.50 3.00 7.50 27.00 ARS 7\n" {
		t.Errorf("bought for %s", got)
	}
	if c := bought.Payment; c == nil || c.Kind != "process" || c.Outcome != "accepted" || len(s.srv.PaymentCalls()) != 1 {
		t.Errorf("the payment: %+v", c)
	}
	legacy := s.srv.Client()
	if _, err := v1.Orders(legacy).Pack(ctx, bought.OrderID); err != nil {
		t.Fatal(err)
	}
	if _, err := v1.Orders(legacy).Fulfill(ctx, bought.OrderID, v1.OrderFulfill{}); err != nil {
		t.Fatal(err)
	}
	o, err := v202503.Orders(s.client).Get(ctx, bought.OrderID)
	if err != nil {
		t.Fatal(err)
	}
	if o.PaymentStatus != client.PaymentPaid || o.TotalPaidByCustomer.String() != "26.00" || o.ContactEmail != "ana@mail.example" || o.Coupon[0].Used == nil || *o.Coupon[0].Used != 1 {
		t.Errorf("the order: %+v", o)
	}
	off := o.PromotionalDiscount.V
	if off.ID == 0 || off.TotalDiscountAmount.String() != "2.50" || len(off.Contents.Items) != 1 || !strings.Contains(string(off.PromotionsApplied.Items[0]), s.promotion) {
		t.Errorf("promotional_discount: %+v", off)
	}
	sent, err := v1.Orders(legacy).Get(ctx, bought.OrderID)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]*string{"r-9": sent.ShippingOptionReference, "standard": sent.ShippingOptionCode, "Post": sent.ShippingCarrierName} {
		if text == nil || *text != name {
			t.Errorf("the delivery has not %s: %+v", name, sent)
		}
	}
	if err := s.srv.Settle(ctx); err != nil {
		t.Fatal(err)
	}
	var about []string
	for _, told := range s.told {
		if name, _, _ := strings.Cut(told, " "); strings.HasPrefix(name, "order/") && told != fmt.Sprint(name, " ", bought.OrderID) {
			t.Errorf("told of %s", told)
		} else {
			about = append(about, name)
		}
	}
	slices.Sort(about)
	if want := []string{"customer/created", "order/created", "order/fulfilled", "order/packed", "order/paid", "product/updated"}; !slices.Equal(about, want) {
		t.Errorf("told of %q, want %q", about, want)
	}

	_, err = basket.Buy(ctx, clienttest.Purchase{})
	if !errors.Is(err, clienttest.ErrNoCart) || !strings.Contains(err.Error(), bought.OrderID.String()) {
		t.Errorf("bought again: %v", err)
	}
	if basket, err = shop.NewCart(clienttest.Visitor{}); err != nil {
		t.Fatal(err)
	}
	if _, err := basket.Add(ctx, s.mug, 4); err != nil {
		t.Fatal(err)
	}
	if _, err := basket.Buy(ctx, clienttest.Purchase{Contact: clienttest.Contact{Email: "ana@mail.example"}}); !errors.Is(err, clienttest.ErrPurchaseRefused) {
		t.Errorf("four of three mugs: %v", err)
	}
}

// An abandoned checkout is bought with the address and the contact that it has, and says when.
func TestCheckoutBecomesAnOrder(t *testing.T) {
	srv, ctx := clienttest.New(t, clienttest.Options{Demo: true}), t.Context()
	c := srv.Client()
	left, err := v202503.Checkouts(c).List(client.CheckoutFilter{}).Collect(ctx)
	if err != nil || len(left) != 1 {
		t.Fatalf("%d checkouts, %v", len(left), err)
	}
	basket := srv.Shop().Checkout(left[0].ID)
	cart, err := basket.Cart()
	if err != nil || cart.Total.Cmp(left[0].Total) != 0 {
		t.Errorf("the cart: %+v, %v", cart, err)
	}
	state := srv.Snapshot()
	for range 2 { // the second time from the snapshot
		bought, err := basket.Buy(ctx, clienttest.Purchase{Note: "At last"})
		if err != nil || bought.Total.Cmp(left[0].Total) != 0 {
			t.Fatalf("bought %+v, %v; want %s", bought, err, left[0].Total)
		}
		o, err := v202503.Orders(c).Get(ctx, bought.OrderID)
		if err != nil || o.Token != left[0].Token || o.Note != "At last" || o.ContactEmail != left[0].ContactEmail {
			t.Errorf("the order: %+v, %v", o, err)
		}
		if k, err := v202503.Checkouts(c).Get(ctx, left[0].ID); err != nil || !k.CompletedAt.Equal(o.CompletedAt.Time) {
			t.Errorf("the checkout: %+v, %v", k, err)
		}
		if _, err := basket.Buy(ctx, clienttest.Purchase{}); !errors.Is(err, clienttest.ErrNoCart) {
			t.Errorf("bought again: %v", err)
		}
		srv.Restore(state)
	}
}

// A cart that was abandoned is listed, follows its customer, and is finished as a checkout.
func TestAbandonedCartIsFinished(t *testing.T) {
	s := openSeller(t)
	ctx, shop := t.Context(), s.srv.Shop()
	basket, err := shop.NewCart(clienttest.Visitor{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := basket.Abandon(ctx); err == nil || !strings.Contains(err.Error(), "it is empty") {
		t.Errorf("nothing was abandoned: %v", err)
	}
	if _, err := basket.Add(ctx, s.mug, 1); err != nil {
		t.Fatal(err)
	}
	if _, err := basket.SetContact(ctx, clienttest.Contact{Name: "Ana Paz", Email: "ana@mail.example"}); err != nil {
		t.Fatal(err)
	}
	id, err := basket.Abandon(ctx)
	if err != nil || id != basket.ID {
		t.Fatalf("checkout %s of cart %s, %v", id, basket.ID, err)
	}
	cart, err := basket.Add(ctx, s.mug, 1)
	if err != nil {
		t.Fatal(err)
	}
	left, err := v202503.Checkouts(s.client).List(client.CheckoutFilter{}).Collect(ctx)
	if err != nil || len(left) != 1 || left[0].ID != id || left[0].Total.Cmp(cart.Total) != 0 ||
		left[0].ContactEmail != "ana@mail.example" || left[0].PromotionalDiscount.V.TotalDiscountAmount.Cmp(cart.Promotions) != 0 || cart.Promotions == client.Cents(0) {
		t.Fatalf("the checkouts: %+v, %v; the cart %+v", left, err, cart)
	}
	s.srv.Clock().Advance(7 * time.Hour)
	if _, err := basket.Add(ctx, s.mug, 1); !errors.Is(err, clienttest.ErrNoCart) {
		t.Errorf("changed after 7 hours: %v", err)
	}
	back := shop.Checkout(id)
	quote, err := back.Quote(ctx, clienttest.ShippingAddress{Country: "AR", PostalCode: "2000"})
	if err != nil || len(quote.Options) != 1 {
		t.Fatalf("quote %+v, %v", quote, err)
	}
	bought, err := back.Buy(ctx, clienttest.Purchase{Rate: quote.Options[0].Choice()})
	if err != nil || bought.Promotions.Cmp(cart.Promotions) != 0 || bought.Subtotal.Cmp(cart.Subtotal) != 0 ||
		bought.Shipping == client.Cents(0) {
		t.Fatalf("bought %+v, %v; the cart was %+v", bought, err, cart)
	}
	if k, err := v202503.Checkouts(s.client).Get(ctx, id); err != nil || k.CompletedAt.IsZero() {
		t.Errorf("the checkout: %+v, %v", k, err)
	}
	if _, err := back.Abandon(ctx); !errors.Is(err, clienttest.ErrNoCart) {
		t.Errorf("abandoned after the purchase: %v", err)
	}
}
