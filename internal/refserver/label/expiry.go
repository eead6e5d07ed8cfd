package label

import (
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/clock"
	"github.com/commerceplatform/commerce-go/internal/refserver/res"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// alarm is the timer that looks after the labels of a store.
type alarm struct {
	timer clock.Timer
	at    time.Time
}

// expire fails the labels of a store whose time is over, and does so again when that of
// the next one is. STARTED and IN_PROGRESS may last 30 minutes each; a label has to be
// ready within an hour.
func (p *Platform) expire(store int64) {
	var next time.Time
	err := p.world.Update(0, store, func(tx *world.Tx) error {
		var err error
		next, err = res.ExpireLabels(tx)
		return err
	})
	if err != nil || next.IsZero() {
		return // the store is gone, or nothing waits
	}
	next = next.Add(time.Millisecond) // the time itself is not over yet
	p.mu.Lock()
	before, ok := p.expiry[store]
	pending := ok && p.isPending(before)
	p.mu.Unlock()
	if pending && !next.Before(before.at) {
		return
	}
	t := p.after(next.Sub(p.world.Clock().Now()), func() { p.expire(store) })
	p.mu.Lock()
	defer p.mu.Unlock()
	if pending && before.timer.Stop() {
		delete(p.timers, before.timer)
	}
	p.expiry[store] = alarm{t, next}
}

// isPending reports whether an alarm has still to go off. The lock is held.
func (p *Platform) isPending(a alarm) bool {
	_, ok := p.timers[a.timer]
	return ok
}
