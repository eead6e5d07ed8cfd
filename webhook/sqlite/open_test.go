package sqlite_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/sqlite"
)

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	newer := file(t)
	old := inbox(t, newer, sqlite.Options{})
	if _, err := old.DB().Exec("INSERT INTO inbox_migration VALUES (1000, 1000)"); err != nil {
		t.Fatal(err)
	}
	text := file(t)
	if err := os.WriteFile(text, []byte(strings.Repeat("this is no database\n", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		path    string
		options sqlite.Options
		want    string
	}{
		{file(t), sqlite.Options{Sync: sqlite.Normal}, `Sync is "normal", which acknowledges before a write is on disk: must be full unless AllowLossy is set`},
		{file(t), sqlite.Options{Sync: sqlite.Off}, `Sync is "off", which acknowledges before a write is on disk: must be full unless AllowLossy is set`},
		{file(t), sqlite.Options{Sync: "extra careful"}, `Sync is "extra careful": must be "full", "normal" or "off"`},
		{file(t), sqlite.Options{HighWater: -1}, "HighWater is -1: must be 0 or more"},
		{":memory:", sqlite.Options{}, "path must be the name of a file on disk"},
		{"file:inbox?mode=memory", sqlite.Options{AllowLossy: true}, "path must be the name of a file on disk"},
		{"", sqlite.Options{}, "path must be the name of a file on disk"},
		{filepath.Join(t.TempDir(), "no", "directory"), sqlite.Options{}, "no such file or directory"},
		{newer, sqlite.Options{}, "the tables have version 1000 and this release knows 1: newer schema"},
		{text, sqlite.Options{}, "file is not a database"},
	} {
		_, err := sqlite.Open(t.Context(), test.path, test.options)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("Open(%q, %+v): %v, want an error with %q", test.path, test.options, err, test.want)
		}
		if later := strings.HasPrefix(test.want, "no such file"); errors.Is(err, webhook.ErrUnavailable) != later {
			t.Errorf("Open(%q, %+v): %v, may succeed later: %t", test.path, test.options, err, later)
		}
	}
	if _, err := sqlite.Open(t.Context(), newer, sqlite.Options{}); !errors.Is(err, sqlite.ErrNewerSchema) {
		t.Errorf("Open of a newer schema: %v, want ErrNewerSchema", err)
	}
}

// A file that was made with settings that are not durable, and has tables of others, becomes durable.
func TestOpenExisting(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "an app?.db#1%41")
	first := inbox(t, path, sqlite.Options{})
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", "file:"+strings.NewReplacer("%", "%25", "?", "%3f", "#", "%23").Replace(path))
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range []string{"PRAGMA journal_mode = delete", "PRAGMA synchronous = off", "CREATE TABLE shipment (id INTEGER)"} {
		if _, err := db.Exec(q); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	in := inbox(t, path, sqlite.Options{})
	for pragma, want := range map[string]string{"journal_mode": "wal", "synchronous": "3", "secure_delete": "1", "temp_store": "2", "fullfsync": "1"} {
		var got string
		if err := in.DB().QueryRow("PRAGMA " + pragma).Scan(&got); err != nil || got != want {
			t.Errorf("%s is %s, %v; want %s", pragma, got, err, want)
		}
	}
	if s, err := os.Stat(path); err != nil || s.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v; want that only the owner reads it", s.Mode(), err)
	}
}

// Several processes start at a time on a file that is not there.
func TestOpenTogether(t *testing.T) {
	t.Parallel()
	path := file(t)
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			in, err := sqlite.Open(t.Context(), path, sqlite.Options{})
			if err != nil {
				t.Error(err)
				return
			}
			if _, err := in.Accept(t.Context(), delivery(fmt.Sprint(i))); err != nil {
				t.Error(err)
			}
			if err := in.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if s, err := inbox(t, path, sqlite.Options{}).Stats(t.Context()); err != nil || s.Pending != 8 {
		t.Errorf("%d entries, %v; want 8", s.Pending, err)
	}
}

// TestPatient: SQLite does not always wait for others while the file is made a log of writes ahead.
func TestPatient(t *testing.T) {
	t.Parallel()
	busy := busyError(t)
	other := errors.New("no space")
	for _, test := range []struct {
		name   string
		fails  []error // the last one is repeated
		cancel time.Duration
		want   error
		took   time.Duration // at most, and at least half of it
	}{
		{"nobody there", []error{nil}, time.Hour, nil, 0},
		{"soon gone", []error{busy, busy, busy, nil}, time.Hour, nil, 60 * time.Millisecond},
		{"another failure", []error{busy, other}, time.Hour, other, 20 * time.Millisecond},
		{"stays", []error{busy}, time.Hour, busy, 5 * time.Second},
		{"no more wanted", []error{busy}, time.Second, busy, time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), test.cancel)
			defer cancel()
			start, calls := time.Now(), 0
			err := sqlite.Patient(ctx, func() error {
				calls++
				return test.fails[min(calls, len(test.fails))-1]
			})
			if took := time.Since(start); !errors.Is(err, test.want) || took > test.took || took < test.took/2 || calls < len(test.fails) {
				t.Errorf("%s: %v after %d calls and %v, want %v within %v", test.name, err, calls, took, test.want, test.took)
			}
		})
	}
}

// busyError is what SQLite answers while another connection has the file.
func busyError(t *testing.T) error {
	path := file(t)
	var conns [2]*sql.Conn
	for i := range conns {
		db, err := sql.Open("sqlite", path)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = db.Close() })
		if conns[i], err = db.Conn(t.Context()); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conns[i].Close() })
	}
	if _, err := conns[0].ExecContext(t.Context(), "BEGIN EXCLUSIVE"); err != nil {
		t.Fatal(err)
	}
	_, err := conns[1].ExecContext(t.Context(), "BEGIN EXCLUSIVE")
	if err == nil {
		t.Fatal("two connections have the file for themselves")
	}
	return err
}

func TestClosed(t *testing.T) {
	t.Parallel()
	in := inbox(t, file(t), sqlite.Options{})
	accepted(t, in, "a")
	l := leased(t, in)
	for range 2 {
		if err := in.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for name, call := range map[string]func() error{
		"Accept": func() error { _, err := in.Accept(t.Context(), delivery("b")); return err },
		"Lease": func() error {
			_, err := in.Lease(t.Context(), webhook.LeaseQuery{Limit: 1, Term: time.Hour})
			return err
		},
		"Commit":   func() error { _, err := in.Commit(t.Context(), l); return err },
		"Wait":     func() error { return in.Wait(t.Context(), webhook.LeaseQuery{}, time.Minute) },
		"Stats":    func() error { _, err := in.Stats(t.Context()); return err },
		"Transact": func() error { return in.Transact(t.Context(), func(*sql.Tx) error { return nil }) },
	} {
		if err := call(); err == nil || errors.Is(err, webhook.ErrLeaseLost) {
			t.Errorf("%s of a closed inbox: %v, want an error", name, err)
		}
	}
	if err := sqlite.WriteTooLate(t.Context()); err == nil {
		t.Error("a write that nobody came to was acknowledged")
	}
}

// The clock of the machine was set back by an hour while no process was running: what was due is due, and a lease
// holds.
func TestClockSetBack(t *testing.T) {
	t.Parallel()
	path := file(t)
	in := inbox(t, path, sqlite.Options{})
	ahead(t, in, time.Hour)
	accepted(t, in, "due")
	accepted(t, in, "leased")
	l := leased(t, in)
	again := inbox(t, path, sqlite.Options{})
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Second)
	defer cancel()
	if err := again.Wait(ctx, webhook.LeaseQuery{}, time.Minute); err != nil {
		t.Errorf("Wait: %v", err)
	}
	other := leased(t, again)
	if other.Key == l.Key || other.Token <= l.Token {
		t.Errorf("leased %q with token %d after %q with %d", other.Key, other.Token, l.Key, l.Token)
	}
	if _, err := again.Commit(t.Context(), l); err != nil {
		t.Errorf("Commit of a lease that holds: %v", err)
	}
	if s, err := again.Stats(t.Context()); err != nil || s.Oldest < 0 || s.Oldest > time.Minute {
		t.Errorf("the oldest is %v old, %v", s.Oldest, err)
	}
}

// A link that leads to nothing: the file is made where it leads, for its owner only, however many links there are.
func TestOpenDanglingLink(t *testing.T) {
	t.Parallel()
	for name, links := range map[string][]string{ // each leads to the next; the first is opened
		"to a name":           {"link", "inbox.db"},
		"to a path":           {"link", "data/inbox.db"},
		"to a link":           {"link", "second", "data/third", "../inbox.db"},
		"through a directory": {"linked/link", "inbox.db"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			done(t, os.Mkdir(filepath.Join(dir, "data"), 0o700))
			done(t, os.Symlink("data", filepath.Join(dir, "linked")))
			at := dir
			for i, link := range links[:len(links)-1] {
				done(t, os.Symlink(links[i+1], filepath.Join(at, link)))
				at = filepath.Join(at, filepath.Dir(link))
				if i+1 < len(links)-1 {
					at = dir
				}
			}
			in := inbox(t, filepath.Join(dir, links[0]), sqlite.Options{})
			accepted(t, in, "a")
			target, err := filepath.EvalSymlinks(filepath.Join(dir, links[0]))
			done(t, err)
			for _, end := range []string{"", "-wal", "-shm"} {
				info, err := os.Stat(target + end)
				done(t, err)
				if info.Mode().Perm() != 0o600 {
					t.Errorf("%s has the mode %v, want 0600", filepath.Base(target)+end, info.Mode().Perm())
				}
			}
		})
	}
	loop := filepath.Join(t.TempDir(), "loop.db")
	done(t, os.Symlink("loop.db", loop))
	if _, err := sqlite.Open(t.Context(), loop, sqlite.Options{}); err == nil {
		t.Error("Open of a link to itself: no error")
	}
}

// The log of writes became long while somebody read the file. Stats has its size, and it is cut when it begins again.
func TestLongLog(t *testing.T) {
	t.Parallel()
	path := file(t)
	synctest.Test(t, func(t *testing.T) { longLog(t, path) })
}

func longLog(t *testing.T, path string) {
	in := inbox(t, path, sqlite.Options{})
	time.Sleep(time.Minute) // the comparison, which reads too, has ended
	for round := range 2 {
		rows, err := in.DB().Query("SELECT key FROM inbox_entry UNION ALL SELECT 'a' UNION ALL SELECT 'b'") // reads until it is closed
		done(t, err)
		if !rows.Next() {
			t.Fatal(rows.Err())
		}
		for i := range 40 {
			e := delivery(fmt.Sprint("long ", i))
			e.Kind, e.Body = webhook.KindSignal, bytes.Repeat([]byte{byte(round)}, 500<<10)
			_, err := in.Accept(t.Context(), e)
			done(t, err)
		}
		s, err := in.Stats(t.Context())
		done(t, err)
		info, err := os.Stat(path + "-wal")
		done(t, err)
		if s.LogSize != info.Size() || s.LogSize < 19<<20 {
			t.Errorf("LogSize is %d and the log has %d bytes, want more than 19 MiB", s.LogSize, info.Size())
		}
		done(t, rows.Close())
		for i := range 2 { // the first copies it, the second begins again
			_, err := in.Accept(t.Context(), delivery(fmt.Sprint("short ", i)))
			done(t, err)
		}
		if s, err = in.Stats(t.Context()); err != nil || s.LogSize > 16<<20 {
			t.Errorf("the log has %d bytes when nobody reads, %v; want 16 MiB at most", s.LogSize, err)
		}
	}
}
