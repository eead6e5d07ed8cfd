package statetest

import (
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
)

// apps has two apps in one database: with tables of their own, and then with their ids in the same tables. They do the
// same acts, and do not see each other's. An app without an id among others is an error at its first call, whatever
// that is.
func apps(t *testing.T, w *World, row Row) {
	w.shared(t, row, w, w.of(t, row, "other_", 0))
	w.shared(t, row, w.of(t, row, "both_", 1), w.of(t, row, "both_", 2))
	for says, of := range map[string]*World{
		"rows of app 2, and this one has no id":       w.of(t, row, "both_", 0),
		"an app without an id, and this one is app 7": w.of(t, row, "", 7),
	} {
		for name, call := range firsts(t, of, row) {
			if err := call(t.Context()); err == nil || !strings.Contains(err.Error(), says) {
				t.Errorf("%s: got %v, want %q and the remedy", name, err, says)
			}
		}
	}
}

// of returns the world of another app in the same database.
func (w *World) of(t *testing.T, row Row, prefix string, app client.ID) *World {
	t.Helper()
	other := *w
	other.Prefix, other.App, other.out = prefix, app, w.opened(t, w.New(t))
	exec(t, other.out, "CREATE TABLE done (what TEXT NOT NULL)")
	other.migrate(t, row, w.DB)
	return &other
}

// shared has two apps do the same acts.
func (w *World) shared(t *testing.T, row Row, first, second *World) {
	t.Helper()
	kinds := max(1, row.Kinds)
	one, two := first.process(t, row), second.process(t, row)
	for _, n := range []int{0, kinds} {
		if err := acts(t, one, n); err != nil {
			t.Fatal(err)
		}
		if ok, err := two.Has(t.Context(), n); ok || err != nil {
			t.Errorf("act %d of another app: %v, %v; want false", n, ok, err)
		}
	}
	lists := func(f Face, want int) {
		t.Helper()
		if row.Damage == nil {
			return
		}
		if all, err := row.Damage.Scan(t.Context(), f); all != want || err != nil {
			t.Errorf("%d rows, %v; want the %d of the app", all, err, want)
		}
	}
	lists(two, 0)
	second.continues(t, two, 0, kinds)
	first.continues(t, one, kinds, 2*kinds)
	if ok, err := two.Has(t.Context(), 2*kinds); ok || err != nil {
		t.Errorf("a later act of another app: %v, %v; want false", ok, err)
	}
	shows(t, one, 0)
	lists(one, 3)
	lists(two, 2)
}
