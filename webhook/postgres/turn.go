package postgres

import (
	"context"
	"math"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	// markSQL gives turns to stores that lack one.
	markTurnsSQL = `SELECT inbox.mark($1, $2)`
	// lookThroughSQL does so for the next stores behind one.
	lookThroughSQL = `SELECT inbox.look_through($1, $2, $3)`
)

// Stores can lack a turn if a process of the release before has worked, or one has died between the two transactions of an
// Accept. So each process looks through the stores, some at a time.
const (
	lookThroughEvery = time.Second
	lookThroughMost  = 256
)

// looked is how far the stores were looked through.
type looked struct {
	mu   sync.Mutex
	at   time.Time
	last int64
}

// queue adds a statement that looks through the next stores, if it is time.
func (l *looked) queue(b *pgx.Batch, in *Inbox) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if time.Since(l.at) < lookThroughEvery {
		return
	}
	if l.at.IsZero() {
		l.last = math.MinInt64
	}
	l.at = time.Now()
	b.Queue(in.sql.lookThrough, in.options.Queue, l.last, lookThroughMost).QueryRow(func(row pgx.Row) error {
		var last *int64
		if err := row.Scan(&last); err != nil {
			return err
		}
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.last = math.MinInt64; last != nil {
			l.last = *last
		}
		return nil
	})
}

// ensure makes sure that stores have a turn, after lanes were added that rely on another lane to bear it. A lease that was
// in progress may have taken that one, and have seen nothing of those that were added.
func (in *Inbox) ensure(stores []int64) {
	if len(stores) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(in.ctx, time.Second)
	defer cancel()
	// If it fails, the stores are found when they are looked through.
	_ = in.run(ctx, func(b *pgx.Batch) { b.Queue(in.sql.markTurns, in.options.Queue, stores) })
	in.changed()
}
