package console_test

import (
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

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
		if len(page) > 60<<10 {
			t.Errorf("%s: %d bytes", path, len(page))
		}
		for _, form := range filled(page) {
			if form.Get("call") != "" {
				buttons = append(buttons, form)
			}
		}
	}
	f.api("POST", "snapshots", `{"name":"now"}`, nil)
	pressed := map[string]bool{}
	for _, form := range buttons {
		if key := form.Get("call") + form.Get("text:call") + form.Get("label"); pressed[key] {
			continue
		} else {
			pressed[key] = true
		}
		status, body := f.send(form)
		f.api("POST", "snapshots/now/restore", "", nil)
		if status >= 500 && status != http.StatusGatewayTimeout || strings.Contains(body, "does not exist") &&
			strings.Contains(body, "member ") ||
			strings.Contains(body, "this call takes none") || strings.Contains(body, "must be GET") || strings.Contains(body,
			"path &#34;/_/api/") ||
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
	f.api("POST", "snapshots", `{"name":"now"}`, nil)
	worked := map[string]int{}
	for _, path := range pages {
		if !strings.HasPrefix(path, "/entities?") || !strings.Contains(path, "&key=") {
			continue
		}
		_, page := f.get(path)
		var buttons []string
		for section := range strings.SplitSeq(page, "<section ") {
			if strings.Contains(section, "<figure") {
				buttons = append(buttons, formShape.FindAllString(section, -1)...)
			}
		}
		for _, text := range buttons {
			form := filled(text)[0]
			if form.Get("loses") != "" {
				form.Set("sure", "yes")
			}
			legal := !strings.Contains(text, `class="muted"`)
			status, body := f.send(form)
			f.api("POST", "snapshots/now/restore", "", nil)
			name := form.Get("label") + " on " + path
			switch {
			case legal && status != http.StatusSeeOther:
				t.Errorf("%s: %d\n%s", name, status, alarm(body))
			case !legal && status == http.StatusSeeOther:
				t.Errorf("%s is dashed and works", name)
			case !legal && (alarm(body) == "" || !strings.Contains(alarm(body), "status 4") && !strings.Contains(alarm(body),
				"charge")):
				t.Errorf("%s is refused without words beside it: %s", name, alarm(body))
			}
			if legal {
				worked[strings.TrimPrefix(path[:strings.Index(path, "&")], "/entities?resource=")]++
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
	if !strings.Contains(page, "Plain T-shirt") || strings.Contains(page, "Soy candle") || !strings.Contains(page,
		"1 match") ||
		!strings.Contains(page, `name="filter" value="PLAIN t-shirt"`) || !strings.Contains(page,
		`<form method="get" action="/entities"`) {
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
	f.api("GET", "stores/1001/entities/products/"+key+"/links", "", &links)
	if len(links.UsedBy) == 0 || !strings.Contains(page, "product/created") {
		t.Errorf("%v\n%s", links, page)
	}
	for _, l := range links.UsedBy {
		address := "/entities?key=" + url.QueryEscape(l.Key) + "&resource=" + l.Resource + "&store=1001"
		if !strings.Contains(page, html.EscapeString(address)) {
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
	if _, page = f.get("/entities?resource=products&key=" + key); !strings.Contains(page, "<dd>Iron") ||
		!strings.Contains(page, "product/updated") {
		t.Error(page)
	}
	status, body = f.send(url.Values{
		"call": {"POST stores/1001/call"}, "label": {"Call"}, "back": {"/entities?resource=products&key=" + key},
		"text:call": {"PUT /products/" + key}, "json:body": {`{"name":7}`},
	})
	if status != http.StatusUnprocessableEntity || !strings.Contains(alarm(body), "status 422") ||
		strings.Contains(alarm(body), "records[0]") {
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
	f.api("POST", "seed", `{"records":[
		{"path":"/products","body":{"name":{"en":`+string(raw)+`},"variants":[{"price":"40.00","sku":`+string(raw)+`}]}},
		{"path":"/customers","body":{"name":`+string(raw)+`,"email":"ana@mail.example"}}]}`, nil)
	variants := f.ids("variants?limit=200")
	f.api("POST", "stores/1001/carts/1000147/add", `{"variant":`+variants[len(variants)-1]+`,"quantity":1}`, nil)
	f.request("POST", "/products?"+url.QueryEscape(evil)+"="+url.QueryEscape(evil),
		`{"name":{"en":"x"},`+string(raw)+`:`+string(raw)+`}`)
	f.request("GET", "/"+url.PathEscape(evil), "")
	products, customers := f.ids("products"), f.ids("customers")
	pages = append(pages, "/log", "/log?kind=request",
		"/entities?resource=products&key="+products[len(products)-1],
		"/entities?resource=customers&key="+customers[len(customers)-1], "/entities?resource=customers", "/cart?cart=1000147",
		"/entities?resource=products&filter="+url.QueryEscape(evil), "/log?search="+url.QueryEscape(evil),
		"/log?id="+url.QueryEscape(evil), "/entities?resource=orders&key="+url.QueryEscape(evil))
	for _, e := range f.logged("?limit=200") {
		pages = append(pages, fmt.Sprintf("/log?id=%d", e.ID))
	}
	for _, path := range pages {
		_, page := f.get(path)
		if strings.Contains(page, "<img") || strings.Contains(page, "<b>") || strings.Count(page, "<script") != 1 {
			t.Errorf("%s:\n%s", path, page)
		}
	}
}

var linkShape = regexp.MustCompile(`<a href="(/[^"]*)"`)

// shapeOf is what links of one kind have in common: page, table and names of parameters.
func shapeOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	names := slices.Sorted(maps.Keys(u.Query()))
	return u.Path + " " + u.Query().Get("resource") + " " + strings.Join(names, " ")
}

// Every kind of link leads to a page without an error, however deep: two of each are followed.
func TestEveryLink(t *testing.T) {
	f := openFloor(t)
	ways := f.happen()
	f.api("POST", "seed", `{"records":[
		{"method":"PUT","path":"/business_rules/integrations/payments","body":{"url":"https://app.example/rules",
			"event":"payments/before-filter"}}]}`, nil)
	seen, kinds := map[string]bool{}, map[string]int{}
	for len(ways) > 0 {
		path := ways[0]
		ways = ways[1:]
		if seen[path] || kinds[shapeOf(path)] == 2 {
			continue
		}
		seen[path] = true
		kinds[shapeOf(path)]++
		status, page := f.get(path)
		if status != http.StatusOK || alarm(page) != "" {
			t.Errorf("%s: %d %s", path, status, alarm(page))
		}
		if strings.Contains(page, "key=0&amp;") {
			t.Errorf("%s leads to a record 0, which is none", path)
		}
		for _, m := range linkShape.FindAllStringSubmatch(page, -1) {
			ways = append(ways, html.UnescapeString(m[1]))
		}
	}
	for _, resource := range []string{"rule_callbacks", "custom_field_values", "discount_callbacks", "quotes"} {
		_, page := f.get("/entities?resource=" + resource)
		m := regexp.MustCompile(`class="key"><a href="([^"]*)"`).FindStringSubmatch(page)
		if m == nil {
			t.Errorf("%s has no record", resource)
			continue
		}
		if status, page := f.get(html.UnescapeString(m[1])); status != http.StatusOK || alarm(page) != "" {
			t.Errorf("%s: %d %s", m[1], status, alarm(page))
		}
	}
}

// Numbers on the pages are those of the control API.
func TestNumbersAreThoseOfTheAPI(t *testing.T) {
	f := openFloor(t)
	f.happen()
	var counts struct{ Resources map[string]json.Number }
	f.api("GET", "stores/1001/entities", "", &counts)
	_, tables := f.get("/entities")
	for name, n := range counts.Resources {
		if !strings.Contains(tables, ">"+strings.ToUpper(name[:1])+strings.ReplaceAll(name[1:], "_",
			" ")+" "+n.String()+"</a>") {
			t.Errorf("%s %s is not on the page", name, n)
		}
	}
	type money struct{ Subtotal, Promotions, Coupon, Shipping, Total string }
	var run struct {
		Items []struct {
			Before, After money
			MS            json.Number
			Of            json.Number `json:"of_ms"`
		}
	}
	f.api("GET", "stores/1001/runs?limit=200", "", &run)
	last := run.Items[len(run.Items)-1]
	took, err := last.MS.Float64()
	if err != nil {
		t.Fatal(err)
	}
	whole := "&lt;1"
	if took >= 1 {
		whole = strconv.Itoa(int(took))
	}
	_, cart := f.get("/cart?cart=1000147&view=payload")
	for _, want := range []string{
		", " + whole + " of " + last.Of.String() + " ms: ", last.Before.Total, last.After.Total, last.Before.Subtotal,
	} {
		if !strings.Contains(cart, want) {
			t.Errorf("the cart has no %q", want)
		}
	}
	var health struct{ Requests, Failures json.Number }
	f.api("GET", "stores/1001/carriers/77", "", &health)
	_, cart = f.get("/cart?cart=1000147&view=rates")
	row := regexp.MustCompile(`<tr [^>]*>[^\n]*Post 77</a>[^\n]*</tr>`).FindString(cart)
	if !strings.Contains(row, `data-label="Counted" class="number">`+health.Requests.String()+"<") ||
		!strings.Contains(row, `data-label="Failures" class="number">`+health.Failures.String()+"<") {
		t.Errorf("%v: %s", health, row)
	}
}

// A line of times has a gap where there was no call, instead of 0 ms: its points are the parts that had calls, and one
// more at the beginning of each piece.
func TestTimesHaveGaps(t *testing.T) {
	f := openFloor(t)
	f.happen()
	var carts struct{ Parts []struct{ N int } }
	f.api("GET", "series?of=carts", "", &carts)
	want, before := 0, 0
	for _, p := range carts.Parts {
		if p.N > 0 && before == 0 {
			want++
		}
		if before = p.N; p.N > 0 {
			want++
		}
	}
	_, page := f.get("/charts")
	_, chart, _ := strings.Cut(page, "Time of carts")
	chart, _, _ = strings.Cut(chart, "</svg>")
	got := 0
	for _, piece := range regexp.MustCompile(`class="s0" points="([^"]*)"`).FindAllStringSubmatch(chart, -1) {
		got += len(strings.Fields(piece[1]))
	}
	if got != want || got == 0 || got > len(carts.Parts) {
		t.Errorf("%d points, want %d: %s", got, want, chart)
	}
}
