package webhook

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// hold extends a lease while its handler runs. It ends the context of the handler when the lease is lost, the handler
// is late or the worker is drained.
type hold struct {
	shift *shift
	lease *leased
	ctx   context.Context
	stop  context.CancelCauseFunc
	free  context.CancelFunc

	mu     sync.Mutex
	told   context.Context // for OnFailure
	over   bool
	counts bool // as unfinished, because the handler did not return in time
	beat   *time.Timer
	until  time.Time // the end of the lease, estimated safely
}

func (s *shift) newHold(l *leased) *hold {
	h := &hold{shift: s, lease: l, until: l.asked.Add(s.term)}
	ctx, free := context.WithTimeoutCause(s.ctx, cmp.Or(s.Timeout, DefaultTimeout), ErrTimeout)
	h.free = free
	h.ctx, h.stop = context.WithCancelCause(ctx)
	h.told = h.ctx
	h.mu.Lock()
	defer h.mu.Unlock()
	h.beat = time.AfterFunc(s.term/3, h.extend)
	return h
}

// extend is the heartbeat. It continues after the context of the handler has ended, until the lease is over too. A
// handler that still runs then keeps a place, and must be reported.
func (h *hold) extend() {
	if cause := h.beatOnce(); cause != nil {
		s := h.shift
		h.mu.Lock()
		ctx := h.told
		h.mu.Unlock()
		s.fail(ctx, message{store: h.lease.StoreID, event: h.lease.Event}, &Failure{
			Key: h.lease.Key, Attempt: h.lease.Attempt,
			Err: fmt.Errorf("%w, but the handler is still running: %d of %d places are taken", cause, len(s.places), cap(s.places)),
		})
	}
}

// beatOnce holds the lock, so that end waits for it. Otherwise two answers of the inbox about one lease could
// contradict each other. It returns the cause of the context of a handler that still runs when its lease is over.
func (h *hold) beatOnce() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.over {
		return nil
	}
	if cause := context.Cause(h.ctx); cause != nil {
		if left := time.Until(h.until); left > 0 {
			h.beat.Reset(left)
			return nil
		}
		process.leave(h.lease) // an entry that is to run alone does not wait for it
		if errors.Is(cause, ErrTimeout) {
			survived.counts(h.lease.Lease)
			h.counts = true
		}
		if errors.Is(cause, ErrTimeout) || errors.Is(cause, ErrLeaseLost) {
			return cause
		}
		return nil // it ends, or is drained, which Run reports
	}
	ctx, cancel := context.WithDeadline(h.ctx, h.until)
	defer cancel()
	asked := time.Now()
	err := h.shift.Inbox.Extend(ctx, h.lease.Lease, h.shift.term)
	switch {
	case err == nil:
		h.until = asked.Add(h.shift.term)
		h.beat.Reset(h.shift.term / 3)
	case errors.Is(err, ErrLeaseLost), !time.Now().Before(h.until):
		h.stop(ErrLeaseLost)
		h.beat.Reset(h.shift.term)
	default:
		h.beat.Reset(h.shift.term / 12)
	}
	return nil
}

// stored notes whether the end of the run was stored. If not, the process has survived it.
func (h *hold) stored(ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case ok:
		survived.stored(h.lease.Lease)
	case h.counts:
		survived.began(h.lease.Lease)
	}
}

// reports makes OnFailure get the values of ctx.
func (h *hold) reports(ctx context.Context) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.told = ctx
}

// left returns the time until the lease ends, if it is not extended.
func (h *hold) left() time.Duration {
	h.mu.Lock()
	defer h.mu.Unlock()
	return time.Until(h.until)
}

// end stops the heartbeat and returns the cause of the context of the handler, nil if it had not ended.
func (h *hold) end() error {
	cause := context.Cause(h.ctx)
	h.stop(nil) // so that a heartbeat in progress ends soon
	h.mu.Lock()
	defer h.mu.Unlock()
	h.over = true
	h.beat.Stop()
	h.free()
	return cause
}
