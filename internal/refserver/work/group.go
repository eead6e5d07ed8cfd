package work

import (
	"context"
	"sync"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/clock"
)

// Group is work in the background, under way or waiting for the clock of the server. It is
// safe for concurrent use. Goroutines exist only while there is something to do.
type Group struct {
	clock  clock.Clock
	ctx    context.Context
	cancel context.CancelFunc

	mu     sync.Mutex
	closed bool
	busy   int
	idle   chan struct{} // closed when busy becomes 0
	alarms map[*Alarm]struct{}
}

// New returns a group with nothing to do. Close ends it.
func New(c clock.Clock) *Group {
	g := &Group{clock: c, alarms: map[*Alarm]struct{}{}}
	g.ctx, g.cancel = context.WithCancel(context.Background())
	return g
}

// Context ends when the group is closed.
func (g *Group) Context() context.Context { return g.ctx }

// Closed reports whether nothing begins any more.
func (g *Group) Closed() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.closed
}

// Go does something in a goroutine, unless the group is closed: then it reports false.
func (g *Group) Go(f func()) bool {
	g.mu.Lock()
	begun := g.begin()
	g.mu.Unlock()
	if !begun {
		return false
	}
	go func() {
		defer g.end()
		f()
	}()
	return true
}

// begin counts something that is being done, unless the group is closed. The lock is held.
func (g *Group) begin() bool {
	if g.closed {
		return false
	}
	if g.busy == 0 {
		g.idle = make(chan struct{})
	}
	g.busy++
	return true
}

func (g *Group) end() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.busy--; g.busy == 0 {
		close(g.idle)
	}
}

// Alarm is work that waits for the clock. A nil Alarm has been called off.
type Alarm struct {
	group *Group
	timer clock.Timer
}

// After does something later by the clock of the server. It returns nil if the group is
// closed.
func (g *Group) After(d time.Duration, f func()) *Alarm {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return nil
	}
	a := &Alarm{group: g}
	a.timer = g.clock.AfterFunc(d, func() {
		g.mu.Lock()
		delete(g.alarms, a)
		begun := g.begin()
		g.mu.Unlock()
		if begun {
			defer g.end()
			f()
		}
	})
	g.alarms[a] = struct{}{}
	return a
}

// Pending reports whether the alarm has still to go off.
func (a *Alarm) Pending() bool {
	if a == nil {
		return false
	}
	a.group.mu.Lock()
	defer a.group.mu.Unlock()
	_, ok := a.group.alarms[a]
	return ok
}

// Stop calls the alarm off if it has still to go off.
func (a *Alarm) Stop() {
	if a == nil {
		return
	}
	a.group.mu.Lock()
	defer a.group.mu.Unlock()
	a.timer.Stop()
	delete(a.group.alarms, a)
}

// Settle waits until nothing is in progress. It does not wait for work that is due later.
func (g *Group) Settle(ctx context.Context) error {
	for {
		g.mu.Lock()
		idle, busy := g.idle, g.busy
		g.mu.Unlock()
		if busy == 0 {
			return nil
		}
		select {
		case <-idle:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Close drops work that is due later, ends the context and waits for the work in progress.
func (g *Group) Close() {
	g.mu.Lock()
	g.closed = true
	for a := range g.alarms {
		a.timer.Stop()
	}
	clear(g.alarms)
	g.mu.Unlock()
	g.cancel()
	_ = g.Settle(context.Background()) // ends, since nothing begins any more
}
