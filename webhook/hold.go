package webhook

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"
)

// hold keeps a lease alive while its handler runs, and ends the context of the
// handler when the lease is lost, the handler is late or the worker is drained.
type hold struct {
	shift *shift
	lease Lease
	ctx   context.Context
	stop  context.CancelCauseFunc
	free  context.CancelFunc

	mu    sync.Mutex
	over  bool
	beat  *time.Timer
	until time.Time // when the lease ends, by the clock of this process and to the safe side
}

func (s *shift) newHold(l Lease, asked time.Time) *hold {
	h := &hold{shift: s, lease: l, until: asked.Add(s.term)}
	ctx, free := context.WithTimeoutCause(s.ctx, cmp.Or(s.Timeout, DefaultTimeout), ErrTimeout)
	h.free = free
	h.ctx, h.stop = context.WithCancelCause(ctx)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.beat = time.AfterFunc(s.term/3, h.extend)
	return h
}

// extend is the heartbeat. It holds the lock, so that end waits for it: two answers of
// the inbox about one lease would contradict each other.
func (h *hold) extend() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.over || h.ctx.Err() != nil {
		return
	}
	ctx, cancel := context.WithDeadline(h.ctx, h.until)
	defer cancel()
	asked := time.Now()
	err := h.shift.Inbox.Extend(ctx, h.lease, h.shift.term)
	switch {
	case err == nil:
		h.until = asked.Add(h.shift.term)
		h.beat.Reset(h.shift.term / 3)
	case errors.Is(err, ErrLeaseLost), !time.Now().Before(h.until):
		h.stop(ErrLeaseLost)
	default:
		h.beat.Reset(h.shift.term / 12)
	}
}

// end stops the heartbeat and returns why the context of the handler had ended; nil if
// it had not.
func (h *hold) end() error {
	cause := context.Cause(h.ctx)
	h.stop(nil) // a heartbeat in progress is waited for no longer
	h.mu.Lock()
	defer h.mu.Unlock()
	h.over = true
	h.beat.Stop()
	h.free()
	return cause
}
