package postgres

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/commerceplatform/commerce-go/webhook"
)

const (
	firstTrace  = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
	secondTrace = "00-11111111111111111111111111111111-2222222222222222-00"
)

// The release before does not know traces. It renews entries of this one, which then have the newer body and not the
// trace of the one before. It adds entries, revives dead ones and stores facts again after their window, all without a
// trace.
func TestTraceBesideReleaseBefore(t *testing.T) {
	t.Parallel()
	o := Options{Schema: newSchema(t), Queue: "q"}
	in := open(t, database.URL(), o)
	script, err := os.ReadFile("testdata/0008_accept.sql")
	if err != nil {
		t.Fatal(err)
	}
	before := func(e webhook.Entry, want webhook.Outcome) {
		t.Helper()
		a := newArrivals([]*webhook.Entry{&e})
		w := a.waves[0]
		b := &pgx.Batch{}
		b.Queue(o.in(string(script)), o.Queue, w.keys, w.lanes, w.kinds, w.events, w.stores, w.bodies, w.windows, w.settles,
			w.clears, w.protected, w.unhandled, w.counts, w.dues, webhook.ShortestBackoff.Microseconds(), 1).Query(w.read)
		if err := in.pool.SendBatch(t.Context(), b).Close(); err != nil {
			t.Fatal(err)
		}
		if got := a.outcome(0); got != want {
			t.Fatalf("the release before: %s, want %s", got, want)
		}
	}
	now := func(e webhook.Entry, want webhook.Outcome) {
		t.Helper()
		if met, err := in.Accept(t.Context(), e); err != nil || met[0] != want {
			t.Fatalf("Accept: %v, %v; want %s", met, err, want)
		}
	}
	lease := func(body, trace string) webhook.Lease {
		t.Helper()
		l := lease(t, in)
		if string(l.Body) != body || l.Trace != trace {
			t.Errorf("leased with body %s and trace %q, want %s and %q", l.Body, l.Trace, body, trace)
		}
		return l
	}
	e := delivery(1)
	e.Trace, e.Body = firstTrace, []byte("1")
	now(e, webhook.OutcomeStored)
	e.Body = []byte("2")
	before(e, webhook.OutcomeJoined)
	l := lease("2", "")
	e.Body, e.Trace = []byte("3"), secondTrace
	now(e, webhook.OutcomeJoined)
	if again, err := in.Commit(t.Context(), l); err != nil || !again {
		t.Fatalf("again %v, %v", again, err)
	}
	l = lease("3", secondTrace)
	if err := in.Fail(t.Context(), l, webhook.Failed{Dead: true}); err != nil {
		t.Fatal(err)
	}
	e.Body = []byte("4")
	before(e, webhook.OutcomeRevived)
	const due = "UPDATE inbox.entry SET due = now(); UPDATE inbox.lane SET due = now(), turn = now()"
	if _, err := in.pool.Exec(t.Context(), o.in(due)); err != nil {
		t.Fatal(err)
	}
	if _, err := in.Commit(t.Context(), lease("4", "")); err != nil {
		t.Fatal(err)
	}

	e.Kind, e.Window, e.Body = webhook.KindFact, time.Hour, []byte("5")
	now(e, webhook.OutcomeStored)
	if _, err := in.Commit(t.Context(), lease("5", secondTrace)); err != nil {
		t.Fatal(err)
	}
	if _, err := in.pool.Exec(t.Context(), o.in("UPDATE inbox.entry SET forget_at = now()")); err != nil {
		t.Fatal(err)
	}
	e.Body = []byte("6")
	before(e, webhook.OutcomeStored)
	if _, err := in.Commit(t.Context(), lease("6", "")); err != nil {
		t.Fatal(err)
	}

	e.Kind, e.Body = webhook.KindSignal, []byte("7")
	now(e, webhook.OutcomeStored)
	var key string
	query := "SELECT key FROM (" + strings.Replace(in.sql.lease, traceColumn+", ", "", 1) + ") l"
	err = in.pool.QueryRow(t.Context(), query, o.Queue, 1, 1, []int64{}, time.Minute.Microseconds()).Scan(&key)
	if err != nil || key != e.Key {
		t.Errorf("the release before leases %q, %v; want %q", key, err, e.Key)
	}
}
