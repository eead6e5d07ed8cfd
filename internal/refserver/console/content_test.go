package console_test

import (
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver"
	"github.com/commerceplatform/commerce-go/internal/refserver/clock"
	"github.com/commerceplatform/commerce-go/internal/refserver/console"
	"github.com/commerceplatform/commerce-go/internal/refserver/control"
	"github.com/commerceplatform/commerce-go/internal/refserver/seed"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// shopfloor is a desk whose API is served, with labels, and a carrier that answers.
type shopfloor struct {
	*desk
	api, token string
	server     *refserver.Server
}

func openFloor(t *testing.T) *shopfloor {
	t.Helper()
	s := refserver.New(refserver.Options{Clock: clock.NewVirtual(clock.Start), LogAnswers: true, Seed: 1})
	t.Cleanup(s.Close)
	shop, err := seed.Demo(s, nil)
	if err != nil {
		t.Fatal(err)
	}
	platform := httptest.NewServer(s)
	t.Cleanup(platform.Close)
	a := control.New(control.Options{Server: s, Shop: shop, BaseURL: platform.URL})
	t.Cleanup(a.Close)
	a.Mount(console.New(a))
	address, err := a.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{t, strings.TrimSuffix(address, control.Prefix), &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	t.Cleanup(d.client.CloseIdleConnections)
	f := &shopfloor{desk: d, api: platform.URL, token: shop.Install.Token, server: s}
	err = s.World().Update(0, shop.Store.ID, func(tx *world.Tx) error {
		st := tx.Store()
		st.Features = append(st.Features, "fulfillment_order_label_api")
		tx.SetStore(st)
		post := world.Carrier{
			ID: 77, AppID: shop.App.ID, Name: "Post", RatesURL: "https://app.example/rates", LabelsURL: "https://app.example/labels",
			Types: []string{"ship"}, Active: true,
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
	f.desk.api("GET", "stores/1001/entities/"+resource, "", &page)
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
	f.desk.api("POST", "stores/1001/sales", `{"amount":"120.00"}`, &sale)
	f.desk.api("POST", "seed", fmt.Sprintf(`{"records":[
		{"path":"/draft_orders","body":{"contact_name":"Eva","contact_lastname":"Paz","contact_email":"eva@mail.example",
			"payment_status":"unpaid","products":[{"variant_id":%s,"quantity":2}]}},
		{"path":"/services/2001/charges","body":{"description":"Seats","from_date":"2025-01-01","to_date":"2025-01-31","amount_value":12.5,
			"amount_currency":"ARS","concept_code":"app-cost"}},
		{"version":"v1","path":"/orders/%s/transactions/%s/disputes","body":{"reason_code":"fraudulent_activity",
			"external_reason_code":"fraud","amount":{"value":"120.00","currency":"ARS"},"retained_total":{"value":"0.00","currency":"ARS"},
			"initiated_at":"2025-01-01T12:00:00.000Z"}}]}`, f.ids("variants?limit=200")[0], sale.Order, sale.Transaction), nil)
	f.desk.api("POST", "stores/1001/labels/generate", `{"fulfillment_orders":["`+f.ids("fulfillment_orders")[0]+`"]}`, nil)
	f.desk.api("POST", "stores/1001/carts/1000147/quote", `{"to":{"country":"AR"}}`, nil)
	f.desk.api("POST", "stores/1001/payments/refund", `{"transaction":"`+sale.Transaction+`","amount":"5.00"}`, nil)
	f.desk.api("DELETE", "faults", "", nil)
	f.request("POST", "/categories", `{"name":{"en":"Pots"},"nmae":{"en":"Pans"}}`)
	f.request("GET", "/products?pgae=2", "")
	f.request("GET", "/nothing", "")
	pages = []string{
		"/entities", "/entities?resource=products&filter=plain", "/entities?resource=orders&filter=none", "/orders", "/payments?call=1",
		"/payments?call=99", "/requests?operation=POST+%2Fcategories", "/requests?status=404&store=1001", "/requests?seq=1", "/requests?seq=2",
		"/requests?seq=3", "/cart?cart=1000147&run=1",
	}
	var counts struct{ Resources map[string]int }
	f.desk.api("GET", "stores/1001/entities", "", &counts)
	for name := range counts.Resources {
		pages = append(pages, "/entities?resource="+name)
	}
	for _, name := range []string{
		"orders", "draft_orders", "fulfillment_orders", "labels", "transactions", "disputes", "charges", "categories", "checkouts",
	} {
		pages = append(pages, "/orders?resource="+name)
		keys := f.ids(name)
		if len(keys) == 0 {
			f.Fatalf("no record in %s", name)
		}
		pages = append(pages, "/orders?resource="+name+"&key="+keys[0])
	}
	for _, name := range []string{"products", "variants", "orders", "carts", "customers", "coupons", "metafields", "webhooks", "labels"} {
		pages = append(pages, "/entities?resource="+name+"&key="+f.ids(name)[0])
	}
	return pages
}

// request makes a request to the API with a method, a path below the store and a body.
func (f *shopfloor) request(method, path, body string) {
	f.Helper()
	r, err := http.NewRequestWithContext(f.Context(), method, f.api+"/v1/1001"+path, strings.NewReader(body))
	if err != nil {
		f.Fatal(err)
	}
	r.Header.Set("Authorization", "bearer "+f.token)
	r.Header.Set("User-Agent", "Test (dev@app.example)")
	r.Header.Set("Content-Type", "application/json")
	f.do(r)
}

var (
	selectShape = regexp.MustCompile(`(?s)<select [^>]*name="([^"]*)">(.*?)</select>`)
	optionShape = regexp.MustCompile(`<option value="([^"]*)"( selected)?>`)
	areaShape   = regexp.MustCompile(`(?s)<textarea [^>]*name="([^"]*)"[^>]*>(.*?)</textarea>`)
)

// filled are the forms of a page as a browser sends them, with what is chosen and what is in areas.
func filled(page string) (out []url.Values) {
	all := forms(page)
	for i, text := range formShape.FindAllString(page, -1) {
		for _, m := range selectShape.FindAllStringSubmatch(text, -1) {
			for j, option := range optionShape.FindAllStringSubmatch(m[2], -1) {
				if j == 0 || option[2] != "" {
					all[i].Set(html.UnescapeString(m[1]), html.UnescapeString(option[1]))
				}
			}
		}
		for _, m := range areaShape.FindAllStringSubmatch(text, -1) {
			all[i].Set(html.UnescapeString(m[1]), html.UnescapeString(m[2]))
		}
	}
	return all
}

// Each page is made, is small, and its buttons are calls that the control API has.
func TestContentAndItsButtons(t *testing.T) {
	f := openFloor(t)
	pages := f.happen()
	var buttons []url.Values
	for _, path := range pages {
		status, page := f.get(path)
		if status != http.StatusOK || strings.Contains(page, `role="alert"`) {
			t.Errorf("%s: %d\n%s", path, status, page)
		}
		if len(page) > 100<<10 {
			t.Errorf("%s: %d bytes", path, len(page))
		}
		for _, form := range filled(page) {
			if form.Get("call") != "" {
				buttons = append(buttons, form)
			}
		}
	}
	f.desk.api("POST", "snapshots", `{"name":"now"}`, nil)
	pressed := map[string]bool{}
	for _, form := range buttons {
		if key := form.Get("call") + form.Get("text:call") + form.Get("label"); pressed[key] {
			continue
		} else {
			pressed[key] = true
		}
		status, body := f.send(form)
		f.desk.api("POST", "snapshots/now/restore", "", nil)
		if status >= 500 && status != http.StatusGatewayTimeout || strings.Contains(body, "there is none") && strings.Contains(body, "member ") ||
			strings.Contains(body, "this call takes none") || strings.Contains(body, "must be GET") || strings.Contains(body, "path &#34;/_/api/") ||
			strings.Contains(body, "Not Found: ") || strings.Contains(body, "must be method and path") {
			t.Errorf("%s %s: %d %s", form.Get("call"), form.Get("text:call"), status, alarm(body))
		}
	}
	if len(pressed) < 75 {
		t.Errorf("only %d buttons", len(pressed))
	}
}

// The ways that a graph has out of a state work as buttons; others are refused in words beside theirs.
func TestLegalWaysWork(t *testing.T) {
	f := openFloor(t)
	pages := f.happen()
	f.desk.api("POST", "snapshots", `{"name":"now"}`, nil)
	worked := map[string]int{}
	for _, path := range pages {
		if !strings.Contains(path, "/orders?") || !strings.Contains(path, "&key=") {
			continue
		}
		_, page := f.get(path)
		var buttons []string
		for section := range strings.SplitSeq(page, "<section>") {
			if strings.Contains(section, "<figure") {
				buttons = append(buttons, formShape.FindAllString(section, -1)...)
			}
		}
		for _, text := range buttons {
			form := filled(text)[0]
			form.Set("back", path)
			legal := !strings.Contains(text, `class="muted"`)
			status, body := f.send(form)
			f.desk.api("POST", "snapshots/now/restore", "", nil)
			name := form.Get("label") + " on " + path
			switch {
			case legal && status != http.StatusSeeOther:
				t.Errorf("%s: %d\n%s", name, status, alarm(body))
			case !legal && status == http.StatusSeeOther:
				t.Errorf("%s is dashed and works", name)
			case !legal && (alarm(body) == "" || !strings.Contains(alarm(body), "status 4") && !strings.Contains(alarm(body), "charge")):
				t.Errorf("%s is refused without words beside it: %s", name, alarm(body))
			}
			if legal {
				worked[strings.TrimPrefix(path[:strings.Index(path, "&")], "/orders?resource=")]++
			}
		}
	}
	for _, resource := range []string{
		"orders", "draft_orders", "fulfillment_orders", "labels", "transactions", "disputes", "charges", "categories",
	} {
		if worked[resource] == 0 {
			t.Errorf("no way out is a button for %s: %v", resource, worked)
		}
	}
}

var alarmShape = regexp.MustCompile(`(?s)<p class="alarm" role="alert">(.*?)</p>`)

// alarm is the refusal on a page.
func alarm(page string) string {
	if m := alarmShape.FindStringSubmatch(page); m != nil {
		return html.UnescapeString(m[1])
	}
	return ""
}

// A filter is in the address of the page, and goes on where a search stopped.
func TestFilterForm(t *testing.T) {
	f := openFloor(t)
	_, page := f.get("/entities?resource=products&filter=PLAIN+t-shirt")
	if !strings.Contains(page, "Plain T-shirt") || strings.Contains(page, "Soy candle") || !strings.Contains(page, "1 have all words") ||
		!strings.Contains(page, `name="filter" value="PLAIN t-shirt"`) || !strings.Contains(page, `<form method="get" action="/entities"`) {
		t.Error(page)
	}
	err := f.server.World().Update(0, 1001, func(tx *world.Tx) error {
		for i := range int64(60) {
			if err := tx.Pages.Put(5000+i, world.Page{ID: 5000 + i, Name: map[string]string{"en": "Needle"}}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	_, page = f.get("/entities?resource=pages&filter=needle")
	m := regexp.MustCompile(`<a href="([^"]*after=[^"]*)">Next rows`).FindStringSubmatch(page)
	if m == nil || strings.Count(page, "Needle") != 50 {
		t.Fatal(page)
	}
	if _, page = f.get(html.UnescapeString(m[1])); strings.Count(page, "Needle") != 10 {
		t.Errorf("%s:\n%s", m[1], page)
	}
}

// The page of a record leads to the records that it is linked to, and to the webhook that it caused.
func TestRecordPage(t *testing.T) {
	f := openFloor(t)
	f.happen()
	key := f.ids("products?filter=pot")[1] // the first is a teapot
	_, page := f.get("/entities?resource=products&key=" + key)
	var links struct {
		UsedBy []struct{ Resource, Key string } `json:"used_by"`
	}
	f.desk.api("GET", "stores/1001/entities/products/"+key+"/links", "", &links)
	if len(links.UsedBy) == 0 || !strings.Contains(page, "product/created") || !strings.Contains(page, `<a href="/webhooks?id=1">`) {
		t.Errorf("%v\n%s", links, page)
	}
	for _, l := range links.UsedBy {
		if !strings.Contains(page, html.EscapeString("/entities?key="+url.QueryEscape(l.Key)+"&resource="+l.Resource+"&store=1001")) {
			t.Errorf("no link to %v", l)
		}
	}
	status, body := f.send(url.Values{
		"call": {"POST stores/1001/call"}, "label": {"Call"}, "back": {"/entities?resource=products&key=" + key},
		"text:call": {"PUT /products/" + key}, "json:body": {`{"name":{"en":"Iron"}}`},
	})
	if status != http.StatusSeeOther {
		t.Fatalf("%d %s", status, body)
	}
	if _, page = f.get("/entities?resource=products&key=" + key); !strings.Contains(page, "<dd>Iron") || !strings.Contains(page, "product/updated") {
		t.Error(page)
	}
	status, body = f.send(url.Values{
		"call": {"POST stores/1001/call"}, "label": {"Call"}, "back": {"/entities?resource=products&key=" + key},
		"text:call": {"PUT /products/" + key}, "json:body": {`{"name":7}`},
	})
	if status != http.StatusUnprocessableEntity || !strings.Contains(alarm(body), "status 422") || strings.Contains(alarm(body), "records[0]") {
		t.Errorf("%d %s", status, alarm(body))
	}
}

// Text of others stays text on the new pages too: names of records, of members that nothing read, of carts' lines.
func TestHostileContent(t *testing.T) {
	f := openFloor(t)
	const evil = `<img src=x onerror=alert(1)>'"</script><b>`
	raw, err := json.Marshal(evil)
	if err != nil {
		t.Fatal(err)
	}
	pages := f.happen()
	f.desk.api("POST", "seed", `{"records":[
		{"path":"/products","body":{"name":{"en":`+string(raw)+`},"variants":[{"price":"40.00","sku":`+string(raw)+`}]}},
		{"path":"/customers","body":{"name":`+string(raw)+`,"email":"ana@mail.example"}}]}`, nil)
	variants := f.ids("variants?limit=200")
	f.desk.api("POST", "stores/1001/carts/1000147/add", `{"variant":`+variants[len(variants)-1]+`,"quantity":1}`, nil)
	f.request("POST", "/products?"+url.QueryEscape(evil)+"="+url.QueryEscape(evil), `{"name":{"en":"x"},`+string(raw)+`:`+string(raw)+`}`)
	f.request("GET", "/"+url.PathEscape(evil), "")
	products, customers := f.ids("products"), f.ids("customers")
	pages = append(pages, "/requests", "/requests?seq=4", "/requests?seq=5", "/entities?resource=products&key="+products[len(products)-1],
		"/entities?resource=customers&key="+customers[len(customers)-1], "/entities?resource=customers", "/cart?cart=1000147",
		"/entities?resource=products&filter="+url.QueryEscape(evil), "/requests?operation="+url.QueryEscape(evil),
		"/orders?resource="+url.QueryEscape(evil), "/orders?resource=orders&key="+url.QueryEscape(evil), "/payments?call="+url.QueryEscape(evil))
	for _, path := range pages {
		_, page := f.get(path)
		if strings.Contains(page, "<img") || strings.Contains(page, "<b>") || strings.Count(page, "<script") != 1 {
			t.Errorf("%s:\n%s", path, page)
		}
	}
}
