package doctor_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/doctor"
)

// process is an app that can be started again, with at most one bug.
type process struct {
	*partner
	bug    string
	starts atomic.Int64
	calls  atomic.Int64 // since the start
	memory atomic.Int64
}

func (p *process) Restart(context.Context) error {
	if p.starts.Add(1); p.bug == "does not start again" {
		return errors.New("the port is in use")
	}
	p.calls.Store(0)
	if p.bug == "forgets" {
		p.attempts = new(attempts)
	}
	return nil
}

func (p *process) Memory() (int64, bool) { return p.memory.Load(), p.bug != "of another system" }

func (p *process) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if p.calls.Add(1) == 1 && p.starts.Load() > 0 && p.bug == "compiles at the first call" {
		time.Sleep(slow[doctor.Carrier])
	}
	if p.bug == "reads it all" {
		r.Body = io.NopCloser(io.TeeReader(r.Body, counted{&p.memory}))
	}
	p.partner.ServeHTTP(w, r)
}

// counted adds what is written to a number.
type counted struct{ n *atomic.Int64 }

func (c counted) Write(b []byte) (int, error) {
	c.n.Add(int64(len(b)))
	return len(b), nil
}

// A program that the doctor can start again has these checks as well.
func TestStartedPrograms(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		kind      doctor.Kind
		bug, want string
	}{
		{doctor.Carrier, "", ""},
		{doctor.Carrier, "compiles at the first call", "first call"},
		{doctor.Carrier, "does not start again", "first call"},
		{doctor.Carrier, "reads it all", "memory"},
		{doctor.Carrier, "of another system", ""},
		{doctor.Payments, "forgets", "restart"},
	} {
		t.Run(string(row.kind)+" "+row.bug, func(t *testing.T) {
			t.Parallel()
			app := &process{bug: row.bug}
			o := placed(t, row.kind, "", func(p *partner) http.Handler {
				app.partner = p
				return app
			})
			o.Program = app
			report, err := doctor.Examine(t.Context(), o)
			must(t, err)
			blames(t, report, row.want)
			if skipped := len(report.In(doctor.Skipped)); row.kind == doctor.Carrier && (skipped > 0) != (row.bug == "of another system") {
				t.Errorf("%d checks were skipped", skipped)
			}
		})
	}
}
