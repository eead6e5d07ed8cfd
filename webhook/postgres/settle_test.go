package postgres

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/webhook"
)

// together ends leases in one group, as runs do that end at the same time.
func together(in *Inbox, group ...*settlement) {
	for _, s := range group {
		s.ctx, s.what, s.done = in.ctx, "settle", make(chan struct{})
	}
	in.settlements.store(in.ctx, slices.Clone(group), in.writeSettlements)
	for _, s := range group {
		<-s.done
	}
}

// states returns how each entry of the queue is, by its key.
func states(t *testing.T, in *Inbox) map[string]string {
	t.Helper()
	all := map[string]string{}
	rows, err := in.pool.Query(t.Context(), `SELECT e.key, e.state || ' ' || e.attempts || CASE WHEN e.due > now() THEN ' later' ELSE '' END ||
		CASE WHEN l.lane IS NULL THEN '' WHEN l.token IS NULL THEN ' lane free' ELSE ' lane held' END
		FROM webhook_inbox.entry e LEFT JOIN webhook_inbox.lane l ON l.queue = e.queue AND l.lane = e.lane WHERE e.queue = $1`, in.options.Queue)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var key, state string
		if err := rows.Scan(&key, &state); err != nil {
			t.Fatal(err)
		}
		all[key] = state
	}
	return all
}

// Runs that end in a group end as each would by itself: also beside one whose lease is lost, and one that ends twice.
func TestSettlements(t *testing.T) {
	t.Parallel()
	in := open(t, database.URL(), Options{Queue: newQueue(t)})
	entry := func(key, lane string, kind webhook.Kind) webhook.Entry {
		return webhook.Entry{Key: key, Lane: lane, Kind: kind, Event: "order/updated", StoreID: 1, Body: []byte("{}"), Window: time.Hour}
	}
	accept := func(entries ...webhook.Entry) {
		if _, err := in.Accept(t.Context(), entries...); err != nil {
			t.Fatal(err)
		}
	}
	ends := map[string]end{
		"signal": endCommit, "fact": endCommit, "again": endCommit, "more": endCommit, "lost": endCommit,
		"fails": endFail, "dies": endDead, "released": endRelease, "waits": endWait, "dropped": endDrop,
	}
	for key := range ends {
		kind := webhook.KindSignal
		if key == "fact" {
			kind = webhook.KindFact
		}
		accept(entry(key, "of "+key, kind))
	}
	leases, err := in.Lease(t.Context(), webhook.LeaseQuery{Limit: len(ends), Term: time.Hour})
	if err != nil || len(leases) != len(ends) {
		t.Fatalf("%d leases, %v, want %d", len(leases), err, len(ends))
	}
	accept(entry("again", "of again", webhook.KindSignal))
	accept(entry("more too", "of more", webhook.KindSignal))
	var group []*settlement
	for _, l := range leases {
		if l.Key == "lost" {
			l.Token--
		}
		group = append(group, &settlement{lease: l, end: ends[l.Key], delay: time.Hour.Microseconds(), cause: "why"})
		if l.Key == "signal" {
			group = append(group, &settlement{lease: l, end: endCommit})
		}
	}
	together(in, group...)

	var lost []string
	for _, s := range group {
		switch {
		case errors.Is(s.err, webhook.ErrLeaseLost):
			lost = append(lost, s.lease.Key)
		case s.err != nil:
			t.Errorf("%s: %v", s.lease.Key, s.err)
		case s.again != (s.lease.Key == "again"):
			t.Errorf("%s: again %v", s.lease.Key, s.again)
		}
	}
	if slices.Sort(lost); strings.Join(lost, " ") != "lost signal" {
		t.Errorf("lost %q, want the lease that is not the last one, and the second end of another", lost)
	}
	want := map[string]string{
		"fact": "done 1", "again": "pending 0 lane free", "more too": "pending 0 lane free", "lost": "pending 1 lane held",
		"fails": "pending 1 later lane free", "dies": "dead 1", "released": "pending 0 later lane free", "waits": "pending 0 later lane free",
	}
	got := states(t, in)
	for key := range got {
		if got[key] != want[key] {
			t.Errorf("%s: %q, want %q", key, got[key], want[key])
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d entries, want %d: %v", len(got), len(want), got)
	}
	if n := in.room.settled.Load(); n != 5 { // signal, fact, more, dies, dropped
		t.Errorf("%d are no longer pending, want 5", n)
	}
}

// A group whose leases all hold is one transaction.
func TestSettlementsShareATransaction(t *testing.T) {
	t.Parallel()
	in := open(t, database.URL(), Options{Queue: newQueue(t)})
	var w world
	for id := range int64(5) {
		if _, err := in.Accept(t.Context(), w.entry(id)); err != nil {
			t.Fatal(err)
		}
	}
	leases, err := in.Lease(t.Context(), webhook.LeaseQuery{Limit: 5, Term: time.Hour})
	if err != nil || len(leases) != 5 {
		t.Fatalf("%d leases, %v", len(leases), err)
	}
	var group []*settlement
	for i, l := range leases {
		group = append(group, &settlement{lease: l, end: []end{endCommit, endCommit, endFail, endDead, endWait}[i]})
	}
	s := newSession(t, in)
	s.exec(lockLane, in.options.Queue, leases[4].Lane)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		ctx, cancel := context.WithTimeout(in.ctx, time.Minute)
		defer cancel()
		for _, one := range group {
			one.ctx, one.done = ctx, make(chan struct{})
		}
		if err := in.writeSettlements(ctx, group, "0"); err != nil {
			t.Error(err)
		}
	}()
	s.awaited(in)
	if n, err := in.Stats(t.Context()); err != nil || n.Leased != 5 {
		t.Errorf("stats %+v, %v while one lane is locked, want all five leases as they were", n, err)
	}
	if err := s.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	<-ended
	if n, err := in.Stats(t.Context()); err != nil || n.Leased != 0 || n.Pending != 2 || n.Dead != 1 {
		t.Errorf("stats %+v, %v, want two pending and one dead", n, err)
	}
}

// What comes to a lane while its lease ends is not left without a lane.
func TestSettlementBesideArrival(t *testing.T) {
	t.Parallel()
	in, l, s := leased(t)
	// As Accept does it: the entry, then the lane.
	s.exec(`INSERT INTO webhook_inbox.entry (queue, key, lane, kind, event, store_id, body, window_ns, settle_ns, clears, protected, unhandled,
			state, generation, due, attempts, arrivals, first_seen, last_seen, pending_since, outcome)
		SELECT queue, 'later', lane, kind, event, store_id, body, window_ns, settle_ns, clears, protected, unhandled,
			'pending', 1, now(), 0, 1, now(), now(), now(), 'stored' FROM webhook_inbox.entry WHERE queue = $1 AND key = $2`, in.options.Queue, l.Key)
	s.exec(`UPDATE webhook_inbox.lane SET due = least(due, now()) WHERE queue = $1 AND lane = $2`, in.options.Queue, l.Lane)
	ended := make(chan error, 1)
	go func() { ended <- ignored(in.Commit(t.Context(), l)) }()
	s.awaited(in)
	if err := s.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if next := leaseOne(t, in); next.Key != "later" || next.Token <= l.Token {
		t.Errorf("leased %v, want the later entry under a later token", next)
	}
}

// Groups lock in one order, that of keys and then that of lanes, so that they do not wait for each other in a circle.
func TestSettlementsLockInOrder(t *testing.T) {
	t.Parallel()
	in := &Inbox{options: Options{Queue: "q"}}
	var group []*settlement
	for _, l := range []webhook.Lease{{Entry: webhook.Entry{Key: "a", Lane: "3"}}, {Entry: webhook.Entry{Key: "B", Lane: "1"}}, {Entry: webhook.Entry{Key: "c", Lane: "2"}}} {
		group = append(group, &settlement{lease: l, end: endCommit})
	}
	args := in.settleArguments(ordered(group))
	if keys, order := args[1].([]string), args[3].([]int32); !slices.Equal(keys, []string{"B", "a", "c"}) || !slices.Equal(order, []int32{1, 3, 2}) {
		t.Errorf("keys %q, lanes in the order %v; want B a c, and 1 3 2", keys, order)
	}
}

// Fail does what it says it did, even when the lease ends while the database is at it.
func TestLeaseEndsWhileItIsSettled(t *testing.T) {
	t.Parallel()
	for _, f := range []webhook.Failed{{}, {Released: true}, {Waits: true, Delay: time.Hour}, {Dead: true}, {Dropped: true}} {
		o := Options{Schema: newSchema(t), Queue: "q"}
		in := open(t, database.URL(), o)
		if _, err := in.pool.Exec(t.Context(), o.in(`ALTER FUNCTION inbox.holds RENAME TO holds_now;
			CREATE FUNCTION inbox.holds(text, text, bigint) RETURNS boolean LANGUAGE plpgsql AS $$
			DECLARE
				held boolean := inbox.holds_now($1, $2, $3);
			BEGIN
				PERFORM pg_sleep_until((SELECT l.until FROM inbox.lane l WHERE l.queue = $1 AND l.lane = $2));
				RETURN held;
			END $$`)); err != nil {
			t.Fatal(err)
		}
		var w world
		if _, err := in.Accept(t.Context(), w.entry(1)); err != nil {
			t.Fatal(err)
		}
		leases, err := in.Lease(t.Context(), webhook.LeaseQuery{Limit: 1, Term: 300 * time.Millisecond})
		if err != nil || len(leases) != 1 {
			t.Fatalf("%d leases, %v", len(leases), err)
		}
		if err := in.Fail(t.Context(), leases[0], f); !errors.Is(err, webhook.ErrLeaseLost) {
			t.Errorf("Fail with %+v: %v, want ErrLeaseLost", f, err)
		}
		if next := leaseOne(t, in); next.Unfinished != 1 {
			t.Errorf("after Fail with %+v, %d leases are unfinished, want 1: the lease was lost", f, next.Unfinished)
		}
	}
}
