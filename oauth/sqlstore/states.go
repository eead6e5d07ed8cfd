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
	takeSQL  = `DELETE FROM commerce_state WHERE state = $1 RETURNING return_to, ended, expires`
	sweepSQL = `DELETE FROM commerce_state WHERE state IN
		(SELECT state FROM commerce_state WHERE expires < $1 ORDER BY expires LIMIT $2)`

	sweepEvery  = 32               // Puts of this process
	sweepAtMost = 4 * sweepEvery   // states at a time: more are deleted than arrive
	sweepAfter  = 10 * time.Minute // after Expires, because another clock may be wrong
	sweepWithin = time.Second
)

// Put implements oauth.StateStore. Of two values under one key it stores the later one. Every 32nd call also deletes up
// to 128 states that expired more than ten minutes ago.
func (s *Store) Put(ctx context.Context, key string, p oauth.Pending) error {
	if _, err := s.ready(ctx); err != nil {
		return err
	}
	if _, err := s.changed(ctx, putSQL, key, p.ReturnTo, p.Ended, p.Expires.UnixMicro()); err != nil {
		return fmt.Errorf("oauth/sqlstore: put state: %w", err)
	}
	if s.puts.Add(1)%sweepEvery == 1 {
		s.sweep(ctx)
	}
	return nil
}

// sweep deletes states that have expired. A failure is not reported, because a later Put tries again. If two replicas
// delete the same states, PostgreSQL may end one with a deadlock.
func (s *Store) sweep(ctx context.Context) {
	if !s.sweeping.TryLock() {
		return
	}
	defer s.sweeping.Unlock()
	ctx, cancel := context.WithTimeout(ctx, sweepWithin)
	defer cancel()
	_, _ = s.changed(ctx, sweepSQL, time.Now().Add(-sweepAfter).UnixMicro(), sweepAtMost)
}

// Take implements oauth.StateStore with one statement. After an error it is unknown whether the state was taken.
func (s *Store) Take(ctx context.Context, key string) (oauth.Pending, bool, error) {
	if _, err := s.ready(ctx); err != nil {
		return oauth.Pending{}, false, err
	}
	p, ok, err := tables.One(ctx, s.DB, s.sql(takeSQL), []any{key}, func(scan tables.Scan) (p oauth.Pending, err error) {
		var expires int64
		err = scan(&p.ReturnTo, &p.Ended, &expires)
		p.Expires = time.UnixMicro(expires).UTC()
		return p, err
	})
	if err != nil {
		return oauth.Pending{}, false, fmt.Errorf("oauth/sqlstore: take state: %w", err)
	}
	return p, ok, nil
}
