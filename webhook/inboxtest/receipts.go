package inboxtest

import (
	"context"
	"slices"
	"time"

	"github.com/commerceplatform/commerce-go/webhook"
)

// leaseUnreceived ends calls of Lease at moments at which the engine may have written the leases. Leases that were not
// received are not attempts. Received leases are, even if their worker dies.
func leaseUnreceived(p *probe) {
	const n = 20
	entries := many(n, signal)
	p.acceptAll(entries, slices.Repeat([]webhook.Outcome{webhook.OutcomeStored}, n)...)
	received := make(map[string]int)
	for i := range 20 {
		ctx, cancel := context.WithTimeout(p.Context(), time.Duration(i)*200*time.Microsecond)
		leases, err := p.inbox.Lease(ctx, webhook.LeaseQuery{Limit: n, Term: brief})
		cancel()
		if err == nil {
			for _, l := range leases {
				received[l.Key]++
			}
		}
		pass(brief + grain)
	}
	for _, l := range p.takeAll(n, held) {
		if want := received[l.Key]; l.Unfinished != want {
			p.Errorf("%q: %d leases are unfinished, want the %d that were received", l.Key, l.Unfinished, want)
		}
		p.commit(l, false)
	}
}
