package control

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver/seed"
	"github.com/commerceplatform/commerce-go/internal/refserver/traffic"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// lines are the entries that a call of the log answers, a line each.
func (d *desk) lines(query string) []string {
	d.Helper()
	items, _ := get(d.ok("GET log?"+query, ""), "items").([]any)
	var out []string
	for _, e := range items {
		name, _ := get(e, "record.name").(string)
		out = append(out, fmt.Sprintf("%v %v (%s) %v: %v",
			get(e, "kind"), get(e, "name"), name, get(e, "words"), get(e, "line")))
	}
	return out
}

// request makes a request to the API itself, as the demo app, and returns the answer.
func (d *desk) request(method, path, body string) string {
	d.Helper()
	r, err := http.NewRequest(method, d.base+"/v1/1001"+path, strings.NewReader(body))
	if err != nil {
		d.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+get(d.ok("GET info", ""), "access_token").(string))
	r.Header.Set("User-Agent", "test")
	r.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		d.Fatal(err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		d.Fatal(err)
	}
	return string(raw)
}

// register registers a webhook.
func (d *desk) register(event, url string) {
	d.Helper()
	d.ok("POST seed", fmt.Sprintf(`{"records":[{"path":"/webhooks","body":{"event":%q,"url":%q}}]}`, event, url))
}

// busy has a bit of everything in the log.
func busy(t *testing.T) *desk {
	d := open(t)
	t.Cleanup(http.DefaultClient.CloseIdleConnections)
	d.register("product/created", "https://app.example/fails")
	d.request("POST", "/products", `{"name":{"en":"Vase"}}`)
	d.ok("POST settle", "")
	d.request("POST", "/products", `{"names":{"en":"Vase"}}`)
	d.ok("POST stores/1001/quotes", `{"to":{"country":"AR"},"items":[{"id":1,"name":"Pot","quantity":1}]}`)
	d.ok("POST clock/advance", `{"by":"10m"}`)
	d.call("POST", "stores/1001/carts/7/add", `{}`)
	return d
}

func TestLog(t *testing.T) {
	d := busy(t)
	want := []string{
		`act carts.add () refused: cart "7" does not exist`,
		`clock clock.advance () done: done, now 2025-01-01T12:10:00Z, ran 1`,
		`act quotes.ask () done: items id 1, name Pot, quantity 1, to (country AR)`,
		`rate carrier 77 () answered: 200, 1 rate hidden: code "other": the carrier has no such option`,
		`request POST /products () refused: 422: name can't be blank`,
		`request POST /products (Vase) answered: 201`,
		`webhook product/created (Vase) failing, retry in 5 min: status 500: must be 2xx`,
	}
	got := d.lines("")
	if len(got) != len(want)+1 || !slices.Equal(got[:len(want)], want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for query, want := range map[string]int{
		"kind=act": 3, "kind=clock": 1, "state=problem": 3, "state=failing": 1, "store=1001&kind=webhook": 1,
		"store=9":               0,
		"app=2001&kind=request": 2, "search=product/CREATED": 1, "search=blank+422": 1, "search=blank+500": 0,
	} {
		page := d.ok("GET log?limit=1&"+query, "")
		if n, _ := get(page, "matching").(float64); int(n) != want {
			t.Errorf("%s: %v entries match, want %d", query, n, want)
		}
		if lines := d.lines(query); len(lines) != want {
			t.Errorf("%s: got %q, want %d", query, lines, want)
		}
	}
	newest, _, _ := d.pages("log?limit=2", "id")
	oldest, _, _ := d.pages("log?limit=2&order=oldest", "id")
	slices.Reverse(oldest)
	if len(newest) != len(got) || !slices.Equal(newest, oldest) {
		t.Errorf("newest first %v, oldest first %v", newest, oldest)
	}
	page := d.ok("GET log?state=refused", "")
	total, refused, forgotten := get(page, "total"), get(page, "states.refused"), get(page, "forgotten")
	if total != 8. || refused != 2. || forgotten != 0. {
		t.Errorf("got %v entries, %v refused, %v forgotten", total, refused, forgotten)
	}
	for _, query := range []string{"kind=x", "state=x", "search=" + strings.Repeat("x", 201)} {
		if status, answer := d.call("GET", "log?"+query, ""); status == 200 {
			t.Errorf("%.20s: got %v", query, answer)
		}
	}
}

// A word of a search finds an entry also by the number of its order, and by an e-mail address of its record.
func TestLogByRecord(t *testing.T) {
	d := open(t)
	d.register("order/updated", "https://app.example/hooks")
	order := d.ok("GET stores/1001/entities/orders?limit=1", "")
	mail, _ := get(order, "items.0.contact_email").(string)
	number, key := get(order, "items.0.number"), get(order, "items.0.id")
	d.ok("POST stores/1001/emit", fmt.Sprintf(`{"event":"order/updated","fields":{"id":%.0f}}`, key))
	d.ok("POST settle", "")
	for _, word := range []string{
		fmt.Sprint(number), fmt.Sprint("%23", number), strings.ToUpper(mail), fmt.Sprintf("%.0f", key),
	} {
		got := d.lines("kind=webhook&search=" + word)
		if want := fmt.Sprintf("webhook order/updated (#%v) delivered: 200", number); len(got) != 1 || got[0] != want {
			t.Errorf("%q: got %q, want %q", word, got, want)
		}
	}
}

// A word is looked for in the e-mail addresses of the newest records only, and as a number in those of all orders.
func TestRecordsNamedAreBounded(t *testing.T) {
	d := open(t)
	var old world.Order
	err := d.server.World().Update(0, seed.DemoStore, func(tx *world.Tx) error {
		old = tx.Orders.At(0)
		old.ContactEmail = "Old@mail.example"
		if err := tx.Orders.Put(old.ID, old); err != nil {
			return err
		}
		o := old
		for range mostNamed - tx.Orders.Len() {
			o.ID, o.Number, o.ContactEmail = tx.NewID(), tx.NextOrderNumber(), ""
			if err := tx.Orders.Put(o.ID, o); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	at := place{seed.DemoStore, traffic.Record{Resource: "orders", Key: text(old.ID)}}
	c := &call{API: d.API}
	if !c.recordsNamed("old@mail")[at] || !c.recordsNamed(text(old.Number))[at] || c.recordsNamed(text(old.Number - 1))[at] {
		t.Error("the oldest of the newest records is not found by its address and its number alone")
	}
	err = d.server.World().Update(0, seed.DemoStore, func(tx *world.Tx) error {
		o := world.Order{ID: tx.NewID(), Number: tx.NextOrderNumber()}
		return tx.Orders.Put(o.ID, o)
	})
	if err != nil {
		t.Fatal(err)
	}
	if c.recordsNamed("old@mail")[at] || !c.recordsNamed("#" + text(old.Number))[at] {
		t.Error("an older record is found by its address, or not by its number")
	}
}

// An entry says what caused it, and what it caused.
func TestCauses(t *testing.T) {
	d := busy(t)
	name := func(e any) string {
		if e == nil {
			return ""
		}
		return fmt.Sprint(get(e, "kind"), " ", get(e, "name"), " ", get(e, "status"))
	}
	items, _ := get(d.ok("GET log", ""), "items").([]any)
	got := map[string]string{}
	for _, e := range items {
		whole := d.ok(fmt.Sprintf("GET log/%.0f", get(e, "id")), "")
		caused, _ := get(whole, "caused").([]any)
		for _, one := range caused {
			got[name(whole)] += name(one) + "; "
		}
		got[name(whole)] += "by " + name(get(whole, "cause"))
	}
	for of, want := range map[string]string{
		"request POST /products 201":  "webhook product/created 500; by ",
		"clock clock.advance 200":     "webhook product/created 500; by ", // the third attempt
		"act quotes.ask 200":          "rate carrier 77 200; by ",
		"rate carrier 77 200":         "by act quotes.ask 200",
		"request POST /products 422":  "by ",
		"webhook product/created 500": "by request POST /products 201",
	} {
		if got[of] != want {
			t.Errorf("%s: got %q, want %q", of, got[of], want)
		}
	}
}

// A request that an app makes while it is called is one of the entries that the call caused.
func TestCausedMeanwhile(t *testing.T) {
	d := open(t)
	t.Cleanup(http.DefaultClient.CloseIdleConnections)
	err := d.server.Partner("https://busy.example", http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		d.request("GET", "/products/7", "")
	}))
	if err != nil {
		t.Fatal(err)
	}
	d.register("domain/updated", "https://busy.example/hooks")
	d.request("GET", "/products/8", "")
	d.ok("POST stores/1001/emit", `{"event":"domain/updated"}`)
	d.ok("POST settle", "")
	d.request("GET", "/products/9", "")
	id := get(d.ok("GET log?kind=webhook", ""), "items.0.id")
	whole := d.ok(fmt.Sprintf("GET log/%.0f", id), "")
	caused, _ := get(whole, "caused").([]any)
	if len(caused) != 1 || get(caused[0], "name") != "GET /products/7" || get(whole, "cause.name") != "stores.emit" {
		t.Errorf("caused %v, by %v", caused, get(whole, "cause"))
	}
}

// An entry has headers and bodies of both sides, and no credentials.
func TestWholeEntry(t *testing.T) {
	d := open(t)
	t.Cleanup(http.DefaultClient.CloseIdleConnections)
	token, _ := get(d.ok("GET info", ""), "access_token").(string)
	d.request("POST", "/products", `{"name":{"en":"Vase"},"password":"CANARY"}`)
	d.ok("POST stores/1001/quotes", `{"to":{"country":"AR"},"items":[{"id":1,"name":"Pot","quantity":1}]}`)
	for query, want := range map[string]map[string]any{
		"kind=request": {
			"request.method": "POST", "request.url": "/v1/1001/products", "request.body.name.en": "Vase",
			"request.body.password": masked, "request.headers.Authorization.0": masked, "answer.status": 201.,
			"answer.headers.X-Main-Language.0": "en", "answer.body.name.en": "Vase",
		},
		"kind=rate": {
			"request.url": "https://post.example/rates", "request.headers.User-Agent.0": "Commerce-Platform-Shipping",
			"answer.body.rates.0.code": "standard", "of_ms": 5000., "late": nil, "decided_by": "virtual",
		},
		"kind=act&search=quotes": {"request.method": "POST", "request.body.to.country": "AR", "answer.status": 200.},
	} {
		id := get(d.ok("GET log?"+query, ""), "items.0.id")
		whole := d.ok(fmt.Sprintf("GET log/%.0f", id), "")
		for path, value := range want {
			if got := get(whole, "attempts.0."+path); got != value {
				t.Errorf("%s: %s is %v, want %v", query, path, got, value)
			}
		}
		raw, err := encode(whole)
		if err != nil || strings.Contains(string(raw), "CANARY") || strings.Contains(string(raw), token) {
			t.Errorf("%s shows a secret: %s, %v", query, raw, err)
		}
	}
}

// A stream of the log has each change of the entries that are asked for.
func TestFollowLog(t *testing.T) {
	d := open(t)
	s := httptest.NewServer(d)
	defer s.Close()
	d.register("domain/updated", "https://app.example/fails")
	after := get(d.ok("GET log", ""), "rev")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet,
		fmt.Sprintf("%s%slog/follow?kind=webhook&state=failing&after=%.0f", s.URL, Prefix, after), nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	t.Cleanup(http.DefaultClient.CloseIdleConnections)
	d.ok("POST stores/1001/emit", `{"event":"domain/updated"}`)
	d.ok("POST settle", "")
	for lines := bufio.NewScanner(resp.Body); lines.Scan(); {
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok {
			continue
		}
		var e any
		err := json.Unmarshal([]byte(data), &e)
		if err != nil || get(e, "kind") != "webhook" || get(e, "state") != "failing" {
			t.Errorf("got %s, %v", data, err)
		}
		if get(e, "tries") == 2. {
			return
		}
	}
	t.Error("the stream ended before the second attempt")
}
