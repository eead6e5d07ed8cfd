package inboxtest

import (
	"fmt"
	"strings"

	"github.com/commerceplatform/commerce-go/webhook"
)

// trace makes the nth traceparent.
func trace(n int) string { return fmt.Sprintf("00-%032x-%016x-01", n, n) }

// traced gives an entry a trace.
func traced(n int, e webhook.Entry) webhook.Entry {
	e.Trace = trace(n)
	return e
}

// traceIsKept checks that each lease of an entry has its trace.
func traceIsKept(p *probe) {
	e := traced(1, signal("a"))
	p.accept(e, webhook.OutcomeStored)
	for range 2 {
		l := p.take(e.Key, held)
		p.same(l.Entry, e)
		p.fail(l, webhook.Failed{Released: true})
	}
	p.commit(p.take(e.Key, held), false)
	p.accept(signal("a"), webhook.OutcomeStored)
	p.same(p.take(e.Key, held).Entry, signal("a")) // the previous entry has left no trace
}

// traceOfSignal checks that newer arrivals replace the trace, before a lease and during it.
func traceOfSignal(p *probe) {
	e := signal("a")
	p.accept(traced(1, e), webhook.OutcomeStored)
	p.accept(traced(2, e), webhook.OutcomeJoined)
	l := p.take(e.Key, held)
	p.same(l.Entry, traced(2, e))
	p.accept(traced(3, e), webhook.OutcomeJoined)
	p.commit(l, true)
	l = p.take(e.Key, held)
	p.same(l.Entry, traced(3, e))
	p.accept(e, webhook.OutcomeJoined)
	p.commit(l, true)
	l = p.take(e.Key, held)
	p.same(l.Entry, e)
	p.accept(traced(4, e), webhook.OutcomeJoined)
	p.commit(l, true)
	p.same(p.take(e.Key, held).Entry, traced(4, e))
}

// traceOfFact checks that arrivals that join a fact change neither its trace nor its body.
func traceOfFact(p *probe) {
	e := traced(1, fact("a"))
	p.accept(e, webhook.OutcomeStored)
	p.accept(traced(2, fact("a")), webhook.OutcomeJoined)
	p.accept(fact("a"), webhook.OutcomeJoined)
	l := p.take(e.Key, held)
	p.same(l.Entry, e)
	p.commit(l, false)
	p.accept(traced(3, fact("a")), webhook.OutcomeKnown)
}

// traceOfKind checks that an arrival of another kind brings its own trace, or none, to a pending entry and to a done
// one.
func traceOfKind(p *probe) {
	other := signal("a")
	other.Key = fact("a").Key
	p.accept(traced(1, fact("a")), webhook.OutcomeStored)
	p.accept(traced(2, other), webhook.OutcomeJoined)
	l := p.take(other.Key, held)
	p.same(l.Entry, traced(2, other))
	p.commit(l, false)

	p.finish(traced(3, fact("a")))
	p.accept(other, webhook.OutcomeStored)
	p.same(p.take(other.Key, held).Entry, other)
}

// traceOfDead checks that a dead letter has the trace of its entry. Replay does not change it, and a revival replaces
// it.
func traceOfDead(p *probe) {
	e := traced(1, signal("a"))
	p.kill(e)
	if letters, can := p.letters(); can {
		p.same(letters[0].Entry, e)
		p.replay(e.Key)
		l := p.take(e.Key, held)
		p.same(l.Entry, e)
		p.fail(l, webhook.Failed{Dead: true})
	}
	p.accept(traced(2, signal("a")), webhook.OutcomeRevived)
	l := p.take(e.Key, held)
	p.same(l.Entry, traced(2, signal("a")))
	p.commit(l, false)

	e = traced(3, signal("b"))
	e.Unhandled = "no handler"
	p.accept(e, webhook.OutcomeShelved)
	if letters, can := p.letters(); can {
		p.same(letters[0].Entry, e)
	}
}

// traceOfOneCall has entries with and without traces in one call, some of them with the same key.
func traceOfOneCall(p *probe) {
	entries := []webhook.Entry{
		signal("a"), traced(1, signal("b")), signal("c"), traced(2, signal("d")), traced(3, signal("d")), signal("b"),
		traced(4, signal("a")),
		traced(5, fact("e")), fact("e"),
	}
	stored, joined := webhook.OutcomeStored, webhook.OutcomeJoined
	p.acceptAll(entries, stored, stored, stored, stored, joined, joined, joined, stored, joined)
	want := map[string]string{"signal a": trace(4), "signal d": trace(3), "fact e": trace(5)}
	for _, l := range p.takeAll(5, held) {
		if l.Trace != want[l.Key] {
			p.Errorf("%q: trace %q, want %q", l.Key, l.Trace, want[l.Key])
		}
	}
}

// traceNotValid checks that invalid traces are dropped, whoever made them, but never the entry.
func traceNotValid(p *probe) {
	for _, bad := range []string{
		"x", strings.ToUpper(trace(10)), trace(1) + "-01", "\x00" + trace(1), "ü\xff", strings.Repeat("0", 1<<20),
	} {
		e := signal("a")
		e.Trace = bad
		p.accept(traced(1, signal("a")), webhook.OutcomeStored)
		p.accept(e, webhook.OutcomeJoined)
		l := p.take(e.Key, held)
		p.same(l.Entry, signal("a"))
		p.commit(l, false)
		p.accept(e, webhook.OutcomeStored)
		l = p.take(e.Key, held)
		p.same(l.Entry, signal("a"))
		p.commit(l, false)
	}
}
