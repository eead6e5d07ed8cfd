package sqlite_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/sqlite"
)

// reports keeps what an inbox reports.
type reports struct {
	mu  sync.Mutex
	all []string
}

func (r *reports) add(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.all = append(r.all, err.Error())
}

func (r *reports) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return strings.Join(r.all, "\n")
}

// hiding has an index lack what f adds: SQLite is made believe for that time that the index is of other rows.
func hiding(t *testing.T, in *sqlite.Inbox, index string, f func()) {
	t.Helper()
	db, err := sql.Open("sqlite", in.Path()) // a connection that changes its schema so does not see it change
	done(t, err)
	defer db.Close()
	conn, err := db.Conn(t.Context())
	done(t, err)
	defer conn.Close()
	for i, states := range [][2]string{{" WHERE ", " WHERE 1 = 0 AND "}, {" WHERE 1 = 0 AND ", " WHERE "}} {
		for _, q := range []string{
			"PRAGMA writable_schema = ON",
			fmt.Sprintf("UPDATE sqlite_schema SET sql = replace(sql, '%s', '%s') WHERE name = '%s'", states[0], states[1], index),
			fmt.Sprintf("PRAGMA schema_version = %d", 1000+i),
			"PRAGMA writable_schema = OFF",
		} {
			_, err := conn.ExecContext(t.Context(), q)
			done(t, err)
		}
		if i == 0 {
			f()
		}
	}
}

// hides are the indexes that can hide an entry, with what adds it.
var hides = []struct {
	index string
	entry func(key string) webhook.Entry
}{
	{"inbox_entry_pending", delivery},
	{"inbox_entry_since", delivery},
	{"inbox_lane_turn", func(key string) webhook.Entry { e := delivery(key); e.StoreID = 456; return e }},
	{"inbox_entry_dead", func(key string) webhook.Entry { e := delivery(key); e.Unhandled = "nobody"; return e }},
	{"inbox_entry_dead_store", func(key string) webhook.Entry { e := delivery(key); e.Unhandled = "nobody"; return e }},
	{"inbox_entry_protected", func(key string) webhook.Entry { e := delivery(key); e.Protected = true; return e }},
}

// visible fails unless each of the entries is leased or listed.
func visible(t *testing.T, in *sqlite.Inbox, keys ...string) {
	t.Helper()
	leases, err := in.Lease(t.Context(), webhook.LeaseQuery{Limit: 100, Term: time.Hour})
	letters, e := in.Dead(t.Context(), "", 100)
	done(t, errors.Join(err, e))
	seen := make(map[string]bool)
	for _, l := range leases {
		seen[l.Key] = true
	}
	for _, l := range letters {
		seen[l.Key] = true
	}
	for _, key := range keys {
		if !seen[key] {
			t.Errorf("%s is neither leased nor listed", key)
		}
	}
}

// Entries that an index hides are found when the file is opened, whether SQLite examines all of it or not.
func TestHiddenAtOpen(t *testing.T) {
	t.Parallel()
	large := bigFile(t)
	for _, h := range hides {
		for _, big := range []bool{false, true} {
			t.Run(fmt.Sprint(h.index, " big ", big), func(t *testing.T) {
				path := file(t)
				if big {
					done(t, os.WriteFile(path, large, 0o600))
				}
				synctest.Test(t, func(t *testing.T) {
					first, err := sqlite.Open(t.Context(), path, sqlite.Options{})
					done(t, err)
					time.Sleep(time.Minute) // its first comparison has ended
					accepted(t, first, "seen")
					hiding(t, first, h.index, func() {
						_, err := first.Accept(t.Context(), h.entry("hidden"))
						done(t, err)
					})
					done(t, first.Close())
					var found reports
					in := inbox(t, path, sqlite.Options{OnError: found.add})
					time.Sleep(time.Minute)
					if found.String() == "" {
						t.Error("nothing is reported")
					}
					visible(t, in, "hidden", "seen")
				})
			})
		}
	}
}

// Entries that an index hides are found while the inbox is open.
func TestHiddenLater(t *testing.T) {
	t.Parallel()
	for _, h := range hides {
		t.Run(h.index, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var found reports
				in := inbox(t, filepath.Join(t.TempDir(), "inbox.db"), sqlite.Options{OnError: found.add})
				seen := make([]webhook.Entry, 1200) // more than are compared at a time
				for i := range seen {
					seen[i] = delivery(fmt.Sprint("seen ", i))
				}
				_, err := in.Accept(t.Context(), seen...)
				done(t, err)
				time.Sleep(time.Minute) // the first comparison has ended
				hiding(t, in, h.index, func() {
					_, err := in.Accept(t.Context(), h.entry("hidden"))
					done(t, err)
				})
				time.Sleep(2 * time.Hour)
				if got := found.String(); strings.Count(got, "\n") > 0 || !strings.Contains(got, `an index lacked entries: 1, the first of them "hidden"`) {
					t.Errorf("reports %q, want one of the hidden entry", got)
				}
				s, err := in.Stats(t.Context())
				if e := h.entry("hidden"); err != nil || s.Pending != 1200+btoi(e.Unhandled == "") || s.Dead != btoi(e.Unhandled != "") || (s.OldestProtected > 0) != e.Protected {
					t.Errorf("stats %+v, %v", s, err)
				}
			})
		})
	}
}

// A turn that the index has of a lane, and the lane has not, would keep Wait from waiting.
func TestTurnOfNoLane(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var found reports
		in := inbox(t, filepath.Join(t.TempDir(), "inbox.db"), sqlite.Options{OnError: found.add})
		e := delivery("a")
		e.Settle = 10 * time.Hour
		_, err := in.Accept(t.Context(), e)
		done(t, err)
		time.Sleep(time.Minute) // the first comparison has ended
		_, err = in.DB().Exec("CREATE TABLE kept AS SELECT * FROM inbox_lane")
		done(t, err)
		hiding(t, in, "inbox_lane_turn", func() {
			_, err := in.DB().Exec("DELETE FROM inbox_lane WHERE lane = 'a'")
			done(t, err)
		})
		_, err = in.DB().Exec("INSERT INTO inbox_lane SELECT lane, due, token, until, key, store_id, turn - 1 FROM kept")
		done(t, err)
		time.Sleep(2 * time.Hour)
		if got := found.String(); strings.Count(got, "\n") > 0 || !strings.Contains(got, "lanes or their indexes do not agree") {
			t.Errorf("reports %q, want one of the lanes", got)
		}
		var verdict string
		if err := in.DB().QueryRow("PRAGMA integrity_check").Scan(&verdict); err != nil || verdict != "ok" {
			t.Errorf("integrity %q, %v", verdict, err)
		}
	})
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// A sound inbox reports nothing, whatever its entries went through, and the comparison ends with the inbox.
func TestNothingHidden(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var found reports
		in := inbox(t, filepath.Join(t.TempDir(), "inbox.db"), sqlite.Options{OnError: found.add})
		for round := range 5 {
			story(t, in)
			for i := range 20 {
				e := delivery(fmt.Sprint("round ", round, i))
				e.Lane, e.Settle = fmt.Sprint("lane ", i%3), time.Duration(i)*time.Minute
				_, err := in.Accept(t.Context(), e)
				done(t, err)
			}
			leases, err := in.Lease(t.Context(), webhook.LeaseQuery{Limit: 3, Term: time.Hour})
			done(t, err)
			for i, l := range leases {
				switch i {
				case 0:
					_, err = in.Commit(t.Context(), l)
				case 1:
					err = in.Fail(t.Context(), l, webhook.Failed{Delay: time.Minute, Cause: "now and then"})
				}
				done(t, err)
			}
			time.Sleep(61 * time.Minute)
			letters, err := in.Dead(t.Context(), "", 100)
			done(t, err)
			for _, l := range letters {
				_, err := in.Purge(t.Context(), l.Key)
				done(t, err)
			}
			rest, err := in.Lease(t.Context(), webhook.LeaseQuery{Limit: 1000, Term: time.Hour})
			done(t, err)
			for _, l := range rest {
				_, err := in.Commit(t.Context(), l)
				done(t, err)
			}
		}
		if got := found.String(); got != "" {
			t.Errorf("reports %q of a sound file", got)
		}
	})
}

// The comparisons look entries up in the indexes, and read no index whole.
func TestPatrolPlan(t *testing.T) {
	t.Parallel()
	in := inbox(t, file(t), sqlite.Options{})
	for query, scans := range map[string]int{
		sqlite.PatrolSQL: 0, sqlite.OlderSQL: 2, sqlite.CountsSQL: 3, sqlite.TurnlessSQL: 0, sqlite.LanesAfterSQL: 0, sqlite.StartSQL: 0,
	} {
		rows, err := in.DB().QueryContext(context.Background(), "EXPLAIN QUERY PLAN "+query, make([]any, strings.Count(query, "?"))...)
		done(t, err)
		found := 0
		for rows.Next() {
			var id, parent, unused int
			var step string
			done(t, rows.Scan(&id, &parent, &unused, &step))
			switch {
			case strings.HasPrefix(step, "SCAN") && strings.Contains(step, "USING COVERING INDEX"):
				found++ // what the index says, without the table
			case strings.HasPrefix(step, "SCAN") && !small[step] && !slices.Contains([]string{"SCAN e", "SCAN l", "SCAN s", "SCAN c", "SCAN inbox_done"}, step):
				t.Errorf("%.40s: %s", query, step)
			}
		}
		done(t, rows.Err())
		if found != scans {
			t.Errorf("%.40s: %d indexes are read whole, want %d", query, found, scans)
		}
	}
}
