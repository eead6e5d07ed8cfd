package sqlite_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/sqlite"
)

// An entry that is not what was accepted dies, and stays dead until it arrives again or is purged.
func TestDamagedEntry(t *testing.T) {
	t.Parallel()
	in := inbox(t, file(t), sqlite.Options{})
	protected := delivery("protected")
	protected.Protected = true
	if _, err := in.Accept(t.Context(), delivery("a"), delivery("b"), protected); err != nil {
		t.Fatal(err)
	}
	for _, q := range []string{
		"UPDATE inbox_entry SET body = (SELECT body FROM inbox_entry WHERE key = 'b') WHERE key = 'a'",
		"UPDATE inbox_protected SET body = '{}'",
		"UPDATE inbox_entry SET protected = 0 WHERE key = 'protected'", // there is a body to be erased all the same
	} {
		if _, err := in.DB().Exec(q); err != nil {
			t.Fatal(err)
		}
	}
	leases, err := in.Lease(t.Context(), webhook.LeaseQuery{Limit: 10, Term: time.Hour})
	if err != nil || len(leases) != 1 || leases[0].Key != "b" {
		t.Fatalf("leased %v, %v; want b only", leases, err)
	}
	letters, err := in.Dead(t.Context(), "", 10)
	if err != nil || len(letters) != 2 {
		t.Fatalf("%d are dead, %v; want 2", len(letters), err)
	}
	for _, l := range letters {
		if !strings.HasPrefix(l.Cause, "unreadable") || l.Body != nil || l.DiedAt.IsZero() {
			t.Errorf("%s is dead with the cause %q and the body %q, since %v", l.Key, l.Cause, l.Body, l.DiedAt)
		}
	}
	if n, err := in.Replay(t.Context(), "a", "protected"); n != 0 || err != nil {
		t.Errorf("%d replayed, %v; want 0", n, err)
	}
	if got, err := in.Accept(t.Context(), delivery("a")); err != nil || got[0] != webhook.OutcomeStored {
		t.Errorf("Accept of what is damaged: %v, %v, want %v", got, err, webhook.OutcomeStored)
	}
	if l := leased(t, in); l.Key != "a" || string(l.Body) != string(delivery("a").Body) {
		t.Errorf("leased %s with the body %q", l.Key, l.Body)
	}
	if n, err := in.Purge(t.Context(), "protected"); n != 1 || err != nil {
		t.Errorf("%d purged, %v; want 1", n, err)
	}
	var left int
	if err := in.DB().QueryRow("SELECT count(*) FROM inbox_protected").Scan(&left); err != nil || left != 0 {
		t.Errorf("%d protected bodies are left, %v", left, err)
	}
}

// A dead entry that is damaged is not replayed, however it is found out.
func TestDamagedDeadLetter(t *testing.T) {
	t.Parallel()
	in := inbox(t, file(t), sqlite.Options{})
	e := delivery("a")
	e.Unhandled = "nobody"
	if _, err := in.Accept(t.Context(), e); err != nil {
		t.Fatal(err)
	}
	if _, err := in.DB().Exec("UPDATE inbox_entry SET body = '{}'"); err != nil {
		t.Fatal(err)
	}
	letters, err := in.Dead(t.Context(), "", 1)
	if err != nil || len(letters) != 1 || letters[0].Body != nil || !strings.HasPrefix(letters[0].Cause, "unreadable") {
		t.Errorf("dead are %+v, %v", letters, err)
	}
	if n, err := in.Replay(t.Context(), "a"); n != 0 || err != nil {
		t.Errorf("%d replayed, %v; want 0", n, err)
	}
}

// An index that lacks an entry is made anew when the entry changes.
func TestDamagedIndex(t *testing.T) {
	t.Parallel()
	in := inbox(t, file(t), sqlite.Options{})
	conn, err := in.DB().Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	for i, states := range [][2]string{ // what the index is of
		{"state = ''pending''", "state = ''none''"},
		{"state = ''none''", "state = ''pending''"},
	} {
		for _, q := range []string{
			"PRAGMA writable_schema = ON",
			fmt.Sprintf("UPDATE sqlite_schema SET sql = replace(sql, '%s', '%s') WHERE name = 'inbox_entry_since'", states[0], states[1]),
			fmt.Sprintf("PRAGMA schema_version = %d", 1000+i),
			"PRAGMA writable_schema = OFF",
		} {
			if _, err := conn.ExecContext(t.Context(), q); err != nil {
				t.Fatal(err)
			}
		}
		if i == 0 {
			accepted(t, in, "a")
		}
	}
	if _, err := in.Commit(t.Context(), leased(t, in)); err != nil {
		t.Error(err)
	}
}

// Values derived from the entries are repaired when the file is opened, or soon afterwards if it is large. No entry
// waits forever, and none is rejected because of a wrong count.
func TestDamagedRest(t *testing.T) {
	t.Parallel()
	large := bigFile(t)
	for _, damage := range []string{
		"DELETE FROM inbox_lane",
		"DELETE FROM inbox_lane WHERE lane IN (SELECT lane FROM inbox_entry WHERE key = 'b')",
		"UPDATE inbox_lane SET due = due + 1000000000000000000",
		"UPDATE inbox_lane SET until = 9000000000000000000 WHERE token IS NULL",
		"UPDATE inbox_lane SET token = 'x' WHERE token IS NOT NULL",
		"UPDATE inbox_state SET pending = 1000000",
		"UPDATE inbox_state SET pending = 0",
		"UPDATE inbox_state_copy SET pending = 0",
		"UPDATE inbox_state SET token = 0",
		"DELETE FROM inbox_state",
		"UPDATE inbox_done SET rows = 7",
		"DELETE FROM inbox_done",
		"UPDATE inbox_entry SET state = 'penDing' WHERE key = 'b'",
		"UPDATE inbox_entry SET due = due + 1000000000000000000 WHERE key = 'b'",
		"UPDATE inbox_entry SET key = CAST(key AS BLOB) WHERE key = 'b'",
		"UPDATE inbox_entry SET lane = CAST(lane AS BLOB) WHERE key = 'b'",
		"UPDATE inbox_entry SET event = CAST(event AS BLOB) WHERE key = 'b'",
		"UPDATE inbox_entry SET state = CAST(state AS BLOB) WHERE key = 'b'",
	} {
		for _, big := range []bool{false, true} {
			t.Run(fmt.Sprint(damage, " big ", big), func(t *testing.T) {
				path := file(t)
				if big {
					done(t, os.WriteFile(path, large, 0o600))
				}
				synctest.Test(t, func(t *testing.T) { damagedRest(t, path, damage, big) })
			})
		}
	}
}

// bigFile makes the file of an inbox, with one entry, which is not small.
func bigFile(t *testing.T) []byte {
	t.Helper()
	path := file(t)
	in, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	done(t, err)
	e := delivery("big")
	e.Kind, e.Window, e.Settle, e.Body = webhook.KindSignal, 0, webhook.LongestBackoff, make([]byte, 9<<20)
	_, err = in.Accept(t.Context(), e)
	done(t, errors.Join(err, in.Close()))
	data, err := os.ReadFile(path)
	done(t, err)
	return data
}

func damagedRest(t *testing.T, path, damage string, big bool) {
	in, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	accepted(t, in, "a")
	held := leased(t, in)
	accepted(t, in, "b")
	if _, err := in.DB().Exec(damage); err != nil {
		t.Fatal(err)
	}
	if err := in.Close(); err != nil {
		t.Fatal(err)
	}
	var found reports
	in = inbox(t, path, sqlite.Options{HighWater: 4, OnError: found.add})
	if big {
		time.Sleep(10 * time.Second)
	}
	if found.String() == "" {
		t.Error("nothing is reported")
	}
	accepted(t, in, "c")
	leases, err := in.Lease(t.Context(), webhook.LeaseQuery{Limit: 10, Term: time.Hour})
	letters, e := in.Dead(t.Context(), "", 10)
	if err != nil || e != nil {
		t.Fatal(err, e)
	}
	came := make(map[string]bool)
	for _, l := range leases {
		came[l.Key] = true
		if l.Token <= held.Token {
			t.Errorf("the token of %s is %d, after %d", l.Key, l.Token, held.Token)
		}
	}
	for _, l := range letters {
		came[l.Key] = strings.HasPrefix(l.Cause, "unreadable")
	}
	if !came["b"] || !came["c"] {
		t.Errorf("leased %v, dead %v: want b and c", leases, letters)
	}
	if _, err := in.Commit(t.Context(), held); err != nil && !came["a"] {
		t.Errorf("the lease of a is neither kept nor given again: %v", err)
	}
	verifyDone(t, in, damage)
}

// An entry whose key is no text any more was not found when it arrived again. One of the two is handed out, the other
// is dead.
func TestDamagedKeyArrivesAgain(t *testing.T) {
	t.Parallel()
	path := file(t)
	in, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	done(t, err)
	accepted(t, in, "a")
	_, err = in.DB().Exec("UPDATE inbox_entry SET key = CAST(key AS BLOB)")
	done(t, err)
	accepted(t, in, "a")
	done(t, in.Close())
	var found reports
	in = inbox(t, path, sqlite.Options{OnError: found.add})
	leases, err := in.Lease(t.Context(), webhook.LeaseQuery{Limit: 10, Term: time.Hour})
	letters, e := in.Dead(t.Context(), "", 10)
	done(t, errors.Join(err, e))
	if len(leases) != 1 || leases[0].Key != "a" || len(letters) != 1 || letters[0].Key != "a" || found.String() == "" {
		t.Errorf("leased %v, dead %v, reported %q: want one of each", leases, letters, found.String())
	}
}
