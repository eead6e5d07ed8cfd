package sqlite

import (
	"context"
	"time"

	"github.com/commerceplatform/commerce-go/client/value"
	"github.com/commerceplatform/commerce-go/webhook"
)

// mostEnded is the number of entries of a store that are deleted in a transaction, so that deliveries are accepted
// between two.
const mostEnded = 100

const (
	deadOfSQL = "SELECT " + allColumns + " FROM inbox_entry WHERE state = 'dead' AND store_id = ? AND protected = 0 AND key > ? ORDER BY key LIMIT ?"
	// pendingOfSQL finds entries that arrived until a time and are not leased.
	pendingOfSQL = `SELECT e.key FROM inbox_entry e WHERE e.key > ?1 AND e.key < ?2 AND e.store_id = ?3 AND e.state = 'pending'
		AND e.protected = 0 AND e.last_seen <= ?4
		AND NOT EXISTS (SELECT 1 FROM inbox_lane l WHERE l.lane = e.lane AND l.key = e.key AND l.until > ?5) ORDER BY e.key LIMIT ?6`
	isHeldSQL = "SELECT 1 FROM inbox_lane WHERE lane = ? AND until > ?"
)

// PurgeStore deletes dead entries of a store. Their bodies in the file are zeroed, and the write-ahead log is emptied.
func (in *Inbox) PurgeStore(ctx context.Context, store value.ID, match func(webhook.DeadLetter) bool) (purged int, err error) {
	for after := ""; ; {
		letters, err := in.deadOf(ctx, store, after)
		if err != nil || len(letters) == 0 {
			return purged, failed("purge a store", err)
		}
		after = letters[len(letters)-1].Key
		died := make(map[string]time.Time, len(letters))
		var keys []string
		for _, l := range letters {
			if match == nil || match(l) {
				keys = append(keys, l.Key)
				died[l.Key] = l.DiedAt
			}
		}
		if len(keys) == 0 {
			continue
		}
		n, err := in.eachDead(ctx, "purge a store", keys, func(t *transaction, r *row) (bool, error) {
			if !instant(r.died).Equal(died[r.entry.Key]) || r.entry.Protected { // it has changed
				return false, nil
			}
			t.erased = true
			return true, t.delete(r)
		})
		purged += n
		if err != nil {
			return purged, err
		}
	}
}

// deadOf lists dead entries of a store, except privacy requests.
func (in *Inbox) deadOf(ctx context.Context, store value.ID, after string) (letters []webhook.DeadLetter, err error) {
	if _, err := in.sound(); err != nil {
		return nil, err
	}
	rows, err := in.db.QueryContext(ctx, deadOfSQL, int64(store), after, mostEnded)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // rows.Err reports it
	for rows.Next() {
		l, err := letter(rows)
		if err != nil {
			return nil, err
		}
		letters = append(letters, l)
	}
	return letters, rows.Err()
}

// DropStore deletes pending entries of a store.
func (in *Inbox) DropStore(ctx context.Context, store value.ID, prefix string, before time.Time) (dropped int, err error) {
	for after, n := prefix, mostEnded; n == mostEnded; {
		err := in.writeHeard(ctx, "drop a store", func(t *transaction) error {
			keys, err := t.texts(pendingOfSQL, after, following(prefix), int64(store), before.UnixNano(), t.now, mostEnded)
			if err != nil {
				return err
			}
			if n = len(keys); n > 0 {
				after = keys[n-1]
			}
			if err := t.drop(keys); err != nil {
				return err
			}
			return t.mark([]int64{int64(store)}) // the lane that had its turn may be gone
		})
		if err != nil {
			return dropped, err
		}
		dropped += n
	}
	return dropped, nil
}

// drop deletes pending entries as if they had never been accepted.
func (t *transaction) drop(keys []string) error {
	for _, key := range keys {
		r, err := t.row(key)
		if err != nil {
			return err
		}
		if r == nil || r.state != pending { // it is unreadable
			continue
		}
		t.pending--
		if err := t.delete(r); err != nil {
			return err
		}
		held, err := t.one(isHeldSQL, []any{r.entry.Lane, t.now}, new(int))
		if err != nil {
			return err
		}
		if held { // for another entry, whose settlement frees it
			continue
		}
		if err := t.free(r.entry.Lane); err != nil {
			return err
		}
	}
	return nil
}

// following returns a text that sorts after all texts with a prefix, compared byte by byte.
func following(prefix string) string {
	for i := len(prefix) - 1; i >= 0; i-- {
		if prefix[i] < 0x7f {
			return prefix[:i] + string(rune(prefix[i]+1))
		}
	}
	return "\U0010FFFF"
}
