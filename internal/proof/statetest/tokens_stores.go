package statetest

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/oauth"
)

func listsStores(t *testing.T, e Engine) {
	s := e.store(t, key(1))
	s.DB.SetMaxOpenConns(1) // the iteration must hold no connection while its loop runs
	for range s.Stores(t.Context()) {
		t.Fatal("an empty table has stores")
	}
	ids := []client.ID{-5, 1, 1 << 53, 1<<53 + 1, 1<<63 - 1}
	for id := range client.ID(1100) { // several pages
		ids = append(ids, 1000+id)
	}
	slices.Sort(ids)
	tx, err := s.DB.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	const insert = `INSERT INTO commerce_install (store_id, generation, sealed_by, token, scopes, installed_at)
		VALUES ($1, 5, 'x', '', '', 0)`
	for _, id := range ids {
		if _, err := tx.ExecContext(t.Context(), insert, int64(id)); err != nil {
			t.Fatal(err)
		}
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	var got []client.ID
	for id, err := range s.Stores(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if known, err := s.Known(t.Context(), id); err != nil || !known {
			t.Fatalf("Known(%d): got %v, %v; want true", id, known, err)
		}
		got = append(got, id)
	}
	if !slices.Equal(got, ids) {
		t.Errorf("got %d stores, want %d in ascending order", len(got), len(ids))
	}
	if all, err := s.Installed(t.Context()); err != nil || !slices.Equal(all, ids) {
		t.Errorf("Installed: got %d stores, %v; want %d", len(all), err, len(ids))
	}
	if known, err := s.Known(t.Context(), 2); err != nil || known {
		t.Errorf("Known(2): got %v, %v; want false", known, err)
	}
	for range s.Stores(t.Context()) {
		break
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	n := 0
	for _, err := range s.Stores(ctx) {
		if n++; err != nil {
			refused(t, err, context.Canceled, "list stores")
		}
		cancel()
	}
	if n != 501 {
		t.Errorf("a context that ends during the first page: got %d pairs, want its 500 and an error", n)
	}
}

// sweepsStates puts many states that have expired. They are dropped, but not before another replica with a wrong clock
// would drop them.
func sweepsStates(t *testing.T, e Engine) {
	s := e.store(t, key(1))
	now := time.Now()
	for i := range 300 {
		for name, in := range map[string]time.Duration{"old": -time.Hour, "new": time.Hour, "just": -time.Minute} {
			if name != "old" && i%10 > 0 {
				continue
			}
			if err := s.Put(t.Context(), fmt.Sprint(name, i), oauth.Pending{Expires: now.Add(in)}); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, most := range map[string]int{"old": 32, "new": 30, "just": 30} {
		var n int
		const count = "SELECT count(*) FROM commerce_state WHERE state LIKE $1"
		if err := s.DB.QueryRowContext(t.Context(), count, name+"%").Scan(&n); err != nil {
			t.Fatal(err)
		}
		if n > most || name != "old" && n != most {
			t.Errorf("%d states that expire at time %q, want %d", n, name, most)
		}
	}
}
