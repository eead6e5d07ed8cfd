package ledgerproof

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync/atomic"

	"github.com/commerceplatform/commerce-go/payments"
)

// steps are the moments at which a replica dies: between each two things that it does.
var steps = []string{
	"before begin", "after begin", "after calling", "after the bank", "after moved",
	"after the report", "after reported",
}

// cancelSteps are those of payments and their cancellations.
var cancelSteps = append([]string{"after the release", "after cancelled"}, steps...)

// dying kills this process at a step, the nth time that it is there.
type dying struct {
	step string
	left atomic.Int32
}

func newDying(plan string) *dying {
	var d dying
	var n int32
	if name, count, ok := strings.Cut(plan, ":"); ok {
		_, _ = fmt.Sscan(count, &n)
		d.step = name
		d.left.Store(n)
	}
	return &d
}

func (d *dying) at(step string) {
	if step != d.step || d.left.Add(-1) != 0 {
		return
	}
	if self, err := os.FindProcess(os.Getpid()); err == nil {
		_ = self.Kill()
	}
	select {} // it dies here
}

// ledger is a ledger whose process dies at its steps.
type ledger struct {
	payments.Ledger
	dying *dying
}

func (l ledger) Begin(ctx context.Context, e payments.Entry) (payments.Entry, bool, error) {
	l.dying.at("before begin")
	stored, created, err := l.Ledger.Begin(ctx, e)
	if created {
		l.dying.at("after begin")
	}
	return stored, created, err
}

func (l ledger) Swap(ctx context.Context, e payments.Entry) (bool, error) {
	swapped, err := l.Ledger.Swap(ctx, e)
	switch {
	case e.State == payments.StateBegun && !e.Uncalled:
		l.dying.at("after calling")
	case e.State != payments.StateMoved, e.Tries == 1 && e.LastError == "":
		l.dying.at("after " + string(e.State))
	}
	return swapped, err
}

// transport is one to the platform whose process dies around reports.
type transport struct {
	http.RoundTripper
	dying *dying
}

func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := t.RoundTripper.RoundTrip(r)
	if r.Method == http.MethodPost {
		t.dying.at("after the report")
	}
	return answer, err
}
