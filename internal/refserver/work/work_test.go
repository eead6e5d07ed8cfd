package work

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/commerceplatform/commerce-go/internal/refserver/clock"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestGroup: work is waited for, also what an alarm begins, and nothing begins after Close.
func TestGroup(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := New(clock.Real{})
		took := func(want time.Duration, what string, wait func() error) {
			t.Helper()
			began := time.Now()
			if err := wait(); err != nil {
				t.Errorf("%s: %v", what, err)
			}
			if got := time.Since(began); got != want {
				t.Errorf("%s: took %v, want %v", what, got, want)
			}
		}
		settle := func() error { return g.Settle(t.Context()) }
		took(0, "nothing", settle)
		g.Go(func() { time.Sleep(time.Second) })
		g.Go(func() { time.Sleep(time.Minute); g.Go(func() { time.Sleep(time.Minute) }) })
		took(2*time.Minute, "two, and one begun by them", settle)

		rung := 0
		alarm := g.After(time.Hour, func() { rung++; time.Sleep(time.Second) })
		off := g.After(time.Hour, func() { rung++ })
		took(0, "alarms", settle)
		if !alarm.Pending() || !off.Pending() {
			t.Error("an alarm is not pending")
		}
		off.Stop()
		time.Sleep(time.Hour)
		synctest.Wait()
		if alarm.Pending() || off.Pending() || rung != 1 {
			t.Errorf("pending %t, called off %t, %d rung: want one", alarm.Pending(), off.Pending(), rung)
		}
		took(time.Second, "what an alarm began", settle)

		g.Go(func() { <-g.Context().Done(); time.Sleep(time.Second) })
		brief, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if err := g.Settle(brief); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Settle: got %v, want the end of its context", err)
		}
		left := g.After(time.Hour, func() { rung++ })
		took(time.Second, "Close", func() error { g.Close(); return nil })
		if g.Go(func() { rung++ }) || g.After(0, func() { rung++ }).Pending() || left.Pending() || !g.Closed() {
			t.Error("a closed group begins things")
		}
		g.After(0, nil).Stop()
		time.Sleep(2 * time.Hour)
		synctest.Wait()
		if rung != 1 {
			t.Errorf("%d rung after Close", rung-1)
		}
	})
}

func TestLog(t *testing.T) {
	var l Log[int]
	number := func(r *int, n int) { *r += n }
	for range usuallyKept + usuallyKept/10 {
		l.Add(100, number)
	}
	if all := l.All(); len(all) != usuallyKept+usuallyKept/10 || all[0] != 101 {
		t.Errorf("%d records from %d on", len(all), all[0])
	}
	if got := l.Add(100, number); got != 100+usuallyKept+usuallyKept/10+1 {
		t.Errorf("got %d", got)
	}
	all := l.All()
	if len(all) != usuallyKept || all[0] != 100+usuallyKept/10+2 {
		t.Errorf("%d records from %d on: want the last %d", len(all), all[0], usuallyKept)
	}
	all[0] = 0
	if l.All()[0] == 0 {
		t.Error("All gives away what the log has")
	}
}
