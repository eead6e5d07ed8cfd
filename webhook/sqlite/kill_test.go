package sqlite_test

import (
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	bench "github.com/commerceplatform/commerce-go/internal/bench"
	"github.com/commerceplatform/commerce-go/internal/proctest"
)

// A receiver, with its handler and its worker, is killed again and again while deliveries come in.
func TestProofKilled(t *testing.T) {
	const products = 40 // of each round, so that a later delivery does not make good what was lost in an earlier one
	rounds := size(40, 100)
	enough := size(300, 3000)
	longest := time.Duration(size(100, 450)) * time.Millisecond
	w := newWorld(t, rounds*products)
	total, wanted, began := 0, 0, time.Now()
	var restarts []time.Duration
	for round := range rounds {
		started := time.Now()
		c := w.start(t, "receiver")
		load := w.load([]string{c.Line(t)}, round*products, products)
		select {
		case <-load.reached(enough):
		case <-c.Ended():
		case <-time.After(2 * time.Minute):
			t.Error("too few deliveries were acknowledged in two minutes")
		}
		<-time.After(time.Until(started.Add(50*time.Millisecond + rand.N(longest))))
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
	const products = 100
	enough := size(3000, 100_000)
	w := newWorld(t, products)
	var children []*proctest.Process
	var urls []string
	for range 3 {
		c := w.start(t, "receiver")
		children, urls = append(children, c), append(urls, c.Line(t))
	}
	load := w.load(urls, 0, products)
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
func (w *world) load(urls []string, from, products int) *load {
	const senders = 32 // share a sync, so that a slow disk does not slow the test
	l := &load{stopped: make(chan struct{}), waiting: make(map[int]chan struct{})}
	for range senders {
		l.senders.Go(func() {
			p := &bench.Poster{Timeout: 5 * time.Second}
			defer p.Close()
			for {
				select {
				case <-l.stopped:
					return
				default:
				}
				if w.deliver(p, urls[rand.IntN(len(urls))], from, products) {
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
