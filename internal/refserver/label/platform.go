package label

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/clock"
	"github.com/commerceplatform/commerce-go/internal/refserver/delivery"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// kept is how many calls are remembered.
const kept = 10000

// Caller carries a call to a carrier.
type Caller func(ctx context.Context, c delivery.Call) delivery.Reply

// Platform calls carriers about labels. It is safe for concurrent use. Goroutines exist
// only while there is something to do; Close ends them.
type Platform struct {
	world *world.World
	call  Caller

	// ctx ends when the platform is closed.
	ctx    context.Context
	cancel context.CancelFunc

	mu     sync.Mutex
	closed bool
	busy   int
	idle   chan struct{} // closed when busy becomes 0
	timers map[clock.Timer]struct{}
	// expiry is the timer that fails labels of a store, by store.
	expiry map[int64]alarm
	calls  []Call
	last   int
}

// New returns a platform over the world. Close ends it.
func New(w *world.World, call Caller) *Platform {
	p := &Platform{world: w, call: call, timers: map[clock.Timer]struct{}{}, expiry: map[int64]alarm{}}
	p.ctx, p.cancel = context.WithCancel(context.Background())
	return p
}

// Close gives up what is to be repeated, and waits for what is under way.
func (p *Platform) Close() {
	p.mu.Lock()
	p.closed = true
	for t := range p.timers {
		t.Stop()
	}
	clear(p.timers)
	p.mu.Unlock()
	p.cancel()
	_ = p.Settle(context.Background()) // ends, since every call has ended
}

// begin notes that something is being done, unless the platform is closed.
func (p *Platform) begin() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return false
	}
	if p.busy == 0 {
		p.idle = make(chan struct{})
	}
	p.busy++
	return true
}

func (p *Platform) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.busy--; p.busy == 0 {
		close(p.idle)
	}
}

// Settle waits until no carrier is being called. What waits for the clock does not count.
func (p *Platform) Settle(ctx context.Context) error {
	for {
		p.mu.Lock()
		idle, busy := p.idle, p.busy
		p.mu.Unlock()
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

// after does something later by the clock of the server, and returns how to stop it.
func (p *Platform) after(d time.Duration, f func()) clock.Timer {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil
	}
	var t clock.Timer
	t = p.world.Clock().AfterFunc(d, func() {
		p.mu.Lock()
		delete(p.timers, t)
		p.mu.Unlock()
		if p.begin() {
			defer p.end()
			f()
		}
	})
	p.timers[t] = struct{}{}
	return t
}

// Kind is what a call is about. It is the last part of its address.
type Kind string

// The kinds of calls.
const (
	Generate   Kind = "generate"
	Cancel     Kind = "cancel"
	Suspend    Kind = "suspension"
	Reactivate Kind = "reactivate"
)

// Call is the record of one call to a carrier.
type Call struct {
	// N counts the calls of the platform from 1.
	N       int
	At      time.Time
	Kind    Kind
	Store   int64
	App     int64
	Carrier int64
	URL     string
	// Try counts the calls about the same labels from 1.
	Try     int
	Request []byte
	// Status is 0 if there was no answer.
	Status   int
	Answer   []byte
	Late     bool
	Duration time.Duration
	// DecidedBy tells which clock Late is about: "virtual" or "real".
	DecidedBy string
	// Next is when the call is repeated; the zero time if it is not.
	Next time.Time
	// Results has one for each label of the request.
	Results []Result
	// Reason says why the answer is not what was wanted; empty if it is.
	Reason string
}

// Result is what a carrier said of a label.
type Result struct {
	Fulfillment, Label string
	OK                 bool
	// Code and Message are those of a refusal.
	Code, Message string
	// Status is that of the label after the call.
	Status world.LabelStatus
}

// Calls returns the records, the oldest first. Of very many the oldest are forgotten.
func (p *Platform) Calls() []Call {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.calls)
}

// record numbers a call and keeps it.
func (p *Platform) record(c Call) Call {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last++
	c.N = p.last
	p.calls = append(p.calls, c)
	if n := len(p.calls) - kept; n > kept/10 {
		p.calls = slices.Clone(p.calls[n:])
	}
	return c
}

// send makes a call. It fails if ctx ended before there was an answer.
func (p *Platform) send(ctx context.Context, c Call) (Call, error) {
	c.At = p.world.Clock().Now()
	own, stop := context.WithCancel(ctx)
	defer stop()
	defer context.AfterFunc(p.ctx, stop)()
	reply := p.call(own, delivery.Call{
		URL: c.URL, Body: c.Request, Timeout: p.world.Limits().LabelTimeout,
		Header: http.Header{"Content-Type": {"application/json"}, "User-Agent": {"Commerce-Platform-Shipping"}},
	})
	if err := own.Err(); err != nil && reply.Err != nil {
		return c, err
	}
	c.Status, c.Answer, c.Late, c.Duration, c.DecidedBy = reply.Status, reply.Body, reply.Late, reply.Duration, reply.DecidedBy
	switch {
	case reply.Err != nil:
		c.Reason = reply.Err.Error()
	case c.Status < 200 || c.Status > 299:
		c.Reason = fmt.Sprintf("status %d: want 2xx", c.Status)
	}
	return c, nil
}
