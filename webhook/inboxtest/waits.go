package inboxtest

import (
	"time"

	"github.com/commerceplatform/commerce-go/webhook"
)

// serve is the loop of a worker: it waits until it has a lease, forever if necessary.
func (p *probe) serve(what string) webhook.Lease {
	p.Helper()
	start := time.Now()
	for {
		if leases := p.lease(1, held); len(leases) == 1 {
			return leases[0]
		}
		if err := p.inbox.Wait(p.Context(), webhook.LeaseQuery{}, never); err != nil {
			p.Fatalf("Wait: %v", err)
		}
		if time.Since(start) > bound {
			p.Fatalf("%s: no entry was leased within %v", what, bound)
		}
	}
}

// soon calls act a little later, and fails if act fails. The test must call wait before its context ends.
func (p *probe) soon(act func() error) (wait func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		pass(brief)
		if err := act(); err != nil {
			p.Errorf("the concurrent call: %v", err)
		}
	}()
	p.Cleanup(func() { <-done })
	return func() {
		select {
		case <-done:
		case <-time.After(bound):
			p.Errorf("the concurrent call has not ended within %v", bound)
		}
	}
}

func waitOver(p *probe) {
	start := time.Now()
	for time.Since(start) < 2*brief { // it may return too early
		if err := p.inbox.Wait(p.Context(), webhook.LeaseQuery{}, brief); err != nil {
			p.Fatalf("Wait: %v", err)
		}
	}
	if got := time.Since(start); got > bound {
		p.Errorf("waited %v for %v", got, 2*brief)
	}
	p.accept(signal("a"), webhook.OutcomeStored)
	start = time.Now()
	if err := p.inbox.Wait(p.Context(), webhook.LeaseQuery{}, never); err != nil {
		p.Fatalf("Wait: %v", err)
	}
	if got := time.Since(start); got > bound {
		p.Errorf("waited %v for an entry that is due", got)
	}
}

func waitAccepted(p *probe) {
	defer p.soon(func() error {
		_, err := p.inbox.Accept(p.Context(), signal("a"))
		return err
	})()
	p.commit(p.serve("an entry is accepted"), false)
}

func waitDue(p *probe) {
	e := signal("a")
	e.Settle = 2 * brief
	p.accept(e, webhook.OutcomeStored)
	l := p.serve("an entry becomes due")
	p.fail(l, webhook.Failed{Delay: 2 * brief})
	p.commit(p.serve("a failed entry has rested"), false)
}

func waitLeaseEnds(p *probe) {
	p.accept(signal("a"), webhook.OutcomeStored)
	p.take("signal a", 2*brief)
	p.commit(p.serve("the lease of a dead worker ends"), false)
}

func waitLaneFree(p *probe) {
	p.acceptAll([]webhook.Entry{in("lane", signal("a")), in("lane", signal("b"))}, webhook.OutcomeStored, webhook.OutcomeStored)
	l := p.takeAll(1, held)[0]
	defer p.soon(func() error {
		_, err := p.inbox.Commit(p.Context(), l)
		return err
	})()
	p.commit(p.serve("the lane becomes free"), false)
}
