package sqlstore

import (
	"context"
	"fmt"
	"time"

	"github.com/commerceplatform/commerce-go/internal/tables"
	"github.com/commerceplatform/commerce-go/oauth"
)

const (
	putSQL = `INSERT INTO commerce_state (state, return_to, ended, expires) VALUES ($1, $2, $3, $4)
		ON CONFLICT (state) DO UPDATE SET return_to = excluded.return_to, ended = excluded.ended, expires = excluded.expires`
	takeSQL  = `DELETE FROM commerce_state WHERE state = $1 RETURNING state, return_to, ended, expires, CURRENT_TIMESTAMP`
	sweepSQL = `DELETE FROM commerce_state WHERE state IN
		(SELECT state FROM commerce_state WHERE expires < $1 ORDER BY expires LIMIT $2)`

	sweepEvery  = 32               // Puts of this process
	sweepAtMost = 4 * sweepEvery   // states at a time: more are deleted than arrive
	sweepAfter  = 10 * time.Minute // after they have expired
	sweepWithin = time.Second
)

// Put implements oauth.StateStore. Of two values under one key it stores the later one. Every 32nd call also deletes up
// to 128 states that expired more than ten minutes ago. The clock of the database decides when a state expires, so the
// clocks of replicas may differ by more than oauth.StateStore allows.
func (s *Store) Put(ctx context.Context, key string, p oauth.Pending) error {
	if _, err := s.ready(ctx); err != nil {
		return err
	}
	now, err := tables.Clock(ctx, s.DB)
	if err == nil {
		expires := p.Expires.Add(-ahead(now)).UnixMicro()
		_, err = s.changed(ctx, putSQL, key, tables.Text{Name: "ReturnTo", Value: p.ReturnTo},
			tables.Text{Name: "Ended", Value: p.Ended}, expires)
	}
	if err != nil {
		return fmt.Errorf("oauth/sqlstore: put state: %w", err)
	}
	if s.puts.Add(1)%sweepEvery == 1 {
		s.sweep(ctx, now)
	}
	return nil
}

// ahead returns by how many minutes the clock of this process is ahead of that of the database. A smaller difference is
// left in the rows, so that a time is read as it was written.
func ahead(now time.Time) time.Duration { return time.Since(now).Round(time.Minute) }

// sweep deletes states that have expired. A failure is not reported, because a later Put tries again. If two replicas
// delete the same states, PostgreSQL may end one with a deadlock.
func (s *Store) sweep(ctx context.Context, now time.Time) {
	if !s.sweeping.TryLock() {
		return
	}
	defer s.sweeping.Unlock()
	ctx, cancel := context.WithTimeout(ctx, sweepWithin)
	defer cancel()
	_, _ = s.changed(ctx, sweepSQL, now.Add(-sweepAfter).UnixMicro(), sweepAtMost)
}

// Take implements oauth.StateStore with one statement. After an error it is unknown whether the state was taken.
func (s *Store) Take(ctx context.Context, key string) (oauth.Pending, bool, error) {
	if _, err := s.ready(ctx); err != nil {
		return oauth.Pending{}, false, err
	}
	p, ok, err := tables.One(ctx, s.DB, s.sql(takeSQL), []any{key}, func(scan tables.Scan) (p oauth.Pending, err error) {
		var state string
		var expires int64
		var now tables.Now
		err = scan(&state, &p.ReturnTo, &p.Ended, &expires, &now)
		p.Expires = time.UnixMicro(expires).Add(ahead(now.Time)).UTC()
		return p, err
	})
	if err != nil {
		return oauth.Pending{}, false, fmt.Errorf("oauth/sqlstore: take state: %w", err)
	}
	return p, ok, nil
}
