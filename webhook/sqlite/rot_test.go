package sqlite_test

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/internal/tier"
	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/sqlite"
)

// A disk changes a bit of a file. The inbox may refuse the file, and may give up an entry, but what it hands out
// is what was accepted under that key.
func TestProofBitRot(t *testing.T) {
	t.Parallel()
	const prime = 20_011 // so that the bits are at any place of a page
	parts, step := tier.Size(1, 1, 8), tier.Size(10*prime, prime, 1)
	for part := range parts { // each can be run alone: all of them take two hours of a processor
		t.Run(fmt.Sprintf("part %d of %d", part+1, parts), func(t *testing.T) {
			t.Parallel()
			path, accepted := file(t), make(map[string]webhook.Entry)
			sound := rotting(t, path, accepted)
			bits := len(sound) * 8
			var found rot
			for bit := part * step; bit < bits; bit += parts * step {
				data := bytes.Clone(sound)
				data[bit/8] ^= 1 << (bit % 8)
				found.look(t, path, data, bit, accepted)
			}
			t.Logf("%d of %d bits of a file of %d bytes with %d entries: %+v", found.Flips, bits, len(sound), len(accepted), found)
			// One bit costs an entry or so: the others go on.
			if opened := found.Flips - found.OpenRefused - found.LeaseRefused; found.Whole < opened*len(accepted)*95/100 {
				t.Errorf("%d of %d entries were handed out where nothing was refused, want nearly all", found.Whole, opened*len(accepted))
			}
		})
	}
}

// rotting makes a file with entries of all kinds and returns what it holds. Pages are small, so that many of them
// are used: a file of usual pages is mostly empty.
func rotting(t *testing.T, path string, accepted map[string]webhook.Entry) []byte {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec("PRAGMA page_size = 1024; VACUUM"); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	in, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 70 {
		e := kept(fmt.Sprint("key ", i))
		e.Body = fmt.Appendf(nil, `{"id":%d,"note":%q}`, i, strings.Repeat(fmt.Sprint(i, " "), 110))
		switch i % 8 {
		case 0:
			e.Kind, e.Window = webhook.KindFact, time.Hour
		case 1:
			e.Unhandled = "nobody"
		case 2:
			e.Protected = i == 2
		}
		if _, err := in.Accept(t.Context(), e); err != nil {
			t.Fatal(err)
		}
		e.Unhandled = "" // once it is replayed
		accepted[e.Key] = e
	}
	if err := in.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// rot counts what became of damaged files, and of the entries in those that were not refused.
type rot struct {
	Flips, OpenRefused, LeaseRefused int
	Whole, Dead                      int
}

func (r *rot) look(t *testing.T, path string, data []byte, bit int, accepted map[string]webhook.Entry) {
	t.Helper()
	r.Flips++
	for _, end := range []string{"-wal", "-shm"} {
		_ = os.Remove(path + end) // of a file that was refused
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	in, err := sqlite.Open(t.Context(), path, sqlite.Options{Sync: sqlite.Off, AllowLossy: true})
	if err != nil {
		r.OpenRefused++
		return
	}
	defer in.Close() // whatever is left of it
	whole := make(map[string]bool)
	same := func(e webhook.Entry) bool {
		want := accepted[e.Key]
		if e.Trace == "" { // a trace that was damaged is none
			want.Trace = ""
		}
		return reflect.DeepEqual(e, want)
	}
	lease := func() error {
		for range 10 {
			leases, err := in.Lease(t.Context(), webhook.LeaseQuery{Limit: 100, Term: time.Hour})
			if err != nil || len(leases) == 0 {
				return err
			}
			for i, l := range leases {
				if !same(l.Entry) {
					t.Errorf("bit %d: leased %+v, which was never accepted", bit, l.Entry)
				}
				whole[l.Key] = true
				if i%7 == 0 { // the others take their time
					_, _ = in.Commit(t.Context(), l) // it may be refused
				}
			}
		}
		return nil
	}
	refused := lease()
	letters, err := in.Dead(t.Context(), "", 100)
	var keys []string
	for _, l := range letters {
		if l.Entry.Unhandled = ""; l.Lane != "" && !same(l.Entry) {
			t.Errorf("bit %d: dead is %+v, which was never accepted", bit, l.Entry)
		}
		keys = append(keys, l.Key)
	}
	dead := 0
	_, replayed := in.Replay(t.Context(), keys...)
	late, listed := in.Dead(t.Context(), "", 100) // of what was found out by then
	for _, l := range late {
		if !whole[l.Key] || strings.HasPrefix(l.Cause, "unreadable") { // it may have another's key now
			dead++
		}
	}
	err = errors.Join(err, replayed, lease(), listed)
	if refused != nil || err != nil {
		r.LeaseRefused++
		return
	}
	r.Dead += dead
	for key := range accepted {
		if whole[key] {
			r.Whole++
		}
	}
	if missing := len(accepted) - len(whole) - dead; missing > 0 {
		t.Errorf("bit %d: %d entries are neither handed out nor dead", bit, missing)
	}
}
