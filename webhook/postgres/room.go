package postgres

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
)

// mostPerSecond is what all processes together are taken to add at most in a second.
const mostPerSecond = 100_000

// room knows about how many entries are pending. To count them for each Accept, or to
// keep the number in a row that each of them writes, would cost more than the rest.
type room struct {
	mu      sync.Mutex
	counted int           // what was counted last
	at      time.Time     // when that was; zero: never
	took    time.Duration // how long counting took
	added   int           // by this process, since then
	flying  int           // entries that this process is storing
	under   chan struct{} // closed when the count that is under way ends; nil: there is none

	settled atomic.Int64 // that this process ended since then
}

// estimate is the most that may be pending.
func (r *room) estimate() int {
	return r.known() + int(time.Since(r.at).Seconds()*mostPerSecond)
}

func (r *room) known() int {
	return r.counted + r.added + r.flying - int(r.settled.Load())
}

// enter says which calls of a group there is room for. The caller says with leave how many entries became pending.
func (r *room) enter(ctx context.Context, in *Inbox, group []*call) (admitted []bool, leave func(added int), err error) {
	entries := 0
	for _, c := range group {
		entries += len(c.entries)
	}
	admitted = make([]bool, len(group))
	r.mu.Lock()
	if r.at.IsZero() || r.estimate()+entries > in.options.HighWater {
		r.count(ctx, in)
	}
	left := 0 // while nothing is known, there is room for what needs none
	if !r.at.IsZero() {
		left = in.options.HighWater - r.known()
	}
	if entries <= left {
		r.flying += entries
		r.mu.Unlock()
		for i := range admitted {
			admitted[i] = true
		}
		return admitted, func(added int) {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.flying -= entries
			r.added += added
		}, nil
	}
	// One group after the other: the room is shared out exactly.
	if err := in.admit(ctx, group, admitted, left); err != nil {
		r.mu.Unlock()
		return nil, nil, err
	}
	return admitted, func(added int) {
		r.added += added
		r.mu.Unlock()
	}, nil
}

// count has what is pending counted, unless that was done so lately that it would take a large part of the time. The
// caller holds the lock, which is free while it waits: for half of its time at most, and not for long if an older count
// will do.
func (r *room) count(ctx context.Context, in *Inbox) {
	if !r.at.IsZero() && time.Since(r.at)-r.took < min(10*r.took, time.Second) {
		return
	}
	if r.under == nil {
		r.under = make(chan struct{})
		added := r.added
		in.running.Go(func() { r.recount(in, added) })
	}
	patience := groupTime
	if deadline, bounded := ctx.Deadline(); bounded {
		patience = time.Until(deadline) / 2
	}
	if !r.at.IsZero() {
		patience = min(patience, slow)
	}
	under, late := r.under, time.NewTimer(patience)
	defer late.Stop()
	r.mu.Unlock()
	defer r.mu.Lock()
	select {
	case <-under:
	case <-late.C:
	}
}

// recount counts what is pending, however long that takes: with millions it is longer than an Accept may wait. Added is
// what this process had added when it began.
func (r *room) recount(in *Inbox, added int) {
	ctx, cancel := bounded(in.ctx)
	defer cancel()
	began := time.Now()
	var pending int
	err := in.read(ctx, []any{&pending}, in.sql.count, in.options.Queue, in.options.HighWater+1)
	r.mu.Lock()
	defer r.mu.Unlock()
	if err == nil {
		r.counted, r.at, r.took, r.added = pending, began, time.Since(began), r.added-added
		r.settled.Store(0)
	}
	close(r.under)
	r.under = nil
}

// admit takes calls while there is room for the new keys that they bring.
func (in *Inbox) admit(ctx context.Context, group []*call, admitted []bool, left int) error {
	var keys []string
	for _, c := range group {
		for i := range c.entries {
			keys = append(keys, c.entries[i].Key)
		}
	}
	there := make(map[string]bool)
	err := in.run(ctx, func(b *pgx.Batch) {
		b.Queue(in.sql.present, in.options.Queue, keys).Query(func(rows pgx.Rows) error {
			var key string
			_, err := pgx.ForEachRow(rows, []any{&key}, func() error {
				there[key] = true
				return nil
			})
			return err
		})
	})
	if err != nil {
		return err
	}
	for i, c := range group {
		room, added := left, []string(nil)
		admitted[i] = true
		for n := range c.entries {
			e := &c.entries[n]
			if there[e.Key] {
				continue
			}
			if room <= 0 && !e.Protected {
				admitted[i] = false
				break
			}
			there[e.Key] = true
			added = append(added, e.Key)
			if e.Unhandled == "" {
				room--
			}
		}
		if admitted[i] {
			left = room
			continue
		}
		for _, key := range added {
			delete(there, key)
		}
	}
	return nil
}
