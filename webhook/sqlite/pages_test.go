package sqlite_test

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/internal/tier"
	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/sqlite"
)

const pageSize = 1024 // small, so that a small file has pages of all kinds

// A disk keeps an old page, loses one, writes one to the wrong place, or loses the end of the file. Whichever page of
// the file that is, the inbox is as it was, or it reports the damage: an error of a call, a dead entry that is
// unreadable, or Options.OnError.
func TestProofPages(t *testing.T) {
	t.Parallel()
	path := file(t)
	before, after, truth := twoMoments(t, path)
	pages := len(after) / pageSize
	page := func(file []byte, n int) []byte { return file[n*pageSize : (n+1)*pageSize] }
	runs, intact, silent := 0, 0, 0
	step := tier.Size(5, 5, 1)
	look := func(n int, what string, data []byte) {
		runs++
		reported, wrong := truth.look(t, path, data)
		if len(wrong) == 0 {
			intact++
		} else if !reported {
			silent++
			t.Errorf("page %d of %d %s, and nothing is reported: %s", n+1, pages, what, strings.Join(wrong[:min(len(wrong), 3)], "; "))
		}
	}
	for n := 0; n < pages; n += tier.Size(11, 1, 1) {
		with := func(p []byte) []byte {
			data := bytes.Clone(after)
			copy(page(data, n), p)
			return data
		}
		if (n+1)*pageSize <= len(before) && !bytes.Equal(page(before, n), page(after, n)) {
			look(n, "is stale", with(page(before, n)))
		}
		if n%step == 0 {
			look(n, "is zeroed", with(make([]byte, pageSize)))
			look(n, "is half zeroed", with(append(slices.Clone(page(after, n)[:pageSize/2]), make([]byte, pageSize/2)...)))
			if n > 0 { // a file without anything is a new one
				look(n, "and the rest are cut off", after[:n*pageSize])
			}
			look(n, "is cut in half", after[:n*pageSize+pageSize/2])
		}
		for other := n % step; other < pages; other += step * tier.Size(7, 7, 3) {
			if other != n {
				look(n, fmt.Sprintf("is a copy of page %d", other+1), with(page(after, other)))
			}
		}
	}
	t.Logf("%d damaged files of %d pages: %d as if they were not, %d silent", runs, pages, intact, silent)
}

// truth is what an inbox must have.
type truth struct {
	pending map[string]webhook.Entry
	dead    map[string]webhook.Entry
	done    []string
	marks   map[string]time.Time
	token   uint64 // that was given last
}

// twoMoments returns the file of an inbox at two moments, and what it has at the second.
func twoMoments(t *testing.T, path string) (before, after []byte, all *truth) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	done(t, err)
	_, err = db.Exec(fmt.Sprintf("PRAGMA page_size = %d; VACUUM", pageSize))
	done(t, errors.Join(err, db.Close()))
	all = &truth{pending: map[string]webhook.Entry{}, dead: map[string]webhook.Entry{}, marks: map[string]time.Time{}}
	for moment := range 2 {
		in, err := sqlite.Open(t.Context(), path, sqlite.Options{})
		done(t, err)
		for i := range 60 {
			e := delivery(fmt.Sprint("key ", i))
			e.Body = fmt.Appendf(nil, `{"id":%d,"moment":%d,"note":%q}`, i, moment, strings.Repeat(fmt.Sprint(moment, " "), 100+7*i))
			e.Clears = nil
			switch i % 6 {
			case 0, 1: // joins at the second moment
				e.Kind, e.Window = webhook.KindSignal, 0
			case 2: // a fact of the second moment only
				e.Key += fmt.Sprint(" of ", moment)
				e.Lane = e.Key
			case 3: // dead since the moment
				if i%2 == moment {
					continue
				}
				e.Unhandled = "nobody"
			case 4: // a fact that is handled
				e.Key += fmt.Sprint(" handled ", moment)
				e.Lane, e.Protected = "handled", i == 4
			case 5:
				e.Kind, e.Window, e.Protected = webhook.KindSignal, 0, i == 5
			}
			_, err := in.Accept(t.Context(), e)
			done(t, err)
			switch {
			case e.Unhandled != "":
				e.Unhandled = ""
				all.dead[e.Key] = e
			case e.Lane == "handled":
				all.done = append(all.done, e.Key)
			default:
				all.pending[e.Key] = e
			}
		}
		all.handle(t, in)
		for i := range 3 {
			name, at := fmt.Sprint("sweep ", i), time.Date(2026, 11, 1+moment, i, 0, 0, 0, time.UTC)
			done(t, in.SetMark(t.Context(), name, at))
			all.marks[name] = at
		}
		done(t, in.Close())
		before, after = after, nil
		after, err = os.ReadFile(path)
		done(t, err)
	}
	return before, after, all
}

// handle commits the entries of the lane of those that are handled, and releases all others.
func (a *truth) handle(t *testing.T, in *sqlite.Inbox) {
	t.Helper()
	for range 40 {
		leases, err := in.Lease(t.Context(), webhook.LeaseQuery{Limit: 100, Term: time.Hour})
		done(t, err)
		handled := false
		for _, l := range leases {
			a.token = max(a.token, l.Token)
			if l.Lane == "handled" {
				handled = true
				_, err = in.Commit(t.Context(), l)
			} else {
				err = in.Fail(t.Context(), l, webhook.Failed{Released: true})
			}
			done(t, err)
		}
		if !handled {
			return
		}
	}
}

// look opens a file, and returns what is wrong in it and whether the inbox reports anything.
func (a *truth) look(t *testing.T, path string, data []byte) (reported bool, wrong []string) {
	t.Helper()
	for _, end := range []string{"-wal", "-shm"} {
		_ = os.Remove(path + end) // of a file that was refused
	}
	done(t, os.WriteFile(path, data, 0o600))
	var found reports
	in, err := sqlite.Open(t.Context(), path, sqlite.Options{Sync: sqlite.Off, AllowLossy: true, OnError: found.add})
	if err != nil {
		return true, []string{err.Error()}
	}
	defer in.Close() // whatever is left of it
	failed := func(err error) bool {
		reported = reported || err != nil
		return err != nil
	}
	note := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }

	s, err := in.Stats(t.Context())
	if !failed(err) && (s.Pending != len(a.pending) || s.Dead != len(a.dead) || s.Done != len(a.done) || s.OldestProtected == 0) {
		note("stats %+v", s)
	}
	for name, at := range a.marks {
		if got, err := in.Mark(t.Context(), name); !failed(err) && (got.After(at) || got.IsZero()) {
			note("mark %s is %v, want %v or before", name, got, at)
		}
	}
	letters, err := in.Dead(t.Context(), "", 1000)
	if !failed(err) {
		for key, e := range a.dead {
			i := slices.IndexFunc(letters, func(l webhook.DeadLetter) bool { return l.Key == key })
			if i < 0 || !bytes.Equal(letters[i].Body, e.Body) {
				note("%s is not listed as it was", key)
			}
		}
	}
	leased := make(map[string]webhook.Lease)
	for range 5 {
		leases, err := in.Lease(t.Context(), webhook.LeaseQuery{Limit: 100, Term: time.Hour})
		if failed(err) {
			break
		}
		for _, l := range leases {
			if l.Token <= a.token {
				note("token %d of %s, after %d", l.Token, l.Key, a.token)
			}
			leased[l.Key] = l
			if _, err := in.Commit(t.Context(), l); failed(err) {
				break
			}
		}
	}
	for key, e := range a.pending {
		if l, ok := leased[key]; !ok || !bytes.Equal(l.Body, e.Body) {
			note("%s is not leased as it was", key)
		}
	}
	for key := range leased {
		if _, ok := a.pending[key]; !ok {
			note("%s is leased", key)
		}
	}
	for _, key := range a.done {
		e := delivery(key)
		e.Lane = "handled"
		if got, err := in.Accept(t.Context(), e); !failed(err) && got[0] != webhook.OutcomeKnown {
			note("%s was handled and is %s", key, got[0])
		}
	}
	letters, err = in.Dead(t.Context(), "", 1000)
	failed(err)
	for _, l := range letters {
		reported = reported || strings.HasPrefix(l.Cause, "unreadable")
	}
	return reported || found.String() != "", wrong
}
