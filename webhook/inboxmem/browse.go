package inboxmem

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/internal/browsing"
	"github.com/commerceplatform/commerce-go/webhook"
)

// Browse lists entries by key. It reads all of them.
func (b *Inbox) Browse(ctx context.Context, q webhook.BrowseQuery) (webhook.BrowsePage, error) {
	now, err := b.lock(ctx)
	if err != nil {
		return webhook.BrowsePage{}, err
	}
	defer b.mu.Unlock()
	page := webhook.BrowsePage{At: now}
	if q.Limit <= 0 {
		return page, nil
	}
	var keys []string
	for key := range b.rows {
		if key > q.After && strings.HasPrefix(key, q.Filter.KeyPrefix) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	for i, key := range keys {
		page.Searched++
		if e, there := b.stored(key, now); there && q.Filter.Match(e) {
			page.Entries = append(page.Entries, e)
		}
		if (len(page.Entries) == q.Limit || page.Searched == browsing.Step) && i < len(keys)-1 {
			page.Next = key
			break
		}
	}
	return page, nil
}

// stored returns the entry of a key, without its body.
func (b *Inbox) stored(key string, now time.Time) (e webhook.StoredEntry, there bool) {
	r := b.row(key, now)
	if r == nil {
		return e, false
	}
	e = webhook.StoredEntry{
		Entry: copied(r.entry), Gen: r.gen, Attempts: r.attempts, Count: r.count, Cause: r.cause,
		FirstSeen: r.first, LastSeen: r.last, Since: r.since, FailedAt: r.failed,
	}
	e.Body = nil
	switch r.state {
	case done:
		e.State, e.ForgetAt = webhook.EntryDone, r.due
	case dead:
		e.State, e.DiedAt, e.Since = webhook.EntryDead, r.due, r.due
	default:
		e.State, e.Due = webhook.EntryWaiting, r.due
		l := b.lanes[r.entry.Lane]
		switch {
		case l.held == r:
			e.State, e.LeasedUntil = webhook.EntryLeased, l.until
		case l.held == nil && !now.Before(r.due):
			e.State = webhook.EntryDue
		}
	}
	return e, true
}

// Lookup returns the entry with a key.
func (b *Inbox) Lookup(ctx context.Context, key string, body bool) (webhook.StoredEntry, error) {
	now, err := b.lock(ctx)
	if err != nil {
		return webhook.StoredEntry{}, err
	}
	defer b.mu.Unlock()
	e, there := b.stored(key, now)
	if !there {
		return e, fmt.Errorf("inboxmem: look up %q: %w", key, webhook.ErrNoEntry)
	}
	e.Failures = slices.Clone(b.rows[key].failures)
	if body && !e.Protected {
		e.Body = slices.Clone(b.rows[key].entry.Body)
	}
	return e, nil
}

// Groups counts entries.
func (b *Inbox) Groups(ctx context.Context, f webhook.EntryFilter) (webhook.EntryGroups, error) {
	now, err := b.lock(ctx)
	if err != nil {
		return webhook.EntryGroups{}, err
	}
	defer b.mu.Unlock()
	sum := browsing.NewCounter(f)
	for key := range b.rows {
		if e, there := b.stored(key, now); there && f.Match(e) {
			sum.Add(webhook.EntryGroup{
				State: e.State, Event: e.Event, StoreID: e.StoreID, Cause: e.Cause, Protected: e.Protected,
				Count: 1, Oldest: e.Since,
			})
		}
	}
	return sum.Sum(now), nil
}

// ReplayListed makes dead entries pending if they have not changed since they were listed.
func (b *Inbox) ReplayListed(ctx context.Context, listed ...webhook.StoredEntry) (int, error) {
	return b.eachListed(ctx, listed, func(r *row, now time.Time) bool {
		r.due = now
		b.restart(r, now)
		return true
	})
}

// PurgeListed deletes dead entries if they have not changed since they were listed.
func (b *Inbox) PurgeListed(ctx context.Context, listed ...webhook.StoredEntry) (int, error) {
	return b.eachListed(ctx, listed, func(r *row, _ time.Time) bool {
		if r.entry.Protected {
			return false
		}
		b.forget(r)
		return true
	})
}

func (b *Inbox) eachListed(ctx context.Context, listed []webhook.StoredEntry,
	do func(r *row, now time.Time) bool) (n int, err error) {
	now, err := b.lock(ctx)
	if err != nil {
		return 0, err
	}
	defer b.mu.Unlock()
	for _, e := range listed {
		if r := b.rows[e.Key]; r != nil && r.state == dead && r.due.Equal(e.DiedAt) && do(r, now) {
			n++
		}
	}
	return n, nil
}
