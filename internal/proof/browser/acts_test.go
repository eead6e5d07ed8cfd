package browser

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/proof/browser/browsertest"
	"github.com/commerceplatform/commerce-go/webhook"
)

func counted(t testing.TB, in webhook.Inbox, pending, dead int) {
	t.Helper()
	s, err := in.Stats(t.Context())
	if err != nil || s.Pending != pending || s.Dead != dead {
		t.Errorf("%d pending and %d dead, %v; want %d and %d", s.Pending, s.Dead, err, pending, dead)
	}
}

// With keys alone: to a group, to its entries and back, to the question, to the answer, and back to the overview. The
// focus is seen at each stop, and goes through the page in its order.
func TestKeyboard(t *testing.T) {
	t.Parallel()
	for _, width := range []int{browsertest.Phone, browsertest.Desk} {
		in := newInbox(t)
		fill(t, in)
		at := serve(t, in)
		p := browser.Open(t, browsertest.View{Width: width})
		p.Visit(at, "Groups that need attention")
		p.TabTo("Skip to content")
		p.Press(kb.Enter)
		p.Await("location.hash === '#main'")
		way := p.TabTo("180")
		if first := way[0].Name; first == "Overview" || first == "Entries" {
			t.Errorf("%d: the first stop after the link to the content is %q", width, first)
		}
		p.Follow("Searched", chromedp.KeyEvent(kb.Enter))
		p.TabTo("Cause")
		if cause := browsertest.Value[string](p, "document.activeElement.value"); cause != unavailable {
			t.Errorf("%d: the filter has the cause %q", width, cause)
		}
		p.TabTo("Replay all that match…")
		p.Follow("Replay 180 entries", chromedp.KeyEvent(kb.Enter))
		p.TabTo("Cancel") // after the button that does it
		p.Follow("Searched", chromedp.KeyEvent(kb.Enter))
		p.TabTo("Overview")
		p.Follow("Groups that need attention", chromedp.KeyEvent(kb.Enter))
		p.TabTo("180")
		p.TabTo("Replay…")
		p.Follow("Replay 180 entries", chromedp.KeyEvent(kb.Enter))
		p.TabTo("Replay 180 entries")
		p.Follow("180 entries replayed", chromedp.KeyEvent(kb.Enter))
		p.Check()
		counted(t, in, 52+180, 120)
		p.TabTo("Skip to content")
		p.Press(kb.Enter)
		p.TabTo("Overview")
		p.Follow("120", chromedp.KeyEvent(kb.Enter))
	}
}

// Without a script: an entry and a group are replayed and purged.
func TestWithoutScript(t *testing.T) {
	t.Parallel()
	in := newInbox(t)
	fill(t, in)
	at := serve(t, in)
	p := browser.Open(t, browsertest.View{NoScript: true})
	submit := chromedp.Click(chromedp.CSS("main form button"))
	link := func(text string) chromedp.Action[chromedp.Void] {
		return chromedp.Click(`//main//a[contains(., "` + text + `")]`)
	}
	p.Visit(at, "Groups that need attention")
	p.Check()
	p.Follow("Searched", link("180"))
	p.Follow("Show the body", link(":1004:order/updated:10000"))
	p.Follow("Replay this entry", link("Replay…"))
	p.Follow("1 entry replayed", submit)
	counted(t, in, 53, 299)
	p.Follow("Replay all that match", link("Dead entries"))
	p.Follow("Show the body", link(":1004:order/updated:10005"))
	p.Follow("Purge this entry", link("Purge…"))
	p.Follow("1 entry purged", submit)
	counted(t, in, 53, 298)
	p.Follow("Groups that need attention", link("Overview"))
	p.Follow("Replay 178 entries", chromedp.Click(`//tr[contains(., "503 Service")]//a[contains(., "Replay")]`))
	p.Follow("178 entries replayed", submit)
	counted(t, in, 53+178, 120)
	p.Visit(at+"entries?state=dead&store=1004", "Purge all that match")
	p.Follow("10 entries are privacy requests", link("Purge all that match"))
	p.Follow("100 entries purged", submit)
	counted(t, in, 53+178, 20)
	p.Check()
	kept, err := in.Browse(t.Context(), webhook.BrowseQuery{Limit: 50, Filter: webhook.EntryFilter{
		State: webhook.EntryDead, Event: client.Set(webhook.Name("customers/redact"))}})
	if err != nil || len(kept.Entries) != 20 {
		t.Errorf("%d privacy requests are left, %v; want 20", len(kept.Entries), err)
	}
}
