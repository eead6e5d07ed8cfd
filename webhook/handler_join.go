package webhook

import (
	"context"
	"sync"

	"github.com/commerceplatform/commerce-go/internal/callback"
)

// Errors that are reported for a handler that did not finish.
var (
	// ErrLate means that the answer was due before the handler returned, so the delivery was answered 503 and the
	// platform retries. The handler may still finish. A handler that takes longer than Budget requires an Inbox.
	ErrLate = callback.ErrLate
	// ErrBusy means that too many handlers were in progress, so the delivery was answered 503 and the platform retries.
	// See Handler.MaxRuns.
	ErrBusy = callback.ErrBusy
)

// joiner runs the functions of deliveries. Functions with one key never run at the same time, and all deliveries that
// wait for a run share the next one.
//
// A run may have read the state of the store before the delivery was sent that arrives during the run. So no delivery
// joins a run that has begun: it waits for the next one, with all others that arrive until then. Each key has at most
// two generations, the one in progress and the next one.
type joiner struct {
	runs *callback.Runs

	mu    sync.Mutex
	lanes map[key]*generation // the next one of each key with a run in progress; nil if no delivery waits
}

// generation is a run that has not begun.
type generation struct {
	flight  *callback.Flight[Outcome]
	begun   chan struct{}
	ctx     context.Context        // of the delivery that arrived last
	work    callback.Work[Outcome] // of that delivery
	waiting int
	late    bool // ErrLate was reported
}

// do returns the outcome of a run that begins after the call of do, or an error if ctx ends before the run does. The
// run then continues. It calls joined if the delivery waits for the next run.
func (j *joiner) do(ctx context.Context, k key, w callback.Work[Outcome], joined func()) (Outcome, error) {
	w.Ended = func() { j.next(k) }
	g := j.join(ctx, k, w)
	if g == nil {
		f := callback.NewFlight[Outcome]()
		j.begin(ctx, f, w)
		return f.Wait(ctx)
	}
	joined()
	select {
	case <-g.begun:
	case <-ctx.Done():
		err := ctx.Err()
		if err == context.DeadlineExceeded {
			err = ErrLate
		}
		left, reports := j.leave(k, g, err)
		if reports {
			w.Failed(ctx, err, false)
		}
		if left {
			return "", err
		}
		<-g.begun
	}
	out, err := g.flight.Wait(ctx)
	if out == OutcomeRan {
		out = OutcomeShared
	}
	return out, err
}

// join returns the generation to wait for. It is nil if the key has no run in progress: the caller begins one.
func (j *joiner) join(ctx context.Context, k key, w callback.Work[Outcome]) *generation {
	j.mu.Lock()
	defer j.mu.Unlock()
	g, running := j.lanes[k]
	if !running {
		j.lanes[k] = nil
		return nil
	}
	if g == nil {
		g = &generation{flight: callback.NewFlight[Outcome](), begun: make(chan struct{})}
		j.lanes[k] = g
	}
	g.ctx, g.work = ctx, w
	g.waiting++
	return g
}

// begin starts a run, and reports if there is no place for it.
func (j *joiner) begin(ctx context.Context, f *callback.Flight[Outcome], w callback.Work[Outcome]) {
	if err := f.Start(ctx, j.runs, w); err != nil {
		w.Failed(ctx, err, false)
	}
}

// next begins the next run of a key, if a delivery waits for one.
func (j *joiner) next(k key) {
	j.mu.Lock()
	defer j.mu.Unlock()
	g := j.lanes[k]
	if g == nil {
		delete(j.lanes, k)
		return
	}
	j.lanes[k] = nil
	go func() {
		defer close(g.begun)
		j.begin(context.WithoutCancel(g.ctx), g.flight, g.work)
	}()
}

// leave stops waiting. It returns false if the generation has begun, and otherwise whether the error must be reported:
// ErrLate is, once. A generation without waiting deliveries never begins.
func (j *joiner) leave(k key, g *generation, err error) (left, reports bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.lanes[k] != g {
		return false, false
	}
	if g.waiting--; g.waiting == 0 {
		j.lanes[k] = nil
	}
	reports = err == ErrLate && !g.late
	g.late = g.late || reports
	return true, reports
}
