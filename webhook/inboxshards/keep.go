package inboxshards

import (
	"context"
	"slices"
	"time"

	"github.com/commerceplatform/commerce-go/webhook"
)

// keptLease is a lease whose store is being moved, so that it cannot be handed out yet. It is not given back, because a
// later entry of its lane would overtake it.
type keptLease struct {
	webhook.Lease
	since time.Time
}

func (s *shard) keep(l webhook.Lease) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept = append(s.kept, keptLease{l, time.Now()})
}

// withoutKept leaves the stores of kept leases out of a query.
func (s *shard) withoutKept(q webhook.LeaseQuery) webhook.LeaseQuery {
	s.mu.Lock()
	defer s.mu.Unlock()
	q.Without = slices.Clip(q.Without)
	for _, k := range s.kept {
		q.Without = append(q.Without, k.StoreID)
	}
	return q
}

// takeKept returns kept leases that may be handed out by now, with a full term, and the query for further ones, which
// leaves out the stores of kept leases.
func (s *shard) takeKept(ctx context.Context, q webhook.LeaseQuery) ([]webhook.Lease, webhook.LeaseQuery) {
	without := q.Without
	q = s.withoutKept(q)
	s.mu.Lock()
	all := s.kept
	s.kept = nil
	var due []keptLease
	for _, k := range all {
		if len(due) < q.Limit && time.Since(k.since) >= drainPoll && !slices.Contains(without, k.StoreID) {
			due = append(due, k)
		} else {
			s.kept = append(s.kept, k)
		}
	}
	s.mu.Unlock()
	var leases []webhook.Lease
	for _, k := range due {
		if err := s.engine().Extend(ctx, k.Lease, q.Term); err != nil {
			continue // the entry is leased again after its term
		}
		k.Until = k.Until.Add(time.Since(k.since))
		leases = append(leases, k.Lease)
	}
	q.Limit -= len(leases)
	return leases, q
}
