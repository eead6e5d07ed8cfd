package sqlite

import (
	"context"
	"database/sql"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/commerceplatform/commerce-go/client/value"
	"github.com/commerceplatform/commerce-go/webhook"
)

// Stores take turns. One of the free lanes of a store has the time of its turn, so that an index orders the turns,
// whatever other lanes the stores have. It is usually the last lane, so that it rarely must move to another. A turn is
// not later than the time at which the first of these lanes is due, unless it is over.

// lane is a free lane.
type lane struct {
	name string
	due  int64
	turn int64 // 0 if it has none
}

// turn is a store that may have a lease.
type turn struct {
	store int64
	bears []lane // its lanes whose turn has come, in the order of the turns
	rest  []lane // its first other lanes, in the order of their due times
	whole bool   // it has no other lanes
	had   int
}

const (
	turnsSQL = "SELECT store_id, lane, due, turn FROM inbox_lane WHERE until IS NULL AND turn <= ? ORDER BY turn"
	// LIMIT has a sum because SQLite compiles a statement again before each run if its limit is a bare parameter.
	restSQL = `SELECT lane, due FROM inbox_lane
		WHERE store_id = ? AND turn IS NULL AND until IS NULL ORDER BY due LIMIT 0 + ?`
	lastSQL = "SELECT lane FROM inbox_lane WHERE store_id = ? AND turn IS NULL AND until IS NULL ORDER BY due DESC LIMIT 1"
	giveSQL = "UPDATE inbox_lane SET turn = ? WHERE lane = ?"
	// lackSQL gives a turn to a store without one in time.
	lackSQL = `UPDATE inbox_lane SET turn = max(due, ?2) WHERE lane = (SELECT l.lane FROM inbox_lane l
		WHERE l.store_id = ?1 AND l.turn IS NULL AND l.until IS NULL ORDER BY l.due LIMIT 1)
		AND NOT EXISTS (SELECT 1 FROM inbox_lane m WHERE m.store_id = ?1 AND m.until IS NULL AND m.turn <= max(inbox_lane.due, ?2))`
)

// turns returns the stores whose turn it is, one more than may have a lease if there are more.
func (t *transaction) turns(q webhook.LeaseQuery) ([]*turn, error) {
	rows, err := t.q.QueryContext(context.Background(), turnsSQL, t.now)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // rows.Err reports it
	var turns []*turn
	seen := make(map[int64]*turn)
	for rows.Next() {
		var store int64
		var l lane
		if err := rows.Scan(&store, &l.name, &l.due, &l.turn); err != nil {
			return nil, err
		}
		at := seen[store]
		if at == nil && len(turns) > q.Limit {
			break
		}
		if at == nil && !slices.Contains(q.Without, value.ID(store)) {
			at = &turn{store: store}
			turns = append(turns, at)
			seen[store] = at
		}
		if at != nil {
			at.bears = append(at.bears, l)
		}
	}
	return turns, rows.Err()
}

// share calls take with lanes of a store whose turn it is, until it has taken enough. Each store has one lease before a
// store has a second.
func (t *transaction) share(q webhook.LeaseQuery, take func(lanes []string) (taken int, err error)) error {
	turns, err := t.turns(q)
	if err != nil {
		return err
	}
	served := turns[:min(len(turns), q.Limit)]
	per := q.PerStore
	if per <= 0 {
		per = q.Limit
	}
	taken := 0
	for active := slices.Clone(served); taken < q.Limit && len(active) > 0; {
		each := max(1, (q.Limit-taken)/len(active))
		going := active[:0]
		for _, s := range active {
			n := min(each, per-s.had, q.Limit-taken)
			lanes, err := t.next(s, n)
			if err != nil {
				return err
			}
			took, err := take(lanes)
			if err != nil {
				return err
			}
			s.had, taken = s.had+len(lanes), taken+took
			if len(lanes) == n && s.had < per {
				going = append(going, s)
			}
		}
		active = going
	}
	for _, s := range served {
		if err := t.pass(s, len(turns) > 1); err != nil {
			return err
		}
	}
	return nil
}

// next takes the first due lanes of a store, n at most.
func (t *transaction) next(s *turn, n int) (lanes []string, err error) {
	if err := t.fill(s, n+1); err != nil { // one more, to know whether lanes are left
		return nil, err
	}
	for len(lanes) < n {
		from := &s.rest
		at := 0
		for i, l := range s.bears {
			if len(s.rest) == 0 && from == &s.rest || l.due < (*from)[at].due {
				from, at = &s.bears, i
			}
		}
		if len(*from) == 0 || (*from)[at].due > t.now {
			break
		}
		lanes = append(lanes, (*from)[at].name)
		*from = slices.Delete(*from, at, at+1)
	}
	return lanes, nil
}

// fill reads the first lanes of a store without a turn, until there are n or the store has no more.
func (t *transaction) fill(s *turn, n int) error {
	if s.whole || len(s.rest) >= n {
		return nil
	}
	s.rest = s.rest[:0]
	err := t.each(restSQL, []any{s.store, n}, func(rows *sql.Rows) error {
		var l lane
		err := rows.Scan(&l.name, &l.due)
		s.rest = append(s.rest, l)
		return err
	})
	s.whole = len(s.rest) < n
	return err
}

// pass gives a store its next turn after its leases. If it was alone, its turn may stay, because no other store waits.
func (t *transaction) pass(s *turn, others bool) error {
	if err := t.fill(s, 1); err != nil {
		return err
	}
	next := int64(0)
	for i, l := range append(slices.Clone(s.bears), s.rest[:min(1, len(s.rest))]...) {
		if i == 0 || l.due < next {
			next = l.due
		}
	}
	switch {
	case len(s.bears) == 0 && len(s.rest) == 0: // it has no free lane
		return nil
	case len(s.bears) == 0:
		var last string
		if _, err := t.one(lastSQL, []any{s.store}, &last); err != nil {
			return err
		}
		return t.exec(giveSQL, max(next, t.now), last)
	case next > t.now || others:
		if err := t.exec(giveSQL, max(next, t.now), s.bears[0].name); err != nil {
			return err
		}
	}
	for _, l := range s.bears[1:] { // one is enough
		if err := t.exec(giveSQL, nil, l.name); err != nil {
			return err
		}
	}
	return nil
}

// Turns can be missing if the file was damaged or edited. So stores are looked through, some at a time.
const (
	lookThroughEvery = time.Second
	lookThroughMost  = 256
	// lackingSQL returns stores after ?1, and whether they lack a turn.
	lackingSQL = `WITH RECURSIVE store (id) AS (
		SELECT (SELECT min(store_id) FROM inbox_lane WHERE store_id > ?1)
		UNION ALL
		SELECT (SELECT min(store_id) FROM inbox_lane WHERE store_id > store.id) FROM store WHERE store.id IS NOT NULL LIMIT ?3)
		SELECT id, EXISTS (SELECT 1 FROM (SELECT l.due FROM inbox_lane l
				WHERE l.store_id = id AND l.turn IS NULL AND l.until IS NULL ORDER BY l.due LIMIT 1) f
			WHERE NOT EXISTS (SELECT 1 FROM inbox_lane m WHERE m.store_id = id AND m.until IS NULL AND m.turn <= max(f.due, ?2)))
		FROM store WHERE id IS NOT NULL`
)

// looked is how far the stores were looked through.
type looked struct {
	mu   sync.Mutex
	at   time.Time
	last int64
}

// firstStore is less than all ids of stores.
const firstStore = math.MinInt64

// lookThrough gives turns to stores without one.
func (in *Inbox) lookThrough(ctx context.Context) error {
	stores, err := in.lacking(ctx)
	if err != nil || len(stores) == 0 {
		return err
	}
	return in.write(ctx, "lease", func(t *transaction) error { return t.mark(stores) })
}

func (in *Inbox) lacking(ctx context.Context) (stores []int64, err error) {
	in.looked.mu.Lock()
	defer in.looked.mu.Unlock()
	if time.Since(in.looked.at) < lookThroughEvery {
		return nil, nil
	}
	rows, err := in.db.QueryContext(ctx, lackingSQL, in.looked.last, in.clock.now(), lookThroughMost)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // rows.Err reports it
	n, last := 0, int64(0)
	for ; rows.Next(); n++ {
		var lacks bool
		if err := rows.Scan(&last, &lacks); err != nil {
			return nil, err
		}
		if lacks {
			stores = append(stores, last)
		}
	}
	if n < lookThroughMost-1 {
		last = firstStore // from the beginning
	}
	in.looked.at, in.looked.last = time.Now(), last
	return stores, rows.Err()
}

// mark gives turns to stores without one.
func (t *transaction) mark(stores []int64) error {
	t.stores.forget()
	for _, store := range stores {
		if err := t.exec(lackSQL, store, t.now); err != nil {
			return err
		}
	}
	t.due = true
	return nil
}
