package sqlite_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/webhook/sqlite"
)

// next opens a file as a made-up next release does, whose tables have one more migration.
func next(t *testing.T, path string) *sqlite.Inbox {
	t.Helper()
	in, err := sqlite.OpenNext(t.Context(), path, nextMigration(t))
	done(t, err)
	t.Cleanup(func() { done(t, in.Close()) })
	return in
}

func nextMigration(t *testing.T) []byte {
	t.Helper()
	script, err := os.ReadFile("testdata/next.sql")
	done(t, err)
	return script
}

// The next release changes the tables while this one has them open. Both lease and commit entries of each other, and
// this release opens the tables again.
func TestUpgraded(t *testing.T) {
	t.Parallel()
	path := file(t)
	before := inbox(t, path, sqlite.Options{})
	accepted(t, before, "a")
	l := leased(t, before)
	accepted(t, before, "b")
	after := next(t, path)
	if _, err := after.Commit(t.Context(), l); err != nil {
		t.Errorf("Commit of a lease from before: %v", err)
	}
	for _, in := range []*sqlite.Inbox{before, inbox(t, path, sqlite.Options{})} {
		l := leased(t, after)
		if _, err := in.Commit(t.Context(), l); err != nil {
			t.Errorf("Commit of a lease of the next release: %v", err)
		}
		accepted(t, in, "after "+l.Key)
	}
	if l := leased(t, after); l.Token <= 3 {
		t.Errorf("token %d, want more than 3", l.Token)
	}
	var lanes int
	if err := after.DB().QueryRow("SELECT count(*) FROM inbox_lane WHERE note IS NULL").Scan(&lanes); err != nil || lanes != 1 {
		t.Errorf("%d lanes since the migration, %v; want 1", lanes, err)
	}
}

// Tables of a later release may be used if it says so.
func TestReleaseAfter(t *testing.T) {
	t.Parallel()
	for from, want := range map[string]error{"1": nil, "2": sqlite.ErrNewerSchema} {
		path := file(t)
		script := bytes.Replace(nextMigration(t), []byte("from 1"), []byte("from "+from), 1)
		in, err := sqlite.OpenNext(t.Context(), path, script)
		done(t, err)
		done(t, in.Close())
		again, err := sqlite.Open(t.Context(), path, sqlite.Options{})
		if !errors.Is(err, want) || err != nil && !strings.Contains(err.Error(), "the tables have version 2 and this release knows 1") {
			t.Errorf("compatible from %s: %v, want %v that names both versions", from, err, want)
		}
		if err == nil {
			accepted(t, again, "b")
			done(t, again.Close())
		}
	}
	path := file(t)
	in := inbox(t, path, sqlite.Options{})
	_, err := in.DB().Exec("INSERT INTO inbox_migration VALUES (1000, 1000), (1001, 1)")
	done(t, err)
	if _, err := sqlite.Open(t.Context(), path, sqlite.Options{}); !errors.Is(err, sqlite.ErrNewerSchema) {
		t.Errorf("a migration between was not compatible: %v, want ErrNewerSchema", err)
	}
}

// Migrations are applied again to tables that have them, and to tables whose version was lost: nothing in them is lost.
func TestMigratedAgain(t *testing.T) {
	t.Parallel()
	for _, lost := range []string{
		"DELETE FROM inbox_migration", "DELETE FROM inbox_migration WHERE version = 2", "DROP TABLE inbox_migration",
		"DROP TABLE inbox_migration; DROP TABLE inbox_state_copy; DROP TRIGGER inbox_state_updated", // a part of the first
	} {
		path := file(t)
		in := next(t, path)
		accepted(t, in, "a")
		l := leased(t, in)
		_, err := in.DB().Exec(lost)
		done(t, err)
		again := next(t, path)
		if _, err := again.Commit(t.Context(), l); err != nil {
			t.Errorf("%s: commit of a lease from before: %v", lost, err)
		}
		accepted(t, again, "b")
		if next := leased(t, again); next.Token <= l.Token {
			t.Errorf("%s: token %d after %d", lost, next.Token, l.Token)
		}
		var versions string
		const query = "SELECT group_concat(version || ' from ' || compatible_from) FROM inbox_migration"
		if err := again.DB().QueryRow(query).Scan(&versions); err != nil || versions != "1 from 1,2 from 1" {
			t.Errorf("%s: migrations %q, %v", lost, versions, err)
		}
	}
}

// A process that writes all the time does not keep another one from starting.
func TestOpenBesideWriter(t *testing.T) {
	t.Parallel()
	path := file(t)
	in := inbox(t, path, sqlite.Options{})
	accepted(t, in, "a")
	tx, err := in.DB().BeginTx(t.Context(), nil) // with the write lock
	done(t, err)
	defer tx.Rollback()
	for range 3 {
		beside, err := sqlite.Open(t.Context(), path, sqlite.Options{})
		if err != nil {
			t.Fatalf("Open while another process has the write lock: %v", err)
		}
		if s, err := beside.Stats(t.Context()); err != nil || s.Pending != 1 {
			t.Errorf("%d pending, %v; want 1", s.Pending, err)
		}
		done(t, beside.Close())
	}
}

// All processes that start at the same time after an upgrade migrate, and one does it.
func TestUpgradedTogether(t *testing.T) {
	t.Parallel()
	path, script := file(t), nextMigration(t)
	inbox(t, path, sqlite.Options{})
	ended := make(chan error)
	for i := range 6 {
		go func() {
			in, err := sqlite.OpenNext(t.Context(), path, script)
			if err == nil {
				_, err = in.Accept(t.Context(), delivery(fmt.Sprint(i)))
				err = errors.Join(err, in.Close())
			}
			ended <- err
		}()
	}
	for range 6 {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}
