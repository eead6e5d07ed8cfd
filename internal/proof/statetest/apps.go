package statetest

import "testing"

// apps has two apps in one database, whose tables have their own names. They do the same acts, and do not see each
// other's.
func apps(t *testing.T, w *World, row Row) {
	kinds := max(1, row.Kinds)
	other := *w
	other.Prefix, other.out = "other_", w.opened(t, w.New(t))
	exec(t, other.out, "CREATE TABLE done (what TEXT NOT NULL)")
	one, two := w.process(t, row), other.process(t, row)
	if err := two.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{0, kinds} {
		if err := one.Act(t.Context(), n); err != nil {
			t.Fatal(err)
		}
		if ok, err := two.Has(t.Context(), n); ok || err != nil {
			t.Errorf("act %d of another app: %v, %v; want false", n, ok, err)
		}
	}
	w.continues(t, two, 0, kinds)
	shows(t, one, 0, kinds)
}
