package inboxtest

import (
	"context"
	"sync"

	"github.com/commerceplatform/commerce-go/webhook"
)

func batchOrder(p *probe) {
	s, f := signal("s"), fact("f")
	newer := s
	newer.Body = []byte(`{"newer":true}`)
	p.acceptAll([]webhook.Entry{s, f, newer, f, newer},
		webhook.OutcomeStored, webhook.OutcomeStored, webhook.OutcomeJoined, webhook.OutcomeJoined, webhook.OutcomeJoined)
	p.acceptAll(nil)
	for _, l := range p.takeAll(2, held) {
		switch l.Key {
		case s.Key:
			p.same(l.Entry, newer)
			if l.Gen != 3 || l.Count != 3 {
				p.Errorf("signal: generation %d, count %d, want 3 and 3", l.Gen, l.Count)
			}
		case f.Key:
			if l.Gen != 1 || l.Count != 2 {
				p.Errorf("fact: generation %d, count %d, want 1 and 2", l.Gen, l.Count)
			}
		}
		p.commit(l, false)
	}
}

// batchAtomic reads the inbox while batches arrive: it must never see a part of one.
func batchAtomic(p *probe) {
	const batches, size = 20, 7
	ctx, cancel := context.WithCancel(p.Context())
	var work sync.WaitGroup
	work.Go(func() {
		defer cancel()
		all := many(batches*size, signal)
		for n := range batches {
			if _, err := p.inbox.Accept(p.Context(), all[n*size:(n+1)*size]...); err != nil {
				p.Errorf("batch %d: %v", n, err)
			}
		}
	})
	for ctx.Err() == nil {
		s, err := p.inbox.Stats(p.Context())
		if err != nil {
			p.Errorf("Stats: %v", err)
		}
		if s.Pending%size != 0 {
			p.Errorf("%d entries are pending while batches of %d come in", s.Pending, size)
		}
		pass(pollin)
	}
	work.Wait()
	p.counted(webhook.Stats{Pending: batches * size, Due: batches * size})
}
