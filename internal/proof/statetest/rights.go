package statetest

import "testing"

// Rights has the owner of a schema create all tables, and a role that may only read and write use them. Grant lets it.
func Rights(t *testing.T, e Engine, owner, worker string, grant func()) {
	all := rows()
	w := newWorld(t, e, owner, all...)
	for _, row := range all {
		if err := acts(t, w.process(t, row), 0); err != nil {
			t.Errorf("%s: %v", row.Name, err)
		}
	}
	grant()
	of := *w
	of.Address = worker
	for _, row := range all {
		f := of.process(t, row)
		if err := f.Migrate(t.Context()); err != nil {
			t.Errorf("%s: %v", row.Name, err)
		}
		w.continues(t, f, 0, max(1, row.Kinds))
	}
}
