package control

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
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
		`act carts.add () refused: cart "7": there is none`,
		`clock clock.advance () done: {"done":true,"now":"2025-01-01T12:10:00Z","ran":1}`,
		`act quotes.ask () done: {"to":{"country":"AR"},"items":[{"id":1,"name":"Pot","quantity":1}]}`,
		`rate carrier 77 () answered: 200, 1 rates hidden: code "other": the carrier has no such option`,
		`request POST /products () refused: 422: {"name":["can't be blank"]}`,
		`act settle () done: {"settled":true}`,
		`request POST /products (Vase) answered: 201`,
		`webhook product/created (Vase) failing, retry in 5 min: status 500: must be 2xx`,
	}
	got := d.lines("")
	if len(got) != len(want)+1 || !slices.Equal(got[:len(want)], want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for query, want := range map[string]int{
		"kind=act": 4, "kind=clock": 1, "state=problem": 3, "state=failing": 1, "store=1001&kind=webhook": 1, "store=9": 0,
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
	if total != 9. || refused != 2. || forgotten != 0. {
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
	for _, word := range []string{fmt.Sprint(number), fmt.Sprint("%23", number), strings.ToUpper(mail), fmt.Sprintf("%.0f", key)} {
		got := d.lines("kind=webhook&search=" + word)
		if want := fmt.Sprintf("webhook order/updated (#%v) delivered: 200", number); len(got) != 1 || got[0] != want {
			t.Errorf("%q: got %q, want %q", word, got, want)
		}
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
