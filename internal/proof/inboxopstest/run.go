package inboxopstest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/tier"
	"github.com/commerceplatform/commerce-go/webhook"
)

// Run tests an inbox that engine makes, new and empty.
func Run(t *testing.T, engine func(t *testing.T) webhook.Inbox) {
	for name, test := range map[string]func(d *desk){
		"Overview": overview, "Search": search, "Group": group, "GroupByJSON": groupByJSON, "Later": later, "One": one,
		"Progress": progress, "Protected": protected, "Hostile": hostile, "Empty": empty,
	} {
		t.Run(name, func(t *testing.T) { test(open(t, engine(t))) })
	}
}

func empty(d *desk) {
	d.contains(d.get(""), "The inbox is empty.", "Pending")
	d.contains(d.get("entries"), "No entry found.", "This is the end of the search.")
	d.contains(d.get("confirm?do=replay"), "No dead entry matches.")
	for address, want := range map[string]int{
		"entry?key=none": 404, "confirm?do=replay&key=none": 404, "confirm?do=burn": 400,
		"entries?state=odd": 400, "entries?store=x": 400,
		"entries?older=-1h": 400, "confirm?do=purge&until=yesterday": 400,
		"nowhere": 404, "api/nowhere": 404, "api/entries?limit=501": 400,
		"api/entry?key=none": 404, "api/count?do=replay&state=odd": 400, "assets/page.html": 404, "..%2f": 404,
	} {
		if body, _, status := d.do(d.request("GET", address, "", "")); status != want {
			d.Errorf("GET %s: status %d, want %d: %s", address, status, want, body)
		}
	}
}

// overview: figures, groups with their trend, and stores, in HTML and JSON alike.
func overview(d *desk) {
	d.accept(3, func(n int) webhook.Entry { return entry(1, "order/updated", fmt.Sprint(n)) })
	d.accept(1100, func(n int) webhook.Entry {
		return dead(7, "product/created", fmt.Sprint(n), fmt.Sprintf("GET /products/%d: 503", 1_000_000+n))
	})
	var o struct {
		Stats   struct{ Pending, Due, Dead int }
		Figures []struct{ ID, Value, Peak string }
		Groups  []struct {
			State, Event, Cause, Spark, Peak string
			Entries, Stores                  int
		}
		Stores []struct{ Store, Dead, Entries int }
	}
	for range 1000 { // groups are counted now and then
		if d.read("api/overview", &o); len(o.Groups) == 2 && o.Groups[0].Spark != "" {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if o.Stats.Pending != 3 || o.Stats.Due != 3 || o.Stats.Dead != 1100 || len(o.Groups) != 2 {
		d.Fatalf("got %+v, want 3 due entries, 1100 dead ones and two groups", o)
	}
	g := o.Groups[0]
	if g.State != "dead" || g.Event != "product/created" || g.Cause != "GET /products/…: 503" || g.Entries != 1100 ||
		g.Stores != 1 || !strings.HasPrefix(g.Peak, "peak 1,100 in ") {
		d.Errorf("got %+v first, want the dead entries, whatever their ids, with a trend", g)
	}
	figures := map[string]string{}
	for _, f := range o.Figures {
		figures[f.ID] = f.Peak
	}
	if !strings.HasPrefix(figures["due"], "peak 3 in ") || figures["lag"] == "" {
		d.Errorf("the figures were %v, want the greatest value and the time of each", figures)
	}
	if len(o.Stores) != 2 || o.Stores[0].Store != 7 || o.Stores[0].Dead != 1100 {
		d.Errorf("stores %+v, want the one with dead entries first", o.Stores)
	}
	page := d.get("")
	d.contains(page, ">1,100<", "peak 1,100 in ", "Lag", "Arrivals", "Handled", "GET /products/…: 503", "<svg", "<polyline points=\"1", "Replay…", "Purge…",
		"product/created")
	if strings.Index(page, "product/created") > strings.Index(page, "order/updated") {
		d.Error("the group of dead entries is not before that of pending ones")
	}
	d.read("api/overview?store=1", &o)
	if len(o.Stores) != 1 || o.Stores[0].Store != 1 || o.Stores[0].Entries != 3 {
		d.Errorf("store 1: %+v, want its 3 entries", o.Stores)
	}
}

// search finds by each field, and continues where it stopped, with or without a key that names the store.
func search(d *desk) {
	d.accept(2500, func(n int) webhook.Entry { return entry(1, "order/updated", fmt.Sprint(n)) })
	d.accept(3, func(n int) webhook.Entry {
		e := entry(123, "order/paid", fmt.Sprint(n))
		if n == 2 {
			e.Key = "~ made by another program"
		}
		return e
	})
	for address, want := range map[string]int{
		"store=123": 3, "store=123&state=due": 3, "event=order/paid": 3, "prefix=%3A123%3A": 2,
		"store=123&event=order/updated": 0,
		"older=1h":                      0, "cause=none": 0, "state=dead": 0, "event=(unknown)": 0, "store=1": 2500, "": 2503,
		"cause=(none)": 2503, "record=1234": 1, "record=234": 1, "store=1&record=2499": 1, "store=123&record=1": 1,
		"store=123&event=order/paid&record=0": 1, "record=%25": 0, "record=2500": 0, "record=1": 2,
	} {
		keys, after := map[string]bool{}, ""
		for range 300 {
			var page struct {
				Entries []struct{ Key string }
				Next    string
			}
			d.read("api/entries?limit=500&"+address+"&after="+url.QueryEscape(after), &page)
			for _, e := range page.Entries {
				if keys[e.Key] {
					d.Errorf("%s: %q is listed twice", address, e.Key)
				}
				keys[e.Key] = true
			}
			if after = page.Next; after == "" {
				break
			}
		}
		if len(keys) != want || after != "" {
			d.Errorf("%s: found %d entries, want %d; the rest is after %q", address, len(keys), want, after)
		}
	}
	d.contains(d.get("entries?store=123"), "order/paid")
	d.contains(d.get("entries?store=1&record=+1234"), ":1234<", "This is the end of the search.")
}

// group: 10,000 entries are replayed by one action that was confirmed, and no others.
func group(d *desk) {
	n, all := tier.Size(1_000, 10_000, 10_000), tier.Size("1,000 entries", "10,000 entries", "10,000 entries")
	d.accept(n, func(n int) webhook.Entry {
		return dead(1, "order/updated", fmt.Sprint(n), fmt.Sprintf("GET /orders/%d: 503", 1_000_000+n))
	})
	d.accept(5, func(n int) webhook.Entry {
		return dead(1, "order/updated", fmt.Sprint("other ", n), "GET /orders: 401")
	})
	question := d.get("confirm?do=replay&event=order/updated&cause=" + url.QueryEscape("GET /orders/…: 503"))
	d.contains(question, "<strong>"+all+"</strong>", "GET /orders/…: 503", "Replay "+all)
	answer, at, status := d.submit(question)
	did := 0
	for status == http.StatusOK && strings.HasSuffix(at.Path, "/confirm") { // a slow machine needs several requests
		d.contains(answer, "Continue?", "<progress ")
		answer, at, status = d.submit(answer)
	}
	if status != http.StatusOK || at.Path != "/deep/ops/done" {
		d.Fatalf("status %d at %s: %s", status, at, answer)
	}
	if _, err := fmt.Sscan(at.Query().Get("did"), &did); err != nil || did != n {
		d.Errorf("%d were replayed, want %d", did, n)
	}
	d.contains(answer, "<strong>"+all+"</strong> replayed")
	if s := d.stats(); s.Pending != n || s.Dead != 5 {
		d.Errorf("stats %+v, want all of the group pending and 5 others dead", s)
	}
	again, _, status := d.submit(question)
	d.contains(again, "<strong>0 entries</strong> replayed")
	if status != http.StatusOK {
		d.Errorf("the form once more: status %d", status)
	}
	question = d.get("confirm?do=purge&store=1")
	d.contains(question, "<strong>5 entries</strong>", "permanently")
	if _, at, status := d.submit(question); status != http.StatusOK || at.Query().Get("did") != "5" {
		d.Errorf("purge: status %d at %s, want 5 purged", status, at)
	}
	if s := d.stats(); s.Pending != n || s.Dead != 0 {
		d.Errorf("stats %+v, want the dead ones purged", s)
	}
}

// progress: the page after a replay counts the entries that are still pending.
func progress(d *desk) {
	d.accept(3, func(n int) webhook.Entry { return dead(1, "order/updated", fmt.Sprint(n), "401") })
	d.accept(1, func(int) webhook.Entry { return entry(2, "order/updated", "4") })
	answer, at, _ := d.submit(d.get("confirm?do=replay&store=1"))
	d.contains(answer, `<progress value="0" max="3"`, "At most 3 of them are still pending.", "Refresh")
	leases, err := d.inbox.Lease(d.Context(), webhook.LeaseQuery{Limit: 4, Term: time.Minute, Without: []client.ID{2}})
	if err != nil || len(leases) != 3 {
		d.Fatal(leases, err)
	}
	for i, l := range leases {
		if _, err := d.inbox.Commit(d.Context(), l); err != nil {
			d.Fatal(err)
		}
		if page := d.get("done?" + at.RawQuery); i == 1 {
			d.contains(page, `<progress value="2" max="3"`, "At most 1 of them is still pending.")
		}
	}
	d.contains(d.get("done?"+at.RawQuery), `<progress value="3" max="3"`, "None of them is pending any more.")
}

func groupByJSON(d *desk) {
	d.accept(450, func(n int) webhook.Entry { return dead(1, "order/updated", fmt.Sprint(n), "401") })
	var c struct {
		N     int
		Until time.Time
	}
	d.read("api/count?do=replay&cause=401", &c)
	if c.N != 450 || c.Until.IsZero() {
		d.Fatalf("counted %+v, want 450", c)
	}
	order := func(n int, until time.Time) string {
		raw, err := json.Marshal(map[string]any{"cause": "401", "n": n, "until": until})
		if err != nil {
			d.Fatal(err)
		}
		return string(raw)
	}
	for _, tt := range []struct {
		path, kind, body string
		status           int
		answer           string
	}{
		{"replay", "text/plain", order(450, c.Until), 400, "must be application/json"},
		{"burn", "application/json", order(450, c.Until), 400, "must be replay or purge"},
		{"replay", "application/json", `{"cause":"401"}`, 400, "must be those of the confirmation"},
		{"replay", "application/json", `{"caus":"401","n":450}`, 400, "unknown field"},
		{"replay", "application/json", order(450, c.Until) + "{}", 400, "more than one value"},
		{"replay", "application/json", `{"cause":"` + strings.Repeat("x", 70_000) + `"}`, 413, "too large"},
		{"purge", "application/json", order(150, c.Until.Add(-time.Hour)), 200, `{"done":0}`},
		{"purge", "application/json", order(150, c.Until), 200, `{"done":150}`}, // not one more than was confirmed
		{"replay", "application/json", order(450, c.Until), 200, `{"done":300}`},
	} {
		body, _, status := d.do(d.request("POST", "api/"+tt.path, tt.kind, tt.body))
		if status != tt.status || !strings.Contains(body, tt.answer) {
			d.Errorf("%s %.60s: status %d, %s; want %d and %s", tt.path, tt.body, status, body, tt.status, tt.answer)
		}
	}
	if s := d.stats(); s.Pending != 300 || s.Dead != 0 {
		d.Errorf("stats %+v, want 300 pending", s)
	}
}

// later: entries that die after the count are left alone.
func later(d *desk) {
	d.accept(3, func(n int) webhook.Entry { return dead(1, "order/updated", fmt.Sprint(n), "401") })
	question := d.get("confirm?do=purge")
	d.contains(question, "<strong>3 entries</strong>")
	time.Sleep(2 * time.Millisecond) // the clock of an engine may be coarse
	d.accept(3, func(n int) webhook.Entry { return dead(1, "order/updated", fmt.Sprint("later ", n), "401") })
	if _, at, _ := d.submit(question); at.Query().Get("did") != "3" {
		d.Errorf("did %s, want the 3 that were counted", at.Query().Get("did"))
	}
	var page struct{ Entries []struct{ Key string } }
	d.read("api/entries?state=dead", &page)
	if len(page.Entries) != 3 || !strings.Contains(page.Entries[0].Key, "later") {
		d.Errorf("left %+v, want the entries that died later", page)
	}
}

// one: an entry with its attempts, and the acts on it alone.
func one(d *desk) {
	e := entry(1, "order/updated", "1")
	e.Trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
	d.accept(1, func(int) webhook.Entry { return e })
	leases, err := d.inbox.Lease(d.Context(), webhook.LeaseQuery{Limit: 1, Term: time.Minute})
	if err != nil || len(leases) != 1 {
		d.Fatal(leases, err)
	}
	if err := d.inbox.Fail(d.Context(), leases[0], webhook.Failed{Dead: true, Cause: "GET /orders/1: 404"}); err != nil {
		d.Fatal(err)
	}
	address := "entry?key=" + url.QueryEscape(e.Key)
	page := d.get(address)
	d.contains(page, "Failed attempts", `<td data-label="Error" class="text">GET /orders/1: 404</td>`)
	d.contains(page, e.Key, "GET /orders/1: 404", e.Trace, "<dt>Attempts</dt><dd>1</dd>", "Show the body", "Replay…")
	if strings.Contains(page, "&#34;id&#34;") {
		d.Error("the body is shown though nobody asked for it")
	}
	d.contains(d.get(address+"&body=1"), `{&#34;id&#34;:&#34;1&#34;}`)
	question := d.get("confirm?do=replay&key=" + url.QueryEscape(e.Key))
	if answer, at, status := d.submit(question); status != http.StatusOK || at.Query().Get("did") != "1" {
		d.Errorf("status %d at %s: %s", status, at, answer)
	}
	if s := d.stats(); s.Pending != 1 || s.Dead != 0 {
		d.Errorf("stats %+v, want it pending", s)
	}
	if answer, _, status := d.submit(question); status != http.StatusConflict {
		d.Errorf("the form once more: status %d, want 409: %s", status, answer)
	}
	if answer, _, status := d.do(d.request("GET", "confirm?do=purge&key="+url.QueryEscape(e.Key), "",
		"")); status != http.StatusConflict {
		d.Errorf("purge of a pending entry: status %d, want 409: %s", status, answer)
	}
}

// protected: no answer has the body of a privacy request, whatever is asked, and no group purges one.
func protected(d *desk) {
	const marker = "marker.7f3a@buyer.example"
	e := dead(1, "customers/redact", "1", "no handler")
	e.Protected, e.Body = true, []byte(`{"email":"`+marker+`"}`)
	alive := entry(2, "customers/redact", "2")
	alive.Protected, alive.Body = true, e.Body
	d.accept(1, func(int) webhook.Entry { return e })
	d.accept(1, func(int) webhook.Entry { return alive })
	for _, key := range []string{e.Key, alive.Key} {
		for _, address := range []string{"", "entries", "entries?state=dead", "entry?body=1&key=", "api/entry?body=1&key=",
			"api/entries?body=1", "api/overview"} {
			if strings.HasSuffix(address, "=") {
				address += url.QueryEscape(key)
			}
			d.get(address)
		}
	}
	d.contains(d.get("entry?body=1&key="+url.QueryEscape(e.Key)), "never shown", "privacy request")
	question := d.get("confirm?do=purge")
	d.contains(question, "No dead entry matches.", "1 entry is a privacy request")
	replayed := d.get("confirm?do=replay")
	d.contains(replayed, "<strong>1 entry</strong>")
	alone := d.get("confirm?do=purge&key=" + url.QueryEscape(e.Key))
	d.contains(alone, "Purge it only if you have fulfilled it in another way")
	d.submit(alone)
	if s := d.stats(); s.Dead != 0 || s.Pending != 1 {
		d.Errorf("stats %+v, want the one purged that was named", s)
	}
	if strings.Contains(d.seen.String(), "marker") {
		d.Error("an answer has the body of a privacy request")
	}
}

// hostile: names, causes and bodies from outside stay text.
func hostile(d *desk) {
	const script = `"><script>alert(1)</script><img src=x onerror=alert(2)>'{{.}}`
	e := dead(1, webhook.Name(script+"\u202e"), "1", script+"\n\x1b[31m")
	e.Key += script
	e.Body = []byte(script + "\xff</pre>\u202e")
	d.accept(1, func(int) webhook.Entry { return e })
	plain := e
	plain.Key, plain.Body = "plain", []byte("</pre>\u202e\x1b"+script)
	d.accept(1, func(int) webhook.Entry { return plain })
	failed := entry(1, "order/updated", "7")
	d.accept(1, func(int) webhook.Entry { return failed })
	leases, err := d.inbox.Lease(d.Context(), webhook.LeaseQuery{Limit: 1, Term: time.Minute})
	if err != nil || len(leases) != 1 {
		d.Fatal(leases, err)
	}
	if err := d.inbox.Fail(d.Context(), leases[0], webhook.Failed{Delay: time.Hour, Cause: script + "\u202e\x1b"}); err != nil {
		d.Fatal(err)
	}
	for _, address := range []string{
		"", "entries", "entry?body=1&key=" + url.QueryEscape(e.Key), "entry?body=1&key=plain", "confirm?do=replay&key=" +
			url.QueryEscape(e.Key),
		"confirm?do=purge&" + url.Values{"cause": {script}, "event": {script}, "prefix": {script}}.Encode(),
		"entries?" + url.Values{"cause": {script}, "event": {script}, "prefix": {script}, "after": {script}}.Encode(),
		"entry?key=" + url.QueryEscape(failed.Key), "entries?" + url.Values{"record": {script}}.Encode(),
		"confirm?do=replay&" + url.Values{"record": {script}}.Encode(),
		"done?do=replay&did=1&until=2026-01-02T15%3A04%3A05Z&" + url.Values{"record": {script}}.Encode(),
		"done?do=purge&did=1&" + url.Values{"cause": {script}}.Encode(),
	} {
		page := d.get(address)
		for _, bad := range []string{"<script>alert", "<img", "\u202e", "\x1b", "</pre>\"", "\xff"} {
			if strings.Contains(hidden.ReplaceAllString(page, ""), bad) { // a form returns what it was given
				d.Errorf("GET %s: the page has %q", address, bad)
			}
		}
	}
	for _, bad := range []string{"entries?store=" + url.QueryEscape(script), "entries?state=" + url.QueryEscape(script),
		"confirm?do=" + url.QueryEscape(script),
		"entry?key=" + url.QueryEscape(script)} {
		if page, _, _ := d.do(d.request("GET", bad, "", "")); strings.Contains(page, "<script>alert") {
			d.Errorf("GET %s: the page has a script", bad)
		}
	}
	if _, at, status := d.submit(d.get("confirm?" + url.Values{"do": {"replay"}, "event": {string(e.Event)},
		"cause": {e.Unhandled}}.Encode())); status != 200 || at.Query().Get("did") != "2" {
		d.Errorf("status %d at %s, want both replayed by names that survive the form", status, at)
	}
}
