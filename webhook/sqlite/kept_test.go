package sqlite_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/sqlite"
)

// What the collector knows of a lease gives way to what another connection, or the handler, has made of the entry
// since.
func TestKeptLease(t *testing.T) {
	t.Parallel()
	in := inbox(t, file(t), sqlite.Options{})
	accepted(t, in, "damaged")
	l := leased(t, in)
	_, err := in.DB().Exec("UPDATE inbox_entry SET generation = generation + 1")
	done(t, err)
	if _, err := in.Commit(t.Context(), l); !errors.Is(err, webhook.ErrLeaseLost) {
		t.Errorf("Commit of an entry that was damaged since its lease: %v, want ErrLeaseLost", err)
	}
	accepted(t, in, "freed")
	l = leased(t, in)
	_, err = in.DB().Exec("UPDATE inbox_lane SET token = token + 1 WHERE lane = 'freed'")
	done(t, err)
	if err := in.Fail(t.Context(), l, webhook.Failed{}); !errors.Is(err, webhook.ErrLeaseLost) {
		t.Errorf("Fail of a lease that has another token since: %v, want ErrLeaseLost", err)
	}

	e := delivery("changed")
	e.Clears = []webhook.Name{"order/created"}
	_, err = in.Accept(t.Context(), e)
	done(t, err)
	l = leased(t, in)
	l.Clears[0], l.Body[0] = "order/paid", 'x' // the handler's
	done(t, in.Fail(t.Context(), l, webhook.Failed{Released: true}))
	if again := leased(t, in); again.Key != "changed" || again.Clears[0] != "order/created" || string(again.Body) != string(e.Body) {
		t.Errorf("leased again: %+v", again.Entry)
	}
}

// A store with an entry that can be leased has a turn in time, whatever shares a transaction.
func TestTurnsInGroups(t *testing.T) {
	t.Parallel()
	r := choices(t, 0)
	synctest.Test(t, func(t *testing.T) {
		in := inbox(t, filepath.Join(t.TempDir(), "inbox.db"), sqlite.Options{})
		held := make(chan webhook.Lease, 1000)
		one := func(key string) func() { return func() { accepted(t, in, key) } }
		lacks := func() []int64 {
			stores, err := in.Lacking(t.Context())
			done(t, err)
			return stores
		}
		accepted(t, in, "due")
		together(t, in, nothing, one("a"), one("b"), one("c"), func() { // the store has its turn, is known to, and has no free lane
			_, err := in.Lease(t.Context(), webhook.LeaseQuery{Limit: 10, Term: time.Hour})
			done(t, err)
		}, one("d"))
		if stores := lacks(); len(stores) > 0 {
			t.Errorf("stores %v lack a turn", stores)
		}
		for round := range 40 {
			var calls []func()
			for i := range 1 + r.IntN(8) {
				e := delivery(fmt.Sprint("of ", round, " ", i))
				e.StoreID, e.Settle = client.ID(r.IntN(3)), time.Duration(r.IntN(3))*time.Hour
				if r.IntN(4) == 0 {
					e.Lane = fmt.Sprint("lane ", e.StoreID)
				}
				most, dead := 1+r.IntN(3), r.IntN(4) == 0
				calls = append(calls, []func(){
					func() { _, err := in.Accept(t.Context(), e); done(t, err) },
					func() { _, err := in.Accept(t.Context(), e, e); done(t, err) },
					func() {
						got, err := in.Lease(t.Context(), webhook.LeaseQuery{Limit: most, Term: time.Hour})
						done(t, err)
						for _, l := range got {
							held <- l
						}
					},
					func() {
						select {
						case l := <-held:
							err := in.Fail(t.Context(), l, webhook.Failed{Dead: dead})
							if err != nil && !errors.Is(err, webhook.ErrLeaseLost) {
								t.Error(err)
							}
						default:
						}
					},
					func() {
						_, err := in.DropStore(t.Context(), e.StoreID, "of "+fmt.Sprint(round-2), time.Now())
						done(t, err)
					},
				}[min(r.IntN(8), 6)%5])
			}
			together(t, in, nothing, calls...)
			if stores := lacks(); len(stores) > 0 {
				t.Fatalf("round %d: stores %v lack a turn", round, stores)
			}
			time.Sleep(time.Duration(r.IntN(90)) * time.Minute)
		}
	})
}
