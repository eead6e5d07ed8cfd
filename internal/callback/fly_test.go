package callback

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// Each failure of a function that is called for one call is reported once, whatever comes first.
func TestFly(t *testing.T) {
	fails := errors.New("fails")
	waits := func(ctx context.Context) (int, error) { <-ctx.Done(); return 0, ctx.Err() }
	for _, v := range []struct {
		name  string
		do    func(context.Context) (int, error)
		leave time.Duration // when the client disconnects
		taken bool
		after time.Duration
		want  error
		seen  string
	}{
		{"returns", func(context.Context) (int, error) { return 7, nil }, time.Hour, false, 0, nil, "[]"},
		{"fails", func(context.Context) (int, error) { return 0, fails }, time.Hour, false, 0, fails, "[fails false]"},
		{"obeys its context", waits, time.Hour, false, time.Second, ErrLate, "[" + ErrLate.Error() + " false]"},
		{"fails late", func(context.Context) (int, error) { time.Sleep(time.Minute); return 0, fails }, time.Hour,
			false, time.Second, ErrLate,
			"[" + ErrLate.Error() + " false fails true]"},
		{"the client disconnects", waits, time.Millisecond, false, time.Millisecond, ErrLate,
			"[" + ErrLate.Error() + ": the client disconnected: context canceled false]"},
		{"no place", nil, time.Hour, true, patience, ErrBusy, "[" + ErrBusy.Error() + ": MaxRuns is 1 false]"},
	} {
		synctest.Test(t, func(t *testing.T) {
			runs := &Runs{Gate: NewGate(1)}
			if v.taken {
				runs.Take(t.Context(), Party{})
			}
			request, leave := context.WithCancel(t.Context())
			defer time.AfterFunc(v.leave, leave).Stop()
			began := time.Now()
			ctx := WithDeadline(request, began.Add(time.Second))
			defer ctx.End()
			var mu sync.Mutex
			seen := []string{}
			out, err := Fly(ctx, runs, Work[int]{Due: began.Add(time.Second), Linger: time.Second, Do: v.do,
				Failed: func(_ context.Context, err error, late bool) {
					mu.Lock()
					defer mu.Unlock()
					seen = append(seen, fmt.Sprint(err, " ", late))
				}})
			if !errors.Is(err, v.want) || (v.want == nil) != (out == 7) || time.Since(began) != v.after {
				t.Errorf("%s: got %d, %v after %v, want %v after %v", v.name, out, err, time.Since(began), v.want,
					v.after)
			}
			time.Sleep(time.Hour)
			synctest.Wait()
			if got := fmt.Sprint(seen); got != v.seen {
				t.Errorf("%s: reported %s, want %s", v.name, got, v.seen)
			}
		})
	}
}

// Failures are passed on once a minute for each text and kind of error, with the number of those in between.
func TestThrottle(t *testing.T) {
	own := errors.New("a kind of the package")
	synctest.Test(t, func(t *testing.T) {
		var seen []string
		s := NewServer(Kind[string]{
			Name: "test", Method: http.MethodPost, Limits: Limits{Budget: time.Second, MaxRuns: 1, MaxReceiving: 1},
			Failed: func(_ context.Context, c *string, f Failed) {
				seen = append(seen, fmt.Sprint(*c, ": ", f.Err, " ", f.Since))
			},
			Throttle: func(c *string) string { return *c }, Kinds: []error{own},
		}, nil)
		fail := func(store string, err error) { s.Fail(t.Context(), &store, Failed{Err: err}) }
		for range 3 {
			for n := range 5 {
				fail("a", fmt.Errorf("%d", n))
			}
			fail("b", fmt.Errorf("0"))
			fail("a", fmt.Errorf("%w: 1", own))
			fail("a", fmt.Errorf("%w: 1", ErrLate))
			time.Sleep(time.Minute / 2)
		}
		late := ErrLate.Error()
		if want := []string{"a: 0 0", "b: 0 0", "a: a kind of the package: 1 0", "a: " + late + ": 1 0",
			"a: 0 9", "b: 0 1", "a: a kind of the package: 1 1", "a: " + late + ": 1 1"}; !slices.Equal(seen, want) {
			t.Errorf("got %q, want %q", seen, want)
		}
	})
}
