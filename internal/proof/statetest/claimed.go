package statetest

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
)

// claimed has processes begin acts that another one has claimed. They wait, and then fail with the name of the holder,
// whatever their clocks show. A claim has ended by the clock of the database, even if that was set back.
func claimed(t *testing.T, w *World, row Row) {
	w.claimedByLiving(t, row, 9)
	for n, of := range []struct {
		left time.Duration
		free bool
	}{{row.Term, false}, {-time.Second, true}, {row.Term * 3 / 2, false}, {time.Hour, true}} {
		exec(t, w.DB, w.sql(fmt.Sprintf(row.Claim, n)), time.Now().Add(of.left).UnixMicro())
		f := w.process(t, row)
		if !of.free {
			refuses(t, f, n, "another since 1970")
		} else if err := acts(t, f, n); err != nil {
			t.Errorf("a claim that ends in %v: %v, want that it has ended", of.left, err)
		}
	}
	for _, wrong := range []time.Duration{-24 * time.Hour, 50 * time.Minute, 24 * time.Hour} {
		w.at(t, row, time.Now().Add(wrong), func(t *testing.T, f Face) { refuses(t, f, 0, "another since 1970") })
	}
}

// claimedByLiving has a process claim an act that lasts.
func (w *World) claimedByLiving(t *testing.T, row Row, n int) {
	began, end := make(chan struct{}), make(chan struct{})
	w.during.Store(func() {
		close(began)
		<-end
	})
	var acting sync.WaitGroup
	f := w.process(t, row)
	acting.Go(func() {
		if err := acts(t, f, n); err != nil {
			t.Error(err)
		}
	})
	<-began
	host, _ := os.Hostname()
	refuses(t, w.process(t, row), n, fmt.Sprintf("%s/%d/", host, os.Getpid()), " since 20")
	w.during.Store(func() {})
	close(end)
	acting.Wait()
	shows(t, f, n)
}

// refuses fails the test unless a process cannot do an act within a second, and says who has it.
func refuses(t *testing.T, f Face, n int, says ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	err := f.Act(ctx, n)
	for _, s := range says {
		if err == nil || !strings.Contains(err.Error(), s) {
			t.Errorf("act %d, which another process has claimed: %v, want an error with %q", n, err, s)
		}
	}
}
