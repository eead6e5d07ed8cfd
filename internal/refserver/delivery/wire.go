package delivery

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/work"
)

// Wire is how a call went, for people who look at it. Nothing is decided by it.
type Wire struct {
	// Sent and Got are the headers without credentials. Got is nil without an answer in time.
	Sent, Got http.Header
	Limit     time.Duration
	// From and To are what Options.Mark returned at the beginning and at the end.
	From, To int64
	// Later is the answer after the limit, nil unless the server still reads or has read it.
	Later *Later
}

// Later is an answer that comes after the limit.
type Later struct {
	begun time.Time

	mu    sync.Mutex
	ended bool
	got   LateAnswer
	ring  []func()
}

// LateAnswer is an answer that came too late, or why none came.
type LateAnswer struct {
	Status int
	Header http.Header
	Body   string
	Err    error
	// After is the time since the call began, by the clock of the machine.
	After time.Duration
}

// Answer returns the answer. It reports false while there is none yet.
func (l *Later) Answer() (LateAnswer, bool) {
	if l == nil {
		return LateAnswer{}, false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.got, l.ended
}

// OnEnd calls f once when the answer is there, at once if it is already.
func (l *Later) OnEnd(f func()) {
	if l == nil {
		return
	}
	l.mu.Lock()
	ended := l.ended
	if !ended {
		l.ring = append(l.ring, f)
	}
	l.mu.Unlock()
	if ended {
		f()
	}
}

func (l *Later) end(got answer) {
	l.mu.Lock()
	l.got = LateAnswer{got.status, work.Masked(got.header), got.body, got.err, time.Since(l.begun)}
	l.ended = true
	ring := l.ring
	l.ring = nil
	l.mu.Unlock()
	for _, f := range ring {
		f()
	}
}

// mostLate is how many answers are read after their limit at a time.
const mostLate = 64

// answer is the answer to a request, or why there is none.
type answer struct {
	status int
	header http.Header
	body   string
	err    error
}

// wait makes a request and waits for the answer until ctx ends. If that is because of the limit, and Options.ReadLate
// is set, the answer is read on in the background.
func (w *Worker) wait(ctx context.Context, req *http.Request, kept int) (answer, *Later) {
	send := w.aim(ctx, req, kept)
	limit, limited := ctx.Deadline()
	if w.options.ReadLate <= 0 || !limited || ctx.Value(chargeKey{}) != nil || !w.reads() {
		return send(ctx), nil
	}
	later := &Later{begun: time.Now()}
	long, cancel := context.WithDeadline(context.WithoutCancel(ctx), limit.Add(w.options.ReadLate))
	stop := context.AfterFunc(w.work.Context(), cancel)
	done := make(chan answer, 1)
	go func() {
		defer w.late.Done()
		defer stop()
		defer cancel()
		got := send(long)
		done <- got
		later.end(got)
	}()
	select {
	case got := <-done:
		return got, nil
	case <-ctx.Done():
	}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) { // otherwise the caller has left
		select {
		case w.reading <- struct{}{}:
			later.OnEnd(func() { <-w.reading })
			return answer{err: ctx.Err()}, later
		default:
		}
	}
	cancel()
	return answer{err: ctx.Err()}, nil
}

// reads counts a request whose answer may be read on, unless the worker is closed.
func (w *Worker) reads() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ended {
		return false
	}
	w.late.Add(1)
	return true
}

// Close ends the reading after limits, and waits for it. The group of the worker has to be closed before.
func (w *Worker) Close() {
	w.mu.Lock()
	w.ended = true
	w.mu.Unlock()
	w.late.Wait()
}
