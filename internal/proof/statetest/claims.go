package statetest

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/multistore"
	"github.com/commerceplatform/commerce-go/oauth"
	"github.com/commerceplatform/commerce-go/oauth/sqlstore"
)

func claims() Row {
	var preparing busy
	return Row{
		Name: "claims",
		Rules: []rule{
			{"Life", life}, {"Wrong", wrongConfigs}, {"Timeout", claimTimesOut}, {"Retired", retiredByServe},
		},
		Tables: []string{"commerce_claim"},
		Calls:  true,
		Expire: "UPDATE commerce_claim SET until = 1",
		Ends:   "SELECT until FROM commerce_claim", Term: 20 * time.Second,
		Claim: "INSERT INTO commerce_claim (store, holder, taken, until, term) VALUES (%d + 1, 'another', 1, $1, 20000000)",
		Open: func(w *World, db *sql.DB) Face {
			f := &claimsFace{w, multistore.New(multistore.Config{
				Tokens: &sqlstore.Store{DB: db, Plaintext: true, Prefix: w.Prefix, App: w.App},
			}), &preparing}
			f.Prepare = f.prepare
			return f
		},
	}
}

// busy counts the processes that prepare a store at a time.
type busy struct {
	mu   sync.Mutex
	now  map[string]int
	most int
}

func (b *busy) begin(w *World, store client.ID) (end func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.now == nil {
		b.now = map[string]int{}
	}
	of := fmt.Sprint(w.Address, " ", store)
	b.now[of]++
	b.most = max(b.most, b.now[of])
	return func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.now[of]--
	}
}

// claimsFace prepares store n + 1, which one process does at a time.
type claimsFace struct {
	w *World
	*multistore.App
	preparing *busy
}

func (f *claimsFace) Migrate(ctx context.Context) error { return f.App.Migrate(ctx) }

func (f *claimsFace) prepare(ctx context.Context, store client.ID) error {
	defer f.preparing.begin(f.w, store)()
	if err := f.w.call(); err != nil {
		return err
	}
	return f.w.do(ctx, "prepared %d.", store)
}

func (f *claimsFace) Act(ctx context.Context, n int) error {
	return f.App.Install.OnInstalled(ctx, oauth.Install{StoreID: client.ID(n + 1)})
}

func (f *claimsFace) Has(ctx context.Context, n int) (bool, error) {
	prepared, err := f.w.done(ctx, "prepared %d.", n+1)
	f.preparing.mu.Lock()
	defer f.preparing.mu.Unlock()
	if err == nil && f.preparing.most > 1 {
		err = fmt.Errorf("%d processes prepared a store at the same time", f.preparing.most)
	}
	return prepared > 0, err
}

// claimTimesOut tests that an installation is answered in time although another process has the claim.
func claimTimesOut(t *testing.T, e Engine) {
	row := claims()
	w := newWorld(t, e, e.New(t), row)
	exec(t, w.DB, fmt.Sprintf(row.Claim, 0), time.Now().Add(row.Term).UnixMicro())
	f := row.Open(w, w.DB).(*claimsFace)
	f.App.Install.App.Timeout = 300 * time.Millisecond
	began := time.Now()
	err := f.Act(t.Context(), 0)
	if took := time.Since(began); err == nil || took > 5*time.Second ||
		!strings.Contains(err.Error(), "another call prepares it: another since") {
		t.Errorf("%v after %v", err, took)
	}
}
