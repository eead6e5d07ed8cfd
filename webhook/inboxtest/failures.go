package inboxtest

import (
	"fmt"
	"strings"

	"github.com/commerceplatform/commerce-go/webhook"
)

// browseFailures checks that an entry has its last failures with their times, also after a replay.
func browseFailures(p *probe) {
	b, ok := p.browser()
	if !ok {
		return
	}
	e := signal("fails")
	p.accept(e, webhook.OutcomeStored)
	failures := func() []webhook.EntryFailure {
		p.Helper()
		stored, err := b.Lookup(p.Context(), e.Key, false)
		if err != nil {
			p.Fatal(err)
		}
		return stored.Failures
	}
	if got := failures(); len(got) > 0 {
		p.Errorf("an entry that did not fail has the failures %+v", got)
	}
	p.fail(p.take(e.Key, held), webhook.Failed{Released: true})
	p.fail(p.take(e.Key, held), webhook.Failed{Cause: "<script>alert(1)</script> \u202e"})
	p.fail(p.take(e.Key, held), webhook.Failed{Waits: true, Cause: "waits"})
	p.fail(p.take(e.Key, held), webhook.Failed{Dead: true, Cause: strings.Repeat("é", 600)})
	got := failures()
	want := []webhook.EntryFailure{
		{Attempt: 1, Cause: "<script>alert(1)</script> \u202e"}, {Attempt: 2, Cause: strings.Repeat("é", 500)},
	}
	for i := range got {
		if i < len(want) {
			want[i].At = got[i].At
		}
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		p.Errorf("got %+v, want %+v", got, want)
	}
	page := func() webhook.BrowsePage {
		p.Helper()
		page, err := b.Browse(p.Context(), webhook.BrowseQuery{Limit: 1})
		if err != nil {
			p.Fatal(err)
		}
		return page
	}
	now := page().At
	for _, f := range got {
		if age := now.Sub(f.At); age < -grain || age > bound {
			p.Errorf("a failure of %v, at %v", f.At, now)
		}
	}
	p.replay(e.Key)
	for range webhook.MostFailures - 1 {
		p.fail(p.take(e.Key, held), webhook.Failed{Cause: "again"})
	}
	got = failures()
	if len(got) != webhook.MostFailures || got[0].Attempt != 2 || got[1].Cause != "again" || got[1].Attempt != 1 {
		p.Errorf("got %+v, want the last %d", got, webhook.MostFailures)
	}
	if got[0].At.After(got[len(got)-1].At) {
		p.Errorf("got %+v, want the latest last", got)
	}
	if all := page().Entries; len(all) != 1 || all[0].Failures != nil {
		p.Errorf("a page has %+v, want one entry without failures", all)
	}
}
