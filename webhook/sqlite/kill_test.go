package sqlite_test

import (
	"slices"
	"sync"
	"testing"
	"time"

	bench "github.com/commerceplatform/commerce-go/internal/bench"
	"github.com/commerceplatform/commerce-go/internal/proctest"
	"github.com/commerceplatform/commerce-go/internal/tier"
)

// A receiver, with its handler and its worker, is killed again and again while deliveries come in.
func TestProofKilled(t *testing.T) {
	t.Parallel()
	const products = 40 // of each round, so that a later delivery does not make good what was lost in an earlier one
	rounds := tier.Size(4, 40, 100)
	enough := tier.Size(300, 300, 3000)
	longest := time.Duration(tier.Size(100, 100, 450)) * time.Millisecond
	w := newWorld(t, rounds*products)
	total, wanted, began, r := 0, 0, time.Now(), choices(t, 0)
	var restarts []time.Duration
	for round := range rounds {
		started := time.Now()
		c := w.start(t, "receiver")
		load := w.load(t, []string{c.Line(t)}, round*products, products)
		select {
		case <-load.reached(enough):
		case <-c.Ended():
		case <-time.After(2 * time.Minute):
			t.Error("too few deliveries were acknowledged in two minutes")
		}
		<-time.After(time.Until(started.Add(50*time.Millisecond + time.Duration(r.Int64N(int64(longest))))))
		c.Kill(t) // in the midst of deliveries
		load.stop()
		restarts = append(restarts, load.first().Sub(started))
		if total += load.count(); c.Lived() {
			wanted += enough
		}
	}
	t.Logf("%d rounds, %d acknowledged in %v", rounds, total, time.Since(began).Round(time.Millisecond))
	slices.Sort(restarts)
	t.Logf("start of the process to its first 2xx: median %v, worst %v", restarts[rounds/2].Round(time.Millisecond), restarts[rounds-1].Round(time.Millisecond))
	w.work(t)
	w.verify(t)
	if total < wanted {
		t.Errorf("%d acknowledged, want %d or more", total, wanted)
	}
}

// Three receivers share a file, and one of them is killed.
func TestProofShared(t *testing.T) {
	t.Parallel()
	const products = 100
	enough := tier.Size(300, 3000, 100_000)
	w := newWorld(t, products)
	var children []*proctest.Process
	var urls []string
	for range 3 {
		c := w.start(t, "receiver")
		children, urls = append(children, c), append(urls, c.Line(t))
	}
	load := w.load(t, urls, 0, products)
	<-load.reached(enough / 2)
	children[0].Kill(t)
	<-load.reached(enough)
	load.stop()
	w.drained(t) // by the others
	for _, c := range children[1:] {
		c.Kill(t)
	}
	t.Logf("%d acknowledged", load.count())
	w.verify(t)
}

// load is deliveries by many senders at a time.
type load struct {
	stopped chan struct{}
	senders sync.WaitGroup

	mu      sync.Mutex
	n       int
	began   time.Time             // when the first was acknowledged
	waiting map[int]chan struct{} // by the count at which they are closed
}

// load sends deliveries to some receivers, one after another, about some products.
func (w *world) load(t *testing.T, urls []string, from, products int) *load {
	const senders = 32 // share a sync, so that a slow disk does not slow the test
	l := &load{stopped: make(chan struct{}), waiting: make(map[int]chan struct{})}
	for n := range senders {
		r := choices(t, n)
		l.senders.Go(func() {
			p := &bench.Poster{Timeout: 5 * time.Second}
			defer p.Close()
			for {
				select {
				case <-l.stopped:
					return
				default:
				}
				if w.deliver(r, p, urls[r.IntN(len(urls))], from, products) {
					l.acknowledged()
				}
			}
		})
	}
	return l
}

func (l *load) acknowledged() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.n++; l.n == 1 {
		l.began = time.Now()
	}
	if c := l.waiting[l.n]; c != nil {
		close(c)
	}
}

// reached is closed when so many are acknowledged.
func (l *load) reached(n int) <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	c := make(chan struct{})
	if l.n >= n {
		close(c)
	} else {
		l.waiting[n] = c
	}
	return c
}

func (l *load) stop() {
	close(l.stopped)
	l.senders.Wait()
}

func (l *load) count() int       { return l.n }
func (l *load) first() time.Time { return l.began }

// An entry ends its process, with 15 others in progress.
func TestProofPoison(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 0)
	bench.Poisoned(t, w.in, func() *proctest.Process { return w.start(t, "poison") })
}
