package payments

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/commerceplatform/commerce-go/internal/callback"
)

// maxRemembered bounds the stored answers. It suffices for DefaultMaxAge at 300 calls per second.
const maxRemembered = 100_000

// errForgotten is reported once, with the first answer that is removed before its call is too old.
var errForgotten = fmt.Errorf("more than %d answers to store: a resent call may be executed again", maxRemembered)

// runs holds the functions in progress of one handler, and the answers of ended functions.
//
// A call that is equal to one in progress waits for its answer. A call that is resent with the same signature, by a
// proxy or an eavesdropper, receives the previous answer. In neither case is a function called twice. The zero value
// is ready.
type runs struct {
	door door

	once sync.Once
	ok   bool // the configuration is valid
	most int

	mu         sync.Mutex
	inProgress map[[sha256.Size]byte]*flight
	answers    map[[sha256.Size]byte]answer
	order      []callID // of answers, the oldest first
	forgot     bool     // errForgotten was reported
}

// flight is a function in progress.
type flight struct {
	ended  chan struct{} // closed when answer and err are set
	calls  []callID      // calls that wait for it, including the first
	answer answer
	err    error
	late   bool // a call could not wait for it
}

// job is the action for a call.
type job struct {
	id     callID
	act    run
	due    time.Time     // when the answer is due
	linger time.Duration // time from then to the end of the context
	now    func() time.Time
	fail   func(context.Context, Failure)
}

// AnswerBy returns the time at which the answer of a function is due. Its context ends later: see Callback.Linger. A
// function that waits for another service should start nothing new after that time. The result ok is false if ctx is
// not from a function in a handler.
func AnswerBy(ctx context.Context) (due time.Time, ok bool) { return callback.AnswerBy(ctx) }

type signedKey struct{}

// SignedAt returns the time at which the platform signed the present call, by the platform's clock. The result ok is
// false if ctx is not from a function in a handler. A call that the platform repeats has a new time.
func SignedAt(ctx context.Context) (at time.Time, ok bool) {
	at, _ = ctx.Value(signedKey{}).(time.Time)
	return at, !at.IsZero()
}

// ready checks the configuration with the first call.
func (s *runs) ready(most int, check func() error, fail func(error)) bool {
	s.once.Do(func() {
		err := check()
		if err != nil {
			fail(err)
			return
		}
		s.ok, s.most = true, most
		s.inProgress, s.answers = map[[sha256.Size]byte]*flight{}, map[[sha256.Size]byte]answer{}
	})
	return s.ok
}

// source is the origin of an answer.
type source int

const (
	nowhere  source = iota // the function was not called
	ran                    // the function was called for it
	joined                 // the function was in progress for an equal call
	replayed               // stored from an equal call
)

// do returns the answer to a call, at the latest when it is due, and its origin. The status is also set if there is
// an error.
func (s *runs) do(ctx context.Context, j job) (a answer, by source, err error) {
	unavailable := answer{status: http.StatusServiceUnavailable}
	s.mu.Lock()
	if a, ok := s.answers[j.id.signed]; ok && j.id.once {
		s.mu.Unlock()
		return a, replayed, nil
	}
	f, flies := s.inProgress[j.id.asked]
	if !flies && len(s.inProgress) >= s.most {
		s.mu.Unlock()
		j.fail(ctx, Failure{Status: unavailable.status, Err: ErrBusy})
		return unavailable, nowhere, ErrBusy
	}
	if by = joined; !flies {
		by = ran
		f = &flight{ended: make(chan struct{})}
		s.inProgress[j.id.asked] = f
		signed := context.WithValue(ctx, signedKey{}, j.id.at)
		lingering, cancel := callback.Linger(signed, j.due, j.linger) // continue if the client disconnects
		go s.fly(lingering, cancel, f, j)
	}
	f.calls = append(f.calls, j.id)
	s.mu.Unlock()

	due := time.NewTimer(time.Until(j.due))
	defer due.Stop()
	select {
	case <-f.ended:
	case <-due.C:
		if ended, first := s.late(f); !ended {
			if first {
				j.fail(ctx, Failure{Status: unavailable.status, Err: ErrLate})
			}
			return unavailable, by, ErrLate
		}
	}
	if f.err != nil {
		return unavailable, by, f.err
	}
	return f.answer, by, nil
}

// late records that a call cannot wait for a flight, unless that has ended. First is true once for each flight.
func (s *runs) late(f *flight) (ended, first bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case <-f.ended:
		return true, false
	default:
	}
	first, f.late = !f.late, true
	return false, first
}

// fly runs the function.
func (s *runs) fly(ctx context.Context, cancel func(), f *flight, j job) {
	err := callback.ErrExit
	var a answer
	defer cancel()
	defer func() {
		if v := recover(); v != nil {
			err = callback.Recovered(v)
		}
		if err != nil { // report before answering
			j.fail(ctx, Failure{Status: http.StatusServiceUnavailable, Late: s.isLate(f), Err: err})
		}
		late, forgot := s.land(f, j.now(), a, err)
		if late && err == nil {
			j.fail(ctx, Failure{Status: a.status, Late: true, Err: cmp.Or(a.refusal, ErrEndedLate)})
		}
		if forgot {
			j.fail(ctx, Failure{Err: errForgotten})
		}
	}()
	a, err = j.act(ctx)
}

func (s *runs) isLate(f *flight) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return f.late
}

// land ends a flight and stores a successful answer for as long as its calls are fresh. It returns whether a call
// could not wait for it, and whether an answer was removed early for the first time.
func (s *runs) land(f *flight, now time.Time, a answer, err error) (late, forgot bool) {
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
	return f.late, forgot
}
