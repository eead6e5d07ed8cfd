package sqlite_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"
	"time"

	code "modernc.org/sqlite/lib"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/tier"
	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/sqlite"
)

func delivery(key string) webhook.Entry {
	return webhook.Entry{Key: key, Lane: key, Kind: webhook.KindFact, Window: time.Hour, StoreID: 123, Body: []byte(`{"id":"` + key + `"}`)}
}

// A full disk is an error of those who write, and passes.
func TestDiskFull(t *testing.T) {
	t.Parallel()
	d := newDisk(t)
	in := inboxOn(t, d, file(t))
	accepted(t, in, "before")
	d.fail(func(o op) int32 {
		if o.kind == write {
			return code.SQLITE_FULL
		}
		return code.SQLITE_OK
	})
	if _, err := in.Accept(t.Context(), delivery("full")); err == nil {
		t.Error("Accept on a full disk: no error")
	}
	d.fail(nil)
	accepted(t, in, "after")
	s, err := in.Stats(t.Context())
	if s.Pending != 2 || err != nil {
		t.Errorf("%d entries are pending, %v; want 2", s.Pending, err)
	}
}

// From a failed write or sync nothing is acknowledged until the file is opened again, since the system may have
// forgotten what it could not write.
func TestDiskFails(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		kind opKind
		code int32
	}{
		{"write", write, code.SQLITE_IOERR_WRITE},
		{"sync", syncs, code.SQLITE_IOERR_FSYNC},
		{"read-only", write, code.SQLITE_READONLY},
	} {
		t.Run(test.name, func(t *testing.T) {
			d, path := newDisk(t), file(t)
			in := inboxOn(t, d, path)
			accepted(t, in, "before")
			leases, err := in.Lease(t.Context(), webhook.LeaseQuery{Limit: 1, Term: time.Hour})
			if err != nil {
				t.Fatal(err)
			}
			d.fail(func(o op) int32 {
				if o.kind == test.kind {
					return test.code
				}
				return code.SQLITE_OK
			})
			if _, err := in.Accept(t.Context(), delivery("failed")); err == nil {
				t.Error("Accept: no error")
			}
			d.fail(nil)
			for range 2 {
				if _, err := in.Accept(t.Context(), delivery("later")); !errors.Is(err, sqlite.ErrBroken) {
					t.Errorf("Accept after a failure: %v, want ErrBroken", err)
				}
			}
			if _, err := in.Commit(t.Context(), leases[0]); !errors.Is(err, sqlite.ErrBroken) || errors.Is(err, webhook.ErrLeaseLost) {
				t.Errorf("Commit after a failure: %v, want one about the file", err)
			}
			if err := in.Transact(t.Context(), func(*sql.Tx) error { return nil }); !errors.Is(err, sqlite.ErrBroken) {
				t.Errorf("Transact after a failure: %v, want ErrBroken", err)
			}
			// Everything was answered 503, and no probe could see that the process had to end.
			if _, err := in.Stats(t.Context()); !errors.Is(err, sqlite.ErrBroken) {
				t.Errorf("Stats after a failure: %v, want ErrBroken", err)
			}
			again := inbox(t, path, sqlite.Options{})
			if _, err := again.Commit(t.Context(), leases[0]); err != nil {
				t.Error(err)
			}
			accepted(t, again, "later")
			if s, err := again.Stats(t.Context()); s.Pending != 1 || err != nil {
				t.Errorf("opened again: got %+v, %v; want one pending", s, err)
			}
		})
	}
}

// A delivery that cannot be written is answered 503, also once the disk works again: until the file is opened anew
// nothing is kept. The platform then delivers it again, as it does after an answer that was late.
func TestDiskFailsHandler(t *testing.T) {
	t.Parallel()
	for name, failure := range map[string]int32{
		"full": code.SQLITE_FULL, "write": code.SQLITE_IOERR_WRITE, "read-only": code.SQLITE_READONLY,
	} {
		t.Run(name, func(t *testing.T) {
			d, path := newDisk(t), file(t)
			send := func(in *sqlite.Inbox, id int64) int {
				var events webhook.Registry
				webhook.On(&events, webhook.OrderCreated, func(context.Context, webhook.Delivery[webhook.Entity]) error { return nil })
				failures := make(chan error, 1)
				h := &webhook.Handler{Secrets: []client.Secret{secret}, Registry: &events, Inbox: in,
					OnFailure: func(_ context.Context, f *webhook.Failure) { failures <- f.Err }}
				b := body(webhook.OrderCreated.Name, id)
				for {
					w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, "/", bytes.NewReader(b))
					r.Header.Set(webhook.SignatureHeader, webhook.Sign(secret, b))
					h.ServeHTTP(w, r)
					if w.Code != http.StatusServiceUnavailable {
						return w.Code
					}
					err := <-failures
					if !errors.Is(err, webhook.ErrLate) && !errors.Is(err, context.DeadlineExceeded) {
						return w.Code
					}
					t.Logf("delivery %d is sent again: %v", id, err)
				}
			}
			in := inboxOn(t, d, path)
			if got := send(in, 1); got != http.StatusOK {
				t.Errorf("before: %d, want 200", got)
			}
			d.fail(func(o op) int32 {
				if o.kind == write {
					return failure
				}
				return code.SQLITE_OK
			})
			for range 2 {
				if got := send(in, 2); got != http.StatusServiceUnavailable {
					t.Errorf("while the disk fails: %d, want 503", got)
				}
			}
			d.fail(nil)
			want := http.StatusServiceUnavailable
			if failure == code.SQLITE_FULL {
				want = http.StatusOK // that passes
			}
			if got := send(in, 3); got != want {
				t.Errorf("afterwards: %d, want %d", got, want)
			}
			again := inbox(t, path, sqlite.Options{})
			for _, id := range []int64{2, 3} {
				if got := send(again, id); got != http.StatusOK {
					t.Errorf("opened again: %d, want 200", got)
				}
			}
			if s, err := again.Stats(t.Context()); s.Pending != 3 || err != nil {
				t.Errorf("%d entries are pending, %v; want 3", s.Pending, err)
			}
		})
	}
}

// Whichever write, sync or deletion fails, once or from then on, with nothing written or with the first half, whatever
// was acknowledged is there when the file is opened again.
func TestProofFaults(t *testing.T) {
	t.Parallel()
	// A file that cannot be deleted is among them: SQLite deletes the journal by which it makes the tables, and the log
	// of writes.
	step := tier.Size(100, 10, 1)
	d, dir := newDisk(t), t.TempDir()
	total := d.story(t, filepath.Join(dir, "smooth"), -1, false, code.SQLITE_OK)
	runs, ways := 0, 0
	for _, failure := range []int32{code.SQLITE_FULL, code.SQLITE_IOERR_WRITE, code.SQLITE_IOERR_FSYNC, code.SQLITE_READONLY, code.SQLITE_IOERR_DELETE} {
		for _, d.torn = range []bool{false, true} {
			for i := ways % step; i < total; i += step { // each op fails in one way, or in all
				d.story(t, filepath.Join(dir, fmt.Sprint(runs)), i, runs%2 == 0, failure)
				runs++
			}
			ways++
		}
	}
	t.Logf("%d failures at one of %d writes, syncs and deletions, %d writes of a half", runs, total, d.tears)
	if d.tears == 0 {
		t.Error("no write left its first half")
	}
}

// story plays a few calls while an op fails, checks what is left of them, and returns the number of ops.
func (d *disk) story(t *testing.T, path string, failing int, forGood bool, failure int32) (ops int) {
	t.Helper()
	d.fail(func(o op) int32 {
		ops++
		if o.kind == syncs && failure == code.SQLITE_FULL || failing < 0 {
			return code.SQLITE_OK
		}
		if n := ops - 1; n == failing || forGood && n > failing {
			return failure
		}
		return code.SQLITE_OK
	})
	acknowledged, settled := d.play(t, path)
	d.fail(nil)
	in, err := sqlite.OpenOn(t.Context(), path, d.name, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	for _, key := range acknowledged {
		got, err := in.Accept(t.Context(), delivery(key))
		if err != nil || got[0] == webhook.OutcomeStored || settled[key] && got[0] != webhook.OutcomeKnown {
			t.Errorf("failure %d at op %d: %s was acknowledged, and is %v, %v", failure, failing, key, got, err)
		}
	}
	var verdict string
	if err := in.DB().QueryRow("PRAGMA integrity_check").Scan(&verdict); err != nil || verdict != "ok" {
		t.Errorf("failure %d at op %d: integrity %q, %v", failure, failing, verdict, err)
	}
	return ops
}

// play returns which entries were acknowledged, and whose commit was.
func (d *disk) play(t *testing.T, path string) (acknowledged []string, settled map[string]bool) {
	t.Helper()
	settled = make(map[string]bool)
	in, err := sqlite.OpenOn(t.Context(), path, d.name, sqlite.Options{})
	if err != nil {
		return nil, nil // a failure while it is opened
	}
	defer in.Close() // whatever the disk says
	for i := range 6 {
		key := fmt.Sprint("entry ", i)
		e := delivery(key)
		e.Protected = i == 3
		if _, err := in.Accept(t.Context(), e); err == nil {
			acknowledged = append(acknowledged, key)
		}
		leases, err := in.Lease(t.Context(), webhook.LeaseQuery{Limit: 1, Term: time.Hour})
		if err != nil || len(leases) == 0 || i == 0 {
			continue
		}
		if _, err := in.Commit(t.Context(), leases[0]); err == nil {
			settled[leases[0].Key] = true
		}
	}
	return acknowledged, settled
}

// inboxOn opens an inbox on a disk, which is closed whether it is broken or not.
func inboxOn(t *testing.T, d *disk, path string) *sqlite.Inbox {
	t.Helper()
	in, err := sqlite.OpenOn(t.Context(), path, d.name, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = in.Close() })
	return in
}

func accepted(t *testing.T, in *sqlite.Inbox, key string) {
	t.Helper()
	if got, err := in.Accept(t.Context(), delivery(key)); err != nil || got[0] != webhook.OutcomeStored {
		t.Fatalf("Accept of %q: %v, %v", key, got, err)
	}
}
