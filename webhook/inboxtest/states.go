package inboxtest

import (
	"bytes"
	"slices"
	"time"

	"github.com/commerceplatform/commerce-go/webhook"
)

// same checks that an entry is unchanged.
func (p *probe) same(got, want webhook.Entry) {
	p.Helper()
	if !bytes.Equal(got.Body, want.Body) || !slices.Equal(got.Clears, want.Clears) {
		p.Errorf("entry %q: body %q and clears %q, want %q and %q", got.Key, got.Body, got.Clears, want.Body, want.Clears)
	}
	if got.Key != want.Key || got.Lane != want.Lane || got.Kind != want.Kind || got.Event != want.Event ||
		got.StoreID != want.StoreID || got.Window != want.Window || got.Settle != want.Settle ||
		got.Protected != want.Protected || got.Unhandled != want.Unhandled || got.Trace != want.Trace {
		p.Errorf("entry %+v, want %+v", shown(got), shown(want))
	}
}

// shown is an entry that prints all its fields.
type shown webhook.Entry

func entryIsKept(p *probe) {
	var body []byte
	for b := range 256 {
		body = append(body, byte(b)) // the signed bytes, text or not
	}
	for _, e := range []webhook.Entry{
		{
			Key: "full", Lane: "lane", Kind: webhook.KindFact, Event: "product/deleted", StoreID: 1<<53 + 1, Body: body,
			Window: 90*time.Minute + time.Millisecond, Settle: time.Millisecond,
			Clears: []webhook.Name{"product/created", "product/updated"}, Protected: true, Trace: trace(1),
		},
		{Key: "bare", Lane: "lane", Kind: webhook.KindSignal},
		{Key: `o'dd "key" %_\ ü 漢 ` + "\t", Lane: `o'dd "lane" %_\ ü 漢 ` + "\t", Kind: webhook.KindSignal, Body: []byte("{}")},
		{Key: "forever", Lane: "lane", Kind: webhook.KindFact, Window: webhook.Forever, Body: bytes.Repeat([]byte("x"), 1<<20)},
	} {
		p.accept(e, webhook.OutcomeStored)
		l := p.take(e.Key, held)
		p.same(l.Entry, e)
		p.commit(l, false)
	}
}

func entryIsCopied(p *probe) {
	want := signal("a")
	given := signal("a")
	p.accept(given, webhook.OutcomeStored)
	clear(given.Body)
	first := p.take(want.Key, held)
	p.same(first.Entry, want)
	clear(first.Body)
	p.fail(first, webhook.Failed{Released: true})
	p.same(p.take(want.Key, held).Entry, want)
}

func signalAbsent(p *probe) {
	e := signal("a")
	for range 2 { // a signal is not remembered
		p.accept(e, webhook.OutcomeStored)
		l := p.take(e.Key, held)
		if l.Gen != 1 || l.Attempt != 1 || l.Count != 1 {
			p.Errorf("generation %d, attempt %d, count %d, want 1, 1 and 1", l.Gen, l.Attempt, l.Count)
		}
		if !l.FirstSeen.Equal(l.LastSeen) || l.FirstSeen.IsZero() {
			p.Errorf("first seen %v, last seen %v, want the same time", l.FirstSeen, l.LastSeen)
		}
		if got := l.Until.Sub(l.FirstSeen); got < held-grain || got > held+bound {
			p.Errorf("the lease ends %v after the arrival, want about %v", got, held)
		}
		p.commit(l, false)
		p.counted(webhook.Stats{})
	}
}

func signalPending(p *probe) {
	e := signal("a")
	p.accept(e, webhook.OutcomeStored)
	pass(2 * pollin)
	e.Event, e.Body = "order/paid", []byte(`{"event":"order/paid"}`)
	p.accept(e, webhook.OutcomeJoined)
	p.counted(webhook.Stats{Pending: 1, Due: 1})
	l := p.take(e.Key, held)
	p.same(l.Entry, e)
	if l.Gen != 2 || l.Count != 2 || l.Attempt != 1 {
		p.Errorf("generation %d, count %d, attempt %d, want 2, 2 and 1", l.Gen, l.Count, l.Attempt)
	}
	if !l.FirstSeen.Before(l.LastSeen) {
		p.Errorf("first seen %v, last seen %v, want an earlier one", l.FirstSeen, l.LastSeen)
	}
	p.commit(l, false)
	p.nothing("both arrivals have had their run")
}

// signalNewer has an arrival in which everything but the lane is new.
func signalNewer(p *probe) {
	e := signal("a")
	e.Protected, e.Clears, e.Settle = true, []webhook.Name{"order/created"}, never
	p.accept(e, webhook.OutcomeStored)
	newer := webhook.Entry{
		Key: e.Key, Lane: "another lane", Kind: webhook.KindSignal, Event: "order/paid", StoreID: e.StoreID, Body: []byte("newer"),
		Window: time.Hour, Settle: time.Millisecond, Clears: []webhook.Name{"order/pending", "order/voided"},
	}
	p.accept(newer, webhook.OutcomeJoined)
	newer.Lane, newer.Protected = e.Lane, true
	l := p.take(e.Key, held)
	p.same(l.Entry, newer)
	p.accept(in(e.Lane, fact("next")), webhook.OutcomeStored)
	p.nothing("the lane is the old one")
	p.commit(l, false)
}

func signalDead(p *probe) {
	e := signal("a")
	p.accept(e, webhook.OutcomeStored)
	p.fail(p.take(e.Key, held), webhook.Failed{Released: true})
	dead := p.take(e.Key, held)
	p.fail(dead, webhook.Failed{Dead: true, Cause: "cannot be handled"})
	p.nothing("it is dead")
	p.counted(webhook.Stats{Dead: 1})
	e.Event, e.Body, e.Lane = "order/paid", []byte(`{"event":"order/paid"}`), "another lane" // the old lane is not leased
	p.accept(e, webhook.OutcomeRevived)
	p.accept(e, webhook.OutcomeJoined)
	l := p.take(e.Key, held)
	p.same(l.Entry, e)
	if l.Attempt != 1 || l.Gen <= dead.Gen {
		p.Errorf("attempt %d, generation %d, want 1 and more than %d", l.Attempt, l.Gen, dead.Gen)
	}
	p.commit(l, false)
	p.counted(webhook.Stats{})
}

func factAbsent(p *probe) {
	e := fact("a")
	p.accept(e, webhook.OutcomeStored)
	l := p.take(e.Key, held)
	p.same(l.Entry, e)
	if l.Gen != 1 || l.Attempt != 1 || l.Count != 1 {
		p.Errorf("generation %d, attempt %d, count %d, want 1, 1 and 1", l.Gen, l.Attempt, l.Count)
	}
	p.commit(l, false)
	p.counted(webhook.Stats{Done: 1})
}

func factPending(p *probe) {
	e := fact("a")
	p.accept(e, webhook.OutcomeStored)
	p.accept(e, webhook.OutcomeJoined)
	l := p.take(e.Key, held)
	if l.Gen != 1 || l.Count != 2 {
		p.Errorf("generation %d, count %d, want 1 and 2", l.Gen, l.Count)
	}
	p.accept(e, webhook.OutcomeJoined) // also while it is leased: it is the same occurrence
	p.commit(l, false)
	p.counted(webhook.Stats{Done: 1})
	p.nothing("a fact happened once")
}

func factDone(p *probe) {
	e := fact("a")
	p.finish(e)
	for range 3 {
		p.accept(e, webhook.OutcomeKnown)
	}
	p.nothing("it was handled")
	p.counted(webhook.Stats{Done: 1})
}

func factDead(p *probe) {
	e := fact("a")
	p.kill(e)
	p.accept(e, webhook.OutcomeKnown)
	p.nothing("a dead fact stays dead")
	p.counted(webhook.Stats{Dead: 1})
	if letters, ok := p.letters(); ok && letters[0].Count != 2 {
		p.Errorf("count %d, want 2", letters[0].Count)
	}
}

func factWindow(p *probe) {
	short, forever := fact("short"), fact("forever")
	short.Window, forever.Window = 3*brief, webhook.Forever
	p.finish(forever)
	p.finish(short)
	p.until("the window is over", func() bool {
		got, err := p.inbox.Accept(p.Context(), short)
		if err != nil {
			p.Fatal(err)
		}
		return got[0] == webhook.OutcomeStored
	})
	l := p.take(short.Key, held)
	if l.Gen != 1 || l.Attempt != 1 || l.Count != 1 {
		p.Errorf("generation %d, attempt %d, count %d, want the values of a new entry", l.Gen, l.Attempt, l.Count)
	}
	p.accept(forever, webhook.OutcomeKnown)
	p.commit(l, false)
	pass(3*brief + 2*grain)
	p.counted(webhook.Stats{Done: 1}) // absent even before it is pruned
	none := fact("none")
	none.Window = 0
	p.finish(none) // deleted, like a signal
	p.counted(webhook.Stats{Done: 1})
	p.accept(none, webhook.OutcomeStored)
}

func kindPending(p *probe) {
	for _, test := range []struct {
		name    string
		was, is func(string) webhook.Entry
		then    webhook.Outcome
		settled webhook.Stats
	}{
		{name: "signal becomes fact", was: signal, is: fact, then: webhook.OutcomeKnown, settled: webhook.Stats{Done: 1}},
		{name: "fact becomes signal", was: fact, is: signal, then: webhook.OutcomeStored, settled: webhook.Stats{Done: 1, Pending: 1, Due: 1}},
	} {
		was, is := test.was(test.name), test.is(test.name)
		is.Key = was.Key
		p.accept(was, webhook.OutcomeStored)
		l := p.take(was.Key, held)
		p.accept(is, webhook.OutcomeJoined)
		p.commit(l, true)
		l = p.take(was.Key, held)
		if l.Kind != is.Kind || l.Event != is.Event {
			p.Errorf("%s: a %s of %q, want a %s of %q", test.name, l.Kind, l.Event, is.Kind, is.Event)
		}
		p.commit(l, false)
		p.accept(is, test.then)
		p.counted(test.settled)
	}
}

func kindDone(p *probe) {
	e := fact("a")
	p.finish(e)
	e.Kind = webhook.KindSignal
	p.accept(e, webhook.OutcomeStored)
	l := p.take(e.Key, held)
	if l.Kind != webhook.KindSignal || l.Gen != 1 || l.Count != 1 || l.Attempt != 1 {
		p.Errorf("a %s of generation %d, count %d, attempt %d, want a new signal", l.Kind, l.Gen, l.Count, l.Attempt)
	}
	p.same(l.Entry, e)
	p.commit(l, false)
	p.counted(webhook.Stats{})
}

func kindDead(p *probe) {
	s, f := signal("s"), fact("f")
	p.kill(s)
	p.kill(f)
	s.Kind, f.Kind = webhook.KindFact, webhook.KindSignal
	p.accept(s, webhook.OutcomeKnown)
	p.accept(f, webhook.OutcomeRevived)
	l := p.take(f.Key, held)
	if l.Kind != webhook.KindSignal {
		p.Errorf("a %s, want a signal", l.Kind)
	}
	p.commit(l, false)
	p.counted(webhook.Stats{Dead: 1})
}

func unhandled(p *probe) {
	s, f := signal("s"), fact("f")
	s.Unhandled, f.Unhandled = "no handler", "malformed body"
	p.acceptAll([]webhook.Entry{s, f}, webhook.OutcomeShelved, webhook.OutcomeShelved)
	for count := range 3 {
		p.nothing("no handler can have it")
		p.counted(webhook.Stats{Dead: 2})
		if letters, ok := p.letters(); ok {
			p.same(letters[0].Entry, f)
			p.same(letters[1].Entry, s)
			if letters[0].Count != count+1 || letters[1].Count != count+1 {
				p.Errorf("counts %d and %d, want %d", letters[0].Count, letters[1].Count, count+1)
			}
		}
		if _, err := p.inbox.Accept(p.Context(), s, f); err != nil {
			p.Fatal(err)
		}
	}
	s.Unhandled = "" // now a handler can have it
	p.accept(s, webhook.OutcomeRevived)
	l := p.take(s.Key, held)
	p.same(l.Entry, s)
	p.commit(l, false)
	p.counted(webhook.Stats{Dead: 1})
}

// unhandledLater has arrivals that no handler can have, although there is an entry already: only its count changes.
func unhandledLater(p *probe) {
	s, known := signal("s"), fact("known")
	p.finish(known)
	p.accept(s, webhook.OutcomeStored)
	later := s
	later.Unhandled, later.Body, later.Event, later.Clears = "malformed body", []byte("?"), "", []webhook.Name{"order/paid"}
	p.accept(later, webhook.OutcomeJoined)
	l := p.take(s.Key, held)
	p.same(l.Entry, s)
	if l.Gen != 1 || l.Count != 2 {
		p.Errorf("generation %d, count %d, want 1 and 2", l.Gen, l.Count)
	}
	p.accept(later, webhook.OutcomeJoined)
	p.commit(l, false) // no arrival needs another run
	known.Kind, known.Unhandled = webhook.KindSignal, "malformed body"
	p.accept(known, webhook.OutcomeKnown)
	p.counted(webhook.Stats{Done: 1})
}

func settle(p *probe) {
	e := signal("a")
	e.Settle = 2 * brief
	start := time.Now()
	p.accept(e, webhook.OutcomeStored)
	l := p.take(e.Key, held)
	if got := time.Since(start); got < e.Settle-grain {
		p.Errorf("leased after %v, want %v or later", got, e.Settle)
	}
	p.commit(l, false)

	e.Settle = never
	p.accept(e, webhook.OutcomeStored)
	p.accept(e, webhook.OutcomeJoined)
	p.nothing("it settles")
	p.counted(webhook.Stats{Pending: 1})
	e.Settle = 0
	p.accept(e, webhook.OutcomeJoined)
	p.counted(webhook.Stats{Pending: 1, Due: 1})
	e.Settle = never
	p.accept(e, webhook.OutcomeJoined)
	p.commit(p.take(e.Key, held), false) // an earlier due time stays
}

// settleShortened checks an arrival that makes an entry due earlier. The entry must then come before its neighbours
// that settle longer, in its lane and in others.
func settleShortened(p *probe) {
	e, same, other := in("one", signal("a")), in("one", signal("same lane")), in("two", signal("other lane"))
	e.Settle, same.Settle, other.Settle = never, never/2, never/2
	p.acceptAll([]webhook.Entry{other, same, e}, webhook.OutcomeStored, webhook.OutcomeStored, webhook.OutcomeStored)
	p.nothing("they settle")
	e.Settle = 0
	p.accept(e, webhook.OutcomeJoined)
	p.counted(webhook.Stats{Pending: 3, Due: 1})
	p.commit(p.take(e.Key, held), false)
	p.nothing("the others settle")
}
