package inboxmem

import (
	"context"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/client/value"
	"github.com/commerceplatform/commerce-go/webhook"
)

// DropStore deletes pending entries of a store.
func (b *Inbox) DropStore(ctx context.Context, store value.ID, prefix string, before time.Time) (int, error) {
	if _, err := b.lock(ctx); err != nil {
		return 0, err
	}
	defer b.mu.Unlock()
	n := 0
	for key, r := range b.rows {
		ended := r.state == pending && !r.entry.Protected && !r.last.After(before)
		if !ended || r.entry.StoreID != store || !strings.HasPrefix(key, prefix) || b.lanes[r.entry.Lane].held == r {
			continue
		}
		b.take(r)
		b.pending--
		b.forget(r)
		n++
	}
	return n, nil
}

// PurgeStore deletes dead entries of a store.
func (b *Inbox) PurgeStore(ctx context.Context, store value.ID, match func(webhook.DeadLetter) bool) (int, error) {
	letters, err := b.deadOf(ctx, store)
	if err != nil {
		return 0, err
	}
	n := 0
	for r, l := range letters {
		if match != nil && !match(l) {
			continue
		}
		if _, err := b.lock(ctx); err != nil {
			return n, err
		}
		if b.rows[l.Key] == r && r.state == dead && r.due.Equal(l.DiedAt) {
			b.forget(r)
			n++
		}
		b.mu.Unlock()
	}
	return n, nil
}

// deadOf returns copies of the dead entries of a store, except privacy requests.
func (b *Inbox) deadOf(ctx context.Context, store value.ID) (map[*row]webhook.DeadLetter, error) {
	if _, err := b.lock(ctx); err != nil {
		return nil, err
	}
	defer b.mu.Unlock()
	letters := make(map[*row]webhook.DeadLetter)
	for _, r := range b.rows {
		if r.state == dead && r.entry.StoreID == store && !r.entry.Protected {
			l := r.letter()
			l.Entry = copied(l.Entry)
			letters[r] = l
		}
	}
	return letters, nil
}
