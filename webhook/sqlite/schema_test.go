package sqlite_test

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"testing"

	"github.com/commerceplatform/commerce-go/webhook/sqlite"
)

// firstRelease makes the tables of release 0.1.0, and returns connections to them.
func firstRelease(t *testing.T, path string) *sql.DB {
	t.Helper()
	script, err := os.ReadFile("testdata/0.1.0.sql")
	done(t, err)
	db, err := sql.Open("sqlite", path)
	done(t, err)
	t.Cleanup(func() { _ = db.Close() })
	for _, q := range []string{
		"PRAGMA journal_mode = wal", "CREATE TABLE IF NOT EXISTS inbox_schema (version INTEGER NOT NULL)", string(script),
		"INSERT INTO inbox_schema (version) VALUES (1)", "UPDATE inbox_state SET clock = 1600000000000000000, token = 41, pending = 0",
		"INSERT INTO inbox_mark VALUES ('sweep', '2026-11-21T10:00:00Z')",
	} {
		_, err := db.Exec(q)
		done(t, err)
	}
	return db
}

// The release before opens tables by its own rule, before and after they were migrated, and writes beside this one.
func TestReleaseBefore(t *testing.T) {
	path := file(t)
	before := firstRelease(t, path)
	in := inbox(t, path, sqlite.Options{})
	accepted(t, in, "a")
	if l := leased(t, in); l.Token != 42 {
		t.Errorf("token %d, want 42", l.Token)
	}
	if at, err := in.Mark(t.Context(), "sweep"); err != nil || at.Format("2006-01-02") != "2026-11-21" {
		t.Errorf("mark %v, %v", at, err)
	}
	var version int
	if err := before.QueryRow("SELECT coalesce(max(version), 0) FROM inbox_schema").Scan(&version); err != nil || version != 1 {
		t.Errorf("version %d, %v; the release before refuses more than 1", version, err)
	}
	for _, q := range []string{ // its statements
		"UPDATE inbox_state SET clock = clock + 1, token = 50, pending = 1",
		"INSERT INTO inbox_mark (name, at) VALUES ('sweep', '2026-11-24T10:00:00Z') ON CONFLICT (name) DO UPDATE SET at = excluded.at",
		"INSERT INTO inbox_mark (name, at) VALUES ('new', '2026-11-23T10:00:00Z') ON CONFLICT (name) DO UPDATE SET at = excluded.at",
		"INSERT OR IGNORE INTO inbox_state VALUES (1, 0, 0, 0)",
		"REINDEX inbox_entry",
	} {
		_, err := before.Exec(q)
		done(t, err)
	}
	again := inbox(t, path, sqlite.Options{})
	accepted(t, again, "b")
	if l := leased(t, again); l.Token != 51 {
		t.Errorf("token %d, want 51", l.Token)
	}
	for name, day := range map[string]string{"sweep": "2026-11-24", "new": "2026-11-23"} {
		if at, err := again.Mark(t.Context(), name); err != nil || at.Format("2006-01-02") != day {
			t.Errorf("mark %s: %v, %v; want %s", name, at, err, day)
		}
	}
}

// A lane has the store of its entries: one that was there before the migration, and one that the release before adds.
func TestStoreOfLane(t *testing.T) {
	path := file(t)
	in := inbox(t, path, sqlite.Options{})
	accepted(t, in, "old")
	accepted(t, in, "beside")
	_, err := in.DB().Exec("UPDATE inbox_lane SET store_id = 7; DELETE FROM inbox_migration WHERE version >= 3")
	done(t, err)
	in = inbox(t, path, sqlite.Options{})
	tx, err := in.DB().BeginTx(t.Context(), nil)
	done(t, err)
	defer func() { _ = tx.Rollback() }()
	for _, q := range []string{ // of the release before
		"DELETE FROM inbox_lane WHERE lane = ?1", "INSERT INTO inbox_lane (lane, due) VALUES (?1, 5)",
		"INSERT INTO inbox_lane (lane, due) VALUES ('empty', 5)",
	} {
		_, err := tx.ExecContext(t.Context(), q, delivery("beside").Lane)
		done(t, err)
	}
	checkStore(t, tx, "empty", 0) // before the checks in the background remove a lane without entries
	done(t, tx.Commit())
	accepted(t, in, "new")
	for _, lane := range []string{"old", "beside", "new"} {
		checkStore(t, in.DB(), lane, 123)
	}
}

func checkStore(t *testing.T, db interface {
	QueryRow(string, ...any) *sql.Row
}, lane string, want int64) {
	t.Helper()
	var got int64
	err := db.QueryRow("SELECT store_id FROM inbox_lane WHERE lane = ?", lane).Scan(&got)
	if err != nil || got != want {
		t.Errorf("lane %q: store %d, %v; want %d", lane, got, err, want)
	}
}

// Tables of a later release may be used if it says so.
func TestReleaseAfter(t *testing.T) {
	for _, test := range []struct {
		change string
		want   error
	}{
		{"INSERT INTO inbox_migration VALUES (1000, 1)", nil},
		{"INSERT INTO inbox_migration VALUES (1000, 2)", nil},
		{"INSERT INTO inbox_migration VALUES (6, 6)", sqlite.ErrNewerSchema},
		{"INSERT INTO inbox_migration VALUES (1000, 1000), (1001, 1)", sqlite.ErrNewerSchema},
		{"INSERT INTO inbox_schema VALUES (6)", sqlite.ErrNewerSchema},
	} {
		path := file(t)
		in := inbox(t, path, sqlite.Options{})
		accepted(t, in, "a")
		_, err := in.DB().Exec(test.change)
		done(t, err)
		again, err := sqlite.Open(t.Context(), path, sqlite.Options{})
		if !errors.Is(err, test.want) {
			t.Errorf("%s: %v, want %v", test.change, err, test.want)
		}
		if err == nil {
			accepted(t, again, "b")
			done(t, again.Close())
		}
	}
}

// Migrations are applied again to tables that have them, and to tables whose version was lost: nothing in them is lost.
func TestMigratedAgain(t *testing.T) {
	for _, lost := range []string{
		"DELETE FROM inbox_migration", "DELETE FROM inbox_schema; DELETE FROM inbox_migration",
		"DROP TABLE inbox_migration", "DROP TABLE inbox_migration; DROP TABLE inbox_schema",
		"DROP TABLE inbox_migration; DROP TABLE inbox_state_copy; DROP TRIGGER inbox_state_updated", // a part of the second
	} {
		path := file(t)
		in := inbox(t, path, sqlite.Options{})
		accepted(t, in, "a")
		l := leased(t, in)
		_, err := in.DB().Exec(lost)
		done(t, err)
		again := inbox(t, path, sqlite.Options{})
		if _, err := again.Commit(t.Context(), l); err != nil {
			t.Errorf("%s: commit of a lease from before: %v", lost, err)
		}
		accepted(t, again, "b")
		if next := leased(t, again); next.Token <= l.Token {
			t.Errorf("%s: token %d after %d", lost, next.Token, l.Token)
		}
		var version string
		const query = "SELECT group_concat(version || ' from ' || compatible_from) FROM inbox_migration"
		if err := again.DB().QueryRow(query).Scan(&version); err != nil || version != "1 from 1,2 from 1,3 from 1,4 from 1,5 from 1" && version != "2 from 1,3 from 1,4 from 1,5 from 1" {
			t.Errorf("%s: migrations %q, %v", lost, version, err)
		}
	}
}

// A process that writes all the time does not keep another one from starting.
func TestOpenBesideWriter(t *testing.T) {
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

// All processes that start at a time after an upgrade migrate, and one does it.
func TestUpgradedTogether(t *testing.T) {
	path := file(t)
	firstRelease(t, path)
	ended := make(chan error)
	for i := range 6 {
		go func() {
			in, err := sqlite.Open(t.Context(), path, sqlite.Options{})
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
