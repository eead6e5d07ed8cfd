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

// A trace that a disk or somebody has changed is none, and the entry is as good as without it.
func TestTraceDamaged(t *testing.T) {
	t.Parallel()
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

// A trace of an earlier body of the entry, which a disk has kept, is none.
func TestTraceOfEarlierBody(t *testing.T) {
	t.Parallel()
	in := inbox(t, file(t), sqlite.Options{})
	e := delivery("renewed")
	e.Trace, e.Kind = firstTrace, webhook.KindSignal
	_, err := in.Accept(t.Context(), e)
	done(t, err)
	_, err = in.DB().Exec("CREATE TABLE was AS SELECT trace, trace_sum FROM inbox_entry")
	done(t, err)
	e.Trace, e.Body = secondTrace, []byte(`{"newer":true}`)
	_, err = in.Accept(t.Context(), e)
	done(t, err)
	_, err = in.DB().Exec("UPDATE inbox_entry SET (trace, trace_sum) = (SELECT trace, trace_sum FROM was)")
	done(t, err)
	if l := leased(t, in); l.Trace != "" || string(l.Body) != string(e.Body) {
		t.Errorf("leased with trace %q and body %s, want none and %s", l.Trace, l.Body, e.Body)
	}
}
