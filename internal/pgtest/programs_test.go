package pgtest

import (
	"strings"
	"testing"
)

// Without PostgreSQL the error says how to get it.
func TestHowTo(t *testing.T) {
	for _, word := range []string{"apt-get install postgresql", Variable} {
		if !strings.Contains(howTo, word) {
			t.Errorf("%q is not in %q", word, howTo)
		}
	}
}

// Who has a database needs no server of PostgreSQL here.
func TestCanStart(t *testing.T) {
	t.Setenv(Variable, "postgres://db.example/tests")
	t.Setenv("PATH", t.TempDir()) // nothing is found in it, and nothing can be installed
	if err := CanStart(t.Context()); err != nil {
		t.Error(err)
	}
}
