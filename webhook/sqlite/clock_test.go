package sqlite_test

import (
	"database/sql"
	"errors"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/sqlite"
)

// ahead sets the clock of the file ahead. What is written then is as if the clock of the machine were set back by as
// much before the next process starts.
func ahead(t *testing.T, in *sqlite.Inbox, by time.Duration) {
	t.Helper()
	if _, err := in.DB().Exec("UPDATE inbox_state SET clock = ?", time.Now().Add(by).UnixNano()); err != nil {
		t.Fatal(err)
	}
}

// The clock of the machine is set back by a day while leases are held: none is lost, whichever process ends them.
func TestClockSetBackADay(t *testing.T) {
	t.Parallel()
	path := file(t)
	in := inbox(t, path, sqlite.Options{})
	ahead(t, in, 24*time.Hour)
	for _, key := range []string{"extended", "committed"} {
		accepted(t, in, key)
	}
	extended, committed := leased(t, in), leased(t, in)
	later := inbox(t, path, sqlite.Options{})
	if other, err := later.Lease(t.Context(), webhook.LeaseQuery{Limit: 2, Term: time.Minute}); err != nil || len(other) != 0 {
		t.Errorf("leased what somebody holds: %v, %v", other, err)
	}
	if err := later.Extend(t.Context(), extended, time.Hour); err != nil {
		t.Errorf("Extend: %v", err)
	}
	if _, err := in.Commit(t.Context(), committed); err != nil {
		t.Errorf("Commit: %v", err)
	}
	if _, err := in.Commit(t.Context(), extended); err != nil {
		t.Errorf("Commit of what was extended: %v", err)
	}
}

// The clock of the machine was set forward by a day, and a process that has started since wrote to the file: the leases
// are over for all, the entry is leased again and handled, and the older holder is kept out by its token.
func TestClockSetForwardADay(t *testing.T) {
	t.Parallel()
	path := file(t)
	in := inbox(t, path, sqlite.Options{})
	if _, err := in.DB().Exec("CREATE TABLE copy (id INTEGER PRIMARY KEY, fence INTEGER NOT NULL)"); err != nil {
		t.Fatal(err)
	}
	write := func(in *sqlite.Inbox, l webhook.Lease) (written bool, err error) {
		err = in.Transact(t.Context(), func(tx *sql.Tx) error {
			done, err := tx.Exec("INSERT INTO copy VALUES (1, ?1) ON CONFLICT (id) DO UPDATE SET fence = ?1 WHERE fence <= ?1", int64(l.Token))
			if err != nil {
				return err
			}
			n, err := done.RowsAffected()
			written = n == 1
			return err
		})
		return written, err
	}
	accepted(t, in, "entry")
	old := leased(t, in)
	ahead(t, in, 24*time.Hour)
	lost := func() {
		t.Helper()
		if err := in.Extend(t.Context(), old, time.Hour); !errors.Is(err, webhook.ErrLeaseLost) {
			t.Errorf("Extend by the older holder: %v, want webhook.ErrLeaseLost", err)
		}
		if _, err := in.Commit(t.Context(), old); !errors.Is(err, webhook.ErrLeaseLost) {
			t.Errorf("Commit by the older holder: %v, want webhook.ErrLeaseLost", err)
		}
	}
	lost() // though nobody else has it yet
	later := inbox(t, path, sqlite.Options{})
	l := leased(t, later)
	if l.Key != old.Key || l.Token <= old.Token || l.Unfinished != old.Unfinished+1 {
		t.Errorf("leased %q with token %d after %d unfinished leases, after token %d", l.Key, l.Token, l.Unfinished, old.Token)
	}
	if written, err := write(later, l); !written || err != nil {
		t.Errorf("the later holder writes: %v, %v", written, err)
	}
	if written, err := write(in, old); written || err != nil {
		t.Errorf("the older holder writes: %v, %v", written, err)
	}
	lost()
	if _, err := later.Commit(t.Context(), l); err != nil {
		t.Error(err)
	}
	if s, err := later.Stats(t.Context()); err != nil || s.Pending != 0 || s.Done != 1 {
		t.Errorf("stats %+v, %v; want the entry done", s, err)
	}
}
