package inboxshards

import (
	"context"
	"fmt"
	"time"

	"github.com/commerceplatform/commerce-go/internal/callback"
	"github.com/commerceplatform/commerce-go/webhook"
)

// patience is how long Lease waits for one shard before it continues without its answer.
const patience = 250 * time.Millisecond

// Lease returns entries of all shards that are due. Shards take turns, and the stores of a shard take turns within it.
// A shard that does not answer soon is left out; its answer is returned by a later call. Lease fails if no shard
// answers.
func (in *Inbox) Lease(ctx context.Context, q webhook.LeaseQuery) (leases []webhook.Lease, err error) {
	shards := in.all()
	if len(shards) == 1 {
		return shards[0].engine().Lease(ctx, q)
	}
	first, failed := int(in.first.Add(1)%uint64(len(shards))), 0
	for i := range shards {
		s, rest := shards[(first+i)%len(shards)], q
		if rest.Limit -= len(leases); rest.Limit <= 0 {
			break
		}
		got, wrong := in.leaseFrom(ctx, s, rest)
		if wrong != nil {
			failed, err = failed+1, wrong
		}
		leases = append(leases, got...)
	}
	if failed == len(shards) {
		return nil, err
	}
	return leases, nil
}

// leaseFrom returns the entries that one shard has, or had for an earlier call that did not wait for it.
func (in *Inbox) leaseFrom(ctx context.Context, s *shard, q webhook.LeaseQuery) ([]webhook.Lease, error) {
	kept, q := s.takeKept(ctx, q)
	leases, rest := s.takeLate(q)
	for _, l := range rest {
		s.release(ctx, l)
	}
	if q.Limit -= len(leases); q.Limit > 0 {
		more, err := s.lease(ctx, q)
		if err != nil && len(kept)+len(leases) == 0 {
			return nil, err
		}
		leases = append(leases, more...)
	}
	return in.admit(ctx, s, append(kept, leases...)), nil
}

// answer is what Lease of a shard has returned.
type answer struct {
	leases []webhook.Lease
	err    error
}

// lease asks the shard, unless an earlier call has not returned. After a while it returns nothing, and the answer is
// kept for the next call.
func (s *shard) lease(ctx context.Context, q webhook.LeaseQuery) ([]webhook.Lease, error) {
	if ctx.Err() != nil {
		return nil, callback.Ended(ctx)
	}
	s.mu.Lock()
	busy := s.asking
	s.asking = true
	s.mu.Unlock()
	if busy {
		return nil, nil
	}
	asked, arrived, left := time.Now(), make(chan answer), make(chan bool, 1)
	go func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.limit(q.Term/2))
		defer cancel()
		var a answer
		defer func() { // also after a panic, which is an error of the shard
			if v := recover(); v != nil {
				a.err = fmt.Errorf("shard %q: Lease panicked: %v", s.Name, v)
			}
			s.answered(ctx, a, q, asked, arrived, left)
		}()
		a.err = s.call(func() (err error) {
			a.leases, err = s.engine().Lease(ctx, q)
			return err
		})
	}()
	late := time.NewTimer(patience)
	defer late.Stop()
	select {
	case a := <-arrived:
		return a.leases, a.err
	case <-late.C:
		left <- true
		return nil, nil
	case <-ctx.Done():
		left <- false
		return nil, callback.Ended(ctx)
	}
}

// answered gives an answer to the call that waits for it, or keeps it for the next one. If that call has failed, nobody
// received the leases.
func (s *shard) answered(
	ctx context.Context, a answer, q webhook.LeaseQuery, asked time.Time, arrived chan<- answer, left <-chan bool,
) {
	s.mu.Lock()
	s.asking = false
	s.mu.Unlock()
	select {
	case arrived <- a:
	case keep := <-left:
		if !keep {
			for _, l := range a.leases {
				s.release(ctx, l)
			}
			return
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		if len(a.leases) > 0 {
			s.late = append(s.late, lateLeases{a.leases, asked, q.Term})
			wake(s.woken)
		}
	}
}

func wake(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// release gives an entry back that nobody has seen. If it fails, the lease ends at the end of its term.
func (s *shard) release(ctx context.Context, l webhook.Lease) {
	if err := s.engine().Fail(ctx, l, webhook.Failed{Released: true}); err != nil {
		webhook.Survived(l)
	}
}

// Wait returns when a shard may have an entry.
func (in *Inbox) Wait(ctx context.Context, q webhook.LeaseQuery, d time.Duration) error {
	shards := in.all()
	if len(shards) == 1 {
		return shards[0].engine().Wait(ctx, q, d)
	}
	if in.change != nil {
		d = min(d, phaseTime) // Lease may have kept entries
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	over, woken := time.NewTimer(d), make(chan int, len(shards))
	defer over.Stop()
	for i, s := range shards {
		go func() {
			defer func() { _ = recover() }() // Lease of this shard reports its state
			if !s.down() && s.wait(ctx, q, d) == nil {
				woken <- i
			}
		}()
	}
	select {
	case i := <-woken:
		in.first.Store(uint64(i + len(shards) - 1)) // Lease begins with it
	case <-over.C:
	case <-ctx.Done():
		return callback.Ended(ctx)
	}
	return nil
}

// wait waits for an entry of the shard, or for leases that arrived late.
func (s *shard) wait(ctx context.Context, q webhook.LeaseQuery, d time.Duration) error {
	ctx, cancel := context.WithCancel(ctx)
	late := make(chan bool, 1)
	go func() {
		select {
		case <-s.woken:
			late <- true
			cancel()
		case <-ctx.Done():
			late <- false
		}
	}()
	err := s.engine().Wait(ctx, s.withoutKept(q), d)
	cancel()
	if <-late {
		return nil
	}
	return err
}
