package inboxshards_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/inboxshards"
)

// ahead is a shard whose clock is ahead of the others.
type ahead struct {
	inboxshards.Engine
	by time.Duration
}

func (a ahead) Browse(ctx context.Context, q webhook.BrowseQuery) (webhook.BrowsePage, error) {
	page, err := a.Engine.Browse(ctx, q)
	page.At = page.At.Add(a.by)
	for i := range page.Entries {
		page.Entries[i].Due = page.Entries[i].Due.Add(a.by)
	}
	return page, err
}

// closed is a shard whose marks cannot be written.
type closed struct{ inboxshards.Engine }

func (closed) SetMark(context.Context, string, time.Time) error { return errDown }

// changed returns an inbox whose shards were from before.
func changed(t *testing.T, name string, from []string, shards ...inboxshards.Shard) *inboxshards.Inbox {
	t.Helper()
	in, err := inboxshards.Open(t.Context(), inboxshards.Options{Shards: shards, Change: &inboxshards.Change{Name: name, From: from}})
	if err != nil {
		t.Fatal(err)
	}
	return in
}

func signal(store client.ID) webhook.Entry {
	return webhook.Entry{StoreID: store, Lane: "1", Kind: webhook.KindSignal, Event: "product/updated",
		Key: webhook.Prefix("app", store) + "product/updated:1", Body: []byte("{}")}
}

func those(stores ...client.ID) iter.Seq2[client.ID, error] {
	return func(yield func(client.ID, error) bool) {
		for _, store := range stores {
			if !yield(store, nil) {
				return
			}
		}
	}
}

// leased leases the only entry that is due.
func leased(t *testing.T, in webhook.Inbox) webhook.Lease {
	t.Helper()
	all, err := in.Lease(t.Context(), webhook.LeaseQuery{Limit: 2, Term: time.Second})
	if err != nil || len(all) != 1 {
		t.Fatalf("leased %v, %v", all, err)
	}
	return all[0]
}

func accept(t *testing.T, in webhook.Inbox, e webhook.Entry) {
	t.Helper()
	if _, err := in.Accept(t.Context(), e); err != nil {
		t.Fatal(err)
	}
}

// A lease of the former shard that was lost is not taken for the lease of the new shard with the same key, whose run
// would be repeated forever.
func TestLeaseLostInMove(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := inboxshards.Shard{Name: "a", Inbox: memory(t, 0)}
		b := inboxshards.Shard{Name: "b", Inbox: memory(t, 0)}
		in := changed(t, "lost", []string{"a"}, a, b)
		store := storeOn(t, in, b)
		accept(t, in, signal(store))
		lost := leased(t, in)
		time.Sleep(2 * time.Second) // the lease ends
		if _, err := in.DropStore(t.Context(), store, "", time.Now().Add(time.Hour)); err != nil {
			t.Fatal(err)
		}
		if _, err := in.Move(t.Context(), "app", those(store), nil); err != nil {
			t.Fatal(err)
		}
		accept(t, in, signal(store))
		l := leased(t, in)
		if _, err := in.Commit(t.Context(), lost); !errors.Is(err, webhook.ErrLeaseLost) {
			t.Errorf("the lost lease: %v", err)
		}
		if _, err := in.Commit(t.Context(), l); err != nil {
			t.Errorf("the lease of the new shard: %v", err)
		}
	})
}

// storeOn returns a store of a shard.
func storeOn(t *testing.T, in *inboxshards.Inbox, s inboxshards.Shard) client.ID {
	t.Helper()
	for store := client.ID(1); store < 1000; store++ {
		if in.InboxOf(webhook.Lease{Entry: webhook.Entry{StoreID: store}}) == s.Inbox {
			return store
		}
	}
	t.Fatalf("shard %s has no store", s.Name)
	return 0
}

// Tokens of a store grow although it moves from a shard whose clock is ahead, and back soon after.
func TestTokensOfClocksThatDiffer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := inboxshards.Shard{Name: "a", Inbox: ahead{memory(t, 0), time.Hour}}
		b := inboxshards.Shard{Name: "b", Inbox: memory(t, 0)}
		to := changed(t, "to b", []string{"a"}, a, b)
		store := storeOn(t, to, b)
		back, err := inboxshards.Open(t.Context(), inboxshards.Options{Shards: []inboxshards.Shard{a}, Change: &inboxshards.Change{
			Name: "back", From: []string{"a", "b"}, Leaving: []inboxshards.Shard{b}}})
		if err != nil {
			t.Fatal(err)
		}
		last := uint64(0)
		for _, in := range []*inboxshards.Inbox{to, back} {
			if _, err := in.Move(t.Context(), "app", those(store), nil); err != nil {
				t.Fatal(err)
			}
			accept(t, in, signal(store))
			l := leased(t, in)
			if l.Token <= last {
				t.Errorf("token %d after %d", l.Token, last)
			}
			last = l.Token
			if _, err := in.Commit(t.Context(), l); err != nil {
				t.Error(err)
			}
		}
	})
}

// Move also moves stores that are not listed but have entries, such as store 0.
func TestMoveOfStoresNotListed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		old := memory(t, 0)
		in, err := inboxshards.Open(t.Context(), inboxshards.Options{
			Shards: []inboxshards.Shard{{Name: "b", Inbox: memory(t, 0)}},
			Change: &inboxshards.Change{Name: "all", From: []string{"a"},
				Leaving: []inboxshards.Shard{{Name: "a", Inbox: old}}}})
		if err != nil {
			t.Fatal(err)
		}
		later, dead := signal(0), signal(7)
		later.Settle, dead.Unhandled = time.Hour, "no handler"
		accept(t, in, later)
		accept(t, in, dead)
		sum, err := in.Move(t.Context(), "app", those(), nil)
		if err != nil || sum.Stores != 2 {
			t.Fatalf("moved %+v, %v", sum, err)
		}
		time.Sleep(time.Hour)
		_, _ = in.Lease(t.Context(), webhook.LeaseQuery{Limit: 1, Term: time.Second}) // forwards what is due
		if s, _ := old.Stats(t.Context()); s.Pending != 0 || s.Dead != 0 {
			t.Errorf("the former shard has %+v", s)
		}
		if s, _ := in.Stats(t.Context()); s.Pending != 1 || s.Dead != 1 {
			t.Errorf("all shards have %+v", s)
		}
	})
}

// Move does not move dead entries of another store whose app has the name of this app and the number of this store.
func TestMoveOfAppNameWithColon(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := inboxshards.Shard{Name: "a", Inbox: memory(t, 0)}, inboxshards.Shard{Name: "b", Inbox: memory(t, 0)}
		in := changed(t, "colon", []string{"a"}, a, b)
		store, other := storeOn(t, in, b), signal(storeOn(t, in, a))
		other.Key, other.Unhandled = fmt.Sprintf("app:%d:%s", store, other.Key[len("app:"):]), "no handler"
		accept(t, in, other)
		if _, err := in.Move(t.Context(), "app", those(store), nil); err != nil {
			t.Fatal(err)
		}
		if e, err := a.Inbox.Lookup(t.Context(), other.Key, false); err != nil || e.State != webhook.EntryDead {
			t.Errorf("the entry of store %d is %q, %v", other.StoreID, e.State, err)
		}
	})
}

// A shard that is down stops the move of its own stores only, and the error names it.
func TestMoveToShardThatIsDown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := inboxshards.Shard{Name: "a", Inbox: memory(t, 0)}
		b := inboxshards.Shard{Name: "b", Inbox: memory(t, 0)}
		c := inboxshards.Shard{Name: "c", Inbox: closed{memory(t, 0)}}
		in := changed(t, "down", []string{"a"}, a, b, c)
		well, ill := storeOn(t, in, b), storeOn(t, in, c)
		sum, err := in.Move(t.Context(), "app", those(ill, well), nil)
		if !errors.Is(err, errDown) || !strings.Contains(err.Error(), `shard "c"`) || sum.Stores != 1 || sum.Store != well {
			t.Errorf("moved %+v, %v", sum, err)
		}
		for _, store := range []client.ID{well, ill} {
			accept(t, in, signal(store))
		}
	})
}

// A store whose entries are not run does not stop the move of the others.
func TestMoveOfStoreThatIsBusy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := inboxshards.Shard{Name: "a", Inbox: memory(t, 0)}, inboxshards.Shard{Name: "b", Inbox: memory(t, 0)}
		in := changed(t, "busy", []string{"a"}, a, b)
		busy := storeOn(t, in, b)
		idle := busy + 1
		for in.InboxOf(webhook.Lease{Entry: webhook.Entry{StoreID: idle}}) != b.Inbox {
			idle++
		}
		accept(t, in, signal(busy))
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		sum, err := in.Move(ctx, "app", those(busy, idle), nil)
		if !errors.Is(err, context.DeadlineExceeded) || sum.Stores != 1 || sum.Store != idle {
			t.Errorf("moved %+v, %v", sum, err)
		}
	})
}

// During a change, Accept ends before the store of its entry can have left the former shard.
func TestAcceptEndsInMove(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := &ill{Engine: memory(t, 0)}
		slow.set(false, true)
		b := inboxshards.Shard{Name: "b", Inbox: memory(t, 0)}
		in := changed(t, "slow", []string{"a"}, inboxshards.Shard{Name: "a", Inbox: slow}, b)
		began := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		_, err := in.Accept(ctx, signal(storeOn(t, in, b)))
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(began) > 3*time.Second {
			t.Errorf("accepted after %v: %v", time.Since(began), err)
		}
	})
}

// Entries that arrive while their store is moved are run in the order of their arrival.
func TestOrderWhileStoreMoves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := inboxshards.Shard{Name: "a", Inbox: memory(t, 0)}, inboxshards.Shard{Name: "b", Inbox: memory(t, 0)}
		in := changed(t, "order", []string{"a"}, a, b)
		store := storeOn(t, in, b)
		accept(t, in, signal(store))
		first := leased(t, in)
		var moving sync.WaitGroup
		moving.Go(func() {
			if _, err := in.Move(t.Context(), "app", those(store), nil); err != nil {
				t.Error(err)
			}
		})
		var sent, ran []string
		for i := 0; len(ran) < 20; i++ {
			time.Sleep(170 * time.Millisecond)
			if i < 70 {
				if err := in.Extend(t.Context(), first, time.Second); err != nil {
					t.Fatal(err)
				}
			}
			if i == 70 {
				if _, err := in.Commit(t.Context(), first); err != nil {
					t.Fatal(err)
				}
			}
			if i >= 50 && i < 75 {
				e := signal(store)
				e.Key += fmt.Sprint(":", i)
				accept(t, in, e)
				sent = append(sent, e.Key)
			}
			all, err := in.Lease(t.Context(), webhook.LeaseQuery{Limit: 2, Term: 30 * time.Second})
			if err != nil {
				t.Fatal(err)
			}
			for _, l := range all {
				if _, err := in.Commit(t.Context(), l); err != nil {
					t.Error(err)
				}
				ran = append(ran, l.Key)
			}
		}
		moving.Wait()
		if !slices.Equal(ran, sent[:len(ran)]) {
			t.Errorf("ran %v, want %v", ran, sent[:len(ran)])
		}
	})
}
