package console_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// shopfloor is a desk whose API is served, with labels, and a carrier that answers.
type shopfloor struct {
	*desk
	token  string
	server *refserver.Server
}

func openFloor(t *testing.T) *shopfloor {
	t.Helper()
	d, s, shop := openServed(t, "")
	f := &shopfloor{desk: d, token: shop.Install.Token, server: s}
	err := s.World().Update(0, shop.Store.ID, func(tx *world.Tx) error {
		st := tx.Store()
		st.Features = append(st.Features, "fulfillment_order_label_api")
		tx.SetStore(st)
		post := world.Carrier{
			ID: 77, AppID: shop.App.ID, Name: "Post", RatesURL: "https://app.example/rates",
			LabelsURL: "https://app.example/labels",
			Types:     []string{"ship"}, Active: true,
		}
		for id, p := range tx.FulfillmentOrders.All() {
			p.Shipping.Carrier.ID = "77"
			if err := tx.FulfillmentOrders.Put(id, p); err != nil {
				return err
			}
		}
		return tx.Carriers.Put(post.ID, post)
	})
	if err != nil {
		t.Fatal(err)
	}
	answers := http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})
	if err := s.Partner("https://app.example", answers); err != nil {
		t.Fatal(err)
	}
	return f
}

// ids are the keys of a table.
func (f *shopfloor) ids(resource string) (keys []string) {
	f.Helper()
	var page struct {
		Items []struct{ ID json.RawMessage }
	}
	f.api("GET", "stores/1001/entities/"+resource, "", &page)
	for _, item := range page.Items {
		keys = append(keys, strings.Trim(string(item.ID), `"`))
	}
	return keys
}

// happen makes a record of each table that has states, and requests with what nothing reads. It returns the pages that
// show all of it.
func (f *shopfloor) happen() (pages []string) {
	f.Helper()
	f.furnish()
	var sale struct {
		Order       json.Number
		Transaction string
	}
	f.api("POST", "stores/1001/sales", `{"amount":"120.00"}`, &sale)
	f.api("POST", "seed", fmt.Sprintf(`{"records":[
		{"path":"/draft_orders","body":{"contact_name":"Eva","contact_lastname":"Paz","contact_email":"eva@mail.example",
			"payment_status":"unpaid","products":[{"variant_id":%s,"quantity":2}]}},
		{"path":"/services/2001/charges","body":{"description":"Seats","from_date":"2025-01-01","to_date":"2025-01-31",
			"amount_value":12.5,
			"amount_currency":"ARS","concept_code":"app-cost"}},
		{"version":"v1","path":"/orders/%s/transactions/%s/disputes","body":{"reason_code":"fraudulent_activity",
			"external_reason_code":"fraud","amount":{"value":"120.00","currency":"ARS"},
			"retained_total":{"value":"0.00","currency":"ARS"},
			"initiated_at":"2025-01-01T12:00:00.000Z"}}]}`, f.ids("variants?limit=200")[0], sale.Order, sale.Transaction), nil)
	f.api("POST", "stores/1001/labels/generate", `{"fulfillment_orders":["`+f.ids("fulfillment_orders")[0]+`"]}`, nil)
	f.api("POST", "stores/1001/carts/1000147/quote", `{"to":{"country":"AR"}}`, nil)
	f.api("POST", "stores/1001/payments/refund", `{"transaction":"`+sale.Transaction+`","amount":"5.00"}`, nil)
	f.api("DELETE", "faults", "", nil)
	f.request("POST", "/categories", `{"name":{"en":"Pots"},"nmae":{"en":"Pans"}}`)
	f.request("GET", "/products?pgae=2", "")
	f.request("GET", "/nothing", "")
	pages = []string{
		"/entities", "/entities?resource=products&filter=plain", "/entities?resource=orders&filter=none", "/orders",
		"/log", "/log?kind=request", "/log?search=404&store=1001", "/charts", "/cart?cart=1000147&view=payload&run=1",
		"/cart?cart=1000147&view=rates", "/cart?cart=1000147&view=rules",
	}
	for _, e := range f.logged("?limit=200") {
		pages = append(pages, fmt.Sprintf("/log?id=%d", e.ID))
	}
	var counts struct{ Resources map[string]int }
	f.api("GET", "stores/1001/entities", "", &counts)
	for name := range counts.Resources {
		pages = append(pages, "/entities?resource="+name)
	}
	for _, name := range []string{
		"orders", "draft_orders", "fulfillment_orders", "labels", "transactions", "disputes", "charges", "categories",
		"checkouts",
	} {
		pages = append(pages, "/entities?resource="+name)
		keys := f.ids(name)
		if len(keys) == 0 {
			f.Fatalf("no record in %s", name)
		}
		pages = append(pages, "/entities?resource="+name+"&key="+keys[0])
	}
	for _, name := range []string{"products", "variants", "orders", "carts", "customers", "coupons", "metafields",
		"webhooks", "labels"} {
		pages = append(pages, "/entities?resource="+name+"&key="+f.ids(name)[0])
	}
	return pages
}

// request makes a request to the API with a method, a path below the store and a body.
func (f *shopfloor) request(method, path, body string) {
	f.Helper()
	r, err := http.NewRequestWithContext(f.Context(), method, f.base+"/v1/1001"+path, strings.NewReader(body))
	if err != nil {
		f.Fatal(err)
	}
	r.Header.Set("Authorization", "bearer "+f.token)
	r.Header.Set("User-Agent", "Test (dev@app.example)")
	r.Header.Set("Content-Type", "application/json")
	f.do(r)
}
