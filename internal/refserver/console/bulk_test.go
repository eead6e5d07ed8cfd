package console_test

import (
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var bulkShape = regexp.MustCompile(`formaction="(/do\?[^"]*)"`)

// bulk picks rows of a page and presses a button for all of them. It returns the page afterwards.
func (d *desk) bulk(path, button string, picked ...string) (status int, page string) {
	d.Helper()
	_, page = d.get(path)
	for _, m := range bulkShape.FindAllStringSubmatch(page, -1) {
		to := html.UnescapeString(m[1])
		if !strings.Contains(to, "bulk="+url.QueryEscape(button)) {
			continue
		}
		answered, leads, _ := strings.Cut(d.post(to, url.Values{"with": picked}), " ")
		if leads != "" {
			return d.get(leads)
		}
		status, err := strconv.Atoi(answered)
		if err != nil {
			d.Fatal(err)
		}
		return status, ""
	}
	d.Fatalf("%s has no button %q for picked rows", path, button)
	return 0, ""
}

// Picked calls are sent again by one act, whose outcome counts them, and what was refused with its reason.
func TestPickedCallsAreSentAgain(t *testing.T) {
	d := openFloor(t)
	d.furnish()
	d.request("POST", "/categories", "{}")
	d.api("POST", "stores/1001/emit", `{"event":"product/created","fields":{"id":7}}`, nil)
	d.api("POST", "settle", "", nil)
	var picked []string
	for _, e := range d.logged("?kind=webhook") {
		picked = append(picked, fmt.Sprint(e.ID))
	}
	n := len(picked)
	if n < 2 {
		t.Fatalf("%d webhooks", n)
	}
	act, request := d.logged("?kind=act&limit=1")[0].ID, d.logged("?kind=request&limit=1")[0].ID
	_, page := d.bulk("/log", "Send again", append(picked, fmt.Sprint(act), fmt.Sprint(request))...)
	want := fmt.Sprintf("Send again: %d of %d rows done, 1 not possible, 1 refused (POST /categories: status 422: ", n, n+2)
	if !strings.Contains(page, want) {
		t.Errorf("the outcome is not %q:\n%s", want, page)
	}
	d.api("POST", "settle", "", nil)
	for _, id := range picked {
		if _, call := d.get("/log?id=" + id); strings.Count(call, ", sent again<") != 1 {
			t.Errorf("webhook %s was not sent again:\n%s", id, call)
		}
	}
}

// Picked orders are paid and shipped by one act.
func TestPickedOrdersAreShipped(t *testing.T) {
	d := open(t)
	var picked []string
	for range 2 {
		var cart, bought struct{ ID, Order json.Number }
		d.api("POST", "stores/1001/carts", `{}`, &cart)
		d.api("POST", "stores/1001/carts/"+cart.ID.String()+"/add", `{"variant":1000016,"quantity":1}`, nil)
		d.api("POST", "stores/1001/carts/"+cart.ID.String()+"/buy", `{"contact":{"name":"Eva","email":"eva@mail.example"}}`, &bought)
		picked = append(picked, bought.Order.String())
	}
	if _, page := d.bulk("/orders", "Pay and ship", picked...); !strings.Contains(page, "Pay and ship: 2 of 2 rows done.") {
		t.Errorf("after two orders:\n%s", page)
	}
	for _, id := range picked {
		if _, page := d.get("/entities?resource=orders&key=" + id); !strings.Contains(page, "open, paid, fulfilled") {
			t.Errorf("order %s:\n%s", id, page)
		}
	}
	if _, page := d.bulk("/orders", "Pay and ship", picked[0]); !strings.Contains(page, "0 of 1 row done, 1 not possible.") {
		t.Errorf("an order that is shipped:\n%s", page)
	}
	if status, _ := d.bulk("/orders", "Pay and ship"); status != http.StatusConflict {
		t.Errorf("no row: status %d", status)
	}
	if status, _ := d.bulk("/orders", "Pay and ship", "7"); status != http.StatusNotFound {
		t.Errorf("an order that is not there: status %d", status)
	}
}
