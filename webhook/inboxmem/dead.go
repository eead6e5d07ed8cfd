package inboxmem

import (
	"cmp"
	"context"
	"slices"

	"github.com/commerceplatform/commerce-go/webhook"
)

// Dead lists dead entries by key, compared byte by byte.
func (b *Inbox) Dead(ctx context.Context, after string, limit int) ([]webhook.DeadLetter, error) {
	if _, err := b.lock(ctx); err != nil {
		return nil, err
	}
	defer b.mu.Unlock()
	var letters []webhook.DeadLetter
	for key, r := range b.rows {
		if r.state == dead && key > after {
			letters = append(letters, r.letter())
		}
	}
	slices.SortFunc(letters, func(a, b webhook.DeadLetter) int { return cmp.Compare(a.Key, b.Key) })
	letters = letters[:min(len(letters), max(limit, 0))]
	for i, l := range letters {
		letters[i].Entry = copied(l.Entry)
	}
	return letters, nil
}

func (r *row) letter() webhook.DeadLetter {
	return webhook.DeadLetter{
		Entry: r.entry, Attempts: r.attempts, Count: r.count, Cause: r.cause,
		FirstSeen: r.first, LastSeen: r.last, DiedAt: r.due,
	}
}

// Replay makes dead entries pending.
func (b *Inbox) Replay(ctx context.Context, keys ...string) (int, error) {
	now, err := b.lock(ctx)
	if err != nil {
		return 0, err
	}
	defer b.mu.Unlock()
	n := 0
	for _, key := range keys {
		if r := b.rows[key]; r != nil && r.state == dead {
			r.due = now
			b.restart(r, now)
			n++
		}
	}
	return n, nil
}

// Purge deletes dead entries.
func (b *Inbox) Purge(ctx context.Context, keys ...string) (int, error) {
	if _, err := b.lock(ctx); err != nil {
		return 0, err
	}
	defer b.mu.Unlock()
	n := 0
	for _, key := range keys {
		if r := b.rows[key]; r != nil && r.state == dead {
			b.forget(r)
			n++
		}
	}
	return n, nil
}
