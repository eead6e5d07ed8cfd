package browser

import (
	"net/url"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/proof/browser/browsertest"
	"github.com/commerceplatform/commerce-go/webhook"
)

// shownPage is an address and a text that only its page has.
type shownPage struct{ address, text string }

// each is every page and every kind of it.
func each(in interface {
	webhook.Inbox
	webhook.Browser
}, t testing.TB) []shownPage {
	t.Helper()
	key := func(f webhook.EntryFilter) string {
		page, err := in.Browse(t.Context(), webhook.BrowseQuery{Filter: f, Limit: 1})
		if err != nil || len(page.Entries) != 1 {
			t.Fatalf("%+v: %d entries, %v", f, len(page.Entries), err)
		}
		return page.Entries[0].Key
	}
	dead := key(webhook.EntryFilter{State: webhook.EntryDead, KeyPrefix: webhook.Prefix("", 1006)})
	protected := key(webhook.EntryFilter{State: webhook.EntryDead, KeyPrefix: ":1004:customers"})
	waiting := key(webhook.EntryFilter{State: webhook.EntryWaiting, KeyPrefix: ":1002:order/paid:1<"})
	with := func(page string, pairs ...string) string {
		values := url.Values{}
		for i := 0; i < len(pairs); i += 2 {
			values.Set(pairs[i], pairs[i+1])
		}
		return page + "?" + values.Encode()
	}
	return []shownPage{
		{"", "Groups that need attention"},
		{"entries", "Searched 20 entries"},
		{with("entries", "state", "dead", "prefix", ":1008:order/updated:1017"), "Replay all that match"},
		{with("entries", "event", "category/updated"), "leased"},
		{with("entries", "store", "1002"), "waiting"},
		{with("entries", "cause", unauthorized, "prefix", ":1004:product/updated:9"), "401 Unauthorized"},
		{with("entries", "older", "0s", "prefix", ":1002:"), "order/paid"},
		{with("entries", "older", "1h"), "No entry found"},
		{with("entries", "cause", hostile, "event", hostile), "waiting"},
		{with("entry", "key", dead), "Show the body"},
		{with("entry", "key", protected), "is never shown"},
		{with("entry", "key", waiting, "body", "1"), "\\u202e"},
		{with("confirm", "do", "replay", "event", "order/updated", "cause", unavailable), "Replay 180 entries"},
		{with("confirm", "do", "purge"), "are not changed"},
		{with("confirm", "do", "purge", "cause", hostile), "No dead entry matches."},
		{with("confirm", "do", "purge", "key", protected), "Purge it only if"},
		{with("confirm", "do", "replay", "n", "70", "did", "200", "after", "x", "until", "2026-01-02T15:04:05Z"), "Continue?"},
		{with("done", "do", "purge", "did", "280"), "280 entries purged"},
		{with("entries", "state", hostile), "must be one of"},
		{with("entry", "key", hostile), "has no entry with this key"},
		{with("confirm", "do", "burn"), "must be replay or purge"},
		{"nowhere", "There is no such page."},
	}
}

// fromOutside is how many elements of the hostile name there are on a page.
const fromOutside = `document.querySelectorAll("img, a[href^=javascript], #owned, body script").length`

// Every page fits the width, logs nothing, is within its policy and has no finding of axe-core.
func TestPages(t *testing.T) {
	t.Parallel()
	in := newInbox(t)
	fill(t, in)
	at := serve(t, in)
	pages := each(in, t)
	for half := range 2 { // both processors have something to do
		t.Run([]string{"even", "odd"}[half], func(t *testing.T) {
			t.Parallel()
			p := browser.Open(t, browsertest.View{})
			for i := half; i < len(pages); i += 2 {
				p.Visit(at+pages[i].address, pages[i].text)
				p.CheckViews()
				if n := browsertest.Value[int](p, fromOutside); n != 0 {
					t.Errorf("%s: %d elements are made of a text from outside", pages[i].address, n)
				}
			}
		})
	}
}
