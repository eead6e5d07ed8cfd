package postgres

import (
	"maps"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	// markTurnsSQL gives turns to stores without one.
	markTurnsSQL = `SELECT o_marked, o_again FROM inbox.mark($1, $2,
		coalesce($3::timestamptz, '-infinity'), coalesce($4::timestamptz, '-infinity'))`
	// lookThroughSQL does so for the next stores after a given one.
	lookThroughSQL = `SELECT inbox.look_through($1, $2, $3,
		coalesce($4::timestamptz, '-infinity'), coalesce($5::timestamptz, '-infinity'))`
)

// Stores can lack a turn if a process has died after an Accept. So each process looks through the stores, some at a
// time.
const (
	lookThroughEvery = time.Second
	lookThroughMost  = 256
)

// looked is how far the stores were looked through.
type looked struct {
	mu   sync.Mutex
	next time.Time // when it is due; zero: at once
	last int64
}

// queue adds a statement that looks through the next stores, if it is due.
func (l *looked) queue(b *pgx.Batch, in *Inbox, turn, due *time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	began := time.Now()
	if began.Before(l.next) {
		return
	}
	if l.next.IsZero() {
		l.last = math.MinInt64
	}
	l.next = began.Add(lookThroughEvery)
	b.Queue(in.sql.lookThrough, in.options.Queue, l.last, lookThroughMost, turn, due).QueryRow(func(row pgx.Row) error {
		var last *int64
		if err := row.Scan(&last); err != nil {
			return err
		}
		l.mu.Lock()
		defer l.mu.Unlock()
		l.next = time.Now().Add(max(lookThroughEvery, backgroundShare*time.Since(began)))
		if l.last = math.MinInt64; last != nil {
			l.last = *last
		}
		return nil
	})
}

// arrived are the stores to which entries were added.
type arrived struct {
	mu     sync.Mutex
	stores map[int64]bool
}

func (a *arrived) add(stores ...int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.stores == nil {
		a.stores = make(map[int64]bool)
	}
	for _, store := range stores {
		a.stores[store] = true
	}
}

// take returns the stores that were added since the last call.
func (a *arrived) take() []int64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	stores := slices.Collect(maps.Keys(a.stores))
	clear(a.stores)
	return stores
}
