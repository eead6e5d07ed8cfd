package callback

import (
	"context"
	"errors"
	"io"
	"runtime"
	"strings"
	"sync"
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
		{"returns in the last moment", func(context.Context) (int, error) { time.Sleep(limit - 1); return 7, nil }, 7, "", limit - 1},
		{"fails", func(context.Context) (int, error) { return 7, io.EOF }, 7, "EOF", 0},
		{"panics", func(context.Context) (int, error) { panic("oh") }, 0, "Cache.Get: panic: oh", 0},
		{"ends its goroutine", func(context.Context) (int, error) { runtime.Goexit(); return 7, nil }, 0, "Cache.Get: ended its goroutine", 0},
		{"heeds its context", func(ctx context.Context) (int, error) { <-ctx.Done(); return 7, ctx.Err() }, 7, "deadline", limit - limit/10},
		{"is late", func(context.Context) (int, error) { time.Sleep(limit + 1); return 7, nil }, 0, "Cache.Get: did not return in time: must return within 100ms", limit},
		{"hangs", func(context.Context) (int, error) { time.Sleep(time.Hour); panic("late") }, 0, "did not return in time", limit},
	} {
		synctest.Test(t, func(t *testing.T) {
			g, began := NewGuard(limit), time.Now()
			out, err := Guarded(t.Context(), g, "Cache.Get", test.f)
			if out != test.out || (err == nil) != (test.err == "") || err != nil && !strings.Contains(err.Error(), test.err) || time.Since(began) != test.after {
				t.Errorf("%s: got %d, %v after %v, want %d, %s after %v", test.name, out, err, time.Since(began), test.out, test.err, test.after)
			}
			time.Sleep(2 * time.Hour)
			synctest.Wait()
			if n := g.hanging.Load(); n != 0 {
				t.Errorf("%s: %d calls hang at the end", test.name, n)
			}
		})
	}
}

// Few calls hang. Until one of them returns, no further call is made, and no caller waits.
func TestFewCallsHang(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, end := NewGuard(time.Second), make(chan struct{})
		called := 0
		hang := func(context.Context) (int, error) { called++; <-end; return 0, nil }
		var all sync.WaitGroup
		for range mostHanging {
			all.Go(func() {
				if _, err := Guarded(t.Context(), g, "Sink", hang); !errors.Is(err, ErrHangs) {
					t.Errorf("got %v", err)
				}
			})
			synctest.Wait()
		}
		all.Wait()
		began := time.Now()
		if _, err := Guarded(t.Context(), g, "Sink", hang); !errors.Is(err, ErrHangs) || called != mostHanging || time.Since(began) > 0 {
			t.Errorf("one more: got %v after %v, %d calls", err, time.Since(began), called)
		}
		close(end)
		synctest.Wait()
		if out, err := Guarded(t.Context(), g, "Sink", func(context.Context) (int, error) { return 7, nil }); out != 7 || err != nil {
			t.Errorf("after they returned: got %d, %v", out, err)
		}
	})
}
