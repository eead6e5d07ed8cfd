package label

import (
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/res"
	"github.com/commerceplatform/commerce-go/internal/refserver/work"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// alarm looks after the labels of a store.
type alarm struct {
	*work.Alarm
	at time.Time
}

// Watch looks after the labels of a world that was brought back or begins as a copy: who
// looked after them then is not part of it.
func (p *Platform) Watch() {
	for _, st := range p.world.Stores() {
		waits := false
		// A store without labels is left exactly as it was, its time included.
		_ = p.world.View(0, st.ID, func(tx *world.Tx) error { waits = tx.Labels.Len() > 0; return nil }) // fails if the store is gone
		if waits {
			p.expire(st.ID)
		}
	}
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
	defer p.mu.Unlock()
	before := p.expiry[store]
	if before.Pending() && !next.Before(before.at) {
		return
	}
	before.Stop()
	p.expiry[store] = alarm{p.work.After(next.Sub(p.world.Clock().Now()), func() { p.expire(store) }), next}
}
