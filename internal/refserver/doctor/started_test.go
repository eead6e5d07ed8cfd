package doctor_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/doctor"
	"github.com/commerceplatform/commerce-go/internal/tier"
)

// restarted is an app that can be started again, with at most one bug.
type restarted struct {
	*partner
	bug    string
	starts atomic.Int64
	calls  atomic.Int64 // since the start
	memory atomic.Int64
}

func (p *restarted) Restart(context.Context) error {
	if p.starts.Add(1); p.bug == "does not start again" {
		return errors.New("the port is in use")
	}
	p.calls.Store(0)
	if p.bug == "forgets" {
		p.attempts = new(attempts)
	}
	return nil
}

func (p *restarted) Memory() (int64, bool) { return p.memory.Load(), p.bug != "of another system" }

func (p *restarted) ServeHTTP(w http.ResponseWriter, r *http.Request) {
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

// started are partners that the doctor can start again.
var started = []specimen{
	{doctor.Carrier, "", "", ""},
	{doctor.Carrier, "compiles at the first call", "first call", ""},
	{doctor.Carrier, "does not start again", "first call", ""},
	{doctor.Carrier, "reads it all", "memory", ""},
	{doctor.Carrier, "of another system", "", ""},
	{doctor.Payments, "forgets", "restart", ""},
}

// A program that the doctor can start again has these checks as well.
func TestProofStartedPrograms(t *testing.T) {
	t.Parallel()
	for _, row := range tier.Size(part(started), started, started) {
		t.Run(string(row.kind)+" "+row.bug, func(t *testing.T) {
			t.Parallel()
			app := &restarted{bug: row.bug}
			o := placed(t, row.kind, "", func(p *partner) http.Handler {
				app.partner = p
				return app
			})
			o.Program, o.Check = app, tier.Size(row.want, "", "")
			report, err := doctor.Examine(t.Context(), o)
			must(t, err)
			blames(t, report, row.want)
			if skipped := len(report.In(doctor.Skipped)); row.kind == doctor.Carrier && (skipped > 0) != (row.bug == "of another system") {
				t.Errorf("%d checks were skipped", skipped)
			}
		})
	}
}

// An app that makes labels remembers them beyond a restart, or not. Meanwhile it reports labels that the doctor has
// made up, and the API refuses these. In a store where apps cannot report labels, the check is skipped.
func TestStartedLabels(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		bug, want string
		features  []string
	}{
		{"", "", []string{labelsFeature}}, {"forgets", "restart", []string{labelsFeature}}, {"", "", nil},
		{"refuses labels of before", "", []string{labelsFeature}},
	} {
		t.Run(row.bug+" "+strings.Join(row.features, ""), func(t *testing.T) {
			t.Parallel()
			o, program := newWorld(t, row.features...).labels(t, row.bug)
			o.Program, o.Check = program, "restart"
			report, err := doctor.Examine(t.Context(), o)
			must(t, err)
			blames(t, report, row.want)
			for _, one := range report.Results {
				if one.Check == "restart" && (one.State == doctor.Skipped) != (row.features == nil) {
					t.Errorf("%s: %s", one.State, one.Got)
				}
			}
		})
	}
}
