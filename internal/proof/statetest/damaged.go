package statetest

import (
	"strings"
	"testing"
)

// damaged damages the row of one of three acts, as somebody could who writes to the database. It costs only itself, and
// the error names it.
func damaged(t *testing.T, w *World, row Row) {
	kinds := max(1, row.Kinds)
	f := w.process(t, row)
	for i := range 3 {
		if err := f.Act(t.Context(), i*kinds); err != nil {
			t.Fatal(err)
		}
	}
	if all, err := row.Damage.Scan(t.Context(), f); all != 3 || err != nil {
		t.Fatalf("%d rows, %v; want 3", all, err)
	}
	if _, err := w.DB.ExecContext(t.Context(), w.sql(row.Damage.Row)); err != nil {
		t.Logf("the engine refuses the damage: %v", err)
		return
	}
	all, err := row.Damage.Scan(t.Context(), f)
	if all != 2 || err == nil || !strings.Contains(err.Error(), row.Damage.Names) {
		t.Errorf("%d rows, %v; want 2, and an error with %q", all, err, row.Damage.Names)
	}
	if err := f.Act(t.Context(), 3*kinds); err != nil {
		t.Errorf("the next act: %v", err)
	}
	shows(t, f, 0, 3*kinds)
}
