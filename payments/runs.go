package payments

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/commerceplatform/commerce-go/internal/callback"
)

// maxRemembered bounds the answers that are kept for repetitions: of DefaultMaxAge if there are 300
// calls a second.
const maxRemembered = 100_000

// errForgotten is told once, with the first answer that is forgotten before its call is too old.
var errForgotten = fmt.Errorf("more than %d answers to keep: a call that is sent again may run again", maxRemembered)

// runs are the functions in progress of one handler, and the answers of those that ended.
//
// A call that asks for the same as one in progress waits for its answer. A call that comes
// again with its very signature, by an impatient proxy or by somebody who listened, gets the
// answer that it had. Nothing is run twice in either case. The zero value is ready.
type runs struct {
	door door

	once sync.Once
	ok   bool // the configuration is good
	most int

	mu         sync.Mutex
	inProgress map[[sha256.Size]byte]*flight
	answers    map[[sha256.Size]byte]answer
	order      []callID // of answers, the oldest first
	forgot     bool     // errForgotten was told
}

// flight is a function in progress.
type flight struct {
	ended  chan struct{}
	calls  []callID // that wait for it, the first one included
	answer answer
	err    error
	late   sync.Once // it is told once that nobody could wait for it
}

// ready checks the configuration with the first call.
func (s *runs) ready(most int, check func() error, tell func(error)) bool {
	s.once.Do(func() {
		err := check()
		if err != nil {
			tell(err)
			return
		}
		s.ok, s.most = true, most
		s.inProgress, s.answers = map[[sha256.Size]byte]*flight{}, map[[sha256.Size]byte]answer{}
	})
	return s.ok
}

// do returns the answer to a call when ctx ends at the latest. Cancel is called when the
// function has ended.
func (s *runs) do(ctx context.Context, cancel func(), id callID, now func() time.Time, act run, tell func(context.Context, error)) (answer, error) {
	s.mu.Lock()
	if a, ok := s.answers[id.signed]; ok && id.once {
		s.mu.Unlock()
		cancel()
		return a, nil
	}
	f, joined := s.inProgress[id.asked]
	if !joined && len(s.inProgress) >= s.most {
		s.mu.Unlock()
		cancel()
		tell(ctx, ErrBusy)
		return answer{}, ErrBusy
	}
	if !joined {
		f = &flight{ended: make(chan struct{})}
		s.inProgress[id.asked] = f
		go s.fly(ctx, cancel, f, now, act, tell)
	} else {
		defer cancel()
	}
	f.calls = append(f.calls, id)
	s.mu.Unlock()

	select {
	case <-f.ended:
		return f.answer, f.err
	case <-ctx.Done():
	}
	select {
	case <-f.ended: // both happened: the answer counts
		return f.answer, f.err
	default:
	}
	f.late.Do(func() { tell(ctx, ErrLate) })
	return answer{}, ErrLate
}

// fly runs the function.
func (s *runs) fly(ctx context.Context, cancel func(), f *flight, now func() time.Time, act run, tell func(context.Context, error)) {
	err := callback.ErrExit
	var a answer
	defer cancel()
	defer func() {
		if v := recover(); v != nil {
			err = callback.Recovered(v)
		}
		switch {
		case err == nil:
		case ctx.Err() != nil && errors.Is(err, ctx.Err()): // it stopped because it was told to
			f.late.Do(func() { tell(ctx, ErrLate) })
		default:
			tell(ctx, err)
		}
		if s.land(f, now(), a, err) { // when err was told, so that who has the answer can rely on that
			tell(ctx, errForgotten)
		}
	}()
	a, err = act(ctx)
}

// land ends a flight and remembers a good answer for as long as its calls are fresh. It reports whether
// that was too short for another for the first time.
func (s *runs) land(f *flight, now time.Time, a answer, err error) (forgot bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f.answer, f.err = a, err
	delete(s.inProgress, f.calls[0].asked)
	defer close(f.ended)
	for _, id := range f.calls {
		if _, ok := s.answers[id.signed]; err == nil && id.once && !ok {
			s.answers[id.signed] = a
			s.order = append(s.order, id)
		}
	}
	for len(s.order) > 0 && (now.After(s.order[0].good) || len(s.order) > maxRemembered) {
		forgot = forgot || !now.After(s.order[0].good)
		delete(s.answers, s.order[0].signed)
		s.order = s.order[1:]
	}
	forgot, s.forgot = forgot && !s.forgot, forgot || s.forgot
	return forgot
}
