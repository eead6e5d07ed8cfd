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

// maxRemembered bounds the answers that are kept for repetitions: of DefaultMaxAge if there are 300
// calls a second.
const maxRemembered = 100_000

// errForgotten is reported once, with the first answer that is forgotten before its call is too old.
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
	forgot     bool     // errForgotten was reported
}

// flight is a function in progress.
type flight struct {
	ended  chan struct{} // closed when answer and err are set
	calls  []callID      // that wait for it, the first one included
	answer answer
	err    error
	late   bool // a call could not wait for it
}

// job is what is to be done about a call.
type job struct {
	id     callID
	act    run
	due    time.Time     // of the answer
	linger time.Duration // of the context after that
	now    func() time.Time
	fail   func(context.Context, Failure)
}

// AnswerBy returns when the answer is due for which a function was called. Its context ends later: see Callback.Linger.
// A function that waits for somebody else should begin nothing new after that time. AnswerBy returns false for contexts
// that are not of a function in a handler.
func AnswerBy(ctx context.Context) (due time.Time, ok bool) { return callback.AnswerBy(ctx) }

type signedKey struct{}

// SignedAt returns when the platform signed the call for which a function was called, by the platform's clock, and
// whether ctx is that of such a function. A call that the platform makes again has another time than the first one.
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

// source is where the answer to a call is from.
type source int

const (
	nowhere  source = iota // the function was not called
	ran                    // the function was called for it
	joined                 // the function was in progress for an equal call
	replayed               // it was kept from an equal call
)

// do returns the answer to a call when it is due at the latest, and where it is from. The status is also set if there
// is an error.
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
		lingering, cancel := callback.Linger(signed, j.due, j.linger) // a caller that hangs up undoes nothing
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

// late notes that a call cannot wait for a flight, unless that has ended. First is true once for each flight.
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
		if err != nil { // before the answer, so that who has that can rely on the report
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

// land ends a flight and remembers a good answer for as long as its calls are fresh. It returns whether a call could
// not wait for it, and whether, for the first time, an answer was forgotten before its call was too old.
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
