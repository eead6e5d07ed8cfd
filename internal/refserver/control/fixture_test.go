package control

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver"
	"github.com/commerceplatform/commerce-go/internal/refserver/clock"
	"github.com/commerceplatform/commerce-go/internal/refserver/seed"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// desk is a demo store whose partners the test plays, and its control API.
type desk struct {
	testing.TB
	*API
	server *refserver.Server
	base   string
}

// open makes a desk on a clock that stands still. Two desks are alike, but for their secrets.
func open(t testing.TB) *desk {
	t.Helper()
	d := &desk{TB: t}
	d.server = refserver.New(refserver.Options{
		Clock: clock.NewVirtual(time.Time{}), Seed: 7, LogAnswers: true, Bucket: 1 << 20, Leak: 1 << 20,
	})
	t.Cleanup(d.server.Close)
	shop, err := seed.Demo(d.server, nil)
	if err != nil {
		t.Fatal(err)
	}
	paid, err := seed.Charge(d.server, shop.App, shop.Store, decimal.RequireFromString("25.50"))
	if err != nil {
		t.Fatal(err)
	}
	err = d.server.World().Update(0, shop.Store.ID, func(tx *world.Tx) error {
		p, _ := tx.PaymentProviders.Get(paid.ProviderID)
		p.Authentication = map[string]json.RawMessage{
			"type": json.RawMessage(`"oauth"`), "access_token": json.RawMessage(`"CANARY-A"`),
			"refresh_token":     json.RawMessage(`"CANARY-R"`),
			"refresh_token_url": json.RawMessage(`"https://pay.example/token"`),
		}
		if err := tx.PaymentProviders.Put(p.ID, p); err != nil {
			return err
		}
		post := world.Carrier{
			ID: 77, AppID: shop.App.ID, Name: "Post", RatesURL: "https://post.example/rates",
			LabelsURL: "https://post.example/labels",
			Types:     []string{"ship"}, Active: true,
		}
		if err := tx.Carriers.Put(post.ID, post); err != nil {
			return err
		}
		if err := tx.CarrierOptions.Put(1, world.CarrierOption{
			ID: 1, CarrierID: 77, Code: "standard", Name: "Standard", Active: true,
		}); err != nil {
			return err
		}
		for id, f := range tx.FulfillmentOrders.All() {
			f.Shipping.Carrier.ID = "77"
			if err := tx.FulfillmentOrders.Put(id, f); err != nil {
				return err
			}
		}
		st := tx.Store()
		st.Features = append(st.Features, "fulfillment_order_label_api")
		tx.SetStore(st)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, origin := range []string{"https://app.example", "https://post.example", "https://pay.example"} {
		if err := d.server.Partner(origin, http.HandlerFunc(d.partner)); err != nil {
			t.Fatal(err)
		}
	}
	if d.base, err = d.server.Listen("127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	d.API = New(Options{Server: d.server, BaseURL: d.base, Shop: shop})
	t.Cleanup(d.API.Close)
	return d
}

// partner answers as the apps do.
func (d *desk) partner(w http.ResponseWriter, r *http.Request) {
	raw, _ := io.ReadAll(r.Body)
	status, answer := http.StatusOK, ""
	switch r.URL.Path {
	case "/carts":
		answer = d.discounts(raw)
	case "/rates":
		answer = `{"rates":[{"name":"Standard","code":"standard","price":14.15,"currency":"ARS","type":"ship","reference":"r1"},
			{"name":"Other","code":"other","price":1,"currency":"ARS","type":"ship","reference":"r2"}]}`
	case "/process":
		status = http.StatusCreated
	case "/status":
		answer = `{"transactions":[]}`
	case "/refunds":
		status = http.StatusAccepted
	case "/token":
		answer = `{"access_token":"CANARY-B","refresh_token":"CANARY-S","expires_in":3600}`
	case "/fails":
		status = http.StatusInternalServerError
	}
	if answer == "" && r.URL.Path == "/carts" {
		status = http.StatusNoContent
	}
	w.WriteHeader(status)
	_, _ = io.WriteString(w, answer)
}

// discounts takes 10 percent off each line, and answers nonsense to a cart with three pieces of something.
func (d *desk) discounts(raw []byte) string {
	var cart struct {
		Tier     string `json:"execution_tier"`
		Products []struct {
			ID       int64 `json:"id"`
			Quantity int64 `json:"quantity"`
		} `json:"products"`
	}
	if err := json.Unmarshal(raw, &cart); err != nil || cart.Tier != "line_item" {
		return ""
	}
	promotion := ""
	_ = d.server.World().View(0, seed.DemoStore, func(tx *world.Tx) error {
		for id := range tx.Promotions.All() {
			promotion = id
		}
		return nil
	})
	var lines []string
	for _, p := range cart.Products {
		if p.Quantity == 3 {
			promotion = "nonsense"
		}
		lines = append(lines, fmt.Sprintf(`{"line_item":"%d","discount_specs":{"type":"percentage","amount":"10.00"}}`, p.ID))
	}
	return fmt.Sprintf(`{"commands":[{"command":"create_or_update_discount","specs":{"promotion_id":%q,"currency":"ARS","line_items":[%s]}}]}`,
		promotion, strings.Join(lines, ","))
}

// call makes a call of this machine and returns the status and the answer, which has to be JSON.
func (d *desk) call(method, path, body string) (int, any) {
	d.Helper()
	w := httptest.NewRecorder()
	d.ServeHTTP(w, local(method, path, body))
	var out any
	if err := json.Unmarshal(w.Body.Bytes(), &out); err != nil && method != http.MethodHead {
		d.Fatalf("%s %s: %d %q is no JSON", method, path, w.Code, w.Body)
	}
	return w.Code, out
}

// local is a request as programs of this machine make it.
func local(method, path, body string) *http.Request {
	r := httptest.NewRequest(method, "http://127.0.0.1:9"+Prefix, strings.NewReader(body))
	r.URL.Path, r.URL.RawQuery, _ = strings.Cut(Prefix+path, "?")
	r.RemoteAddr = "127.0.0.1:5"
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	return r
}

// get is a member of an answer, such as items.0.id.
func get(of any, path string) any {
	for _, name := range strings.Split(path, ".") {
		of, _ = member(of, name)
	}
	return of
}
