package browser

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/proof/browser/browsertest"
)

// happen has something happen in each part of a store, and returns the pages with that on them.
func (st *stage) happen() []shownPage {
	st.T.Helper()
	st.control("POST", "seed", `{"records":[
		{"path":"/webhooks","body":{"event":"product/created","url":"https://app.example/hooks"}},
		{"path":"/webhooks","body":{"event":"order/paid","url":"https://app.example/hooks"}},
		{"method":"PUT","path":"/discounts/callbacks","body":{"url":"https://app.example/carts"}},
		{"path":"/promotions","body":{"name":"Ten percent","allocation_type":"cross_items"}},
		{"path":"/shipping_carriers","body":{"name":"Post","callback_url":"https://app.example/rates","types":"ship"},
			"as":"post"},
		{"path":"/shipping_carriers/{post.id}/options","body":{"code":"standard","name":"Standard"}},
		{"path":"/products","body":{"name":{"en":"<img src=x onerror=alert(1)>`+strings.Repeat("long", 30)+`"},
			"variants":[{"price":"40.00"}]}}]}`, nil)
	var promotions, charges, disputes, providers struct{ Items []struct{ ID string } }
	st.control("GET", "stores/1001/entities/promotions", "", &promotions)
	valid := true
	st.partnerAnswers(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/rates":
			fmt.Fprint(w, `{"rates":[{"name":"Standard","code":"standard","price":14.15,"currency":"ARS","type":"ship",
				"reference":"r1",
				"min_delivery_date":"2025-01-04T12:00:00-03:00","max_delivery_date":"2025-01-07T12:00:00-03:00"},
				{"name":"Other","code":"other","price":1,"currency":"ARS","type":"ship","reference":"r2"}]}`)
		case r.URL.Path == "/carts" && valid:
			fmt.Fprintf(w, `{"commands":[{"command":"create_or_update_discount","specs":{"promotion_id":%q,"currency":"ARS",
				"discount_specs":{"type":"percentage","amount":"10.00"}}}]}`, promotions.Items[0].ID)
		case r.URL.Path == "/carts":
			fmt.Fprint(w, `{"commands":[{"command":"create_or_update_discount",
				"specs":{"promotion_id":"none","currency":"ARS"}}]}`)
		}
	})
	cart := "stores/1001/carts/1000147/"
	st.control("POST", cart+"coupon", `{"code":"WELCOME10"}`, nil)
	st.control("POST", cart+"quote", `{"to":{"country":"AR","postal_code":"2000"}}`, nil)
	valid = false
	st.control("POST", cart+"replay", "", nil)
	var sale struct {
		Order       json.Number
		Transaction string
	}
	st.control("POST", "stores/1001/sales", `{"amount":"120.00"}`, &sale)
	var variants struct{ Items []struct{ ID json.Number } }
	st.control("GET", "stores/1001/entities/variants?limit=1", "", &variants)
	st.control("POST", "seed", fmt.Sprintf(`{"records":[
		{"path":"/draft_orders","body":{"contact_name":"Eva","contact_lastname":"Paz","contact_email":"eva@mail.example",
			"payment_status":"unpaid",
			"products":[{"variant_id":%s,"quantity":2}]}},
		{"path":"/services/2001/charges","body":{"description":"Seats","from_date":"2025-01-01","to_date":"2025-01-31",
			"amount_value":12.5,
			"amount_currency":"ARS","concept_code":"app-cost"}},
		{"version":"v1","path":"/orders/%s/transactions/%s/disputes","body":{"reason_code":"fraudulent_activity",
			"external_reason_code":"fraud",
			"amount":{"value":"120.00","currency":"ARS"},"retained_total":{"value":"0.00","currency":"ARS"},
			"initiated_at":"2025-01-01T12:00:00.000Z"}}]}`, variants.Items[0].ID, sale.Order, sale.Transaction), nil)
	st.control("POST", "stores/1001/payments/refund", fmt.Sprintf(`{"transaction":%q,"amount":"5.00"}`,
		sale.Transaction), nil)
	st.control("POST", "faults", `{"operation":"POST /products","status":503}`, nil)
	var info struct {
		Token string `json:"access_token"`
	}
	st.control("GET", "info", "", &info)
	st.request(info.Token, "POST", "/categories", `{"name":{"en":"It's \"new\""},"nmae":"x","parnet":{"id":1}}`)
	st.request(info.Token, "GET", "/products?pgae=2&per_page=1", "")
	st.request(info.Token, "POST", "/products", `{"name":{"en":"Fails"}}`)
	st.request(info.Token, "GET", "/prodcuts", "")
	st.control("POST", "settle", "", nil)
	for name, into := range map[string]any{
		"charges": &charges, "disputes": &disputes, "payment_providers": &providers,
	} {
		st.control("GET", "stores/1001/entities/"+name, "", into)
	}
	states := func(resource, key string) string { return "entities?resource=" + resource + "&key=" + key }
	var drafted struct{ Items []struct{ ID json.Number } }
	st.control("GET", "stores/1001/entities/draft_orders", "", &drafted)
	pages := []shownPage{
		{"entities", "Script links 0"}, {"entities?resource=products", "Plain T-shirt"},
		{"entities?resource=orders&filter=paid", " match."},
		{"entities?resource=products&filter=nothing", "None of these records"}, {"entities?resource=promotions",
			"Make one through the API"},
		{"entities?resource=products&key=1000012", "Linked records"}, {"entities?resource=orders&key=1000111",
			"Linked records"},
		{"entities?resource=transactions&key=" + sale.Transaction, "Linked records"},
		{"log", "Everything that happened"}, {"log?search=404", "/prodcuts"}, {"log?search=nothing", "No entry matches"},
		{"cart?cart=1000147", "vanished:"}, {"cart?cart=1000147&view=payload", "The cart before and after"},
		{"cart?cart=1000147&view=rates", "Hidden rates"}, {"cart?cart=1000147&view=rules", "Registered rules"},
		{"cart", "Begin a cart"}, {"charts", "Circuits"}, {"", "Newest problems"},
		{"orders", "Other records with states"}, {"entities?resource=orders", "States of order status"}, {states("orders",
			"1000111"), "Its parts"},
		{states("draft_orders", drafted.Items[0].ID.String()), "now open"}, {states("disputes", disputes.Items[0].ID),
			"now needs_response"},
		{states("transactions", sale.Transaction), "Report an event"}, {states("charges", charges.Items[0].ID),
			"now pending"},
		{"entities?resource=labels", "There is no label"}, {"entities?resource=disputes", "needs_response"},
		{"entities?resource=fulfillment_orders", "picked up"}, {"faults", "How the platform sends"},
	}
	var entries struct {
		Items []struct {
			ID   json.Number
			Kind string
		}
	}
	st.control("GET", "log?limit=200", "", &entries)
	seen := map[string]bool{}
	for _, e := range entries.Items {
		if !seen[e.Kind] {
			seen[e.Kind] = true
			pages = append(pages, shownPage{"log?id=" + e.ID.String() + "&kind=" + e.Kind, "When"})
		}
	}
	first, second := entries.Items[0].ID.String(), entries.Items[1].ID.String()
	pages = append(pages, shownPage{"log?with=" + first + "&with=" + second, "Further differences"})
	if *pictures != "" {
		pages = append(pages, shownPage{"stores", "Send a privacy request"}, shownPage{"faults", "End fault 1"})
	}
	return pages
}

// request makes a request to the API.
func (st *stage) request(token, method, path, body string) {
	st.T.Helper()
	r, err := http.NewRequestWithContext(st.Context(), method, st.api+"/v1/1001"+path, strings.NewReader(body))
	if err != nil {
		st.T.Fatal(err)
	}
	r.Header.Set("Authorization", "bearer "+token)
	r.Header.Set("User-Agent", "Story (dev@app.example)")
	r.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		st.T.Fatal(err)
	}
	answer.Body.Close()
}

// Pages with something on them fit the width, log nothing, make no element of a text from outside and have no finding
// of axe-core.
func TestConsoleContent(t *testing.T) {
	t.Parallel()
	st := openStage(t)
	pages := st.happen()
	for _, view := range []browsertest.View{{Width: browsertest.Desk}, {Width: browsertest.Phone, Dark: true}} {
		t.Run(view.String(), func(t *testing.T) {
			p := browser.Open(t, view)
			for i, page := range pages {
				if *pictures == "" && view.Width == browsertest.Desk && i%4 != 0 {
					continue // what overflows does so on a phone, and light or dark is a matter of the style
				}
				p.Visit(st.at+page.address, page.text)
				p.Check()
				if n := browsertest.Value[int](p, fromOutside); n != 0 {
					t.Errorf("%s: %d elements are made of a text from outside", page.address, n)
				}
				if view.Dark {
					takePictures(p, "content", page)
					p.Look(view)
				}
			}
		})
	}
}
