package sqlite_test

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/tier"
	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/sqlite"
)

// replacement is something that a person or a tool does to the files of an inbox that is open.
type replacement struct {
	name string
	do   func(t *testing.T, path string)
}

// replacements act on an inbox of which backup returns the copy that was made before.
var replacements = []replacement{
	{"the file is deleted", func(t *testing.T, path string) { done(t, os.Remove(path)) }},
	{"all files are deleted", func(t *testing.T, path string) {
		for _, part := range []string{"", "-wal", "-shm"} {
			done(t, os.Remove(path+part))
		}
	}},
	{"the file is moved", func(t *testing.T, path string) { done(t, os.Rename(path, path+".old")) }},
	{"the directory is renamed", func(t *testing.T, path string) { done(t, os.Rename(filepath.Dir(path), filepath.Dir(path)+"-old")) }},
	{"a backup is renamed over the file", func(t *testing.T, path string) { done(t, os.Rename(backup(path), path)) }},
	{"a backup is copied over the file", func(t *testing.T, path string) { overwrite(t, backup(path), path) }},
	{"the backup of another inbox is copied over the file", func(t *testing.T, path string) { overwrite(t, other(path), path) }},
	{"a vacuumed copy is copied over the file", func(t *testing.T, path string) { overwrite(t, vacuumed(path), path) }},
	{"the file is emptied", func(t *testing.T, path string) { done(t, os.Truncate(path, 0)) }},
	{"the file is cut in half", func(t *testing.T, path string) { done(t, os.Truncate(path, 5*4096)) }},
	{"the log is deleted", func(t *testing.T, path string) { done(t, os.Remove(path+"-wal")) }},
	{"the log is moved", func(t *testing.T, path string) { done(t, os.Rename(path+"-wal", path+"-wal.old")) }},
	{"the log is emptied", func(t *testing.T, path string) { done(t, os.Truncate(path+"-wal", 0)) }},
	{"the log is cut in half", func(t *testing.T, path string) {
		info, err := os.Stat(path + "-wal")
		done(t, err)
		done(t, os.Truncate(path+"-wal", info.Size()/2))
	}},
	{"the last byte of the log is cut off", func(t *testing.T, path string) {
		info, err := os.Stat(path + "-wal")
		done(t, err)
		done(t, os.Truncate(path+"-wal", info.Size()-1))
	}},
	{"another log is copied over the log", func(t *testing.T, path string) { overwrite(t, other(path)+"-wal", path+"-wal") }},
	{"an old log is copied over the log", func(t *testing.T, path string) { overwrite(t, backup(path)+"-wal", path+"-wal") }},
	{"a backup is copied over the file and the log", func(t *testing.T, path string) {
		overwrite(t, backup(path), path)
		overwrite(t, backup(path)+"-wal", path+"-wal")
	}},
	{"the shared memory is deleted", func(t *testing.T, path string) { done(t, os.Remove(path+"-shm")) }},
}

func backup(path string) string { return filepath.Join(filepath.Dir(filepath.Dir(path)), "backup.db") }
func other(path string) string  { return filepath.Join(filepath.Dir(filepath.Dir(path)), "other.db") }
func vacuumed(path string) string {
	return filepath.Join(filepath.Dir(filepath.Dir(path)), "vacuumed.db")
}

func done(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// overwrite copies a file over another as cp does: the name and the inode stay.
func overwrite(t *testing.T, from, to string) {
	t.Helper()
	data, err := os.ReadFile(from)
	done(t, err)
	done(t, os.WriteFile(to, data, 0o600))
}

// replaceable opens an inbox in a directory of its own, with what replacements use beside it.
func replaceable(t *testing.T) (*sqlite.Inbox, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "app", "inbox.db")
	done(t, os.Mkdir(filepath.Dir(path), 0o700))
	in, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	done(t, err)
	t.Cleanup(func() { _ = in.Close() }) // it may be broken
	accepted(t, in, "in the backup")
	duplicate(t, path, backup(path))
	another, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "inbox.db"), sqlite.Options{})
	done(t, err)
	var many []webhook.Entry
	for i := range 30 {
		many = append(many, delivery(fmt.Sprint("another ", i)))
	}
	_, err = another.Accept(t.Context(), many...)
	done(t, err)
	checkpoint(t, another)
	accepted(t, another, "in its log")
	duplicate(t, another.Path(), other(path))
	done(t, another.Close())
	checkpoint(t, in)
	for i := range 10 {
		accepted(t, in, fmt.Sprint("before ", i))
	}
	_, err = in.DB().Exec("VACUUM INTO ?", vacuumed(path))
	done(t, err)
	return in, path
}

// checkpoint copies the log of writes into the tables, and empties it.
func checkpoint(t *testing.T, in *sqlite.Inbox) {
	t.Helper()
	var busy int
	if err := in.DB().QueryRow("PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, new(int), new(int)); err != nil || busy != 0 {
		t.Fatalf("checkpoint: %d, %v", busy, err)
	}
}

// duplicate copies the files as cp does, without those that are not there. The process that has them open must not read
// them itself, but for a test in which nobody else has them open.
func duplicate(t *testing.T, from, to string) {
	t.Helper()
	for _, part := range []string{"", "-wal"} {
		data, err := os.ReadFile(from + part)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		done(t, err)
		done(t, os.WriteFile(to+part, data, 0o600))
	}
}

// kept returns which keys a process finds that opens the file after the one before was killed.
func found(t *testing.T, path string) (keys map[string]bool, err error) {
	t.Helper()
	restarted := filepath.Join(t.TempDir(), "restarted.db")
	duplicate(t, path, restarted)
	db, err := sql.Open("sqlite", restarted)
	done(t, err)
	defer db.Close()
	rows, err := db.Query("SELECT key FROM inbox_entry NOT INDEXED")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	keys = make(map[string]bool)
	for rows.Next() {
		var key string
		done(t, rows.Scan(&key))
		keys[key] = true
	}
	return keys, rows.Err()
}

// Nothing is acknowledged that is not in the files of the path. A file that was replaced while it was open lost 20 of
// 20 acknowledged deliveries.
func TestReplaced(t *testing.T) {
	t.Parallel()
	for _, r := range replacements {
		t.Run(r.name, func(t *testing.T) {
			in, path := replaceable(t)
			r.do(t, path)
			var acknowledged []string
			for i := range 20 {
				key := fmt.Sprint("after ", i)
				_, err := in.Accept(t.Context(), delivery(key))
				if err == nil {
					acknowledged = append(acknowledged, key)
				} else if !errors.Is(err, sqlite.ErrBroken) {
					t.Errorf("Accept: %v, want ErrBroken", err)
				}
			}
			if len(acknowledged) > 0 {
				keys, err := found(t, path)
				lost := 0
				for _, key := range acknowledged {
					if !keys[key] {
						lost++
					}
				}
				t.Errorf("%d of 20 were acknowledged, want none; %d of them are lost (%v)", len(acknowledged), lost, err)
			}
			if err := in.Transact(t.Context(), func(*sql.Tx) error { return nil }); !errors.Is(err, sqlite.ErrBroken) {
				t.Errorf("Transact: %v, want ErrBroken", err)
			}
			if _, err := in.Stats(t.Context()); !errors.Is(err, sqlite.ErrBroken) {
				t.Errorf("Stats: %v, want ErrBroken", err)
			}
		})
	}
}

// The transaction of a handler is not acknowledged either.
func TestReplacedTransact(t *testing.T) {
	t.Parallel()
	for _, r := range replacements {
		t.Run(r.name, func(t *testing.T) {
			in, path := replaceable(t)
			l := leased(t, in)
			r.do(t, path)
			err := in.Transact(t.Context(), func(tx *sql.Tx) error {
				_, err := in.CommitTx(t.Context(), tx, l)
				return err
			})
			if err == nil {
				t.Error("Transact: no error")
			}
			if _, err := in.Accept(t.Context(), delivery("after")); !errors.Is(err, sqlite.ErrBroken) {
				t.Errorf("Accept: %v, want ErrBroken", err)
			}
		})
	}
}

// A probe notices a file that is not there any more before a delivery does.
func TestReplacedIdle(t *testing.T) {
	t.Parallel()
	for _, part := range []string{"", "-wal", "-shm"} {
		in, path := replaceable(t)
		done(t, os.Remove(path+part))
		if _, err := in.Stats(t.Context()); !errors.Is(err, sqlite.ErrBroken) {
			t.Errorf("Stats without inbox.db%s: %v, want ErrBroken", part, err)
		}
		if _, err := in.Dead(t.Context(), "", 1); !errors.Is(err, sqlite.ErrBroken) {
			t.Errorf("Dead without inbox.db%s: %v, want ErrBroken", part, err)
		}
		if _, err := in.Mark(t.Context(), "a"); !errors.Is(err, sqlite.ErrBroken) {
			t.Errorf("Mark without inbox.db%s: %v, want ErrBroken", part, err)
		}
	}
}

// A symbolic link is repointed while the inbox is open: to a copy, or to the same file in another directory, beside
// which a process that starts looks for another log.
func TestRepointed(t *testing.T) {
	t.Parallel()
	for name, repoint := range map[string]func(from, to string) error{
		"to nothing":     func(string, string) error { return nil },
		"to a copy":      func(from, to string) error { return copyFile(from, to) },
		"to a hard link": os.Link,
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			link, path := filepath.Join(dir, "link.db"), filepath.Join(dir, "inbox.db")
			done(t, os.Symlink("inbox.db", link))
			in, err := sqlite.Open(t.Context(), link, sqlite.Options{})
			done(t, err)
			defer in.Close()
			accepted(t, in, "before")
			elsewhere := filepath.Join(t.TempDir(), "inbox.db")
			done(t, repoint(path, elsewhere))
			done(t, os.Remove(link))
			done(t, os.Symlink(elsewhere, link))
			if _, err := in.Accept(t.Context(), delivery("after")); !errors.Is(err, sqlite.ErrBroken) {
				t.Errorf("Accept: %v, want ErrBroken", err)
			}
		})
	}
}

func copyFile(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o600)
}

// Files are replaced while senders are at work, at any moment of a transaction. What is acknowledged after that is
// there when the process is started again.
func TestProofReplaced(t *testing.T) {
	t.Parallel()
	rounds := tier.Size(1, 2, 40)
	for _, r := range replacements {
		t.Run(r.name, func(t *testing.T) {
			acknowledged, lost, noticed := 0, 0, 0
			for range rounds {
				in, path := replaceable(t)
				keys := underLoad(t, in, func() { r.do(t, path) })
				_, err := in.Stats(t.Context())
				if errors.Is(err, sqlite.ErrBroken) {
					noticed++
				}
				there, _ := found(t, path) // an error leaves nothing of them
				acknowledged += len(keys)
				for _, key := range keys {
					if !there[key] {
						lost++
					}
				}
				_ = in.Close() // it may be broken
			}
			t.Logf("%d rounds, %d noticed, %d acknowledged afterwards", rounds, noticed, acknowledged)
			if lost > 0 {
				t.Errorf("%d of %d that were acknowledged are lost", lost, acknowledged)
			}
		})
	}
}

// underLoad does something while senders are at work, and returns what was sent after that and acknowledged.
func underLoad(t *testing.T, in *sqlite.Inbox, do func()) (acknowledged []string) {
	t.Helper()
	before, after := tier.Size[int64](50, 500, 500), tier.Size[int64](20, 200, 200)
	var mu sync.Mutex
	var replaced, over atomic.Bool
	var sent, late atomic.Int64
	var senders sync.WaitGroup
	under := make(chan struct{})
	for range 16 {
		senders.Go(func() {
			for !over.Load() {
				counts := replaced.Load()
				n := sent.Add(1)
				key := fmt.Sprint("load ", n)
				_, err := in.Accept(t.Context(), delivery(key))
				if n == before {
					close(under)
				}
				if !counts {
					continue
				}
				if err == nil {
					mu.Lock()
					acknowledged = append(acknowledged, key)
					mu.Unlock()
				}
				over.Store(late.Add(1) >= after)
			}
		})
	}
	<-under
	do()
	replaced.Store(true)
	senders.Wait()
	return acknowledged
}
