package inboxtest

import (
	"slices"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/webhook"
)

// failWaits makes runs ask for a wait: they are not attempts, and arrivals do not shorten the rest.
func failWaits(p *probe) {
	const delay = webhook.ShortestBackoff + 10*brief
	e := signal("a")
	p.accept(e, webhook.OutcomeStored)
	l := p.take(e.Key, held)
	for range 3 {
		start := time.Now()
		p.fail(l, webhook.Failed{Waits: true, Delay: 2 * brief, Cause: "slow down"})
		l = p.take(e.Key, held)
		if passed := time.Since(start); passed < 2*brief-grain || l.Attempt != 1 {
			p.Errorf("attempt %d, %v after a wait of %v began; want 1, and not before", l.Attempt, passed, 2*brief)
		}
	}
	start := time.Now()
	p.fail(l, webhook.Failed{Waits: true, Delay: delay})
	p.accept(e, webhook.OutcomeJoined)
	l = p.take(e.Key, held)
	if passed := time.Since(start); passed < delay-grain {
		p.Errorf("leased %v after a wait of %v began, because the entry arrived again", passed, delay)
	}
	p.fail(l, webhook.Failed{})
	if l = p.take(e.Key, held); l.Attempt != 2 {
		p.Errorf("attempt %d after a failed one, want 2", l.Attempt)
	}
	p.commit(l, false)
}

// failDropped drops entries: only later arrivals remain of them.
func failDropped(p *probe) {
	for _, e := range []webhook.Entry{signal("s"), fact("f")} {
		p.accept(e, webhook.OutcomeStored)
		p.fail(p.take(e.Key, held), webhook.Failed{})
		p.fail(p.take(e.Key, held), webhook.Failed{Dropped: true, Cause: "nobody needs it"})
		p.counted(webhook.Stats{})
		p.accept(e, webhook.OutcomeStored) // a fact is not remembered
		p.fail(p.take(e.Key, held), webhook.Failed{})
		l := p.take(e.Key, held)
		p.accept(e, webhook.OutcomeJoined)
		p.fail(l, webhook.Failed{Dropped: true})
		p.counted(webhook.Stats{Pending: 1, Due: 1})
		if l = p.take(e.Key, held); l.Attempt != 1 || l.Count != 1 {
			p.Errorf("%q arrived once more: attempt %d, count %d, want 1 and 1", e.Key, l.Attempt, l.Count)
		}
		p.fail(l, webhook.Failed{Dropped: true})
		p.counted(webhook.Stats{})
	}
}

// storeDropped drops the pending entries of a store. Other stores, privacy requests, leased entries and
// later arrivals stay.
func storeDropped(p *probe) {
	s, ok := p.inbox.(webhook.Stores)
	if !ok {
		return
	}
	worked, mark := signal("worked"), signal("mark")
	mark.StoreID = 9
	guarded, other, again := signal("guarded"), signal("other"), signal("again")
	guarded.Protected, other.StoreID = true, 7
	rests, old, sharesLane := signal("rests"), fact("old"), in(worked.Lane, signal("in the lane of another"))
	p.accept(worked, webhook.OutcomeStored)
	p.take(worked.Key, held)
	p.accept(rests, webhook.OutcomeStored)
	p.fail(p.take(rests.Key, held), webhook.Failed{Delay: never})
	p.accept(mark, webhook.OutcomeStored)
	l := p.take(mark.Key, held)
	pass(2 * grain)
	p.acceptAll([]webhook.Entry{guarded, other, again, old, sharesLane}, slices.Repeat([]webhook.Outcome{webhook.OutcomeStored}, 5)...)
	pass(2 * grain)
	p.fail(l, webhook.Failed{Released: true})
	var before time.Time
	for _, l := range p.takeAll(5, held) { // all free lanes
		before = l.Until.Add(-held)
		p.fail(l, webhook.Failed{Delay: never})
	}
	pass(2 * grain)
	late := signal("late")
	p.acceptAll([]webhook.Entry{again, late}, webhook.OutcomeJoined, webhook.OutcomeStored)

	drop := func(prefix string, want int) {
		p.Helper()
		if n, err := s.DropStore(p.Context(), worked.StoreID, prefix, before); n != want || err != nil {
			p.Errorf("DropStore with prefix %q: %d, %v; want %d", prefix, n, err, want)
		}
	}
	drop("fact older", 0)
	drop("fact ol", 1)
	drop("", 2)
	drop("", 0)
	if got := p.stats(); got.Pending != 6 || got.Leased != 1 || got.Dead != 0 || got.Done != 0 { // again may be due by now
		p.Errorf("stats %+v, want 6 pending, of which 1 is leased", got)
	}
	p.accept(old, webhook.OutcomeStored)
	p.accept(rests, webhook.OutcomeStored)
	p.accept(sharesLane, webhook.OutcomeStored)
	p.accept(guarded, webhook.OutcomeJoined)
	p.accept(other, webhook.OutcomeJoined)
	p.accept(worked, webhook.OutcomeJoined)
}

// storeDroppedAtLength drops more entries than an engine deletes at a time, and their lanes.
func storeDroppedAtLength(p *probe) {
	s, ok := p.inbox.(webhook.Stores)
	if !ok {
		return
	}
	const n = 250
	p.acceptAll(many(n, signal), slices.Repeat([]webhook.Outcome{webhook.OutcomeStored}, n)...)
	before := p.takeAll(1, held)[0].Until.Add(-held)
	other := signal("other")
	other.StoreID = 7
	p.accept(other, webhook.OutcomeStored)
	if got, err := s.DropStore(p.Context(), 123, "signal ", before); got != n-1 || err != nil {
		p.Errorf("DropStore: %d, %v; want %d", got, err, n-1)
	}
	p.counted(webhook.Stats{Pending: 2, Due: 1, Leased: 1})
	p.commit(p.take(other.Key, held), false)
	p.nothing("all entries were dropped")
}

// deadPurgeStore purges dead entries of a store. Other stores, pending entries, privacy requests and entries
// that do not match stay.
func deadPurgeStore(p *probe) {
	d, ok := p.inbox.(webhook.DeadLetters)
	if !ok {
		return
	}
	const n = 120 // more than are deleted at a time
	all := many(n, signal)
	for i := range all {
		all[i].Unhandled = "no handler"
	}
	other, guarded, about := fact("other"), signal("guarded"), fact("about")
	other.StoreID, guarded.Protected = 7, true
	about.Body = []byte(`{"event":"order/created","customer":"ana"}`)
	for _, e := range []*webhook.Entry{&other, &guarded, &about} {
		e.Unhandled = "no handler"
		all = append(all, *e)
	}
	p.acceptAll(all, slices.Repeat([]webhook.Outcome{webhook.OutcomeShelved}, len(all))...)
	p.accept(signal("alive"), webhook.OutcomeStored)
	purge := func(match func(webhook.DeadLetter) bool, want int) {
		p.Helper()
		if got, err := d.PurgeStore(p.Context(), 123, match); got != want || err != nil {
			p.Errorf("PurgeStore: %d, %v; want %d", got, err, want)
		}
	}
	seen := 0
	purge(func(l webhook.DeadLetter) bool {
		if seen++; l.StoreID != 123 || l.Protected || l.DiedAt.IsZero() {
			p.Errorf("match was called with %+v", l)
		}
		return strings.Contains(string(l.Body), "ana")
	}, 1)
	if seen != n+1 {
		p.Errorf("match was called with %d entries, want %d", seen, n+1)
	}
	purge(func(webhook.DeadLetter) bool { return false }, 0)
	p.counted(webhook.Stats{Pending: 1, Due: 1, Dead: n + 2})
	purge(nil, n)
	purge(nil, 0)
	p.counted(webhook.Stats{Pending: 1, Due: 1, Dead: 2})
	about.Unhandled = ""
	p.accept(about, webhook.OutcomeStored) // it is not remembered
}

// deadPurgeStoreReplayed replays an entry during match: it stays.
func deadPurgeStoreReplayed(p *probe) {
	d, ok := p.inbox.(webhook.DeadLetters)
	if !ok {
		return
	}
	e := signal("a")
	p.kill(e)
	n, err := d.PurgeStore(p.Context(), e.StoreID, func(webhook.DeadLetter) bool {
		p.replay(e.Key)
		return true
	})
	if n != 0 || err != nil {
		p.Errorf("PurgeStore: %d, %v; want 0", n, err)
	}
	p.counted(webhook.Stats{Pending: 1, Due: 1})
}

// purged searches the files for the data of a purged store.
func purged(p *probe) {
	d, ok := p.inbox.(webhook.DeadLetters)
	if !ok {
		return
	}
	text := strings.Repeat("the address of Ana ", 40)
	e := signal("a")
	e.Body = []byte(`{"event":"order/updated","id":7,"note":"` + text + `"}`)
	p.kill(e)
	if !p.engine.Holds(p.T, p.inbox, []byte(text)) {
		p.Fatal("Holds does not find the body of a dead entry, so the test checks nothing")
	}
	if n, err := d.PurgeStore(p.Context(), e.StoreID, nil); n != 1 || err != nil {
		p.Fatalf("PurgeStore: %d, %v; want 1", n, err)
	}
	p.until("the files no longer hold the body", func() bool { return !p.engine.Holds(p.T, p.inbox, []byte(text)) })
}
