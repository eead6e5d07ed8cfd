package inboxtest

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/webhook"
)

// browser returns the inbox as a Browser, and whether it is one.
func (p *probe) browser() (webhook.Browser, bool) {
	b, ok := p.inbox.(webhook.Browser)
	return b, ok
}

// browse returns all entries that a filter selects, in pages of limit.
func (p *probe) browse(b webhook.Browser, f webhook.EntryFilter, limit int) (all []webhook.StoredEntry) {
	p.Helper()
	q := webhook.BrowseQuery{Filter: f, Limit: limit}
	for range 10_000 {
		page, err := b.Browse(p.Context(), q)
		if err != nil || len(page.Entries) > limit || page.At.IsZero() {
			p.Fatalf("Browse(%+v): %d entries at %v, %v", q, len(page.Entries), page.At, err)
		}
		for _, e := range page.Entries {
			if e.Body != nil {
				p.Errorf("Browse(%+v) returned the body of %q", q, e.Key)
			}
		}
		all = append(all, page.Entries...)
		if q.After = page.Next; q.After == "" {
			return all
		}
	}
	p.Fatalf("Browse(%+v) does not end", q)
	return nil
}

// listed checks that a filter selects the entries with these keys, in pages of every size, and that Groups counts them.
func (p *probe) listed(b webhook.Browser, f webhook.EntryFilter, want ...string) {
	p.Helper()
	slices.Sort(want)
	for _, limit := range []int{1, 2, 100} {
		var got []string
		for _, e := range p.browse(b, f, limit) {
			got = append(got, e.Key)
		}
		if !slices.Equal(got, want) {
			p.Errorf("%+v in pages of %d: got %q, want %q", f, limit, got, want)
		}
	}
	groups, err := b.Groups(p.Context(), f)
	n := groups.Others
	for _, g := range groups.Groups {
		n += g.Count
	}
	if err != nil || n != len(want) || groups.At.IsZero() {
		p.Errorf("Groups(%+v): %d entries at %v, %v; want %d", f, n, groups.At, err, len(want))
	}
}

// everyState makes an entry in each state.
func (p *probe) everyState() {
	p.Helper()
	dead, failed, unknown := fact("dead"), signal("failed"), signal("unknown")
	dead.StoreID, dead.Event = 7, "product/deleted"
	unknown.Unhandled, unknown.Event, unknown.StoreID = "event without a handler", "", 0
	p.finish(fact("done"))
	p.accept(dead, webhook.OutcomeStored)
	p.fail(p.take(dead.Key, held), webhook.Failed{Dead: true, Cause: "GET /products/81234567: 404 not found"})
	p.accept(failed, webhook.OutcomeStored)
	p.fail(p.take(failed.Key, held), webhook.Failed{Delay: never, Cause: "GET /orders/99887766: 503"})
	p.accept(unknown, webhook.OutcomeShelved)
	p.accept(in("lane", signal("leased")), webhook.OutcomeStored)
	p.take("signal leased", held)
	p.accept(in("lane", signal("lane is leased")), webhook.OutcomeStored)
	p.accept(signal("due"), webhook.OutcomeStored)
}

func browseFilters(p *probe) {
	b, ok := p.browser()
	if !ok {
		return
	}
	p.listed(b, webhook.EntryFilter{})
	p.everyState()
	all := []string{"fact done", "fact dead", "signal failed", "signal unknown", "signal leased", "signal lane is leased",
		"signal due"}
	pending := []string{"signal failed", "signal leased", "signal lane is leased", "signal due"}
	type filter = webhook.EntryFilter
	p.listed(b, filter{}, all...)
	for state, keys := range map[webhook.EntryState][]string{
		webhook.EntryPending: pending, webhook.EntryDue: {"signal due"}, webhook.EntryLeased: {"signal leased"},
		webhook.EntryWaiting: {"signal failed", "signal lane is leased"}, webhook.EntryDone: {"fact done"},
		webhook.EntryDead: {"fact dead", "signal unknown"}, "no such state": nil,
	} {
		p.listed(b, filter{State: state}, keys...)
	}
	p.listed(b, filter{Event: client.Set(webhook.Name("product/deleted"))}, "fact dead")
	p.listed(b, filter{Event: client.Set(webhook.Name(""))}, "signal unknown")
	p.listed(b, filter{Store: client.Set(client.ID(7))}, "fact dead")
	p.listed(b, filter{Store: client.Set(client.ID(0))}, "signal unknown")
	p.listed(b, filter{Store: client.Set(client.ID(7)), State: webhook.EntryDead}, "fact dead")
	p.listed(b, filter{Store: client.Set(client.ID(7)), State: webhook.EntryPending})
	p.listed(b, filter{Cause: client.Set("GET /products/…: 404 not found")}, "fact dead")
	p.listed(b, filter{Cause: client.Set("GET /orders/11223344: 503")}, "signal failed")
	p.listed(b, filter{Cause: client.Set("GET /orders/11223344: 500")})
	p.listed(b, filter{Cause: client.Set("event without a handler"), State: webhook.EntryDead}, "signal unknown")
	p.listed(b, filter{Cause: client.Set("")}, "fact done", "signal leased", "signal lane is leased", "signal due")
	p.listed(b, filter{KeyPrefix: "fact "}, "fact done", "fact dead")
	p.listed(b, filter{KeyPrefix: "fact d", State: webhook.EntryDead}, "fact dead")
	p.listed(b, filter{KeyPrefix: "fact dead"}, "fact dead")
	p.listed(b, filter{KeyPrefix: "\x00\xff"})
	p.listed(b, filter{Event: client.Set(webhook.Name("\x00\xff"))})
	for _, e := range p.browse(b, filter{}, 100) {
		if until := e.Since.Add(-time.Hour); len(p.browse(b, filter{KeyPrefix: e.Key, Until: until}, 2)) > 0 {
			p.Errorf("%q is what it is since %v, and is listed as older than %v", e.Key, e.Since, until)
		}
		p.listed(b, filter{KeyPrefix: e.Key, Until: e.Since}, e.Key)
	}
	if page, err := b.Browse(p.Context(), webhook.BrowseQuery{}); err != nil || len(page.Entries) > 0 {
		p.Errorf("Browse with no limit: %d entries, %v; want none", len(page.Entries), err)
	}
	browseRecord(p, b)
}

// browseRecord checks that entries are found by the record that their lane names.
func browseRecord(p *probe, b webhook.Browser) {
	p.accept(in("app:7:orders:4711", signal("one")), webhook.OutcomeStored)
	p.accept(in("app:7:orders:4711", signal("another")), webhook.OutcomeStored)
	p.accept(in("app:7:orders:54711", signal("longer")), webhook.OutcomeStored)
	about := webhook.EntryFilter{Record: "4711"}
	p.listed(b, about, "signal one", "signal another")
	p.listed(b, webhook.EntryFilter{Record: "4711", State: webhook.EntryDead})
	p.listed(b, webhook.EntryFilter{Record: "orders:54711"}, "signal longer")
	for _, none := range []string{"711", "%", "\x00\xff", "471"} {
		p.listed(b, webhook.EntryFilter{Record: none})
	}
	groups, err := b.Groups(p.Context(), about)
	n := 0
	for _, g := range groups.Groups {
		n += g.Count
	}
	if err != nil || n != 2 {
		p.Errorf("the groups of a record have %d entries, %v; want 2", n, err)
	}
}

func browseEntry(p *probe) {
	b, ok := p.browser()
	if !ok {
		return
	}
	p.everyState()
	protected := signal("protected")
	protected.Protected, protected.Trace = true, trace(7)
	p.accept(protected, webhook.OutcomeStored)
	for _, l := range p.browse(b, webhook.EntryFilter{}, 3) {
		e, err := b.Lookup(p.Context(), l.Key, false)
		if err != nil || e.State != l.State || e.Body != nil || !e.Since.Equal(l.Since) || e.Gen == 0 {
			p.Errorf("Lookup(%q): state %q since %v, body %q, generation %d, %v; want it as listed: %q since %v",
				l.Key, e.State, e.Since, e.Body, e.Gen, err, l.State, l.Since)
		}
		whole, err := b.Lookup(p.Context(), l.Key, true)
		if hidden := l.Protected || l.State == webhook.EntryDone; err != nil || hidden != (len(whole.Body) == 0) {
			p.Errorf("Lookup(%q) with its body: %q, %v; hidden must be %v", l.Key, whole.Body, err, hidden)
		}
		if e.Lane == "" || e.Kind == "" || e.Count != 1 || e.FirstSeen.IsZero() || e.LastSeen.IsZero() || e.Since.IsZero() {
			p.Errorf("Lookup(%q): lane %q, kind %q, count %d, seen %v to %v, since %v", l.Key, e.Lane, e.Kind, e.Count,
				e.FirstSeen, e.LastSeen, e.Since)
		}
		want := map[string]bool{
			"due": e.State != webhook.EntryDone && e.State != webhook.EntryDead, "died": e.State == webhook.EntryDead,
			"leased": e.State == webhook.EntryLeased, "forgotten": e.State == webhook.EntryDone,
		}
		got := map[string]bool{
			"due": !e.Due.IsZero(), "died": !e.DiedAt.IsZero(), "leased": !e.LeasedUntil.IsZero(),
			"forgotten": !e.ForgetAt.IsZero(),
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			p.Errorf("%q is %s and has the times %v, want %v", e.Key, e.State, got, want)
		}
	}
	e, err := b.Lookup(p.Context(), "fact dead", true)
	if err != nil || e.Attempts != 1 || e.Cause != "GET /products/81234567: 404 not found" || e.FailedAt.IsZero() ||
		string(e.Body) != string(fact("dead").Body) {
		p.Errorf("attempts %d, cause %q, failed at %v, body %q, %v", e.Attempts, e.Cause, e.FailedAt, e.Body, err)
	}
	if e, err := b.Lookup(p.Context(), protected.Key, true); err != nil || e.Trace != trace(7) || !e.Protected {
		p.Errorf("trace %q, protected %v, %v; want %q", e.Trace, e.Protected, err, trace(7))
	}
	for _, key := range []string{"no such key", "", "\x00\xff"} {
		if _, err := b.Lookup(p.Context(), key, true); !errors.Is(err, webhook.ErrNoEntry) {
			p.Errorf("Lookup(%q): %v, want ErrNoEntry", key, err)
		}
	}
}

func browseGroups(p *probe) {
	b, ok := p.browser()
	if !ok {
		return
	}
	for i, e := range many(6, signal) {
		e.StoreID = client.ID(1 + i%2)
		p.accept(e, webhook.OutcomeStored)
		cause := fmt.Sprintf("GET /orders/%d: 503", 1_000_000+i)
		if i >= 4 {
			cause = "GET /orders: 401"
		}
		p.fail(p.take(e.Key, held), webhook.Failed{Dead: true, Cause: cause})
	}
	erased := signal("erased")
	erased.Protected, erased.Unhandled = true, "GET /orders: 401"
	p.accept(erased, webhook.OutcomeShelved)
	p.accept(signal("alive"), webhook.OutcomeStored)
	groups, err := b.Groups(p.Context(), webhook.EntryFilter{State: webhook.EntryDead})
	if err != nil {
		p.Fatal(err)
	}
	got := map[string]int{}
	for _, g := range groups.Groups {
		got[fmt.Sprint(g.State, " ", g.Event, " ", g.StoreID, " ", g.Cause, " ", g.Protected)] = g.Count
		if g.Oldest.IsZero() || g.Oldest.After(groups.At.Add(grain)) {
			p.Errorf("the oldest of %+v is of %v, and it was counted at %v", g, g.Oldest, groups.At)
		}
	}
	want := map[string]int{
		"dead order/updated 1 GET /orders/…: 503 false": 2, "dead order/updated 2 GET /orders/…: 503 false": 2,
		"dead order/updated 1 GET /orders: 401 false": 1, "dead order/updated 2 GET /orders: 401 false": 1,
		"dead order/updated 123 GET /orders: 401 true": 1,
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		p.Errorf("got %v, want %v", got, want)
	}
	if !slices.IsSortedFunc(groups.Groups, func(a, b webhook.EntryGroup) int { return b.Count - a.Count }) {
		p.Errorf("%+v: want the largest first", groups.Groups)
	}
}

// browseActs checks that replay and purge change only listed entries that have not changed since.
func browseActs(p *probe) {
	b, ok := p.browser()
	if !ok {
		return
	}
	for _, e := range many(4, signal) {
		p.kill(e)
	}
	erased := signal("erased")
	erased.Protected = true
	p.kill(erased)
	p.accept(signal("alive"), webhook.OutcomeStored)
	alive := p.take("signal alive", held)
	listed := p.browse(b, webhook.EntryFilter{}, 100)
	for _, e := range listed[:2] { // 0000 and 0001 die again
		p.accept(signal(e.Key[len("signal "):]), webhook.OutcomeRevived)
		pass(2 * grain)
		var l []webhook.Lease
		p.until("the revived entry is due", func() bool { l = p.lease(1, held); return len(l) == 1 })
		p.fail(l[0], webhook.Failed{Dead: true, Cause: "cannot be handled"})
	}
	gone := webhook.StoredEntry{Entry: webhook.Entry{Key: "no such key"}, DiedAt: listed[0].DiedAt}
	hostile := webhook.StoredEntry{Entry: webhook.Entry{Key: "\x00\xff"}}
	if n, err := b.ReplayListed(p.Context(), append(listed[:3:3], gone, hostile, listed[4])...); n != 1 || err != nil {
		p.Errorf("ReplayListed of two that died again, one that did not, and some that are not dead: %d, %v; want 1", n, err)
	}
	if n, err := b.PurgeListed(p.Context(), listed...); n != 1 || err != nil {
		p.Errorf("PurgeListed of all that were listed: %d, %v; want 1, without the protected one", n, err)
	}
	p.counted(webhook.Stats{Pending: 2, Due: 1, Leased: 1, Dead: 3})
	l := p.take("signal 0002", held)
	if l.Attempt != 1 {
		p.Errorf("attempt %d of the replayed entry, want the first", l.Attempt)
	}
	p.commit(l, false)
	p.commit(alive, false)
	if n, err := b.ReplayListed(p.Context()); n != 0 || err != nil {
		p.Errorf("ReplayListed of nothing: %d, %v", n, err)
	}
	if n, err := b.ReplayListed(p.Context(), p.browse(b, webhook.EntryFilter{State: webhook.EntryDead}, 100)...); n != 3 ||
		err != nil {
		p.Errorf("ReplayListed: %d, %v; want 3 with the protected one", n, err)
	}
	p.counted(webhook.Stats{Pending: 3, Due: 3})
}
