package clock

import (
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func TestVirtualOrder(t *testing.T) {
	c := NewVirtual(time.Time{})
	var got []string
	at := func(d time.Duration, name string) Timer {
		return c.AfterFunc(d, func() { got = append(got, name+c.Now().Sub(Start).String()) })
	}
	at(2*time.Second, "b")
	at(time.Second, "a")
	at(2*time.Second, "c")
	never := at(time.Second, "stopped")
	c.AfterFunc(time.Second, func() { at(500*time.Millisecond, "nested") })
	if !never.Stop() || never.Stop() {
		t.Error("stop must succeed once")
	}
	if n := c.Advance(2 * time.Second); n != 5 {
		t.Errorf("ran %d calls, want 5", n)
	}
	want := []string{"a1s", "nested1.5s", "b2s", "c2s"}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := c.Now(); !got.Equal(Start.Add(2 * time.Second)) {
		t.Errorf("now %v", got)
	}
}

func TestVirtualNext(t *testing.T) {
	c := NewVirtual(time.Time{})
	c.AfterFunc(time.Hour, func() {})
	if !c.AdvanceToNext() || c.AdvanceToNext() || c.Pending() != 0 {
		t.Error("want one step and no more")
	}
	if got := c.Now().Sub(Start); got != time.Hour {
		t.Errorf("moved %v, want 1h", got)
	}
	if c.Run(Start); c.Now().Sub(Start) != time.Hour {
		t.Error("the clock went back")
	}
}

func TestDueRunsAtOnce(t *testing.T) {
	for name, c := range map[string]Clock{"virtual": NewVirtual(time.Time{}), "real": Real{}} {
		t.Run(name, func(t *testing.T) {
			var done sync.WaitGroup
			done.Add(1)
			c.AfterFunc(0, done.Done)
			done.Wait()
		})
	}
}

func TestRealInBubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		ran := make(chan time.Duration, 1)
		Real{}.AfterFunc(time.Hour, func() { ran <- Real{}.Now().Sub(start) })
		if got := <-ran; got != time.Hour {
			t.Errorf("ran after %v, want 1h", got)
		}
	})
}
