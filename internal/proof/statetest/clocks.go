package statetest

import (
	"testing"
	"testing/synctest"
	"time"
)

// clocks has processes whose clocks are wrong work together with one whose clock is right. None sees an end early or
// late, because the clock of the database decides.
func clocks(t *testing.T, w *World, row Row) {
	kinds := max(1, row.Kinds)
	right := w.process(t, row)
	for i, wrong := range []time.Duration{-24 * time.Hour, -50 * time.Minute, 50 * time.Minute, 24 * time.Hour} {
		n := 2 * i * kinds
		if err := right.Act(t.Context(), n); err != nil {
			t.Fatalf("act %d: %v", n, err)
		}
		w.at(t, row, time.Now().Add(wrong), func(t *testing.T, f Face) {
			shows(t, f, n)
			w.continues(t, f, n, n+kinds)
		})
		shows(t, right, n, n+kinds)
		w.endsOnTime(t, row)
	}
}

// at calls f with a process whose clock shows a time.
func (w *World) at(t *testing.T, row Row, now time.Time, f func(t *testing.T, f Face)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Until(now))
		of := *w // connections must be opened inside the bubble
		of.stop = new([]func())
		of.out = must(w.Connect(w.outside))
		db := must(w.Connect(w.Address))
		defer func() {
			for _, stop := range *of.stop {
				stop()
			}
			_, _ = of.out.Close(), db.Close()
		}()
		f(t, row.Open(&of, db))
	})
}

// endsOnTime fails the test if a claim or a value ends earlier or later than its term from now. SQLite leaves out the
// part of a second.
func (w *World) endsOnTime(t *testing.T, row Row) {
	t.Helper()
	if row.Ends == "" {
		return
	}
	for _, end := range column[int64](t, w.DB, w.sql(row.Ends)) {
		if left := time.Until(time.UnixMicro(end)); left < row.Term-time.Minute || left > row.Term+time.Second {
			t.Errorf("a row ends in %v, want %v", left, row.Term)
		}
	}
}
