package inboxmem

import (
	"context"
	"time"

	"github.com/commerceplatform/commerce-go/internal/callback"
	"github.com/commerceplatform/commerce-go/webhook"
)

// wake ends all waits.
func (b *Inbox) wake() {
	if b.changed != nil {
		close(b.changed)
		b.changed = nil
	}
}

// Wait returns at once if an entry can be leased already. Otherwise it returns as soon as an entry changes or becomes
// due, or a lease ends.
func (b *Inbox) Wait(ctx context.Context, q webhook.LeaseQuery, d time.Duration) error {
	now, err := b.lock(ctx)
	if err != nil {
		return err
	}
	if b.changed == nil {
		b.changed = make(chan struct{})
	}
	changed := b.changed
	b.aside(q.Without, func(func(*store)) {
		if len(b.waiting) > 0 {
			at, _ := b.waiting[0].turn()
			d = min(d, at.Sub(now))
		}
	})
	if len(b.held) > 0 {
		d = min(d, b.held[0].until.Sub(now))
	}
	b.mu.Unlock()
	if d <= 0 {
		return nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return callback.Ended(ctx)
	case <-changed:
	case <-timer.C:
	}
	return nil
}
