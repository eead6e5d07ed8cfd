package sqlite_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/internal/tier"
	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/sqlite"
)

// An inbox with mixed traffic requires no more of anything in the end than after its warm-up. At full size it runs in
// real time. Otherwise seconds pass in a bubble, so that facts are forgotten and failures are retried.
func TestProofSoak(t *testing.T) {
	run := tier.Size(synctest.Test, synctest.Test, func(t *testing.T, soak func(t *testing.T)) { soak(t) })
	pause := tier.Size(500*time.Millisecond, 250*time.Millisecond, 50*time.Millisecond)
	window := tier.Size(5*time.Second, 5*time.Second, time.Minute)
	warmUp := tier.Size(12*time.Second, 20*time.Second, 3*time.Minute)
	length := tier.Size(12*time.Second, 45*time.Second, 37*time.Minute)
	path := file(t)
	run(t, func(t *testing.T) { newTraffic(t, path, pause, window).soak(t, warmUp, length) })
}

// traffic is deliveries to an inbox, runs of a worker that fails now and then, and somebody who looks after dead
// letters.
type traffic struct {
	in     *sqlite.Inbox
	path   string
	events webhook.Registry
	pause  time.Duration // between deliveries
	window time.Duration // in which facts are remembered
	orders int64         // so far

	mu      sync.Mutex
	choices *rand.Rand
}

// intN returns a random number below n.
func (f *traffic) intN(n int64) int64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.choices.Int64N(n)
}

var errNowAndThen = errors.New("now and then")

// newTraffic starts the worker.
func newTraffic(t *testing.T, path string, pause, window time.Duration) *traffic {
	t.Helper()
	f := &traffic{in: inbox(t, path, sqlite.Options{}), path: path, pause: pause, window: window, choices: choices(t, 0)}
	handle := func(context.Context, webhook.Delivery[webhook.Entity]) error {
		switch f.intN(40) {
		case 0:
			return fmt.Errorf("%w: %w", errNowAndThen, webhook.ErrPermanent)
		case 1, 2, 3:
			return errNowAndThen
		}
		return nil
	}
	webhook.On(&f.events, webhook.ProductUpdated, handle)
	webhook.On(&f.events, webhook.OrderCreated, handle)
	f.events.Policy(webhook.OrderCreated.Name, webhook.Policy{Window: window})
	worker := &webhook.Worker{Inbox: f.in, Registry: &f.events, Logger: slog.New(slog.DiscardHandler)}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- worker.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return f
}

// soak compares the end with the state after the warm-up, in which facts have been forgotten already.
func (f *traffic) soak(t *testing.T, warmUp, length time.Duration) {
	f.flow(t, warmUp)
	warm := f.sample(t)
	f.flow(t, length)
	end := f.sample(t)
	t.Logf("%d orders\nafter the warm-up: %v\nin the end:        %v", f.orders, warm, end)
	t.Logf("the heap grew by %.0f KiB an hour", float64(end.heap-warm.heap)/1024/length.Hours())

	// The pool of connections may have filled up in between: nine of them, with two files each and one that all share.
	const fewGoroutines, mostFiles, mostHeap = 5, 2*9 + 1, 4 << 20
	if end.goroutines > warm.goroutines+fewGoroutines {
		t.Errorf("%d goroutines, %d after the warm-up", end.goroutines, warm.goroutines)
	}
	if end.files > warm.files+mostFiles {
		t.Errorf("%d open files, %d after the warm-up", end.files, warm.files)
	}
	if end.heap > warm.heap+mostHeap {
		t.Errorf("%d bytes on the heap, %d after the warm-up", end.heap, warm.heap)
	}
	// SQLite gives no pages back, but it uses those that are free before it makes the file longer. So the file does not
	// follow what is live: it is as long as that was at the most, and traffic that stays the same does not double it.
	if end.size > 2*warm.size {
		t.Errorf("the file has %d bytes, %d after the warm-up", end.size, warm.size)
	}
	// The log of writes goes into the file when it has 1,000 pages of 4 KiB, unless somebody reads just then, and
	// begins anew. It does not become shorter.
	if most := int64(2 * 1000 * 4 << 10); end.log > most {
		t.Errorf("the log of writes has %d bytes, want %d or less", end.log, most)
	}
	f.forget(t)
	t.Logf("%d KiB of the file are in use when all is forgotten", f.live(t)>>10)
}

// flow lets deliveries come for a while.
func (f *traffic) flow(t *testing.T, length time.Duration) {
	t.Helper()
	for began := time.Now(); time.Since(began) < length; {
		var senders sync.WaitGroup
		for range 2 {
			f.orders++
			order := f.orders
			senders.Go(func() {
				f.accept(t, webhook.ProductUpdated.Name, f.intN(200))
				f.accept(t, webhook.OrderCreated.Name, order)
				f.accept(t, webhook.OrderCreated.Name, max(1, order-f.intN(20))) // again
			})
		}
		senders.Wait()
		if f.orders%50 == 0 {
			f.settleDead(t, f.intN(2) == 0)
		}
		<-time.After(f.pause)
	}
}

func (f *traffic) accept(t *testing.T, event webhook.Name, id int64) {
	body := append(body(event, id), bytes.Repeat([]byte(" "), 6<<10)...)
	if _, err := f.in.Accept(t.Context(), f.events.Entry("", "", body)); err != nil {
		t.Error(err)
	}
}

// settleDead replays what is dead, or purges it.
func (f *traffic) settleDead(t *testing.T, replay bool) {
	t.Helper()
	letters, err := f.in.Dead(t.Context(), "", 1000)
	if err != nil {
		t.Fatal(err)
	}
	keys := make([]string, len(letters))
	for i, l := range letters {
		keys[i] = l.Key
	}
	settle := f.in.Purge
	if replay {
		settle = f.in.Replay
	}
	if n, err := settle(t.Context(), keys...); err != nil || n != len(keys) {
		t.Errorf("%d of %d dead letters settled, %v", n, len(keys), err)
	}
}

// rest waits until nothing is pending, and purges what is dead. What is left are facts.
func (f *traffic) rest(t *testing.T) (facts int) {
	t.Helper()
	for {
		s, err := f.in.Stats(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if s.Pending == 0 {
			break
		}
		<-time.After(time.Second)
	}
	f.settleDead(t, false)
	if err := f.in.DB().QueryRow("SELECT count(*) FROM inbox_entry").Scan(&facts); err != nil {
		t.Fatal(err)
	}
	return facts
}

// forget waits until no fact is in the file, from which they go when something is written, every ten seconds.
func (f *traffic) forget(t *testing.T) {
	t.Helper()
	<-time.After(f.window + 10*time.Second)
	for try := 0; f.rest(t) > 0; try++ {
		if try == 100 {
			t.Fatal("facts are in the file for longer than their window")
		}
		f.accept(t, webhook.ProductUpdated.Name, 1)
		<-time.After(time.Second)
	}
}

// live is how many bytes of the file are in use.
func (f *traffic) live(t *testing.T) (live int64) {
	t.Helper()
	const query = "SELECT (page_count - freelist_count) * page_size FROM pragma_page_count, pragma_freelist_count, pragma_page_size"
	if err := f.in.DB().QueryRow(query).Scan(&live); err != nil {
		t.Fatal(err)
	}
	return live
}

// sample is what the process needs when nothing is pending.
type sample struct {
	goroutines, files int
	facts             int // in the file
	heap              int64
	size, log, live   int64 // of the file
}

func (s sample) String() string {
	return fmt.Sprintf("%d goroutines, %d open files, heap %d KiB, file %d KiB, %d of them in use, log of writes %d KiB, %d facts",
		s.goroutines, s.files, s.heap>>10, s.size>>10, s.live>>10, s.log>>10, s.facts)
}

func (f *traffic) sample(t *testing.T) sample {
	t.Helper()
	s := sample{facts: f.rest(t), live: f.live(t)}
	runtime.GC()
	runtime.GC() // what finalizers gave up
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	s.heap, s.goroutines = int64(m.HeapAlloc), runtime.NumGoroutine()
	if open, err := os.ReadDir("/proc/self/fd"); err == nil { // Linux
		s.files = len(open)
	}
	for path, size := range map[string]*int64{f.path: &s.size, f.path + "-wal": &s.log} {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		*size = info.Size()
	}
	return s
}
