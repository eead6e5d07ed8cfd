package inboxops

import (
	"context"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/webhook"
)

// found is a page of entries.
type found struct {
	entries  []webhook.StoredEntry
	next     string // cursor of search; "" at the end of the search
	searched int
	at       time.Time // by the clock of the engine
}

// A cursor of search begins with one of these prefixes. Entries of a store are first searched by their keys, which
// contain the store if a Handler or a Registry has made them. Then all other entries are searched.
const (
	byKey  = "k:"
	byRest = "r:"
)

// search returns up to limit entries that f selects, or fewer if the time is over. A time of 0 is unlimited.
func search(ctx context.Context, in webhook.Browser, f webhook.EntryFilter, after string, limit int,
	budget time.Duration) (all found, err error) {
	began := time.Now()
	store, byStore := f.Store.Get()
	prefix := ""
	if byStore && f.KeyPrefix == "" && f.State != webhook.EntryDead { // dead entries have an index
		prefix = webhook.Prefix("", store)
	}
	keyed := prefix != "" && (after == "" || strings.HasPrefix(after, byKey))
	after = strings.TrimPrefix(strings.TrimPrefix(after, byKey), byRest)
	for {
		q := webhook.BrowseQuery{Filter: f, After: after, Limit: limit - len(all.entries)}
		if keyed {
			q.Filter.KeyPrefix = prefix
		}
		page, err := in.Browse(ctx, q)
		if err != nil {
			return all, err
		}
		for _, e := range page.Entries {
			if keyed || prefix == "" || !strings.HasPrefix(e.Key, prefix) { // it was listed by its key
				all.entries = append(all.entries, e)
			}
		}
		all.searched += page.Searched
		all.at = page.At
		after, all.next = page.Next, ""
		switch {
		case after != "" && keyed:
			all.next = byKey + after
		case after != "":
			all.next = byRest + after
		case keyed:
			keyed, all.next = false, byRest
		}
		if all.next == "" || len(all.entries) >= limit || budget > 0 && time.Since(began) > budget {
			return all, nil
		}
	}
}
