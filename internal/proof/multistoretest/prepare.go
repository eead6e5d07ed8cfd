package multistoretest

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/multistore"
	"github.com/commerceplatform/commerce-go/oauth"
)

// prepare tests that one process at a time prepares a store: the platform accepts a second promotion of one name.
func prepare(t *testing.T, inbox multistore.Database) {
	f := newFixture(t, inbox)
	store := f.platform.StoreID()
	var active, most, calls atomic.Int32
	counted := func(context.Context, client.ID) error {
		n := active.Add(1)
		defer active.Add(-1)
		for old := most.Load(); n > old && !most.CompareAndSwap(old, n); old = most.Load() {
		}
		calls.Add(1)
		time.Sleep(10 * time.Millisecond) // a call of the platform
		return nil
	}
	other := multistore.New(multistore.Config{
		OAuth: f.app.Install.App, API: f.app.Stores.Config, Tokens: f.app.Tokens, Inbox: inbox, PublicURL: public,
	})
	f.app.Prepare, other.Prepare = counted, counted
	var wg sync.WaitGroup
	for i := range 8 {
		app := []*multistore.App{f.app, other}[i%2]
		wg.Go(func() {
			if err := app.Install.OnInstalled(t.Context(), oauth.Install{StoreID: store}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if most.Load() != 1 || calls.Load() != 8 {
		t.Errorf("%d at a time and %d in all, want 1 and 8", most.Load(), calls.Load())
	}
	claimed(t, f, other, &calls)
}

// claimed tests what other processes see that prepare a store while another one has, or had, the claim.
func claimed(t *testing.T, f *fixture, other *multistore.App, calls *atomic.Int32) {
	store := f.platform.StoreID()
	claim := func(until time.Duration) {
		_, err := f.db.ExecContext(t.Context(), `UPDATE commerce_claim SET holder = 'killed',
			until = $1, term = 20000000, taken = $2 WHERE store = $3`,
			time.Now().Add(until).UnixMicro(), time.Now().UnixMicro(), store)
		f.must(err)
	}
	// The clock of the database was set back after the other claim.
	for n, until := range []time.Duration{-time.Minute, time.Hour} {
		claim(until)
		err := other.Install.OnInstalled(t.Context(), oauth.Install{StoreID: store})
		if err != nil || calls.Load() != int32(9+n) {
			t.Errorf("after the claim of a killed process that ends in %v: %v, %d calls", until, err, calls.Load())
		}
	}
	claim(19 * time.Second)
	other.Install.App.Timeout = 300 * time.Millisecond
	began := time.Now()
	err := other.Install.OnInstalled(t.Context(), oauth.Install{StoreID: store})
	if took := time.Since(began); err == nil || calls.Load() != 10 || took > 5*time.Second ||
		!strings.Contains(err.Error(), "prepared by another call: killed since 20") {
		t.Errorf("while another process has the claim: %v after %v, %d calls", err, took, calls.Load())
	}
}
