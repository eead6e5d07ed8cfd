package callback

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/tier"
)

// misuse is how the function of a store misuses a handler, and the time between the calls of the store.
type misuse struct {
	name  string
	every time.Duration
	do    func(ctx context.Context) error
}

func sleeps(d time.Duration, err error) func(context.Context) error {
	return func(context.Context) error { time.Sleep(d); return err }
}

var misuses = []misuse{
	{"hangs", 10 * time.Millisecond, func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }},
	{"hangs, and ignores its context", 10 * time.Millisecond, sleeps(2500*time.Millisecond, nil)},
	{"is slow", 5 * time.Millisecond, sleeps(500*time.Millisecond, nil)},
	{"floods", time.Millisecond, sleeps(100*time.Millisecond, nil)},
	{"fails", 2 * time.Millisecond, sleeps(50*time.Millisecond, errors.New("fails"))},
}

// crowd are stores that call functions of 64 places.
type crowd struct {
	*Runs
	all  sync.WaitGroup
	good atomic.Int32 // calls that were answered by their function
}

// call calls a function that is to be answered within a budget, and returns how long that took.
func (c *crowd) call(t *testing.T, store client.ID, do func(context.Context) error) (took time.Duration, err error) {
	const budget, linger = 600 * time.Millisecond, 2 * time.Second
	began := time.Now()
	ctx := WithDeadline(t.Context(), began.Add(budget))
	defer ctx.End()
	_, err = Fly(ctx, c.Runs, Work[int]{
		Party: Party{Store: store}, Due: began.Add(budget), Linger: linger,
		Do:     func(ctx context.Context) (int, error) { return 0, do(ctx) },
		Failed: func(context.Context, error, bool) {},
	})
	return time.Since(began), err
}

// send has a store call its function again and again until a time.
func (c *crowd) send(t *testing.T, store client.ID, m misuse, end time.Time) {
	c.all.Go(func() {
		for time.Now().Before(end) {
			c.all.Go(func() {
				if _, err := c.call(t, store, m.do); err == nil {
					c.good.Add(1)
				}
			})
			time.Sleep(m.every)
		}
	})
}

// Next to stores that flood, fail, are slow and hang, one at a time and all together, each call of a quiet store is
// answered by its function.
func TestProofFair(t *testing.T) {
	takes := tier.Size(2*time.Second, 3*time.Second, 10*time.Minute)
	for n := range len(misuses) + 1 {
		name, stores := "all together", misuses
		if n < len(misuses) {
			name, stores = misuses[n].name, misuses[n:n+1]
		}
		synctest.Test(t, func(t *testing.T) {
			c, end := &crowd{Runs: &Runs{Gate: NewGate(64), Processors: NewProcessors()}}, time.Now().Add(takes)
			for i, m := range stores {
				c.send(t, client.ID(i+1), m, end)
			}
			time.Sleep(time.Second) // the others were first
			var waits []time.Duration
			for time.Now().Before(end) {
				took, err := c.call(t, 99, sleeps(20*time.Millisecond, nil))
				if waits = append(waits, took); err != nil {
					t.Errorf("next to one that %s: the quiet store was answered %v after %v", name, err, took)
				}
				time.Sleep(80 * time.Millisecond)
			}
			c.all.Wait()
			time.Sleep(time.Minute)
			if slices.Sort(waits); waits[len(waits)*99/100] > 25*time.Millisecond {
				t.Errorf("next to one that %s: the quiet store waits %v", name, waits)
			}
		})
	}
}

// Two stores whose functions wait share the places. What is left free for others costs little throughput.
func TestProofPlacesOfTwoStores(t *testing.T) {
	seconds := tier.Size(2, 10, 60)
	synctest.Test(t, func(t *testing.T) {
		c, end := &crowd{Runs: &Runs{Gate: NewGate(64)}}, time.Now().Add(time.Duration(seconds)*time.Second)
		for store := range client.ID(2) {
			c.send(t, store+1, misuse{every: time.Millisecond, do: sleeps(500*time.Millisecond, nil)}, end)
		}
		c.all.Wait()
		if n := int(c.good.Load()); n < 2*21*2*seconds*95/100 { // 21 functions of each, of half a second
			t.Errorf("%d calls are answered by their functions", n)
		}
	})
}

// Whoever is first, a function or its deadline, its result is either the answer or reported as late, and not lost.
func TestFunctionAndDeadlineAtOnce(t *testing.T) {
	seed := rand.Uint64()
	random := rand.New(rand.NewPCG(seed, 1))
	synctest.Test(t, func(t *testing.T) {
		runs := &Runs{Gate: NewGate(1)}
		for i := range 2000 {
			takes, due := time.Second, time.Now().Add(time.Second)
			if i%2 == 0 { // otherwise at the very moment
				takes += time.Duration(random.Int64N(int64(2*time.Microsecond))) - time.Microsecond
			}
			ctx := WithDeadline(t.Context(), due)
			kept, failed := 0, 0
			out, err := Fly(ctx, runs, Work[int]{
				Due: due, Linger: time.Minute,
				Do:     func(context.Context) (int, error) { time.Sleep(takes); return i + 1, nil },
				Late:   func(_ context.Context, out int) { kept += out },
				Failed: func(context.Context, error, bool) { failed++ },
			})
			ctx.End()
			time.Sleep(time.Second)
			synctest.Wait()
			isAnswer, isLate := err == nil && out == i+1 && kept == 0, err == ErrLate && out == 0 && kept == i+1
			if isAnswer && failed != 0 || isLate && failed != 1 || !isAnswer && !isLate {
				t.Fatalf("seed %d, call %d: got %d, %v, %d kept, %d reports", seed, i, out, err, kept, failed)
			}
		}
	})
}
