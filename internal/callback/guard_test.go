package callback

import (
	"context"
	"errors"
	"io"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// What the app supplies gets its time and no more, and its result is the one that it returned in time.
func TestGuarded(t *testing.T) {
	const limit = 100 * time.Millisecond
	for _, test := range []struct {
		name  string
		f     func(ctx context.Context) (int, error)
		out   int
		err   string // a part of it
		after time.Duration
	}{
		{"returns", func(context.Context) (int, error) { return 7, nil }, 7, "", 0},
		{"returns in the last moment", func(context.Context) (int, error) { time.Sleep(limit - 1); return 7, nil }, 7,
			"", limit - 1},
		{"fails", func(context.Context) (int, error) { return 7, io.EOF }, 7, "EOF", 0},
		{"panics", func(context.Context) (int, error) { panic("oh") }, 0, "Cache.Get: panic: oh", 0},
		{"ends its goroutine", func(context.Context) (int, error) { runtime.Goexit(); return 7, nil }, 0,
			"Cache.Get: ended its goroutine", 0},
		{"heeds its context", func(ctx context.Context) (int, error) { <-ctx.Done(); return 7, ctx.Err() }, 7,
			"deadline", limit - limit/10},
		{"is late", func(context.Context) (int, error) { time.Sleep(limit + 1); return 7, nil }, 0,
			"Cache.Get: did not return in time: must return within 100ms", limit},
		{"hangs", func(context.Context) (int, error) { time.Sleep(time.Hour); panic("late") }, 0,
			"did not return in time", limit},
	} {
		synctest.Test(t, func(t *testing.T) {
			g, began := NewGuard(limit), time.Now()
			out, err := Guarded(t.Context(), g, "Cache.Get", test.f)
			if out != test.out || (err == nil) != (test.err == "") || err != nil &&
				!strings.Contains(err.Error(), test.err) || time.Since(began) != test.after {
				t.Errorf("%s: got %d, %v after %v, want %d, %s after %v", test.name, out, err, time.Since(began),
					test.out, test.err, test.after)
			}
			time.Sleep(2 * time.Hour)
			synctest.Wait()
			if n := g.hanging.Load(); n != 0 {
				t.Errorf("%s: %d calls hang at the end", test.name, n)
			}
		})
	}
}

// While many calls hang, no further call is made, and no caller waits. Of calls that begin before the first of them is
// late, a bounded number is made, and each caller has its answer in time.
func TestCallsThatHangAreBounded(t *testing.T) {
	for _, test := range []struct{ calls, made int }{{mostHanging, mostHanging}, {1000, 1000}, {3000, mostGuarded}} {
		synctest.Test(t, func(t *testing.T) {
			g, end := NewGuard(time.Second), make(chan struct{})
			var called atomic.Int32
			hang := func(context.Context) (int, error) { called.Add(1); <-end; return 0, nil }
			began := time.Now()
			var all sync.WaitGroup
			for range test.calls {
				all.Go(func() {
					if _, err := Guarded(t.Context(), g, "Sink", hang); !errors.Is(err, ErrHangs) {
						t.Errorf("got %v", err)
					}
				})
			}
			all.Wait()
			if took := time.Since(began); int(called.Load()) != test.made || took != time.Second {
				t.Errorf("%d at once: %d were made, and all callers left after %v", test.calls, called.Load(), took)
			}
			began = time.Now()
			_, err := Guarded(t.Context(), g, "Sink", hang)
			if !errors.Is(err, ErrHangs) || int(called.Load()) != test.made || time.Since(began) > 0 {
				t.Errorf("one more: got %v after %v, %d calls", err, time.Since(began), called.Load())
			}
			close(end)
			synctest.Wait()
			if out, err := Guarded(t.Context(), g, "Sink", seven); out != 7 || err != nil || len(g.places) > 0 {
				t.Errorf("after they returned: got %d, %v; %d places are taken", out, err, len(g.places))
			}
		})
	}
}

// A burst of calls that work is not refused, and more than there are places wait for one.
func TestBurstsAreNotRefused(t *testing.T) {
	for calls, rounds := range map[int]time.Duration{1000: 1, 2 * mostGuarded: 2} {
		synctest.Test(t, func(t *testing.T) {
			g, began := NewGuard(time.Second), time.Now()
			var all sync.WaitGroup
			for range calls {
				all.Go(func() {
					slow := func(context.Context) (int, error) { time.Sleep(400 * time.Millisecond); return 7, nil }
					if out, err := Guarded(t.Context(), g, "Sink", slow); out != 7 || err != nil {
						t.Errorf("got %d, %v", out, err)
					}
				})
			}
			all.Wait()
			if took := time.Since(began); took != rounds*400*time.Millisecond {
				t.Errorf("%d calls took %v", calls, took)
			}
		})
	}
}

// A call that got its place while others hang is not made.
func TestNoCallAfterAWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGuard(time.Second)
		call := func(f func()) {
			_, _ = Guarded(t.Context(), g, "Sink", func(context.Context) (int, error) { f(); return 0, nil })
		}
		go call(func() { time.Sleep(1200 * time.Millisecond) })
		for range mostGuarded - 1 {
			go call(func() { time.Sleep(time.Minute) })
		}
		time.Sleep(500 * time.Millisecond)
		call(func() { t.Error("called") })
		time.Sleep(time.Hour)
	})
}

func seven(context.Context) (int, error) { return 7, nil }

// A call is left at the deadline of its caller if that is before the limit, and its context ends shortly before.
func TestGuardedHasADeadline(t *testing.T) {
	for name, tt := range map[string]struct{ left, want time.Duration }{
		"none":             {0, time.Second},
		"after the limit":  {time.Minute, time.Second},
		"before the limit": {300 * time.Millisecond, 300 * time.Millisecond},
		"past":             {-time.Second, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx := t.Context()
			if tt.left != 0 {
				due := WithDeadline(ctx, time.Now().Add(tt.left))
				defer due.End()
				ctx = due
			}
			began, ended := time.Now(), make(chan time.Duration, 1)
			release := make(chan struct{})
			_, err := Guarded(ctx, NewGuard(time.Second), "Cache", func(ctx context.Context) (int, error) {
				<-ctx.Done()
				ended <- time.Since(began)
				<-release
				return 1, nil
			})
			if took := time.Since(began); !errors.Is(err, ErrHangs) || !strings.HasPrefix(err.Error(), "Cache: ") ||
				took != tt.want {
				t.Errorf("deadline %s: left after %v with %v, want ErrHangs of Cache after %v", name, took, err,
					tt.want)
			}
			if at := <-ended; at != tt.want*9/10 {
				t.Errorf("deadline %s: the context ended after %v, want %v", name, at, tt.want*9/10)
			}
			close(release)
		})
	}
}
