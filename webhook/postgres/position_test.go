package postgres

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/webhook"
)

// No call gives a lane a time before the position, whatever became of the lanes at which it was determined. Positions
// are determined without a margin here.
func TestPositionHolds(t *testing.T) {
	t.Parallel()
	in := open(t, database.URL(), Options{Queue: newQueue(t)})
	random := choices(t, 1)
	var turn, due *time.Time
	var held []webhook.Lease
	var dead []string
	steps := []func(n int) error{
		func(n int) error {
			store, lane := client.ID(random.IntN(3)), fmt.Sprint("lane ", random.IntN(12))
			return ignored(in.Accept(t.Context(), webhook.Entry{Key: fmt.Sprint("key ", n), Lane: lane, StoreID: store, Kind: webhook.KindFact}))
		},
		func(int) error {
			term := quick * time.Duration(1+random.IntN(3))
			leases, err := in.Lease(t.Context(), webhook.LeaseQuery{Limit: 1 + random.IntN(3), Term: term})
			held = append(held, leases...)
			return err
		},
		func(n int) error {
			if len(held) == 0 {
				return nil
			}
			l := held[0]
			held = held[1:]
			var err error
			switch fails := (webhook.Failed{Delay: quick, Dead: n%5 == 0, Released: n%5 == 1, Waits: n%5 == 2}); {
			case random.IntN(2) == 0:
				err = ignored(in.Commit(t.Context(), l))
			default:
				if err = in.Fail(t.Context(), l, fails); fails.Dead {
					dead = append(dead, l.Key)
				}
			}
			if errors.Is(err, webhook.ErrLeaseLost) {
				return nil
			}
			return err
		},
		func(int) error {
			keys := dead
			dead = nil
			return ignored(in.Replay(t.Context(), keys...))
		},
	}
	for n := range 600 {
		if err := in.read(t.Context(), []any{&turn, &due}, in.sql.position, in.options.Queue, 0, 0); err != nil {
			t.Fatal(err)
		}
		for range 1 + random.IntN(5) {
			if err := steps[min(random.IntN(8)/2, 3)](n*8 + random.IntN(8)); err != nil {
				t.Fatal(err)
			}
		}
		var lane string
		err := in.pool.QueryRow(t.Context(), `SELECT lane || ', due ' || due || ', turn ' || coalesce(turn::text, 'none')
			FROM webhook_inbox.lane WHERE queue = $1 AND (turn < $2 OR turn IS NULL AND due < $3)`, in.options.Queue, turn, due).Scan(&lane)
		if !errors.Is(err, pgx.ErrNoRows) {
			t.Fatalf("step %d: %s (%v) is before turn %v, due %v", n, lane, err, turn, due)
		}
	}
}

// crowded opens an inbox whose table of lanes has many versions of deleted lanes that a snapshot retains.
func crowded(t *testing.T, dead int) *Inbox {
	t.Helper()
	o := Options{Schema: newSchema(t)}
	in := open(t, database.URL(), o)
	holdSnapshot(t)
	if _, err := in.pool.Exec(t.Context(), o.in(fmt.Sprintf(`INSERT INTO inbox.lane (queue, lane, due, store_id, turn)
		SELECT 'default', 'dead ' || n, now() - interval '1 hour', 123,
			CASE WHEN n %% 2 = 0 THEN now() - interval '1 hour' END FROM generate_series(1, %d) n; DELETE FROM inbox.lane`, dead))); err != nil {
		t.Fatal(err)
	}
	until(t, "the server has counted the dead versions", func() bool {
		in.locate(positionMargin)
		turn, _ := in.from()
		return turn != nil
	})
	return in
}

// A lane before the position is passed over until the position is determined again, and not longer.
func TestPositionMissesNothing(t *testing.T) {
	t.Parallel()
	in := crowded(t, manyDead+1000)
	later := func(in *Inbox, d time.Duration) { // sets the position as if a commit came so late, or the clock was set back
		p := &in.position
		until(t, "the position is not being determined", func() bool {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.next = time.Now().Add(hung)
			return !p.locating
		})
		p.mu.Lock()
		defer p.mu.Unlock()
		at := time.Now().Add(d)
		p.turn, p.due, p.next = &at, &at, time.Now().Add(hung)
		in.looked.next = p.next
	}
	passed := func(t *testing.T) {
		t.Helper()
		leases, err := in.Lease(t.Context(), webhook.LeaseQuery{Limit: 10, Term: time.Hour})
		if err != nil || len(leases) > 0 {
			t.Fatalf("leased %d and %v before the position, want none", len(leases), err)
		}
		in.position.mu.Lock()
		in.position.next = time.Time{}
		in.position.mu.Unlock()
	}
	var w world
	for n, test := range []struct {
		name string
		put  func(e webhook.Entry) error
	}{
		{"commits late, or has the clock of an hour ago", func(e webhook.Entry) error {
			later(in, time.Hour)
			return ignored(in.Accept(t.Context(), e))
		}},
		{"is replayed", func(e webhook.Entry) error {
			if _, err := in.Accept(t.Context(), e); err != nil {
				return err
			}
			if err := in.Fail(t.Context(), lease(t, in), webhook.Failed{Dead: true}); err != nil {
				return err
			}
			later(in, time.Hour)
			return ignored(in.Replay(t.Context(), e.Key))
		}},
		{"has a lease that ends", func(e webhook.Entry) error {
			if _, err := in.Accept(t.Context(), e); err != nil {
				return err
			}
			l := lease(t, in)
			later(in, time.Hour)
			return in.Fail(t.Context(), l, webhook.Failed{Released: true})
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			e := w.entry(int64(n))
			if err := test.put(e); err != nil {
				t.Fatal(err)
			}
			passed(t)
			l := lease(t, in)
			if l.Key != e.Key {
				t.Errorf("leased %q, want %q", l.Key, e.Key)
			}
			if err := ignored(in.Commit(t.Context(), l)); err != nil {
				t.Error(err)
			}
		})
	}
}

// Beside a snapshot that is held, statements do not read the versions of deleted lanes.
func TestDeadVersions(t *testing.T) {
	t.Parallel()
	in := crowded(t, manyDead+1000)
	in.looked.next = time.Now().Add(hung) // it begins at the beginning
	for n := range int64(50) {
		if _, err := in.Accept(t.Context(), delivery(n)); err != nil {
			t.Fatal(err)
		}
	}
	turn, due := in.from()
	read := in.options.in(`SELECT sum(pg_stat_get_xact_tuples_returned(i))
		FROM unnest(ARRAY['inbox.lane_turn', 'inbox.lane_store']::regclass[]) i`)
	a := newArrivals([]*webhook.Entry{{Key: "key", Lane: "lane", StoreID: 123, Kind: webhook.KindSignal}})
	for name, queue := range map[string]func(b *pgx.Batch){
		"accept": func(b *pgx.Batch) { a.queue(b, in) },
		"next":   func(b *pgx.Batch) { b.Queue(in.sql.next, "default", time.Minute.Microseconds(), []int64{}, turn) },
		"mark":   func(b *pgx.Batch) { b.Queue(in.sql.markTurns, "default", []int64{123}, turn, due) },
		"lease": func(b *pgx.Batch) {
			b.Queue(in.sql.lease, "default", 16, 16, []int64{}, time.Minute.Microseconds(), turn, due)
		},
	} {
		var before, after int
		if err := in.run(t.Context(), func(b *pgx.Batch) {
			b.Queue(read).QueryRow(func(row pgx.Row) error { return row.Scan(&before) })
			queue(b)
			b.Queue(read).QueryRow(func(row pgx.Row) error { return row.Scan(&after) })
		}); err != nil {
			t.Fatal(err)
		}
		if after-before > 500 {
			t.Errorf("%s: read %d entries of indexes, want at most 500", name, after-before)
		}
	}
}
