package postgres

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
)

// mostPerSecond is an upper bound of the entries that all processes add in a second.
const mostPerSecond = 100_000

// room knows the approximate number of pending entries. Counting them for each Accept, or storing the number in a row
// that each Accept writes, would cost more than all the rest.
type room struct {
	mu      sync.Mutex
	counted int           // the last count
	at      time.Time     // the time of the last count; zero if there is none
	took    time.Duration // how long counting took
	added   int           // by this process, since then
	flying  int           // entries that this process is storing
	under   chan struct{} // closed when the count in progress ends; nil if there is none

	settled atomic.Int64 // entries that this process ended since then
}

// estimate is an upper bound of the number of pending entries.
func (r *room) estimate() int {
	return r.known() + int(time.Since(r.at).Seconds()*mostPerSecond)
}

func (r *room) known() int {
	return r.counted + r.added + r.flying - int(r.settled.Load())
}

// enter reports for which calls of a group there is room. The caller must call leave with the number of entries that
// became pending.
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
	left := 0 // before the first count, only entries that need no room are admitted
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
	// One group after the other, so that the room is shared exactly.
	if err := in.admit(ctx, group, admitted, left); err != nil {
		r.mu.Unlock()
		return nil, nil, err
	}
	return admitted, func(added int) {
		r.added += added
		r.mu.Unlock()
	}, nil
}

// count counts pending entries, unless the last count is so recent that counting would take a large part of the time.
// The caller holds the lock, which count releases while it waits. It waits for half of the caller's time at most, and
// only briefly if an older count is good enough.
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

// recount counts pending entries, however long that takes. With millions it takes longer than an Accept may wait. Added
// is the number of entries that this process had added when it began.
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

// admit admits calls while there is room for their new keys.
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
