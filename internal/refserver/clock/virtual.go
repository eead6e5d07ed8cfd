package clock

import (
	"container/heap"
	"sync"
	"time"
)

// Start is when a virtual clock begins if nothing else is asked for.
var Start = time.Date(2025, time.January, 1, 12, 0, 0, 0, time.UTC)

// Virtual is a clock that moves only when it is advanced. Calls that are due run one after the other on the goroutine
// that advances it, by time and, for equal times, in the order they were asked for. It is safe for concurrent use.
type Virtual struct {
	mu   sync.Mutex
	now  time.Time
	seq  uint64
	heap waiting
}

// NewVirtual returns a clock that stands at start, or at Start for the zero time.
func NewVirtual(start time.Time) *Virtual {
	if start.IsZero() {
		start = Start
	}
	return &Virtual{now: start}
}

// Now is the moment the clock stands at.
func (c *Virtual) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// AfterFunc keeps f until the clock has been advanced by d. If d is not positive, f runs at once, on its own goroutine.
func (c *Virtual) AfterFunc(d time.Duration, f func()) Timer {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := &call{clock: c, at: c.now.Add(d), seq: c.seq, f: f, pos: gone}
	c.seq++
	if d <= 0 {
		go f()
		return t
	}
	heap.Push(&c.heap, t)
	return t
}

// Advance moves the clock by d, runs what became due on the way, and returns how
// many calls that were. A call may ask for more calls; those inside d run too.
func (c *Virtual) Advance(d time.Duration) int {
	return c.Run(c.Now().Add(d))
}

// AdvanceToNext moves the clock to the next call and runs it. It reports whether
// there was one.
func (c *Virtual) AdvanceToNext() bool {
	c.mu.Lock()
	if len(c.heap) == 0 {
		c.mu.Unlock()
		return false
	}
	t := c.pop()
	c.mu.Unlock()
	t.f()
	return true
}

// Run moves the clock to until, or leaves it where it is if that has passed, and
// returns how many calls became due and ran.
func (c *Virtual) Run(until time.Time) int {
	n := 0
	for c.Step(until) {
		n++
	}
	return n
}

// Step moves the clock to the next call that is due until then and runs it. Without one it moves the clock to until, or
// leaves it where it is if that has passed, and reports false.
func (c *Virtual) Step(until time.Time) bool {
	c.mu.Lock()
	if len(c.heap) == 0 || c.heap[0].at.After(until) {
		if until.After(c.now) {
			c.now = until
		}
		c.mu.Unlock()
		return false
	}
	t := c.pop()
	c.mu.Unlock()
	t.f()
	return true
}

// Next is when the first of the calls that wait is due; ok is false if none waits.
func (c *Virtual) Next() (at time.Time, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.heap) == 0 {
		return time.Time{}, false
	}
	return c.heap[0].at, true
}

// Pending is the number of calls that wait.
func (c *Virtual) Pending() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.heap)
}

// pop takes the next call and puts the clock at its time. The lock is held.
func (c *Virtual) pop() *call {
	t := heap.Pop(&c.heap).(*call)
	if t.at.After(c.now) {
		c.now = t.at
	}
	return t
}

// gone is the position of a call that waits no more.
const gone = -1

type call struct {
	clock *Virtual
	at    time.Time
	seq   uint64
	f     func()
	pos   int
}

func (t *call) Stop() bool {
	t.clock.mu.Lock()
	defer t.clock.mu.Unlock()
	if t.pos == gone {
		return false
	}
	heap.Remove(&t.clock.heap, t.pos)
	return true
}

type waiting []*call

func (w waiting) Len() int { return len(w) }

func (w waiting) Less(i, j int) bool {
	if w[i].at.Equal(w[j].at) {
		return w[i].seq < w[j].seq
	}
	return w[i].at.Before(w[j].at)
}

func (w waiting) Swap(i, j int) {
	w[i], w[j] = w[j], w[i]
	w[i].pos, w[j].pos = i, j
}

func (w *waiting) Push(x any) {
	t := x.(*call)
	t.pos = len(*w)
	*w = append(*w, t)
}

func (w *waiting) Pop() any {
	old := *w
	t := old[len(old)-1]
	old[len(old)-1] = nil
	*w = old[:len(old)-1]
	t.pos = gone
	return t
}
