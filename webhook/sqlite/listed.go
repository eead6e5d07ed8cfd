package sqlite

import (
	"context"
	"time"

	"github.com/commerceplatform/commerce-go/webhook"
)

// ReplayListed makes dead entries pending if they have not changed since they were listed. It skips damaged entries.
func (in *Inbox) ReplayListed(ctx context.Context, listed ...webhook.StoredEntry) (int, error) {
	keys, died := diedAt(listed)
	return in.eachDead(ctx, "replay", keys, func(t *transaction, r *row) (bool, error) {
		if r.damaged || !instant(r.died).Equal(died[r.entry.Key]) {
			return false, nil
		}
		return true, t.replay(r)
	})
}

// PurgeListed deletes dead entries if they have not changed since they were listed.
func (in *Inbox) PurgeListed(ctx context.Context, listed ...webhook.StoredEntry) (int, error) {
	keys, died := diedAt(listed)
	return in.eachDead(ctx, "purge", keys, func(t *transaction, r *row) (bool, error) {
		if r.entry.Protected || !instant(r.died).Equal(died[r.entry.Key]) {
			return false, nil
		}
		return true, t.delete(r)
	})
}

func diedAt(listed []webhook.StoredEntry) (keys []string, died map[string]time.Time) {
	died = make(map[string]time.Time, len(listed))
	for _, e := range listed {
		keys = append(keys, e.Key)
		died[e.Key] = e.DiedAt
	}
	return keys, died
}
