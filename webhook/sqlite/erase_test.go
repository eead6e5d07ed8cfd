package sqlite_test

import (
	"bytes"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	code "modernc.org/sqlite/lib"

	"github.com/commerceplatform/commerce-go/internal/tier"
	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/sqlite"
)

const address = "buyer@shop.example"

// redaction is a privacy request.
func redaction(key string) webhook.Entry {
	e := delivery(key)
	e.Kind, e.Protected, e.Body = webhook.KindSignal, true, fmt.Appendf(nil, `{"customer":{"email":%q}}`, address)
	return e
}

func leased(t *testing.T, in *sqlite.Inbox) webhook.Lease {
	t.Helper()
	leases, err := in.Lease(t.Context(), webhook.LeaseQuery{Limit: 1, Term: time.Hour})
	if err != nil || len(leases) != 1 {
		t.Fatalf("%d leases, %v; want 1", len(leases), err)
	}
	return leases[0]
}

// gone waits until no file holds the text. It fails after a generous time.
func gone(t *testing.T, path, text string) {
	t.Helper()
	for began := time.Now(); holds(t, path, []byte(text)); <-time.After(10 * time.Millisecond) {
		if time.Since(began) > 2*time.Minute {
			t.Fatal("a file still holds what was erased")
		}
	}
}

// When the call has returned that erased a protected body, no file holds it.
func TestErased(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name  string
		erase func(t *testing.T, in *sqlite.Inbox)
	}{
		{"commit", func(t *testing.T, in *sqlite.Inbox) {
			if _, err := in.Commit(t.Context(), leased(t, in)); err != nil {
				t.Fatal(err)
			}
		}},
		{"newer arrival", func(t *testing.T, in *sqlite.Inbox) {
			e := delivery("a")
			e.Kind = webhook.KindSignal
			if _, err := in.Accept(t.Context(), e); err != nil {
				t.Fatal(err)
			}
		}},
		{"purge", func(t *testing.T, in *sqlite.Inbox) {
			if err := in.Fail(t.Context(), leased(t, in), webhook.Failed{Dead: true}); err != nil {
				t.Fatal(err)
			}
			if n, err := in.Purge(t.Context(), "a"); n != 1 || err != nil {
				t.Fatal(n, err)
			}
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := file(t)
			in := inbox(t, path, sqlite.Options{})
			if _, err := in.Accept(t.Context(), redaction("a")); err != nil {
				t.Fatal(err)
			}
			if !holds(t, path, []byte(address)) {
				t.Fatal("the files do not hold a body that waits: the test does not look where it should")
			}
			test.erase(t, in)
			if holds(t, path, []byte(address)) {
				t.Error("a file holds what was erased")
			}
		})
	}
}

// A transaction of the caller erases soon after it was committed, and a reader can only delay that.
func TestErasedLater(t *testing.T) {
	t.Parallel()
	path := file(t)
	in := inbox(t, path, sqlite.Options{})
	if _, err := in.Accept(t.Context(), redaction("a"), redaction("b")); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		l := leased(t, in)
		rows, err := in.DB().Query("SELECT key FROM inbox_entry") // reads until it is closed
		if err != nil {
			t.Fatal(err)
		}
		rows.Next()
		if err := in.Transact(t.Context(), func(tx *sql.Tx) error {
			_, err := in.CommitTx(t.Context(), tx, l)
			return err
		}); err != nil {
			t.Error(err)
		}
		if err := rows.Close(); err != nil {
			t.Error(err)
		}
	}
	gone(t, path, address)
}

// A process dies at any moment while it erases: the next one that opens the file finishes that.
func TestErasedAfterCrash(t *testing.T) {
	t.Parallel()
	d, path, crashes := newDisk(t), file(t), t.TempDir()
	in := inboxOn(t, d, path)
	if _, err := in.Accept(t.Context(), redaction("a")); err != nil {
		t.Fatal(err)
	}
	l := leased(t, in)
	n := 0
	d.fail(func(op) int32 {
		for _, part := range parts {
			content, err := os.ReadFile(path + part)
			if part == "-shm" || err != nil {
				continue // the memory that processes share is made anew
			}
			if err := os.WriteFile(filepath.Join(crashes, fmt.Sprint(n))+part, content, 0o600); err != nil {
				t.Error(err)
			}
		}
		n++
		return code.SQLITE_OK
	})
	if _, err := in.Commit(t.Context(), l); err != nil {
		t.Fatal(err)
	}
	d.fail(nil)
	before := 0
	for i := range n {
		crash := filepath.Join(crashes, fmt.Sprint(i))
		again := inbox(t, crash, sqlite.Options{Sync: sqlite.Off, AllowLossy: true})
		if s, err := again.Stats(t.Context()); err != nil || s.Pending > 0 {
			before++ // it died before the commit, which will be made again
			continue
		}
		gone(t, crash, address)
	}
	t.Logf("died at %d moments, %d of them before the commit", n, before)
	if before == 0 || before == n {
		t.Errorf("%d of %d moments are before the commit: want some before and some behind it", before, n)
	}
}

// Bodies of all sizes come and go between others, so that the pages of the file are split and joined: no
// piece of an erased one is left behind anywhere.
func TestProofErasedAmongOthers(t *testing.T) {
	t.Parallel()
	rounds := tier.Size(2, 20, 100)
	r := choices(t, 0)
	path := file(t)
	in := inbox(t, path, sqlite.Options{Sync: sqlite.Off, AllowLossy: true})
	for round := range rounds {
		for i := range 300 {
			e := redaction(fmt.Sprint(r.IntN(150)))
			e.Protected = r.IntN(2) == 0
			text := "other "
			if e.Protected {
				text = address
			}
			e.Body = []byte(strings.Repeat(fmt.Sprintf("%s %d/%d ", text, round, i), 1+r.IntN(r.IntN(400)+1)))
			if _, err := in.Accept(t.Context(), e); err != nil {
				t.Fatal(err)
			}
		}
		leases, err := in.Lease(t.Context(), webhook.LeaseQuery{Limit: 1000, Term: time.Hour})
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range leases {
			if bytes.Contains(l.Body, []byte(address)) || l.Protected {
				_, err = in.Commit(t.Context(), l)
			} else {
				err = in.Fail(t.Context(), l, webhook.Failed{Released: true})
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		gone(t, path, address)
	}
}
