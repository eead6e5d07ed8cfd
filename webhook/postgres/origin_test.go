package postgres

import (
	"strings"
	"testing"
)

// A snapshot of a disk leaves no trace of a restore, and a failover happens while processes run. In both cases tokens
// continue above all that were given.
func TestTokensOfASnapshot(t *testing.T) {
	t.Parallel()
	var reports []string
	o := Options{Schema: newSchema(t), OnError: func(err error) { reports = append(reports, err.Error()) }}
	in := open(t, database.URL(), o)
	var w world
	if _, err := in.Accept(t.Context(), w.entry(1), w.entry(2), w.entry(3)); err != nil {
		t.Fatal(err)
	}
	before := leaseOne(t, in)
	back := func(statement string) {
		t.Helper()
		if _, err := in.pool.Exec(t.Context(), in.options.in(statement)); err != nil {
			t.Fatal(err)
		}
	}
	back("SELECT setval('inbox.token', 1)")
	again := open(t, database.URL(), o)
	opened := leaseOne(t, again)
	if opened.Token <= before.Token {
		t.Errorf("token %d after %d at the start", opened.Token, before.Token)
	}
	if len(reports) > 0 {
		t.Errorf("reported %q, want nothing, because the tables have not moved", reports)
	}
	back("UPDATE inbox.origin SET place = 'another server'; SELECT setval('inbox.token', 1)")
	if err := again.arrive(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	if l := leaseOne(t, again); l.Token <= opened.Token {
		t.Errorf("token %d after %d in a process that runs", l.Token, opened.Token)
	}
	if len(reports) != 1 || !strings.Contains(reports[0], "(another server)") {
		t.Errorf("reported %q, want one that names the other server", reports)
	}
}
