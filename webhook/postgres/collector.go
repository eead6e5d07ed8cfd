package postgres

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// Bounds of a group of calls that share a transaction.
const (
	mostEntries = 512
	mostBytes   = 4 << 20
	// groupTime is how long a group without deadlines may take.
	groupTime = 10 * time.Second
	// atOnce is the number of concurrent groups: while one is synced to disk, the next is written.
	atOnce = 2
	// slow is the time after which the next group no longer waits for earlier ones, because their connections may be
	// dead.
	slow = 100 * time.Millisecond
	// mostGroups is the largest number of concurrent groups if they are slow. It is also the number of connections of
	// groups and of their single calls.
	mostGroups = 4
	// lockMargin is the time that a call has left when the engine stops waiting for a row. If the context of a call
	// ended during the wait, the pool would lose a connection.
	lockMargin = 20 * time.Millisecond
	// lockTime is how long a group waits for a locked row. After it, each call waits alone.
	lockTime = "250ms"
)

var errClosed = errors.New("inbox is closed")

// member is a call that shares a transaction with others.
type member interface {
	context() context.Context
	refuse(err error) // ends the call with an error
	size() (entries, bytes int)
}

// collector groups the calls that arrive while the previous group is being committed.
type collector[C member] struct {
	mu      sync.Mutex
	waiting []C
	enough  int           // the number of calls that the next group waits for
	came    chan struct{} // has an element if they have arrived
	places  chan struct{} // one for each connection in use
	singles chan struct{} // one for each call that is written alone; fewer than places, so that groups continue
}

// start begins to write groups. Write ends the calls of its group, unless it returns an error. It waits for a row no
// longer than lockTime.
func (c *collector[C]) start(in *Inbox, write func(ctx context.Context, group []C, lockTime string) error) {
	c.came = make(chan struct{}, 1)
	c.places, c.singles = make(chan struct{}, mostGroups), make(chan struct{}, mostGroups-1)
	in.running.Go(func() {
		c.run(in.ctx, &in.running, func(group []C) { c.store(in.ctx, group, write) })
	})
}

func (c *collector[C]) add(one C) {
	c.mu.Lock()
	c.waiting = append(c.waiting, one)
	came := len(c.waiting) == c.enough
	c.mu.Unlock()
	if !came {
		return
	}
	select {
	case c.came <- struct{}{}:
	default:
	}
}

// has reports whether enough calls are waiting. If not, the add of the last of them sends to came.
func (c *collector[C]) has(enough int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.enough = enough
	return len(c.waiting) >= enough
}

// group takes as many waiting calls as fit in one transaction.
func (c *collector[C]) group() (group []C) {
	c.mu.Lock()
	defer c.mu.Unlock()
	entries, bytes, n := 0, 0, 0
	for _, one := range c.waiting {
		e, b := one.size()
		entries, bytes = entries+e, bytes+b
		if n > 0 && (entries > mostEntries || bytes > mostBytes) {
			break
		}
		n++
	}
	group = append(group, c.waiting[:n]...)
	rest := copy(c.waiting, c.waiting[n:])
	clear(c.waiting[rest:])
	c.waiting = c.waiting[:rest]
	return group
}

// run begins a group when there are calls and not too many groups are in progress. While another group is in progress,
// it waits for half as many calls as that group has, unless the group is slow. A transaction of dozens of entries costs
// the database no more than a transaction of one.
func (c *collector[C]) run(ctx context.Context, running *sync.WaitGroup, store func(group []C)) {
	ended := make(chan struct{}, mostGroups)
	late := time.NewTimer(slow)
	defer late.Stop()
	flying, allowed, last := 0, atOnce, 0
	for {
		enough := 1
		if flying > 0 {
			enough = max(1, last/2)
		}
		if flying < allowed && c.has(enough) {
			runtime.Gosched() // lets the callers of the previous group add calls
			group := c.group()
			flying, last = flying+1, len(group)
			late.Reset(slow)
			running.Go(func() {
				store(group)
				ended <- struct{}{}
			})
			continue
		}
		select {
		case <-c.came:
		case <-ended:
			flying--
			allowed = max(atOnce, allowed-1)
		case <-late.C:
			allowed, last = min(max(allowed, flying+1), mostGroups), 0
		case <-ctx.Done():
			return
		}
	}
}

// store writes a group and ends its calls.
func (c *collector[C]) store(ctx context.Context, group []C, write func(context.Context, []C, string) error) {
	alive := group[:0]
	for _, one := range group {
		if err := one.context().Err(); err != nil {
			one.refuse(err)
			continue
		}
		alive = append(alive, one)
	}
	if len(alive) == 0 {
		return
	}
	bounded, cancel := lasting(ctx, alive...)
	defer cancel()
	err := c.place(bounded, alive, lockTime, write)
	switch {
	case err == nil:
	case single(err):
		c.storeEach(ctx, alive, write)
	default:
		for _, one := range alive {
			one.refuse(err)
		}
	}
}

// place writes a group as soon as there is a connection for it.
func (c *collector[C]) place(ctx context.Context, group []C, lockTime string, write func(context.Context, []C, string) error) error {
	select {
	case c.places <- struct{}{}:
		defer func() { <-c.places }()
	case <-ctx.Done():
		return ctx.Err()
	}
	return write(ctx, group, lockTime)
}

// lasting bounds a group by the latest deadline of its calls.
func lasting[C member](ctx context.Context, group ...C) (context.Context, context.CancelFunc) {
	var latest time.Time
	for _, one := range group {
		deadline, bounded := one.context().Deadline()
		if !bounded {
			return context.WithTimeout(ctx, groupTime)
		}
		if deadline.After(latest) {
			latest = deadline
		}
	}
	return context.WithDeadline(ctx, latest)
}

// single reports whether an error may be caused by one call of a group: a value of it cannot be stored, a row of it is
// locked, or its lease is lost.
func single(err error) bool {
	var refused *pgconn.PgError
	if !errors.As(err, &refused) || len(refused.Code) != 5 {
		return false
	}
	switch refused.Code[:2] {
	case "22", "23", "40", "54", "55":
		return true
	}
	return refused.Code == lostCode
}

// storeEach writes each call of a group in a transaction of its own.
func (c *collector[C]) storeEach(ctx context.Context, group []C, write func(context.Context, []C, string) error) {
	var all sync.WaitGroup
	for _, one := range group {
		c.singles <- struct{}{}
		all.Go(func() {
			defer func() { <-c.singles }()
			ctx, cancel := lasting(ctx, one)
			defer cancel()
			deadline, _ := ctx.Deadline() // set by lasting
			lockTime := fmt.Sprintf("%dms", max(1, (time.Until(deadline)-lockMargin).Milliseconds()))
			if err := c.place(ctx, []C{one}, lockTime, write); err != nil {
				one.refuse(late(err))
			}
		})
	}
	all.Wait()
}

// late is the error of a call that waited for a row until its deadline.
func late(err error) error {
	var refused *pgconn.PgError
	if errors.As(err, &refused) && refused.Code == lockNotAvailable {
		return fmt.Errorf("%w: %w", context.DeadlineExceeded, err)
	}
	return err
}
