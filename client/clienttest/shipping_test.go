package clienttest_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
)

type fields = map[string]any

// addCarrier adds a carrier with the option standard.
func addCarrier(ctx context.Context, srv *clienttest.Server, more fields) (client.ID, error) {
	in := fields{"name": "Post", "callback_url": "https://post.example/rates", "types": "ship"}
	for k, v := range more {
		in[k] = v
	}
	id, err := srv.Seed(ctx, "/shipping_carriers", in)
	if err != nil {
		return 0, err
	}
	_, err = srv.Seed(ctx, fmt.Sprintf("/shipping_carriers/%s/options", id), fields{"code": "standard", "name": "Standard", "additional_cost": 1.5})
	return id, err
}

// mug is a parcel with an item of its own.
func mug(id int) clienttest.Parcel {
	return clienttest.Parcel{
		To:    clienttest.ShippingAddress{Country: "AR", PostalCode: "1602"},
		Items: []clienttest.ParcelItem{{ID: client.ID(id), ProductID: 2, Name: "Mug", Quantity: 1, Grams: 300, Price: client.Cents(2000), Width: "12"}},
	}
}

// A carrier that goes down: the customer sees its rate, the merchant's fallback, and
// the rate again from the cache.
func ExampleServer_Quote() {
	ctx := context.Background()
	srv, err := clienttest.Start(clienttest.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer srv.Close()
	var down atomic.Bool
	post := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if down.Load() {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		_, _ = io.WriteString(w, `{"rates":[{"name":"Two days","code":"standard","price":14.15,"currency":"ARS","type":"ship","reference":"r"}]}`)
	})
	if err := srv.Partner("https://post.example", post); err != nil {
		fmt.Println(err)
		return
	}
	if _, err := addCarrier(ctx, srv, nil); err != nil {
		fmt.Println(err)
		return
	}
	srv.SetFallback(clienttest.FallbackOption{Name: "Flat rate", Price: client.Cents(2000)})
	show := func(item int) {
		q, err := srv.Quote(ctx, mug(item))
		if err != nil {
			fmt.Println(err)
		}
		for _, o := range q.Options {
			fmt.Println(o.Source, o.Name, o.Price)
		}
	}
	show(1)
	down.Store(true)
	show(2)
	show(1)
	// Output:
	// carrier Two days 15.65
	// fallback Flat rate 20.00
	// cache Two days 15.65
}

func TestQuote(t *testing.T) {
	srv, ctx := clienttest.New(t), t.Context()
	status := http.StatusOK
	_ = srv.Partner("https://post.example", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if status == 0 {
			_ = clienttest.Spend(r.Context(), 5*time.Second)
		}
		w.WriteHeader(max(status, 200))
		_, _ = io.WriteString(w, `{"rates":[{"name":"N","code":"standard","price":1,"currency":"ARS","type":"ship"},{"code":"other","type":"pickup"}]}`)
	}))
	id, err := addCarrier(ctx, srv, nil)
	if err != nil {
		t.Fatal(err)
	}
	q, err := srv.Quote(ctx, mug(1))
	if err != nil || len(q.Options) != 1 || len(q.Calls) != 1 {
		t.Fatalf("%+v, %v", q, err)
	}
	o, c := q.Options[0], q.Calls[0]
	if o.CarrierID != id || o.OptionID == 0 || o.LocationID == "" || o.Code != "standard" || o.Type != "ship" || o.MerchantPrice.String() != "1.00" || o.Currency != "ARS" || !o.AcceptsCOD || !o.Available {
		t.Errorf("option %+v", o)
	}
	if c.Source != "carrier" || c.Counts != "success" || !c.Healthy || len(c.Key) != 32 || c.Status != 200 || c.AppID != srv.App().ID || c.URL != "https://post.example/rates" ||
		!strings.Contains(string(c.Request), `"cart_id":null`) || len(c.Hidden) != 1 || c.Hidden[0].Code != "other" || c.Hidden[0].Index != 1 {
		t.Errorf("call %+v", c)
	}
	status = http.StatusUnprocessableEntity
	srv.SetShippingRules(clienttest.ShippingRules{RequireReference: true})
	if q, err := srv.Quote(ctx, mug(1)); err != nil || len(q.Options) != 0 || q.Calls[0].Source != "cache" || len(q.Calls[0].Hidden) != 2 {
		t.Errorf("with the rule: %+v, %v", q, err)
	}
	if q, err := srv.Quote(ctx, mug(2)); err != nil || q.Calls[0].Counts != "neutral" || q.Calls[0].Fallback || q.Calls[0].Healthy {
		t.Errorf("422: %+v, %v", q, err)
	}
	status = 0
	for i := range 498 {
		if _, err := srv.Quote(ctx, mug(10+i)); err != nil {
			t.Fatal(err)
		}
	}
	if h := srv.CarrierHealth(id); h.Healthy || h.Circuit != "closed" || h.Requests != 499 || h.Failures != 498 {
		t.Errorf("health %+v", h)
	}
	q, err = srv.Quote(ctx, mug(3))
	if err != nil || !q.Calls[0].Late || q.Calls[0].Duration != 5*time.Second {
		t.Errorf("late: %s %v, %v", q.Calls[0].Source, q.Calls[0].Duration, err)
	}
	h := srv.CarrierHealth(id)
	if h.Circuit != "open" || h.Since != srv.Clock().Now() || h.NextCheck != h.Since.Add(5*time.Minute) {
		t.Errorf("health %+v", h)
	}
	if q, err := srv.Quote(ctx, mug(4)); err != nil || q.Calls[0].Source != "circuit" {
		t.Errorf("open: %+v, %v", q, err)
	}
	if n := len(srv.RateCalls()); n != 503 {
		t.Errorf("%d calls", n)
	}
	for want, p := range map[string]clienttest.Parcel{
		"items: must have at least one":    {},
		"items[0]: measure":                {Items: []clienttest.ParcelItem{{Quantity: 1, Depth: "deep"}}},
		"items[0].quantity 0: must be 1 o": {Items: []clienttest.ParcelItem{{}}},
	} {
		if _, err := srv.Quote(ctx, p); err == nil || !strings.HasPrefix(err.Error(), "clienttest: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func TestBasketQuote(t *testing.T) {
	srv, ctx := clienttest.New(t), t.Context()
	var body string
	_ = srv.Partner("https://post.example", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		body = string(raw)
		_, _ = io.WriteString(w, `{"rates":[{"name":"N","code":"standard","price":1,"currency":"ARS","type":"ship"}]}`)
	}))
	if _, err := addCarrier(ctx, srv, nil); err != nil {
		t.Fatal(err)
	}
	var product struct {
		Variants []struct {
			ID client.ID `json:"id"`
		} `json:"variants"`
	}
	err := srv.Client().Do(ctx, client.Request{Method: http.MethodPost, Path: "/products", Body: fields{
		"name": "Mug", "variants": []fields{{"price": "20.00", "weight": "0.300", "width": "12.00", "sku": "M-1", "cost": "7.00"}}}}, &product)
	if err != nil {
		t.Fatal(err)
	}
	cart, err := srv.Shop().NewCart(clienttest.Visitor{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := cart.Add(ctx, product.Variants[0].ID, 2); err != nil {
		t.Fatal(err)
	}
	q, err := cart.Quote(ctx, clienttest.ShippingAddress{Country: "AR"})
	if err != nil || len(q.Options) != 1 {
		t.Fatalf("%+v, %v", q, err)
	}
	for _, part := range []string{
		fmt.Sprintf(`"cart_id":"%s"`, cart.ID), `"total_price":40.00`, fmt.Sprintf(`"items":[{"id":%s,`, product.Variants[0].ID),
		`"sku":"M-1","quantity":2,"free_shipping":false,"grams":300,"price":20.00`, `"width":12.0`,
	} {
		if !strings.Contains(body, part) {
			t.Errorf("%s is not in %s", part, body)
		}
	}
}
