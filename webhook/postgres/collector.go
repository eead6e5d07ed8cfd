package postgres

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/commerceplatform/commerce-go/webhook"
)

// Bounds of a group of calls that share a transaction.
const (
	mostEntries = 512
	mostBytes   = 4 << 20
	// groupTime is how long a group without deadlines may take.
	groupTime = 10 * time.Second
	// atOnce is how many groups are under way at a time: while one is synced to disk, the next is written.
	atOnce = 2
	// slow is when the next group no longer waits for those before: their connections may be dead.
	slow = 100 * time.Millisecond
	// mostGroups are under way at a time if they are slow. It is also how many connections they and their calls take.
	mostGroups = 4
	// lockMargin is what is left of a call's time when the engine gives up waiting for a row: a call that its context ends
	// costs the pool a connection.
	lockMargin = 20 * time.Millisecond
	// lockTime is how long a group waits for a row that somebody holds. Then each call waits for itself.
	lockTime = "250ms"
)

var errClosed = errors.New("inbox is closed")

// call is an Accept in progress.
type call struct {
	ctx     context.Context
	entries []webhook.Entry

	done     chan struct{} // closed when the rest is set
	outcomes []webhook.Outcome
	err      error
}

func (c *call) end(outcomes []webhook.Outcome, err error) {
	c.outcomes, c.err = outcomes, err
	close(c.done)
}

// collector makes groups of the calls that come while the group before them is being committed.
type collector struct {
	mu      sync.Mutex
	waiting []*call
	enough  int           // how many of them the next group waits for
	came    chan struct{} // holds one if they have come
	places  chan struct{} // one for each connection in use
	singles chan struct{} // one for each call that is written by itself: not all places, so that groups go on
}

func (c *collector) start(in *Inbox) {
	c.came = make(chan struct{}, 1)
	c.places, c.singles = make(chan struct{}, mostGroups), make(chan struct{}, mostGroups-1)
	in.running.Go(func() { c.run(in.ctx, &in.running, in.store) })
}

func (c *collector) add(one *call) {
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

// has reports whether enough calls are waiting. If not, whoever adds the last of them says so.
func (c *collector) has(enough int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.enough = enough
	return len(c.waiting) >= enough
}

// group takes calls that fit in one transaction.
func (c *collector) group() (group []*call) {
	c.mu.Lock()
	defer c.mu.Unlock()
	entries, bytes, n := 0, 0, 0
	for _, one := range c.waiting {
		entries += len(one.entries)
		for i := range one.entries {
			bytes += len(one.entries[i].Body)
		}
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

// run begins a group when there are calls and not too many groups are under way. Beside another group it waits for half
// as many calls as that has, unless that is slow: a transaction costs the database the same for one entry as for dozens.
func (c *collector) run(ctx context.Context, running *sync.WaitGroup, store func(group []*call)) {
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
			runtime.Gosched() // those whom the group before has woken come along
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
func (in *Inbox) store(group []*call) {
	alive := group[:0]
	for _, c := range group {
		if err := c.ctx.Err(); err != nil {
			c.end(nil, failed("accept", err))
			continue
		}
		alive = append(alive, c)
	}
	if len(alive) == 0 {
		return
	}
	ctx, cancel := in.until(alive)
	defer cancel()
	ends, err := in.write(ctx, alive, lockTime)
	switch {
	case err == nil:
		for i, c := range alive {
			c.end(ends[i].outcomes, ends[i].err)
		}
	case single(err):
		in.storeEach(alive)
	default:
		for _, c := range alive {
			c.end(nil, failed("accept", err))
		}
	}
}

// until bounds a group by the latest deadline of its calls.
func (in *Inbox) until(group []*call) (context.Context, context.CancelFunc) {
	var latest time.Time
	for _, c := range group {
		deadline, bounded := c.ctx.Deadline()
		if !bounded {
			return context.WithTimeout(in.ctx, groupTime)
		}
		if deadline.After(latest) {
			latest = deadline
		}
	}
	return context.WithDeadline(in.ctx, latest)
}

// single reports whether an error may be that of one call of a group: it has a value that
// cannot be stored, or a row of it is locked.
func single(err error) bool {
	var refused *pgconn.PgError
	if !errors.As(err, &refused) || len(refused.Code) != 5 {
		return false
	}
	switch refused.Code[:2] {
	case "22", "23", "40", "54", "55":
		return true
	}
	return false
}

// storeEach writes each call of a group in a transaction of its own.
func (in *Inbox) storeEach(group []*call) {
	var all sync.WaitGroup
	for _, c := range group {
		in.collector.singles <- struct{}{}
		all.Go(func() {
			defer func() { <-in.collector.singles }()
			ctx, cancel := in.until([]*call{c})
			defer cancel()
			deadline, _ := ctx.Deadline() // until set one
			ends, err := in.write(ctx, []*call{c}, fmt.Sprintf("%dms", max(1, (time.Until(deadline)-lockMargin).Milliseconds())))
			if err != nil {
				c.end(nil, failed("accept", late(err)))
				return
			}
			c.end(ends[0].outcomes, ends[0].err)
		})
	}
	all.Wait()
}

// late is the error of a call that waited for a row all the time it had.
func late(err error) error {
	var refused *pgconn.PgError
	if errors.As(err, &refused) && refused.Code == "55P03" {
		return fmt.Errorf("%w: %w", context.DeadlineExceeded, err)
	}
	return err
}

// ending is how a call of a group ends.
type ending struct {
	outcomes []webhook.Outcome
	err      error
}

// write stores a group in one transaction, without those calls for which there is no room.
func (in *Inbox) write(ctx context.Context, group []*call, lockTime string) ([]ending, error) {
	select {
	case in.collector.places <- struct{}{}:
		defer func() { <-in.collector.places }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	admitted, leave, err := in.room.enter(ctx, in, group)
	if err != nil {
		return nil, err
	}
	added := 0
	defer func() { leave(added) }()
	var entries []*webhook.Entry
	for i, c := range group {
		if !admitted[i] {
			continue
		}
		for n := range c.entries {
			entries = append(entries, &c.entries[n])
		}
	}
	a := newArrivals(entries)
	ends := make([]ending, len(group))
	if len(a.waves) > 0 {
		err := in.transact(ctx, func(b *pgx.Batch) {
			b.Queue(acceptSettings, in.sync(), lockTime).Query(in.durability.check)
			a.queue(b, in)
		})
		if err != nil {
			return nil, err
		}
	}
	n, due := 0, false
	for i, c := range group {
		if !admitted[i] {
			ends[i].err = webhook.ErrFull
			continue
		}
		ends[i].outcomes = make([]webhook.Outcome, len(c.entries))
		for j := range c.entries {
			met := a.outcome(n)
			n++
			ends[i].outcomes[j] = met
			if met == webhook.Stored || met == webhook.Revived {
				added++
			}
			due = due || met == webhook.Stored || met == webhook.Revived || met == webhook.Joined && c.entries[j].Kind == webhook.Signal
		}
	}
	if due {
		for _, w := range a.waves {
			in.arrived.add(w.stores...)
		}
		in.changed()
	}
	return ends, nil
}
