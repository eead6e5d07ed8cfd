package sqlite_test

import (
	"testing"

	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/sqlite"
)

const (
	firstTrace  = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
	secondTrace = "00-11111111111111111111111111111111-2222222222222222-00"
)

// The release before does not know traces. It renews an entry and leaves the columns of its trace as they are, and adds
// entries without them: both are leased, and the renewed one without the trace of the body before.
func TestTraceBesideReleaseBefore(t *testing.T) {
	in := inbox(t, file(t), sqlite.Options{})
	const columns = "(trace, trace_sum)"
	e := delivery("renewed")
	e.Trace, e.Kind = firstTrace, webhook.KindSignal
	_, err := in.Accept(t.Context(), e)
	done(t, err)
	_, err = in.DB().Exec("CREATE TABLE was AS SELECT trace, trace_sum FROM inbox_entry")
	done(t, err)
	e.Trace, e.Body = secondTrace, []byte(`{"newer":true}`)
	added := delivery("added")
	added.Trace = secondTrace
	_, err = in.Accept(t.Context(), e, added)
	done(t, err)
	for key, value := range map[string]string{"renewed": "(SELECT trace, trace_sum FROM was)", "added": "(NULL, NULL)"} {
		_, err = in.DB().Exec("UPDATE inbox_entry SET "+columns+" = "+value+" WHERE key = ?", delivery(key).Key)
		done(t, err)
	}
	for range 2 {
		l := leased(t, in)
		if l.Trace != "" {
			t.Errorf("%q: trace %q, want none", l.Key, l.Trace)
		}
		if l.Key == e.Key && string(l.Body) != string(e.Body) {
			t.Errorf("%q: body %s, want %s", l.Key, l.Body, e.Body)
		}
		_, err := in.Commit(t.Context(), l)
		done(t, err)
	}
	if s, err := in.Stats(t.Context()); err != nil || s.Pending != 0 || s.Dead != 0 {
		t.Errorf("stats %+v, %v; want nothing pending and nothing dead", s, err)
	}
}

// A trace that a disk or somebody has changed is none, and the entry is as good as without it.
func TestTraceDamaged(t *testing.T) {
	for _, damage := range []string{
		"trace = '" + secondTrace + "'", "trace = NULL", "trace = 7", "trace = CAST(trace AS BLOB)", "trace_sum = NULL",
		"trace_sum = trace_sum + 1", "trace_sum = 'sum'", "trace = '', trace_sum = 0",
	} {
		in := inbox(t, file(t), sqlite.Options{})
		e := delivery("a")
		e.Trace = firstTrace
		_, err := in.Accept(t.Context(), e)
		done(t, err)
		_, err = in.DB().Exec("UPDATE inbox_entry SET " + damage)
		done(t, err)
		l := leased(t, in)
		if l.Trace != "" || string(l.Body) != string(e.Body) {
			t.Errorf("%s: leased with trace %q and body %s", damage, l.Trace, l.Body)
		}
		if _, err := in.Commit(t.Context(), l); err != nil {
			t.Errorf("%s: %v", damage, err)
		}
	}
}
