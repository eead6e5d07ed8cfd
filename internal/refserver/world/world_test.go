package world_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/clock"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

type fixture struct {
	*world.World
	app    world.App
	store  world.Store
	events []world.Event
}

func setup(t *testing.T) *fixture {
	t.Helper()
	f := &fixture{World: world.New(world.Options{Clock: clock.NewVirtual(clock.Start)})}
	f.OnCommit(func(e []world.Event) { f.events = append(f.events, e...) })
	var err error
	if f.app, err = f.AddApp(world.App{Name: "app", Settings: world.Settings{StoreRedactURL: "https://app.example/redact"}}); err != nil {
		t.Fatal(err)
	}
	if f.store, err = f.AddStore(world.Store{}); err != nil {
		t.Fatal(err)
	}
	return f
}

// hook registers the app for an event.
func (f *fixture) hook(t *testing.T, event string) (id int64) {
	t.Helper()
	err := f.Update(f.app.ID, f.store.ID, func(tx *world.Tx) error {
		id = tx.NewID()
		return tx.Webhooks.Put(id, world.Webhook{ID: id, App: f.app.ID, Event: event, URL: "https://app.example/hook"})
	})
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func (f *fixture) hooks() int {
	n := 0
	_ = f.View(0, f.store.ID, func(tx *world.Tx) error { n = tx.Webhooks.Len(); return nil })
	return n
}

func TestRollback(t *testing.T) {
	f := setup(t)
	f.hook(t, "product/created")
	var first, again int64
	boom := errors.New("boom")
	err := f.Update(0, f.store.ID, func(tx *world.Tx) error {
		first = tx.NewID()
		_ = tx.Webhooks.Put(first, world.Webhook{ID: first})
		st := tx.Store()
		st.Email = "changed"
		tx.SetStore(st)
		tx.Emit("product/created", map[string]any{"id": first})
		return boom
	})
	if !errors.Is(err, boom) {
		t.Fatalf("got %v, want %v", err, boom)
	}
	st, _ := f.Store(f.store.ID)
	if f.hooks() != 1 || len(f.events) != 0 || st.Email != "" {
		t.Errorf("left behind: %d hooks, %d events, email %q", f.hooks(), len(f.events), st.Email)
	}
	_ = f.Update(0, f.store.ID, func(tx *world.Tx) error { again = tx.NewID(); return nil })
	if first != again {
		t.Errorf("the id %d was used up; got %d", first, again)
	}
}

func TestViewWritesNothing(t *testing.T) {
	f := setup(t)
	_ = f.View(0, f.store.ID, func(tx *world.Tx) error {
		tx.Emit("product/created", nil)
		return tx.Webhooks.Put(1, world.Webhook{})
	})
	if f.hooks() != 0 || len(f.events) != 0 {
		t.Errorf("got %d hooks and %d events, want none", f.hooks(), len(f.events))
	}
}

func TestEventsGoToListeners(t *testing.T) {
	f := setup(t)
	hook := f.hook(t, "product/created")
	emit := func() {
		t.Helper()
		err := f.Update(0, f.store.ID, func(tx *world.Tx) error {
			tx.Emit("product/created", map[string]any{"id": int64(7)})
			tx.Emit("product/deleted", map[string]any{"id": int64(7)})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	emit()
	if len(f.events) != 2 || f.events[0].ID != 1 || f.events[1].ID != 2 {
		t.Fatalf("events: %+v", f.events)
	}
	want := []world.Target{{App: f.app.ID, Webhook: hook, URL: "https://app.example/hook"}}
	if !slices.Equal(f.events[0].To, want) || f.events[1].To != nil {
		t.Errorf("targets: got %v and %v", f.events[0].To, f.events[1].To)
	}
	if err := f.Suspend(f.store.ID); err != nil {
		t.Fatal(err)
	}
	f.events = nil
	if emit(); f.events[0].To != nil {
		t.Errorf("a suspended store told %v", f.events[0].To)
	}
}

func TestInstallEndsOldToken(t *testing.T) {
	f := setup(t)
	one, err := f.Install(f.app.ID, f.store.ID, world.Scopes{"read_products"})
	if err != nil {
		t.Fatal(err)
	}
	two, err := f.Install(f.app.ID, f.store.ID, world.Scopes{"read_orders"})
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := f.ByToken(one.Token); ok || one.Token == two.Token {
		t.Error("the old token is alive")
	}
	if in, ok := f.ByToken(two.Token); !ok || in.Store != f.store.ID {
		t.Errorf("the new token: got %+v, %v", in, ok)
	}
	if _, err := f.Install(1, f.store.ID, nil); !errors.Is(err, world.ErrNoApp) {
		t.Errorf("no app: got %v", err)
	}
	if _, err := f.Install(f.app.ID, 1, nil); !errors.Is(err, world.ErrNoStore) {
		t.Errorf("no store: got %v", err)
	}
}

func TestUninstall(t *testing.T) {
	f := setup(t)
	in, _ := f.Install(f.app.ID, f.store.ID, nil)
	f.hook(t, "app/uninstalled")
	if err := f.Uninstall(f.app.ID, f.store.ID); err != nil {
		t.Fatal(err)
	}
	var told []string
	for _, e := range f.events {
		for _, to := range e.To {
			told = append(told, e.Name+" "+to.URL)
		}
	}
	want := []string{"app/uninstalled https://app.example/hook", "store/redact https://app.example/redact"}
	if !slices.Equal(told, want) {
		t.Errorf("told %v, want %v", told, want)
	}
	if _, ok := f.ByToken(in.Token); ok || f.hooks() != 0 {
		t.Error("the token or the webhook outlived the app")
	}
	if f.Uninstall(f.app.ID, f.store.ID) == nil {
		t.Error("uninstalled twice")
	}
}

func TestSnapshotAndFork(t *testing.T) {
	f := setup(t)
	snap := f.Snapshot()
	fork := f.Fork()
	l := f.Limits()
	l.Products = 1
	f.SetLimits(l)
	first := f.hook(t, "product/created")
	f.Restore(snap)
	if f.hooks() != 0 || f.Limits().Products != 100000 {
		t.Errorf("restored: %d hooks, limit %d", f.hooks(), f.Limits().Products)
	}
	if again := f.hook(t, "product/created"); again <= first {
		t.Errorf("an id after restore: got %d, and %d was given before", again, first)
	}
	_ = fork.View(0, f.store.ID, func(tx *world.Tx) error {
		if tx.Webhooks.Len() != 0 {
			t.Error("the fork sees the other world's webhook")
		}
		return nil
	})
}

// Nothing that an app could remember is given twice, whatever is restored.
func TestRestoreRepeatsNoID(t *testing.T) {
	f := setup(t)
	begin, seen := f.Snapshot(), map[any]bool{}
	var last time.Time
	for range 5 {
		f.events = nil
		_ = f.Update(0, f.store.ID, func(tx *world.Tx) error {
			for _, id := range []any{tx.NewID(), tx.NewULID(), tx.NewUUID(), tx.NewHex(8)} {
				if seen[id] {
					t.Errorf("%v was given twice", id)
				}
				seen[id] = true
			}
			if now := tx.Now(); !now.After(last) {
				t.Errorf("%s is not after %s", now, last)
			} else {
				last = now
			}
			tx.Emit("product/created", nil)
			return nil
		})
		for _, e := range f.events {
			if id := fmt.Sprint("event ", e.ID); seen[id] {
				t.Errorf("%s happened twice", id)
			} else {
				seen[id] = true
			}
		}
		f.Restore(begin)
	}
	if len(seen) != 5*5 {
		t.Errorf("%d ids", len(seen))
	}
}

func TestTimeAndIDsAscend(t *testing.T) {
	f := setup(t)
	var times []int64
	var ulids []string
	for range 50 {
		_ = f.Update(0, f.store.ID, func(tx *world.Tx) error {
			times = append(times, tx.Now().UnixMicro())
			ulids = append(ulids, tx.NewULID(), tx.NewULID())
			if len(tx.NewUUID()) != 36 || len(tx.NewHex(12)) != 24 {
				t.Error("wrong length of an id")
			}
			return nil
		})
	}
	for i := 1; i < len(times); i++ {
		if times[i] <= times[i-1] {
			t.Fatalf("time %d is not after the one before", i)
		}
	}
	if !slices.IsSorted(ulids) || len(slices.Compact(slices.Clone(ulids))) != 100 {
		t.Error("ULIDs are not ascending")
	}
}

// A drawn id was that of a store which had been given it, and the store was lost.
func TestDrawnIDsAreFree(t *testing.T) {
	f := setup(t)
	given := max(f.app.ID, f.store.ID) + 10
	_, err := f.AddApp(world.App{ID: given})
	_, wrong := f.AddStore(world.Store{ID: given})
	if err := errors.Join(err, wrong); err != nil {
		t.Fatal(err)
	}
	for range 20 {
		a, err := f.AddApp(world.App{})
		st, wrong := f.AddStore(world.Store{})
		if a.ID == given || st.ID == given || err != nil || wrong != nil {
			t.Errorf("drew app %d and store %d, and %d was given to both: %v, %v", a.ID, st.ID, given, err, wrong)
		}
	}
	if n := len(f.Stores()); n != 22 {
		t.Errorf("%d stores, want 22", n)
	}
}

func TestNoStore(t *testing.T) {
	f := setup(t)
	if err := f.View(0, 5, nil); !errors.Is(err, world.ErrNoStore) {
		t.Errorf("view: got %v", err)
	}
	if err := f.Update(0, 5, nil); !errors.Is(err, world.ErrNoStore) {
		t.Errorf("update: got %v", err)
	}
	if err := f.Update(f.app.ID, 0, func(*world.Tx) error { return nil }); err != nil {
		t.Errorf("the platform's own data: got %v", err)
	}
	if n := len(f.Stores()); n != 1 {
		t.Errorf("store 0 became a store: %d", n)
	}
}
