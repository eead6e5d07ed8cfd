package control

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver/delivery"
	"github.com/commerceplatform/commerce-go/internal/refserver/work"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// pages reads a list to its end: its keys, and how many records each page had and how many were looked at for it.
func (d *desk) pages(path, key string) (keys []string, sizes, searched []int) {
	d.Helper()
	join := "?"
	if strings.Contains(path, "?") {
		join = "&"
	}
	for after := ""; ; {
		page := d.ok("GET "+path+after, "")
		items, _ := get(page, "items").([]any)
		for _, one := range items {
			keys = append(keys, fmt.Sprint(get(one, key)))
		}
		n, _ := get(page, "searched").(float64)
		sizes, searched = append(sizes, len(items)), append(searched, int(n))
		next := get(page, "next")
		if next == nil {
			return keys, sizes, searched
		}
		after = fmt.Sprint(join, "after=", next)
	}
}

// Every list has its records in both orders, and is read to its end in both.
func TestNewestFirst(t *testing.T) {
	d := open(t)
	for range 7 {
		d.ok("POST stores/1001/emit", `{"event":"order/paid"}`)
		d.ok("POST stores/1001/quotes",
			`{"to":{"country":"AR"},"items":[{"id":1,"name":"Pot","quantity":1,"grams":500,"price":"10.00"}]}`)
		d.ok("POST stores/1001/carts", `{}`)
	}
	d.ok("POST seed", `{"records":[{"path":"/webhooks","body":{"event":"domain/updated","url":"https://app.example/hooks"}}]}`)
	for range 7 {
		d.ok("POST stores/1001/emit", `{"event":"domain/updated"}`)
		r, err := http.Get(d.base + "/v1/1001/store")
		if err != nil {
			t.Fatal(err)
		}
		r.Body.Close()
	}
	t.Cleanup(http.DefaultClient.CloseIdleConnections)
	for path, key := range map[string]string{
		"deliveries?limit=3": "id", "deliveries/unsent?limit=3": "id", "requests?limit=3": "seq", "operations?limit=50": "n",
		"stores/1001/quotes?limit=3": "n", "stores/1001/carts?limit=3": "id", "stores/1001/entities/products?limit=3": "id",
		"stores/1001/entities/fulfillment_orders?limit=2":         "id",
		"deliveries?limit=3&state=delivered&event=domain/updated": "id",
	} {
		oldest, sizes, _ := d.pages(path, key)
		newest, _, searched := d.pages(path+"&order=newest", key)
		if len(oldest) < 2 || len(sizes) < 2 {
			t.Errorf("%s: only %d records", path, len(oldest))
		}
		for i := range oldest {
			if len(newest) != len(oldest) || newest[i] != oldest[len(oldest)-1-i] {
				t.Errorf("%s: newest first %v, oldest first %v", path, newest, oldest)
				break
			}
		}
		filtered := strings.Contains(path, "state=") || strings.Contains(path, "carts")
		if n, limit := searched[0], sizes[0]; n > limit+1 && !filtered {
			t.Errorf("%s: %d records were looked at for a page of %d", path, n, limit)
		}
	}
	status, answer := d.call("GET", "deliveries?order=up", "")
	if status != 422 || get(answer, "rule") != "must be oldest or newest" {
		t.Errorf("%d %v", status, answer)
	}
}

// A call with a filter looks at a bounded number of records, and the next one goes on from there.
func TestSearchIsBounded(t *testing.T) {
	d := open(t)
	const n = 5*mostLooked/2 + 1
	for order, want := range map[string]string{"oldest": "[1 0 0]", "newest": "[0 0 1]"} {
		var sizes []int
		for after := ""; ; {
			c := &call{API: d.API, ctx: t.Context(), r: local("GET", "requests?order="+order+after, "")}
			looks := 0
			answer, err := records[int64]{
				in: func(p work.Part) []int64 {
					return work.Of(p, n, func(i int) int64 { return int64(i) }, func(i int) int64 { looks++; return int64(i) })
				},
				key: func(i int64) int64 { return i }, show: func(i int64) any { return i },
				keep: func(i int64) bool { return i == 6 },
			}.page(c)
			if err != nil {
				t.Fatal(err)
			}
			page := answer.(list)
			if sizes = append(sizes, len(page.Items)); looks > mostLooked+piece || page.Searched > mostLooked {
				t.Errorf("%s: a call looked at %d records and says %d", order, looks, page.Searched)
			}
			if page.Next == nil {
				break
			}
			after = "&after=" + *page.Next
		}
		if fmt.Sprint(sizes) != want {
			t.Errorf("%s: pages of %v, want %s", order, sizes, want)
		}
	}
}

// What a page looks at is not locked meanwhile: those who send webhooks do not wait for it.
func TestListsHoldNoLock(t *testing.T) {
	d := open(t)
	d.ok("POST seed", `{"records":[{"path":"/webhooks","body":{"event":"domain/updated","url":"https://app.example/hooks"}}]}`)
	for range 2 * piece {
		d.ok("POST stores/1001/emit", `{"event":"domain/updated"}`)
	}
	w, n := d.server.Webhooks(), 0
	_, err := records[delivery.Delivery]{
		in: w.Part, key: func(d delivery.Delivery) int64 { return d.ID }, show: showDelivery,
		keep: func(delivery.Delivery) bool {
			n++
			w.Enqueue([]world.Event{{ID: int64(n), Name: "order/paid"}}) // takes the lock
			return false
		},
	}.page(&call{API: d.API, ctx: t.Context(), r: local("GET", "deliveries", "")})
	if err != nil || n != 2*piece {
		t.Errorf("%d were looked at, %v", n, err)
	}
}

// A follower of the count is sent few events, however much happens, and one more when a page would be another.
func TestChanges(t *testing.T) {
	d := open(t)
	count := func() string { return fmt.Sprint(get(d.ok("GET changes", ""), "n")) }
	before := count()
	if again := count(); again != before {
		t.Errorf("%s is %s after a look", before, again)
	}
	for call, body := range map[string]string{
		"POST clock/advance": `{"by":"1m"}`, "POST stores/1001/emit": `{"event":"order/paid"}`, "POST snapshots": `{"name":"a"}`,
	} {
		before = count()
		d.ok(call, body)
		if count() == before {
			t.Errorf("%s changed nothing", call)
		}
	}
	before = count()
	answer, err := http.Get(d.base + "/v1/1001/store") // a request without a token is one too
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	t.Cleanup(http.DefaultClient.CloseIdleConnections)
	if count() == before {
		t.Error("a request changed nothing")
	}
}

// Keys such as UUIDs say nothing about time, so the newest record is the one that was made last.
func TestNewestOfRandomKeys(t *testing.T) {
	d := open(t)
	var want []string
	for n := range 12 {
		name := fmt.Sprint("Promotion ", n)
		body := fmt.Sprintf(`{"records":[{"path":"/promotions","body":{"name":%q,"allocation_type":"line_item"}}]}`, name)
		d.ok("POST seed", body)
		want = append(want, name)
	}
	got, _, _ := d.pages("stores/1001/entities/promotions?limit=5", "name")
	if fmt.Sprint(got[len(got)-12:]) != fmt.Sprint(want) {
		t.Errorf("in the order of their keys: %v", got)
	}
	slices.Reverse(want)
	if got, _, _ = d.pages("stores/1001/entities/promotions?limit=5&order=newest", "name"); fmt.Sprint(got[:12]) != fmt.Sprint(want) {
		t.Errorf("newest first: %v", got)
	}
	if status, answer := d.call("GET", "stores/1001/entities/promotions?after=gone", ""); status != 422 {
		t.Errorf("after a key that is not there: %d %v", status, answer)
	}
}
