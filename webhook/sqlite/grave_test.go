package sqlite_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/sqlite"
)

// A file that has too many dead entries is trimmed in steps, and OnError is called with the number. Damaged entries and
// privacy requests stay.
func TestTrimsAfterOpen(t *testing.T) {
	t.Parallel()
	path := file(t)
	in := inbox(t, path, sqlite.Options{})
	const dead, most = 5000, 1000
	entries := make([]webhook.Entry, dead)
	for i := range entries {
		entries[i] = kept(fmt.Sprint(i))
		entries[i].Unhandled, entries[i].Protected = "no handler", i == 0
	}
	if _, err := in.Accept(t.Context(), entries...); err != nil {
		t.Fatal(err)
	}
	if _, err := in.DB().Exec("UPDATE inbox_entry SET sum = NULL WHERE key = '1'"); err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var reported []error
	other := inbox(t, path, sqlite.Options{MaxDead: most, OnError: func(err error) {
		mu.Lock()
		defer mu.Unlock()
		reported = append(reported, err)
	}})
	before := dead
	for n := 0; ; n++ {
		accepted(t, other, fmt.Sprint("alive ", n))
		s, err := other.Stats(t.Context())
		if err != nil || before-s.Dead > 600 || n == 100 {
			t.Fatalf("%d and then %+v, %v; want steps of some hundreds", before, s, err)
		}
		if before = s.Dead; before <= most {
			if s.Trimmed != dead-before || before < most*9/10 {
				t.Errorf("%+v, want %d trimmed", s, dead-before)
			}
			break
		}
	}
	for _, key := range []string{"0", "1"} {
		if err := other.DB().QueryRow("SELECT 1 FROM inbox_entry WHERE key = ?", key).Scan(new(int)); err != nil {
			t.Errorf("entry %s: %v", key, err)
		}
	}
	mu.Lock()
	defer mu.Unlock()
	if len(reported) != 1 {
		t.Errorf("reported %v, want one error", reported)
	}
}
