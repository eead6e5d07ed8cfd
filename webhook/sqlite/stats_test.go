package sqlite_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/sqlite"
)

// TestDoneIsTrue: the number of remembered facts is counted as they are written. It agrees with the entries after any
// arrivals, ends of leases, replays, purges, rollbacks, prunes and restarts.
func TestDoneIsTrue(t *testing.T) {
	t.Parallel()
	path := file(t)
	synctest.Test(t, func(t *testing.T) {
		in := inbox(t, path, sqlite.Options{})
		random := rand.New(rand.NewPCG(1, 2))
		most := 0
		for n := range 600 {
			act := random.IntN(10)
			if act == 9 {
				done(t, in.Close())
				in = inbox(t, path, sqlite.Options{})
			} else {
				actOnFacts(t, in, random, act)
			}
			most = max(most, verifyDone(t, in, fmt.Sprintf("step %d, act %d", n, act)))
		}
		if most < 10 {
			t.Errorf("at most %d facts were remembered, want 10 at least", most)
		}
	})
}

// actOnFacts changes entries with a few keys, as facts or as signals.
func actOnFacts(t *testing.T, in *sqlite.Inbox, random *rand.Rand, act int) {
	t.Helper()
	key := fmt.Sprint("key ", random.IntN(40))
	switch act {
	case 0, 1, 2:
		e := delivery(key)
		// Half a minute: the clock of an inbox is some nanoseconds ahead where no time passes.
		e.Window = time.Duration(1+random.IntN(40))*time.Minute + 30*time.Second
		if random.IntN(5) == 0 {
			e.Kind, e.Window = webhook.KindSignal, 0
		}
		_, err := in.Accept(t.Context(), e)
		done(t, err)
	case 3:
		time.Sleep(time.Minute)
	case 4:
		letters, err := in.Dead(t.Context(), "", 1)
		done(t, err)
		for _, l := range letters {
			_, err := []func() (int, error){
				func() (int, error) { return in.Replay(t.Context(), l.Key) },
				func() (int, error) { return in.Purge(t.Context(), l.Key) },
			}[random.IntN(2)]()
			done(t, err)
		}
	default:
		leases, err := in.Lease(t.Context(), webhook.LeaseQuery{Limit: 1, Term: time.Hour})
		done(t, err)
		for _, l := range leases {
			endOfFact(t, in, l, random.IntN(6))
		}
	}
}

func endOfFact(t *testing.T, in *sqlite.Inbox, l webhook.Lease, how int) {
	t.Helper()
	switch how {
	case 0:
		done(t, in.Fail(t.Context(), l, webhook.Failed{Dead: true}))
	case 1:
		tx, err := in.DB().BeginTx(t.Context(), nil)
		done(t, err)
		_, err = in.CommitTx(t.Context(), tx, l)
		done(t, err)
		done(t, tx.Rollback())
	default:
		_, err := in.Commit(t.Context(), l)
		done(t, err)
	}
}

// verifyDone compares Stats with the entries, and returns the number of remembered facts.
func verifyDone(t *testing.T, in *sqlite.Inbox, when string) int {
	t.Helper()
	var want int
	const query = "SELECT count(*) FROM inbox_entry WHERE state = 'done' AND (forget_at = 0 OR forget_at > ?)"
	done(t, in.DB().QueryRow(query, time.Now().UnixNano()).Scan(&want))
	s, err := in.Stats(t.Context())
	if err != nil || s.Done != want {
		t.Errorf("%s: Done is %d, %v; want %d", when, s.Done, err, want)
	}
	return s.Done
}
