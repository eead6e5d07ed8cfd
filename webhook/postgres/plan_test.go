package postgres

import (
	"context"
	"errors"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/tier"
	"github.com/commerceplatform/commerce-go/webhook"
)

// Statements find what they need by an index and touch few pages, however much is pending, and however little was when
// they were planned. The server explains each as it was sent, and those inside its functions.
func TestProofPlans(t *testing.T) {
	t.Parallel()
	if _, err := newPool(t, database.URL(), 1).Exec(t.Context(), "LOAD 'auto_explain'"); err != nil {
		t.Skipf("the server does not explain: its contrib modules are missing, or the role may not load them: %v", err)
	}
	for name, early := range map[string]bool{"made when much is pending": false, "made when little was": true} {
		t.Run(name, func(t *testing.T) { plans(t, early) })
	}
}

// plans has the statements planned with much pending, or early, with next to nothing there, by connections that stay.
func plans(t *testing.T, early bool) {
	o := Options{Schema: newSchema(t), Queue: "plans", HighWater: 100}
	if !early {
		crowd(t, o)
	}
	e := explained{}
	config, err := pgxpool.ParseConfig(database.URL())
	if err != nil {
		t.Fatal(err)
	}
	config.ConnConfig.OnNotice = e.note
	config.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {
		_, err := conn.Exec(ctx, `LOAD 'auto_explain'; SET auto_explain.log_level = notice; SET auto_explain.log_min_duration = 0;
			SET auto_explain.log_analyze = on; SET auto_explain.log_timing = off; SET auto_explain.log_nested_statements = on`)
		return err
	}
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	in, err := Open(t.Context(), pool, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = in.Close() })
	var some []webhook.Entry // some are there and some are not
	for n := range 300 {
		some = append(some, delivery(int64(n)), webhook.Entry{Key: "key " + strconv.Itoa(n+1), Lane: "lane", Kind: webhook.KindSignal})
	}
	var leases []webhook.Lease
	others := webhook.LeaseQuery{Limit: 16, Without: []client.ID{123}, Term: time.Hour}
	tests := []struct {
		name, table string
		call        func() error
	}{
		{"Accept", "entry", func() error { return ignored(in.Accept(t.Context(), some[1])) }},
		{"Accept when full", "entry", func() error {
			if _, err := in.Accept(t.Context(), some...); err != webhook.ErrFull {
				return err
			}
			return nil
		}},
		{"Wait", "lane", func() error { in.next(t.Context(), webhook.LeaseQuery{}, time.Minute); return nil }},
		{"Wait without a store", "lane", func() error { in.next(t.Context(), others, time.Minute); return nil }},
		{"Lease without a store", "lane", func() error { return ignored(in.Lease(t.Context(), others)) }},
		{"look through", "lane", func() error {
			in.looked.next = time.Now()
			return ignored(in.Lease(t.Context(), others))
		}},
		{"look at a store again", "lane", func() error {
			in.arrived.add(123, 1001)
			in.notifyOnce(t.Context())
			return nil
		}},
		{"Lease", "lane", func() (err error) {
			leases = nil
			for len(leases) < 3 && err == nil { // what somebody has locked is left to the next call
				var more []webhook.Lease
				more, err = in.Lease(t.Context(), webhook.LeaseQuery{Limit: 16, Term: time.Hour})
				leases = append(leases, more...)
			}
			return err
		}},
		{"Extend", "lane", func() error { return in.Extend(t.Context(), leases[0], time.Minute) }},
		{"Commit", "entry", func() error { return ignored(in.Commit(t.Context(), leases[0])) }},
		{"Commit that clears", "entry", func() error {
			leases[1].Clears = []webhook.Name{"order/created"}
			return ignored(in.Commit(t.Context(), leases[1]))
		}},
		{"Fail", "entry", func() error { return in.Fail(t.Context(), leases[2], webhook.Failed{}) }},
		{"Dead", "entry", func() error { return ignored(in.Dead(t.Context(), "", 10)) }},
		{"Replay", "entry", func() error { return ignored(in.Replay(t.Context(), "key 1000")) }},
		{"Browse", "entry", func() error {
			return ignored(in.Browse(t.Context(), webhook.BrowseQuery{Filter: webhook.EntryFilter{State: webhook.EntryDead}, Limit: 50}))
		}},
		{"Browse a store", "entry", func() error {
			dead := webhook.EntryFilter{State: webhook.EntryDead, Store: client.Set[client.ID](123)}
			return ignored(in.Browse(t.Context(), webhook.BrowseQuery{Filter: dead, Limit: 50}))
		}},
		{"Groups", "entry", func() error { return ignored(in.Groups(t.Context(), webhook.EntryFilter{State: webhook.EntryDead})) }},
		{"Lookup", "entry", func() error {
			if _, err := in.Lookup(t.Context(), "key 1001", true); !errors.Is(err, webhook.ErrNoEntry) { // which it is with next to nothing there
				return err
			}
			return nil
		}},
		{"ReplayListed", "entry", func() error {
			return ignored(in.ReplayListed(t.Context(), webhook.StoredEntry{Entry: webhook.Entry{Key: "key 1500"}, DiedAt: time.Now()}))
		}},
		{"Purge", "entry", func() error { return ignored(in.Purge(t.Context(), "key 2000")) }},
		{"SetMark", "mark", func() error { return in.SetMark(t.Context(), "mark", time.Now()) }},
		{"Mark", "mark", func() error { return ignored(in.Mark(t.Context(), "mark")) }},
		{"prune", "entry", func() error { return ignored(in.pruneSome(t.Context(), pruneMost)) }},
		{"trim", "entry", func() error { _, _, err := in.trimSome(t.Context(), pruneMost); return err }},
	}
	if early {
		// The server may count a table just while next to nothing is in it, and then counts it again only when it looks
		// for the next time, a minute later.
		if _, err := pool.Exec(t.Context(), o.in(`ALTER TABLE inbox.entry SET (autovacuum_enabled = off);
			ALTER TABLE inbox.lane SET (autovacuum_enabled = off)`)); err != nil {
			t.Fatal(err)
		}
		for range 10 {
			if _, err := in.Accept(t.Context(), some[2:20]...); err != nil {
				t.Fatal(err)
			}
			for _, test := range tests {
				if err := test.call(); err != nil {
					t.Fatalf("%s with next to nothing there: %v", test.name, err)
				}
			}
		}
		crowd(t, o)
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			e.reset()
			if err := test.call(); err != nil {
				t.Fatal(err)
			}
			plans := e.reset()
			if !strings.Contains(strings.Join(plans, ""), o.Schema+"."+test.table) && !strings.Contains(strings.Join(plans, ""), " on "+test.table) {
				t.Errorf("%q: want one that reads %s", plans, test.table)
			}
			for _, plan := range plans {
				if !strings.Contains(plan, o.Schema+".") {
					continue // the inbox verifies the server now and then
				}
				if wide.MatchString(plan) && !strings.Contains(plan, in.sql.count) && !strings.Contains(plan, in.sql.position) { // which read all
					t.Errorf("%s", plan)
				}
			}
		})
	}
}

// crowd has many entries pending in place of what was there, with the statistics that the tables had.
func crowd(t *testing.T, o Options) {
	t.Helper()
	rows := tier.Size(5000, 50_000, 1_000_000)
	if _, err := open(t, database.URL(), o).pool.Exec(t.Context(), o.in(`SET synchronous_commit = off;
		DELETE FROM inbox.entry; DELETE FROM inbox.lane;
		INSERT INTO inbox.entry (queue, key, lane, kind, event, store_id, body, window_ns, settle_ns, clears, protected, unhandled,
			state, generation, due, attempts, arrivals, first_seen, last_seen, pending_since, outcome, died_at)
		SELECT 'plans', 'key ' || n, 'lane ' || n, 'signal', 'order/updated', 123, '{}', 0, 0, '{}', false, '',
			CASE WHEN n % 100 = 0 THEN 'dead' ELSE 'pending' END, 1, now() - n * interval '1 ms', 0, 1, now(), now(), now(), 'stored', now()
			FROM generate_series(1, `+strconv.Itoa(rows)+`) n;
		INSERT INTO inbox.lane (queue, lane, due, store_id, turn) SELECT queue, lane, due, 123, CASE WHEN key = 'key 1' THEN due END
			FROM inbox.entry WHERE state = 'pending';
		INSERT INTO inbox.lane (queue, lane, due, store_id, turn) -- of stores that rest
			SELECT 'plans', 'rest ' || n, now() + interval '1 hour', 1000 + n, now() + interval '1 hour'
			FROM generate_series(1, `+strconv.Itoa(rows/5)+`) n;
		RESET synchronous_commit`)); err != nil {
		t.Fatal(err)
	}
}

// The server keeps the plan of a lease when many entries are pending. To plan takes nearly as long as the lease itself.
func TestPlansAreKept(t *testing.T) {
	t.Parallel()
	const most, leases = 4, 50
	pool := newPool(t, database.URL(), most)
	in, err := Open(t.Context(), pool, Options{Queue: newQueue(t)})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	for n := range int64(leases) {
		if _, err := in.Accept(t.Context(), delivery(n)); err != nil {
			t.Fatal(err)
		}
		l, err := in.Lease(t.Context(), webhook.LeaseQuery{Limit: 1, Term: time.Hour})
		if err != nil || len(l) != 1 {
			t.Fatalf("got %d leases and %v, want 1", len(l), err)
		}
		if _, err := in.Commit(t.Context(), l[0]); err != nil {
			t.Fatal(err)
		}
	}
	var conns [most]*pgxpool.Conn // all that there are: the plans are theirs
	for i := range conns {
		if conns[i], err = pool.Acquire(t.Context()); err != nil {
			t.Fatal(err)
		}
		defer conns[i].Release()
	}
	for name, statement := range map[string]string{"lease": in.sql.lease, "commit": in.sql.settle} {
		kept, anew := 0, 0
		for _, conn := range conns {
			var k, a int
			if err := conn.QueryRow(t.Context(), `SELECT coalesce(sum(generic_plans), 0), coalesce(sum(custom_plans), 0)
				FROM pg_prepared_statements WHERE statement = $1`, statement).Scan(&k, &a); err != nil {
				t.Fatal(err)
			}
			kept, anew = kept+k, anew+a
		}
		if kept != leases || anew != 0 {
			t.Errorf("%s: %d runs of a plan that was kept and %d of new ones, want %d and 0", name, kept, anew, leases)
		}
	}
}

// With more leases than are looked at at a time, the first that is due or ends is still found.
func TestNext(t *testing.T) {
	t.Parallel()
	in := open(t, database.URL(), Options{Queue: newQueue(t)})
	held := `INSERT INTO webhook_inbox.lane (queue, lane, due, token, until, key, store_id, turn)
		SELECT $1, 'held ' || n, now() - interval '1 hour', n, now() + interval '1 hour', '', 0, now() - interval '1 hour' FROM generate_series(1, 1001) n`
	for _, test := range []struct {
		statement string
		least     time.Duration
	}{
		{"SELECT $1::text", 24 * time.Hour}, // nothing is there
		{held, 59 * time.Minute},
		{"UPDATE webhook_inbox.lane SET until = now() + interval '30 minutes' WHERE queue = $1 AND lane = 'held 7'", 29 * time.Minute},
		{"INSERT INTO webhook_inbox.lane (queue, lane, due, store_id, turn) VALUES ($1, 'free', now() + interval '10 minutes', 0, now() + interval '10 minutes')", 9 * time.Minute},
		{"UPDATE webhook_inbox.lane SET until = now() WHERE queue = $1 AND lane = 'held 8'", 0},
	} {
		if _, err := in.pool.Exec(t.Context(), test.statement, in.options.Queue); err != nil {
			t.Fatal(err)
		}
		if got := in.next(t.Context(), webhook.LeaseQuery{}, 24*time.Hour); got < test.least || got > test.least+time.Minute {
			t.Errorf("%s: due in %v, want %v to a minute later", test.statement, got, test.least)
		}
	}
}

// wide matches a plan that does not go by an index, or reads many rows to find few.
var wide = regexp.MustCompile(`Seq Scan|Bitmap|actual rows=\d{4,}|Rows Removed by [^:]*: \d{3,}`)

// explained are the plans of what was sent.
type explained struct {
	mu    sync.Mutex
	plans []string
}

func (e *explained) note(_ *pgconn.PgConn, n *pgconn.Notice) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.plans = append(e.plans, n.Message)
}

// reset returns the plans since it was called last.
func (e *explained) reset() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	plans := e.plans
	e.plans = nil
	return plans
}

func ignored[T any](_ T, err error) error { return err }
