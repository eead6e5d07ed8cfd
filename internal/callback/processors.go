package callback

import (
	"container/list"
	"runtime"
	"sync"
	"time"
)

const (
	// unqueued is how many plans for each processor are begun without a look at whether the processors are busy.
	unqueued = 2
	// MostQueued is how long a plan waits for a processor. If others keep all of them busy for longer, they are
	// saturated, and neither this plan nor those could end in time if it were added to them.
	MostQueued = 100 * time.Millisecond
	// quick is how soon a goroutine that lets others go first gets a processor where they are not saturated: sooner
	// than one that computes is interrupted, which is after 10 ms.
	quick = 5 * time.Millisecond
)

// Processors begin plans as the processors allow: any number of plans that wait for something else, and a limited
// number of plans that compute, so that these end in time.
type Processors struct {
	mu      sync.Mutex
	running int
	queue   list.List // of chan struct{}, the oldest first; closed for a plan that may begin
	first   chan struct{}
}

// NewProcessors returns Processors without plans.
func NewProcessors() *Processors { return &Processors{first: make(chan struct{}, 1)} }

// Begin returns true when a plan may begin, which calls End when it has ended, or false if the processors are
// saturated.
func (p *Processors) Begin() bool {
	p.mu.Lock()
	if p.running < unqueued*runtime.GOMAXPROCS(0) {
		p.running++
		p.mu.Unlock()
		return true
	}
	turn := make(chan struct{})
	at := p.queue.PushBack(turn)
	p.mu.Unlock()
	t := time.NewTimer(MostQueued)
	defer t.Stop()
	select {
	case <-turn:
		return true
	case <-t.C:
		return p.leave(at, turn, false)
	case p.first <- struct{}{}: // one after another, so that each meets those before it
	}
	defer func() { <-p.first }()
	for {
		began := time.Now()
		runtime.Gosched() // other goroutines that are ready run first
		free := time.Since(began) < quick
		select {
		case <-turn:
			return true
		case <-t.C:
			return p.leave(at, turn, false)
		default:
		}
		if free {
			return p.leave(at, turn, true)
		}
	}
}

// leave takes a plan out of the queue, and reports whether it may begin.
func (p *Processors) leave(at *list.Element, turn chan struct{}, begins bool) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-turn:
		return true // meanwhile
	default:
	}
	p.queue.Remove(at)
	if begins {
		p.running++
	}
	return begins
}

// End ends a plan, and lets another one begin in its place if the processors are known to bear it.
func (p *Processors) End() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.running--
	if next := p.queue.Front(); next != nil && p.running < unqueued*runtime.GOMAXPROCS(0) {
		p.running++
		close(p.queue.Remove(next).(chan struct{}))
	}
}
