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
