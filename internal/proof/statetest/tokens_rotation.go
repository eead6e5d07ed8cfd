package statetest

import (
	"context"
	"maps"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/oauth/sqlstore"
)

func counts(t testing.TB, s *sqlstore.Store, want map[string]int) {
	t.Helper()
	if got := sealedBy(t, s); !maps.Equal(got, want) {
		t.Errorf("tokens are sealed by %v, want %v", got, want)
	}
}

func plaintextIsSealed(t *testing.T, e Engine) {
	s := e.store(t)
	s.Plaintext = true
	swap(t, s, 7, 0, made(7, 5))
	swap(t, s, 8, 0, made(8, 5))
	loads(t, s, 7, 5)
	counts(t, s, map[string]int{"plaintext": 2})
	if _, err := s.Reseal(t.Context()); err == nil {
		t.Error("Reseal without keys: got nil, want ErrNoKeys")
	}
	strict := with(s, key(1))
	_, err := strict.Load(t.Context(), 7)
	refused(t, err, sqlstore.ErrNotSealed, "store 7", "set Plaintext and keys, call Reseal")
	refused(t, strict.Check(t.Context()), sqlstore.ErrNotSealed, "2 stores")
	both := &sqlstore.Store{DB: s.DB, Keys: []sqlstore.Key{key(1)}, Plaintext: true}
	loads(t, both, 7, 5)
	counts(t, s, map[string]int{"plaintext": 1, key(1).ID(): 1})
	if n, err := both.Reseal(t.Context()); n != 1 || err != nil {
		t.Errorf("Reseal: got %d, %v; want 1", n, err)
	}
	loads(t, strict, 7, 5)
	loads(t, strict, 8, 5)
}

func resealedOnRead(t *testing.T, e Engine) {
	first := e.store(t, key(1))
	swap(t, first, 7, 0, made(7, 5))
	swap(t, first, 8, 0, made(8, 5))
	loads(t, with(first, key(2), key(1)), 7, 5)
	counts(t, first, map[string]int{key(1).ID(): 1, key(2).ID(): 1})
	loads(t, with(first, key(2)), 7, 5)
	loads(t, with(first, key(1)), 8, 5)
}

// resealFails makes the table reject tokens that are sealed with the new key. Loads continue.
func resealFails(t *testing.T, e Engine) {
	first := e.store(t, key(1))
	swap(t, first, 7, 0, made(7, 5))
	exec(t, first.DB, "CREATE UNIQUE INDEX taken ON commerce_install (sealed_by)")
	swap(t, with(first, key(2)), 8, 0, made(8, 5))
	second := with(first, key(2), key(1))
	for range 3 {
		loads(t, second, 7, 5)
	}
	counts(t, first, map[string]int{key(1).ID(): 1, key(2).ID(): 1})
	n, err := second.Reseal(t.Context())
	if refused(t, err, nil, "reseal store 7"); n != 0 {
		t.Errorf("Reseal: got %d, want 0", n)
	}
	exec(t, first.DB, "DROP INDEX taken")
	loads(t, second, 7, 5) // in the minute after a failure, no load tries again
	counts(t, first, map[string]int{key(1).ID(): 1, key(2).ID(): 1})
	if n, err := second.Reseal(t.Context()); n != 1 || err != nil {
		t.Errorf("Reseal: got %d, %v; want 1", n, err)
	}
}

// reseal seals several pages, is interrupted, continues, and leaves alone tokens that it cannot open.
func reseal(t *testing.T, e Engine) {
	first, n := e.store(t, key(1)), 520
	for id := range n {
		swap(t, first, client.ID(id+1), 0, made(client.ID(id+1), 5))
	}
	second := with(first, key(2), key(1))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	done, err := second.Reseal(ctx)
	if refused(t, err, context.Canceled); done != 0 {
		t.Errorf("Reseal with a context that has ended: got %d", done)
	}
	swap(t, second, 3, 5, made(3, 6))
	exec(t, first.DB, "UPDATE commerce_install SET token = 'AAAA' WHERE store_id = 5 OR store_id = 519")
	done, err = second.Reseal(t.Context())
	if refused(t, err, sqlstore.ErrDamaged, "2 tokens cannot be opened, the first: ", "store 5"); done != n-3 {
		t.Errorf("Reseal: got %d, want %d", done, n-3)
	}
	counts(t, first, map[string]int{key(1).ID(): 2, key(2).ID(): n - 2})
	exec(t, first.DB, "DELETE FROM commerce_install WHERE store_id = 5 OR store_id = 519")
	if again, err := second.Reseal(t.Context()); again != 0 || err != nil {
		t.Errorf("Reseal again: got %d, %v; want nothing", again, err)
	}
	loads(t, with(first, key(2)), 1, 5)
	loads(t, with(first, key(2)), 520, 5)
	loads(t, with(first, key(2)), 3, 6)
}

// resealNeverOverwrites has one replica swap a token while others load and reseal it with another key.
func resealNeverOverwrites(t *testing.T, e Engine) {
	first := e.store(t, key(1))
	second := with(first, key(2), key(1))
	var all sync.WaitGroup
	var done atomic.Bool
	first.Keys = append(first.Keys, key(2))
	swap(t, first, 7, 0, made(7, 1))
	for range 3 {
		all.Go(func() {
			for !done.Load() {
				if _, err := second.Load(t.Context(), 7); err != nil {
					t.Error(err)
					return
				}
				if _, err := second.Reseal(t.Context()); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	for generation := range int64(50) {
		if ok, err := first.Swap(t.Context(), 7, generation+1, made(7, generation+2)); err != nil || !ok {
			t.Errorf("Swap from %d: got %v, %v; want true", generation+1, ok, err)
			break
		}
	}
	done.Store(true)
	all.Wait()
	loads(t, first, 7, 51)
}

// rotation changes the key of three replicas under load, one replica after the other.
func rotation(t *testing.T, e Engine) {
	const shops = 3
	address, sets := e.New(t), [3]sqlstore.KeySet{}
	replicas := make([]*sqlstore.Store, len(sets))
	for i := range sets {
		replicas[i] = &sqlstore.Store{DB: e.opened(t, address), KeySet: &sets[i]}
		if err := sets[i].Set(key(1)); err != nil {
			t.Fatal(err)
		}
	}
	if err := replicas[0].Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	var done atomic.Bool
	var rounds [shops]atomic.Int64
	for id := range client.ID(shops) {
		swap(t, replicas[0], id, 0, made(id, 1))
		all.Go(func() {
			for generation := int64(1); !done.Load(); generation++ {
				s := replicas[generation%3]
				in, err := s.Load(t.Context(), id)
				if err != nil || in.Token != token(id, generation) {
					t.Errorf("Load of store %d: got %+v, %v; want generation %d", id, in, err, generation)
					return
				}
				swapped, err := replicas[(generation+1)%3].Swap(t.Context(), id, generation, made(id, generation+1))
				if err != nil || !swapped {
					t.Errorf("Swap of store %d: got %v, %v", id, swapped, err)
					return
				}
				rounds[id].Store(generation + 1)
			}
		})
	}
	// settled waits until no call is under way that began before, because those have the keys of before.
	settled := func() {
		for i := range rounds {
			for before := rounds[i].Load(); rounds[i].Load() < before+2 && !t.Failed(); {
				if _, err := replicas[0].Load(t.Context(), client.ID(i)); err != nil {
					t.Error(err)
				}
			}
		}
	}
	for _, step := range [][]sqlstore.Key{{key(1), key(2)}, {key(2), key(1)}, {key(2)}} {
		for i := range sets {
			if err := sets[i].Set(step...); err != nil {
				t.Error(err)
			}
			if _, err := replicas[i].Load(t.Context(), client.ID(i)); err != nil {
				t.Error(err)
			}
		}
		settled()
		if step[0].ID() == key(2).ID() {
			if _, err := replicas[1].Reseal(t.Context()); err != nil {
				t.Error(err)
			}
		}
	}
	done.Store(true)
	all.Wait()
	counts(t, replicas[0], map[string]int{key(2).ID(): shops})
	for id := range client.ID(shops) {
		loads(t, replicas[2], id, rounds[id].Load())
	}
}
