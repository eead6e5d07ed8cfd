package statetest

import (
	"math"
	"testing"
)

// restored has an operator restore a backup while a process runs. Acts before the backup were done once, and the one
// that was being done continues. Later acts are done again, and nothing is done twice outside for them, unless the
// package forgets them as its documentation says.
func restored(t *testing.T, w *World, row Row) {
	if row.Pays {
		w.Shop.loses(t)
	}
	kinds := max(1, row.Kinds)
	lives := w.process(t, row)
	act := func(f Face, from, to int) {
		for n := from; n < to; n++ {
			if err := acts(t, f, n); err != nil {
				t.Fatalf("act %d: %v", n, err)
			}
		}
	}
	open := 2 * kinds
	statements, err := w.ends(t, row, kinds, point{at: math.MaxInt32})
	if err != nil {
		t.Fatal(err)
	}
	act(lives, 0, open)
	_, _ = w.ends(t, row, open, point{diesAfter, statements / 2})
	w.processes.Wait()
	for _, table := range row.Tables {
		exec(t, w.DB, w.sql("CREATE TABLE backup_"+table+" AS SELECT * FROM "+table))
	}
	w.expire(t, row)
	last := open + 2*kinds
	act(lives, open, last)
	for _, table := range row.Tables {
		exec(t, w.DB, w.sql("DELETE FROM "+table))
		exec(t, w.DB, w.sql("INSERT INTO "+table+" SELECT * FROM backup_"+table))
	}
	w.epoch++
	w.expire(t, row)
	if row.Forgets {
		last = open + 1
	}
	act(lives, 0, last)
	act(w.process(t, row), 0, last)
	for n := range last {
		shows(t, lives, n)
	}
}
