package inboxmem

import (
	"context"
	"time"

	"github.com/commerceplatform/commerce-go/webhook"
)

// Stats counts the entries. It reads all of them.
func (b *Inbox) Stats(ctx context.Context) (webhook.Stats, error) {
	now, err := b.lock(ctx)
	if err != nil {
		return webhook.Stats{}, err
	}
	defer b.mu.Unlock()
	s := webhook.Stats{Pending: b.pending, Leased: len(b.held), Trimmed: b.trimmed}
	for _, r := range b.rows {
		switch r.state {
		case pending:
			s.Oldest = max(s.Oldest, now.Sub(r.since))
			if b.lanes[r.entry.Lane].held == nil && !now.Before(r.due) {
				s.Due++
				s.Lag = max(s.Lag, now.Sub(r.due))
			}
		case done:
			if r.due.IsZero() || now.Before(r.due) {
				s.Done++
			}
		case dead:
			s.Dead++
		}
		if r.entry.Protected && r.state != done {
			s.OldestProtected = max(s.OldestProtected, now.Sub(r.first))
		}
	}
	return s, nil
}

// Flow implements webhook.Flow.
func (b *Inbox) Flow() (accepted, handled int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.accepted, b.handled
}

// Mark returns the time stored under a name, or the zero time.
func (b *Inbox) Mark(ctx context.Context, name string) (time.Time, error) {
	if _, err := b.lock(ctx); err != nil {
		return time.Time{}, err
	}
	defer b.mu.Unlock()
	return b.marks[name], nil
}

// RaiseToken makes each later token greater than above.
func (b *Inbox) RaiseToken(ctx context.Context, above uint64) error {
	if _, err := b.lock(ctx); err != nil {
		return err
	}
	defer b.mu.Unlock()
	b.token = max(b.token, above)
	return nil
}

// SetMark stores a time under a name for as long as the inbox exists.
func (b *Inbox) SetMark(ctx context.Context, name string, t time.Time) error {
	if _, err := b.lock(ctx); err != nil {
		return err
	}
	defer b.mu.Unlock()
	b.marks[name] = t
	return nil
}
