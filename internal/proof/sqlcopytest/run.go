package sqlcopytest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/sqlcopy"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/internal/proctest"
)

// Run tests a database that open connects to. It is empty at the first call of a test, and the same one at the others.
func Run(t *testing.T, open func(t *testing.T) *sql.DB) {
	t.Run("Steps", func(t *testing.T) { steps(t, open(t)) })
	t.Run("Stores", func(t *testing.T) { stores(t, open(t)) })
	t.Run("Replicas", func(t *testing.T) { replicas(t, open) })
}

// steps tests the promises of client.Mirror.
func steps(t *testing.T, db *sql.DB) {
	ctx := t.Context()
	if _, err := mirror(db).State(ctx); !errors.Is(err, sqlcopy.ErrNoTables) {
		t.Errorf("without a table: %v, want ErrNoTables", err)
	}
	m := created(t, db)
	products := func(ids ...client.ID) (all []client.Product) {
		for _, id := range ids {
			all = append(all, client.Product{ID: id})
		}
		return all
	}
	has := func(state string, want ...client.ID) {
		t.Helper()
		got, err := m.State(ctx)
		if err != nil || got != state {
			t.Errorf("state %q, %v; want %q", got, err, state)
		}
		ids, err := m.IDs(ctx, 1, 2)
		if err != nil || fmt.Sprint(ids) != fmt.Sprint(want) {
			t.Errorf("ids %v, %v; want %v", ids, err, want)
		}
	}
	has("")
	for i, test := range []struct {
		step  client.CopyStep[client.Product]
		moved bool
		state string
		ids   []client.ID
	}{
		{client.CopyStep[client.Product]{Before: "x", After: "a", Put: products(7)}, true, "", nil},
		{client.CopyStep[client.Product]{After: "a", Put: products(1, 2, 3, 4)}, false, "a", []client.ID{2, 3}},
		{client.CopyStep[client.Product]{After: "b", Put: products(7)}, true, "a", []client.ID{2, 3}},
		{client.CopyStep[client.Product]{Before: "a", After: "b", Put: products(4, 5), Delete: []client.ID{2, 9}}, false, "b", []client.ID{3, 4}},
		{client.CopyStep[client.Product]{Before: "a", After: "c", Delete: []client.ID{3}}, true, "b", []client.ID{3, 4}},
	} {
		if err := m.Apply(ctx, test.step); errors.Is(err, client.ErrCopyMoved) != test.moved || err != nil && !test.moved {
			t.Errorf("step %d: %v, want ErrCopyMoved: %v", i, err, test.moved)
		}
		has(test.state, test.ids...)
	}
	full := mirror(db)
	full.Put = func(context.Context, *sql.Tx, *client.Product) error { return errors.New("disk full") }
	if err := full.Apply(ctx, client.CopyStep[client.Product]{Before: "b", After: "c", Put: products(8), Delete: []client.ID{3}}); err == nil || !strings.Contains(err.Error(), "put record 8: disk full") {
		t.Errorf("a failed put: %v", err)
	}
	has("b", 3, 4)
	// A panic ends the transaction too. Otherwise nothing else could write to a SQLite database.
	full.Put = func(context.Context, *sql.Tx, *client.Product) error { panic("no variants") }
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic of Put is lost")
			}
		}()
		_ = full.Apply(ctx, client.CopyStep[client.Product]{Before: "b", After: "c", Put: products(8), Delete: []client.ID{3}})
	}()
	has("b", 3, 4)
	// The writes of OnStep, and its error, are part of the step.
	joined := mirror(db)
	refused := errors.New("lease lost")
	joined.OnStep = func(ctx context.Context, tx *sql.Tx, step client.CopyStep[client.Product]) error {
		for _, id := range step.Delete { // a row that Put has not written
			if _, err := tx.ExecContext(ctx, "INSERT INTO product (id, document) VALUES ($1, 'by OnStep')", int64(id)+1000); err != nil {
				return err
			}
		}
		if step.After == "c" {
			return refused
		}
		return nil
	}
	if err := joined.Apply(ctx, client.CopyStep[client.Product]{Before: "b", After: "c", Put: products(8), Delete: []client.ID{3}}); !errors.Is(err, refused) {
		t.Errorf("a step that OnStep refuses: %v", err)
	}
	has("b", 3, 4)
	if err := joined.Apply(ctx, client.CopyStep[client.Product]{Before: "b", After: "d", Delete: []client.ID{1}}); err != nil {
		t.Error(err)
	}
	has("d", 3, 4)
	if ids, err := m.IDs(ctx, 1000, 2); err != nil || fmt.Sprint(ids) != "[1001]" {
		t.Errorf("written by OnStep: %v, %v; want [1001]", ids, err)
	}
	if err := m.Apply(ctx, client.CopyStep[client.Product]{Before: "d", After: "b", Delete: []client.ID{1001}}); err != nil {
		t.Error(err)
	}
	var wins sync.Map
	var all sync.WaitGroup
	for i := range 16 {
		all.Go(func() {
			switch err := m.Apply(ctx, client.CopyStep[client.Product]{Before: "b", After: fmt.Sprint("w", i), Put: products(client.ID(100 + i))}); {
			case err == nil:
				wins.Store(i, true)
			case !errors.Is(err, client.ErrCopyMoved):
				t.Errorf("one of 16: %v", err)
			}
		})
	}
	all.Wait()
	won := -1
	for i := range wins.Range {
		if won >= 0 {
			t.Errorf("both %d and %v replaced one state", won, i)
		}
		won = i.(int)
	}
	has(fmt.Sprint("w", won), 3, 4)
	if ids, err := m.IDs(ctx, 50, 50); err != nil || fmt.Sprint(ids) != fmt.Sprint([]int{100 + won}) {
		t.Errorf("ids %v, %v; want those of the step that won", ids, err)
	}
	if err := m.Forget(ctx); err != nil {
		t.Error(err)
	}
	has("", 3, 4)
}

// replicas tests two processes that copy one store, with webhooks at both, while it changes.
func replicas(t *testing.T, open func(t *testing.T) *sql.DB) {
	first := open(t)
	mirrors := []*sqlcopy.Mirror[client.Product]{created(t, first), mirror(open(t))}
	s := newShop(t, 40)
	s.srv.Clock().Advance(time.Hour)
	var all sync.WaitGroup
	for i, m := range mirrors {
		api := v202503.New(s.srv.Client())
		all.Go(func() {
			for {
				err := copyOf(api, m).Run(t.Context())
				if err == nil {
					return
				}
				if !errors.Is(err, client.ErrCopyMoved) {
					t.Error(err)
					return
				}
			}
		})
		all.Go(func() {
			for j := range 10 {
				if err := copyOf(api, m).Changed(t.Context(), s.ids[10*i+j]); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for i := range 10 {
		s.update(s.ids[5+i])
		gone := s.ids[30+i]
		if err := s.api.Products.Delete(t.Context(), gone); err != nil {
			t.Fatal(err)
		}
		if err := copyOf(s.api, mirrors[i%2]).Deleted(t.Context(), gone); err != nil {
			t.Fatal(err)
		}
	}
	all.Wait()
	if err := copyOf(s.api, mirrors[0]).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.equals(first)
}

// Killed lets a process copy a store, kills it (kill -9) at random places while the store changes, and fails the test
// unless the database equals the store afterwards. Child starts a process that calls Child.
func Killed(t *testing.T, db *sql.DB, child func(t *testing.T, env ...string) *proctest.Process) {
	created(t, db)
	s := newShop(t, 60)
	if err := s.srv.Listen("127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	token, err := s.srv.Install()
	if err != nil {
		t.Fatal(err)
	}
	s.api = v202503.New(s.srv.Client())
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	for range 5 {
		c := child(t, "SQLCOPY_URL="+s.srv.URL(), "SQLCOPY_TOKEN="+string(token), "SQLCOPY_STORE="+s.srv.StoreID().String())
		for range 1 + rng.IntN(8) {
			c.Line(t)
		}
		s.srv.Clock().Advance(10 * time.Minute)
		s.create()
		s.update(s.ids[rng.IntN(len(s.ids))])
		i := rng.IntN(len(s.ids))
		if err := s.api.Products.Delete(t.Context(), s.ids[i]); err != nil {
			t.Fatal(err)
		}
		s.ids = append(s.ids[:i], s.ids[i+1:]...)
		c.Kill(t)
	}
	last := copyOf(s.api, mirror(db))
	if err := last.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := last.Reconcile(t.Context()); err != nil { // nobody received the webhooks
		t.Fatal(err)
	}
	s.equals(db)
}

// Child copies the store of Killed into a database until it is killed, and prints a line for each page.
func Child(db *sql.DB) error {
	ctx := context.Background()
	store, err := client.ParseID(os.Getenv("SQLCOPY_STORE"))
	if err != nil {
		return err
	}
	c, err := client.New(client.Config{
		BaseURL: os.Getenv("SQLCOPY_URL"), StoreID: store, Token: client.StaticToken(client.Secret(os.Getenv("SQLCOPY_TOKEN"))), UserAgent: "Child (dev@shop.example)",
	})
	if err != nil {
		return err
	}
	products := copyOf(v202503.New(c), mirror(db))
	products.OnProgress = func(_ context.Context, p client.CopyProgress) { fmt.Println(p.Phase, p.Records) }
	for {
		if err := products.Run(ctx); err != nil {
			return err
		}
		if err := products.Reconcile(ctx); err != nil {
			return err
		}
	}
}
