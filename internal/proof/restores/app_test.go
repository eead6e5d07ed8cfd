package restores

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/appdb"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/multistore"
	"github.com/commerceplatform/commerce-go/client/sqlcopy"
	"github.com/commerceplatform/commerce-go/client/sqljobs"
	"github.com/commerceplatform/commerce-go/client/sqljournal"
	"github.com/commerceplatform/commerce-go/oauth/sqlstore"
	"github.com/commerceplatform/commerce-go/payments/sqlledger"
	"github.com/commerceplatform/commerce-go/shipping/sqlrates"
)

// app is a process of an app, and what the world outside of its database remembers.
type app struct {
	context.Context
	inbox   multistore.Database
	db      *sql.DB
	tokens  *sqlstore.Store
	journal *sqljournal.Journal[client.Category]
	copy    *sqlcopy.Mirror[client.Product]
	ledger  *sqlledger.Ledger
	rates   *sqlrates.Cache
	jobs    *sqljobs.Queue
	claims  *multistore.App
	reports *reports // of the inbox

	*outside
}

// outside is remembered through a restore.
type outside struct {
	fence    uint64 // of the last run
	platform *clienttest.Server
	moved    bool           // the packages notice the move
	ran      map[string]int // how often each item of a job was run
}

func newOutside(t *testing.T) *outside {
	return &outside{platform: clienttest.New(t), ran: map[string]int{}}
}

// reports are errors that an inbox has reported.
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

// newApp returns a process that has made its tables.
func newApp(t *testing.T, inbox multistore.Database, r *reports, o *outside) *app {
	t.Helper()
	db := inbox.DB()
	a := &app{
		Context: t.Context(), inbox: inbox, db: db, reports: r, outside: o,
		tokens:  &sqlstore.Store{DB: db, Plaintext: true},
		journal: &sqljournal.Journal[client.Category]{DB: db, Name: "categories"},
		ledger:  &sqlledger.Ledger{DB: db},
		rates:   &sqlrates.Cache{DB: db},
		copy: &sqlcopy.Mirror[client.Product]{
			DB: db, Table: "product", StoreID: 7,
			Put: func(ctx context.Context, tx *sql.Tx, p *client.Product) error {
				const put = "INSERT INTO product (store_id, id) VALUES (7, $1) ON CONFLICT (store_id, id) DO NOTHING"
				_, err := tx.ExecContext(ctx, put, int64(p.ID))
				return err
			},
		},
	}
	a.jobs = newJobs(a)
	a.claims = multistore.New(multistore.Config{Tokens: a.tokens})
	a.claims.Install.App.Timeout = time.Second
	a.claims.Prepare = func(context.Context, client.ID) error { return nil }
	const product = "CREATE TABLE IF NOT EXISTS product (store_id BIGINT, id BIGINT, PRIMARY KEY (store_id, id))"
	_, err := db.ExecContext(a, product)
	if err := errors.Join(err, a.tables().Migrate(a)); err != nil {
		t.Fatal(err)
	}
	return a
}

func (a *app) tables() appdb.Tables {
	return (&multistore.App{Tokens: a.tokens}).Tables(
		sqljournal.Tables, sqlcopy.Tables, sqljobs.Tables, sqlledger.Tables, sqlrates.Tables)
}

// has returns an error unless got is want.
func has[V comparable](what string, got, want V) error {
	if got != want {
		return fmt.Errorf("%s: got %v, want %v", what, got, want)
	}
	return nil
}

// fails returns an error unless err is want.
func fails(what string, err, want error) error {
	if !errors.Is(err, want) {
		return fmt.Errorf("%s: got %v, want %v", what, err, want)
	}
	return nil
}

// story has an app act before and after the moment at which a copy of its database is made, and continue on the copy.
type story struct {
	name string
	// take copies the database of a process at this moment, and returns how the next process opens the copy.
	take func(t *testing.T, a *app) (open func(t *testing.T, o *outside) *app)
	// latest means that open follows the acts after the moment: nothing is missing.
	latest bool
	// reports means that the inbox reports the move.
	reports bool
	// traceless means that the move leaves no trace.
	traceless bool
}

func (s story) run(t *testing.T, a *app) {
	act := func(a *app, part func(f face) func(a *app) error) {
		t.Helper()
		for _, f := range faces() {
			if err := part(f)(a); err != nil {
				t.Errorf("%s: %v", f.name, err)
			}
		}
	}
	act(a, func(f face) func(a *app) error { return f.before })
	open := s.take(t, a)
	act(a, func(f face) func(a *app) error { return f.after })
	next := open(t, a.outside)
	next.moved = !s.traceless
	err := next.tables().Check(next)
	for _, step := range []string{"open it again", "Once looks", "Reconcile", "add them again", "the processor"} {
		if named := errors.Is(err, appdb.ErrMoved) && strings.Contains(err.Error(), step); named != next.moved {
			t.Errorf("Check: %v; want ErrMoved and %q: %t", err, step, next.moved)
		}
	}
	reported := strings.Contains(next.reports.String(), "run a Sweep")
	if err := has("the inbox reports the move", reported, s.reports); err != nil {
		t.Error(err, next.reports)
	}
	act(next, func(f face) func(a *app) error {
		if s.latest {
			return f.copied
		}
		return f.restored
	})
	if err := errors.Join(next.tables().Settle(next), next.tables().Check(next)); err != nil {
		t.Errorf("after Settle: %v", err)
	}
}

// stop bounds a call that ends a tool.
const stop = time.Minute
