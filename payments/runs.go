package payments

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/commerceplatform/commerce-go/internal/callback"
	"github.com/commerceplatform/commerce-go/internal/lru"
)

// runs holds the functions in progress of one handler, and the answers of ended functions.
//
// A call that is equal to one in progress waits for its answer. A call that is resent with the same signature, by a
// proxy or an eavesdropper, receives the previous answer. In neither case is a function called twice. The zero value
// is ready.
type runs struct {
	once    sync.Once
	kind    kind
	of      *Callback
	server  *callback.Server[received]
	flights callback.Flights[[sha256.Size]byte, answer] // by callID.asked
	memory  memory
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

// source is the origin of an answer.
type source int

const (
	nowhere  source = iota // the function was not called
	ran                    // the function was called for it
	joined                 // the function was in progress for an equal call
	replayed               // stored from an equal call
)

// do returns the answer to a call, at the latest when it is due. The client may have disconnected by then.
func (s *runs) do(ctx context.Context, in *received, due time.Time) callback.Reply {
	if a, ok := s.memory.recall(in.callID); ok {
		in.by = replayed
		return callback.Reply{Status: a.status, Body: a.body, Err: a.refusal}
	}
	f, shared := s.flights.Join(in.asked, func(a answer, err error) {
		if err == nil && in.once {
			s.memory.keep(in.callID, a, s.of.now(), s.of.maxAge())
		}
	})
	in.by = joined
	if !shared {
		in.by = s.begin(ctx, f, in, due)
	}
	waiting := callback.WithDeadline(context.WithoutCancel(ctx), due)
	defer waiting.End()
	a, err := f.Wait(waiting)
	if s.memory.forgets() {
		s.server.Fail(ctx, in, callback.Failed{Err: errForgotten})
	}
	if err != nil {
		return callback.Reply{Status: failing(err), Err: err}
	}
	return callback.Reply{Status: a.status, Body: a.body, Err: a.refusal}
}

// begin starts a flight for a call, or ends it with the answer that an equal call has had meanwhile.
func (s *runs) begin(ctx context.Context, f *callback.Flight[answer], in *received, due time.Time) source {
	if a, ok := s.memory.recall(in.callID); ok {
		f.Settle(a, nil)
		return replayed
	}
	whose := *in // the call may be answered before its function ends
	fail := func(ctx context.Context, status int, err error, late bool) {
		s.server.Fail(ctx, &whose, callback.Failed{Status: status, Late: late, Err: err})
	}
	err := f.Start(ctx, s.server.Runs, callback.Work[answer]{
		Party: whose.party(), Due: due, Linger: bounds.Of(s.of.limits()).Linger, Followed: true,
		Do: func(ctx context.Context) (answer, error) {
			return whose.act(context.WithValue(ctx, signedKey{}, whose.at))
		},
		Failed: func(ctx context.Context, err error, late bool) {
			fail(ctx, failing(err), err, late)
		},
		Late: func(ctx context.Context, a answer) { fail(ctx, a.status, cmp.Or(a.refusal, ErrEndedLate), true) },
	})
	if err != nil {
		fail(ctx, http.StatusServiceUnavailable, err, false)
		return nowhere
	}
	return ran
}

// failing returns the status for an error of a function. The platform must not repeat a call that is malformed.
func failing(err error) int {
	if errors.Is(err, ErrMalformed) {
		return http.StatusBadRequest
	}
	return http.StatusServiceUnavailable
}

// party returns who takes a place for a call.
func (in *received) party() callback.Party {
	if in.about.StoreID != 0 {
		return callback.Party{Store: in.about.StoreID}
	}
	return callback.Party{Address: in.path}
}

// maxRemembered bounds the stored answers. It suffices for DefaultMaxAge at 300 calls per second.
const maxRemembered = 100_000

// errForgotten is reported once, with the first answer that is removed before its call is too old.
var errForgotten = fmt.Errorf("more than %d answers to store: a resent call may be executed again", maxRemembered)

// memory holds the answers to calls that are not too old. The zero value is ready.
type memory struct {
	mu       sync.Mutex
	answers  lru.Map[[sha256.Size]byte, remembered] // by callID.signed, the oldest first
	forgot   bool                                   // an answer was removed early
	reported bool
}

type remembered struct {
	answer
	until time.Time
}

// keep stores an answer for as long as its call is fresh, and removes those of old calls.
func (m *memory) keep(id callID, a answer, now time.Time, maxAge time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.answers.Peek(id.signed); !ok {
		m.answers.Put(id.signed, remembered{a, id.at.Add(maxAge)})
	}
	for oldest, a := range m.answers.All() {
		fresh := !now.After(a.until)
		if fresh && m.answers.Len() <= maxRemembered {
			break
		}
		m.forgot = m.forgot || fresh
		m.answers.Remove(oldest)
	}
}

// recall returns the answer to a resent call.
func (m *memory) recall(id callID) (answer, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	a, ok := m.answers.Peek(id.signed)
	return a.answer, ok && id.once
}

// forgets reports once that an answer was removed early.
func (m *memory) forgets() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	first := m.forgot && !m.reported
	m.reported = m.reported || first
	return first
}
