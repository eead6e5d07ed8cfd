package inboxtest

import (
	"fmt"
	"slices"
	"time"

	"github.com/commerceplatform/commerce-go/webhook"
)

func shared(p *probe) {
	q := p.through(p.engine.Share(p.T, p.inbox))
	e := signal("a")
	p.accept(e, webhook.OutcomeStored)
	q.accept(e, webhook.OutcomeJoined)
	first := q.take(e.Key, held)
	p.nothing("another process has it")
	p.accept(e, webhook.OutcomeJoined)
	if err := p.inbox.Extend(p.Context(), first, held); err != nil { // a lease belongs to the store
		p.Errorf("Extend by another process: %v", err)
	}
	q.commit(first, true)
	second := p.take(e.Key, held)
	if second.Token <= first.Token {
		p.Errorf("token %d, want more than %d", second.Token, first.Token)
	}
	q.lost(first, "which another process has now")
	q.commit(second, false)
	p.counted(webhook.Stats{})
	q.counted(webhook.Stats{})
}

func sharedLane(p *probe) {
	q := p.through(p.engine.Share(p.T, p.inbox))
	p.acceptAll([]webhook.Entry{in("lane", signal("a")), in("lane", signal("b"))}, webhook.OutcomeStored, webhook.OutcomeStored)
	first := p.takeAll(1, brief)[0]
	second := q.takeAll(1, held)[0] // after the lease has ended
	p.lost(first, "whose lane another process has now")
	p.nothing("another process has the lane")
	if second.Token <= first.Token {
		p.Errorf("token %d, want more than %d", second.Token, first.Token)
	}
	q.commit(second, false)
	p.commit(p.takeAll(1, held)[0], false)
}

func sharedWait(p *probe) {
	q := p.through(p.engine.Share(p.T, p.inbox))
	defer q.soon(func() error {
		_, err := q.inbox.Accept(q.Context(), signal("a"))
		return err
	})()
	p.commit(p.serve("another process accepts an entry"), false)
}

func reopenedEntries(p *probe) {
	done, dead, due, settles := fact("done"), signal("dead"), signal("due"), signal("settles")
	p.finish(done)
	p.kill(dead)
	settles.Settle = never
	p.acceptAll([]webhook.Entry{due, settles, due}, webhook.OutcomeStored, webhook.OutcomeStored, webhook.OutcomeJoined)
	p.fail(p.take(due.Key, held), webhook.Failed{})
	p.inbox = p.engine.Reopen(p.T, p.inbox)

	p.counted(webhook.Stats{Pending: 2, Due: 1, Done: 1, Dead: 1})
	p.accept(done, webhook.OutcomeKnown)
	if letters, ok := p.letters(); ok {
		p.same(letters[0].Entry, dead)
	}
	l := p.take(due.Key, held)
	p.same(l.Entry, due)
	if l.Gen != 2 || l.Attempt != 2 || l.Count != 2 {
		p.Errorf("generation %d, attempt %d, count %d, want 2 each", l.Gen, l.Attempt, l.Count)
	}
	p.accept(settles, webhook.OutcomeJoined)
	p.commit(l, false)
	p.nothing("the other one settles")
}

func reopenedLeases(p *probe) {
	entries := many(3, signal)
	p.acceptAll(entries, slices.Repeat([]webhook.Outcome{webhook.OutcomeStored}, len(entries))...)
	leases := p.takeAll(3, held)
	last := slices.MaxFunc(leases, func(a, b webhook.Lease) int { return a.Until.Compare(b.Until) })
	greatest := max(leases[0].Token, leases[1].Token, leases[2].Token)
	p.accept(leases[0].Entry, webhook.OutcomeJoined)
	p.inbox = p.engine.Reopen(p.T, p.inbox)
	if time.Now().Before(last.Until.Add(-held / 2)) {
		p.nothing("a lease is held until its end")
	}
	p.commit(leases[0], true)
	p.commit(leases[1], false)
	p.fail(leases[2], webhook.Failed{Released: true})
	p.inbox = p.engine.Reopen(p.T, p.inbox)
	for _, l := range leases {
		p.lost(l, "which was used up before the inbox was opened again")
	}
	for _, l := range p.takeAll(2, held) {
		if l.Token <= greatest {
			p.Errorf("token %d, want more than %d", l.Token, greatest)
		}
		p.commit(l, false)
	}
}

// protected searches the files for the body of a privacy request.
func protected(p *probe) {
	handled, purged := signal("handled"), signal("purged")
	for i, e := range []*webhook.Entry{&handled, &purged} {
		e.Protected = true
		e.Body = []byte(`{"customer":{"email":"` + []string{"handled", "purged"}[i] + `@buyer.example"}}`)
	}
	p.accept(handled, webhook.OutcomeStored)
	if !p.engine.Holds(p.T, p.inbox, []byte("handled@buyer.example")) {
		p.Errorf("Holds does not find a pending body, so it does not search the right files")
	}
	p.commit(p.take(handled.Key, held), false)
	if p.engine.Holds(p.T, p.inbox, []byte("handled@buyer.example")) {
		p.Errorf("the files contain a body that was handled")
	}
	d, ok := p.inbox.(webhook.DeadLetters)
	if !ok {
		return
	}
	p.kill(purged)
	if n, err := d.Purge(p.Context(), purged.Key); n != 1 || err != nil {
		p.Fatalf("Purge: %d, %v", n, err)
	}
	if p.engine.Holds(p.T, p.inbox, []byte("purged@buyer.example")) {
		p.Errorf("the files contain a body that was purged")
	}
}

// protectedAgain delivers requests to erase again, during a run and after it. Each delivery may be about new data, so
// each is followed by a run, and nothing is remembered that would prevent it.
func protectedAgain(p *probe) {
	var events webhook.Registry
	for name, body := range map[webhook.Name]string{
		webhook.StoreRedactRequested.Name:    `{"store_id":123,"asked_by":%q}`,
		webhook.CustomerRedactRequested.Name: `{"store_id":123,"customer":{"id":7,"email":%q},"orders_to_redact":[1,2]}`,
	} {
		request := func(by string) webhook.Entry { return events.Entry("", name, fmt.Appendf(nil, body, by)) }
		first, during, after := request("first@buyer.example"), request("during@buyer.example"), request("after@buyer.example")
		p.accept(first, webhook.OutcomeStored)
		l := p.take(first.Key, held)
		p.accept(during, webhook.OutcomeJoined)
		p.commit(l, true)
		p.erased("first@buyer.example")
		l = p.take(first.Key, held)
		p.same(l.Entry, during)
		p.commit(l, false)
		p.erased("during@buyer.example")
		p.counted(webhook.Stats{})

		p.accept(after, webhook.OutcomeStored)
		l = p.take(first.Key, held)
		p.same(l.Entry, after)
		p.commit(l, false)
		p.erased("after@buyer.example")
		p.counted(webhook.Stats{})
	}
}

// protectedStays checks that an arrival that is a privacy request protects its entry, and that later
// arrivals do not remove the protection.
func protectedStays(p *probe) {
	plain := signal("redact")
	e := plain
	e.Protected = true
	p.acceptAll([]webhook.Entry{plain, e}, webhook.OutcomeStored, webhook.OutcomeJoined)
	p.accept(plain, webhook.OutcomeJoined)
	l := p.take(e.Key, held)
	if !l.Protected {
		p.Error("a pending entry is not protected after an arrival that was")
	}
	p.fail(l, webhook.Failed{Dead: true})
	p.accept(plain, webhook.OutcomeRevived)
	if l = p.take(e.Key, held); !l.Protected {
		p.Error("an arrival took the protection of a dead entry away")
	}
	p.commit(l, false)
}

// erased checks that no file contains a text, if the engine can report it.
func (p *probe) erased(text string) {
	p.Helper()
	if p.engine.Holds != nil && p.engine.Holds(p.T, p.inbox, []byte(text)) {
		p.Errorf("the files contain %q, which was handled", text)
	}
}
