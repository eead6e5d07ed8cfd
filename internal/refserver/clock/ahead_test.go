package clock

import (
	"testing"
	"testing/synctest"
	"time"
)

// The clock goes by itself, and whoever moves it ahead has what is due done on the way, once.
func TestAhead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c Ahead
		start := c.Now()
		var ran []time.Duration
		note := func() { ran = append(ran, c.Now().Sub(start)) }
		c.AfterFunc(time.Hour, note)
		c.AfterFunc(48*time.Hour, note)
		stopped := c.AfterFunc(time.Minute, note)
		if !stopped.Stop() || stopped.Stop() || c.Pending() != 2 {
			t.Errorf("stopping: %d wait", c.Pending())
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		if at, ok := c.Next(); !ok || !at.Equal(start.Add(48*time.Hour)) || len(ran) != 1 {
			t.Errorf("next at %s, ran %v", at, ran)
		}
		c.AfterFunc(2*time.Hour, func() { note(); c.AfterFunc(time.Hour, note) })
		for c.Step(start.Add(10 * time.Hour)) {
		}
		if got := c.Now().Sub(start); got != 10*time.Hour {
			t.Errorf("moved to %s", got)
		}
		time.Sleep(38 * time.Hour) // what is still due comes as early as it would have
		synctest.Wait()
		want := []time.Duration{time.Hour, 3 * time.Hour, 4 * time.Hour, 48 * time.Hour}
		if len(ran) != len(want) {
			t.Fatalf("ran at %v, want %v", ran, want)
		}
		for i := range want {
			if ran[i] != want[i] {
				t.Errorf("ran at %v, want %v", ran, want)
			}
		}
		if _, ok := c.Next(); ok || c.Step(start) {
			t.Error("something waits")
		}
	})
}

// A clock that is moved by more than a duration can hold stands where it was moved to, and never goes back.
func TestAheadOfCenturies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c Ahead
		ran := 0
		c.AfterFunc(24*time.Hour, func() { ran++ })
		for _, year := range []int{2140, 2255, 2262, 2263, 2400, 8999} {
			to := time.Date(year, time.May, 1, 0, 0, 0, 0, time.UTC)
			for c.Step(to) {
			}
			if got := c.Now(); !got.Equal(to) {
				t.Errorf("moved to %s: stands at %s", to, got)
			}
			c.Step(to.AddDate(-300, 0, 0))
			if got := c.Now(); !got.Equal(to) {
				t.Errorf("went back from %s to %s", to, got)
			}
		}
		time.Sleep(time.Hour)
		if got := c.Now(); got.Hour() != 1 || ran != 1 {
			t.Errorf("an hour later it is %s, and the call ran %d times", got, ran)
		}
	})
}
