package sqlite

import (
	"context"
	"database/sql"

	"github.com/commerceplatform/commerce-go/webhook"
)

const deadSQL = "SELECT " + allColumns + " FROM inbox_entry WHERE state = 'dead' AND key > ? ORDER BY key LIMIT ?"

// Dead lists dead entries by key, compared byte by byte.
func (in *Inbox) Dead(ctx context.Context, after string, limit int) (letters []webhook.DeadLetter, err error) {
	if _, err := in.sound(); err != nil {
		return nil, failed("list dead letters", err)
	}
	rows, err := in.db.QueryContext(ctx, deadSQL, after, max(limit, 0))
	if err != nil {
		return nil, failed("list dead letters", err)
	}
	defer func() { _ = rows.Close() }() // rows.Err reports it
	for rows.Next() {
		l, err := letter(rows)
		if err != nil {
			return nil, failed("list dead letters", err)
		}
		letters = append(letters, l)
	}
	return letters, failed("list dead letters", rows.Err())
}

// Replay makes dead entries pending. It skips damaged entries, because their content is not the accepted one.
func (in *Inbox) Replay(ctx context.Context, keys ...string) (n int, err error) {
	return in.eachDead(ctx, "replay", keys, func(t *transaction, r *row) (bool, error) {
		if r.damaged {
			return false, nil
		}
		return true, t.replay(r)
	})
}

// replay makes a dead row pending.
func (t *transaction) replay(r *row) error {
	r.due = t.now
	t.restart(r)
	if err := t.update(r); err != nil {
		return err
	}
	return t.touch(r)
}

// Purge deletes dead entries.
func (in *Inbox) Purge(ctx context.Context, keys ...string) (n int, err error) {
	return in.eachDead(ctx, "purge", keys, func(t *transaction, r *row) (bool, error) { return true, t.delete(r) })
}

func (in *Inbox) eachDead(ctx context.Context, what string, keys []string, do func(t *transaction, r *row) (bool, error)) (n int, err error) {
	did := 0 // not n: the collector may still count after the call has returned
	err = in.write(ctx, what, func(t *transaction) error {
		did = 0
		for _, key := range keys {
			r, err := t.keyed(key, allColumns)
			if err != nil {
				return err
			}
			if r == nil || r.state != dead {
				continue
			}
			done, err := do(t, r)
			if err != nil {
				return err
			}
			if done {
				did++
			}
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	return did, nil
}

// Stats counts the entries. It reads the indexes of pending and dead ones, which takes a moment for a million. Facts
// are counted as they are written.
//
// It fails with ErrBroken too, so that a probe which calls it notices that the process must end.
func (in *Inbox) Stats(ctx context.Context) (s webhook.Stats, err error) {
	sizes, err := in.sound()
	if err != nil {
		return webhook.Stats{}, failed("stats", err)
	}
	s.LogSize, s.Trimmed = sizes[1], int(in.trimmed.Load())
	now := in.clock.now()
	var since, protected, due sql.NullInt64
	err = in.db.QueryRowContext(ctx, `SELECT
		(SELECT count(*) FROM inbox_entry WHERE state = 'pending'), d.n, d.first,
		(SELECT count(*) FROM inbox_lane WHERE until IS NOT NULL AND until > ?1),
		(SELECT rows FROM inbox_done) - (SELECT count(*) FROM inbox_entry
			WHERE state = 'done' AND forget_at > 0 AND forget_at <= ?1),
		(SELECT count(*) FROM inbox_entry WHERE state = 'dead'),
		(SELECT CAST(min(since) AS INTEGER) FROM inbox_entry WHERE state = 'pending'),
		(SELECT CAST(min(first_seen) AS INTEGER) FROM inbox_entry WHERE protected = 1 AND state <> 'done')
		FROM (SELECT count(*) AS n, CAST(min(e.due) AS INTEGER) AS first FROM inbox_entry e WHERE e.state = 'pending'
			AND e.due <= ?1 AND NOT EXISTS (SELECT 1 FROM inbox_lane l WHERE l.lane = e.lane AND l.until > ?1)) d`, now).
		Scan(&s.Pending, &s.Due, &due, &s.Leased, &s.Done, &s.Dead, &since, &protected)
	if err != nil {
		return webhook.Stats{}, failed("stats", err)
	}
	s.Oldest, s.OldestProtected, s.Lag = age(now, since), age(now, protected), age(now, due)
	return s, nil
}

// Flow implements webhook.Flow. A run that ended by CommitTx counts before the caller commits.
func (in *Inbox) Flow() (accepted, handled int64) { return in.accepted.Load(), in.handled.Load() }
