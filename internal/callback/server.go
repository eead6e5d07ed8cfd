package callback

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/commerceplatform/commerce-go/client/access"
)

// Kind is a row: one kind of call that the platform makes to an app. A Server drives its calls. C holds what the steps
// find out about a call. Each step gets the same one, and the first one a zero C.
type Kind[C any] struct {
	Name   string // of the handler in refusals, such as "payments refund"
	Method string // the only one that is answered

	Limits     Limits // without zeros: see Bounds.Of
	Processors bool   // the functions compute, so they are protected from each other

	// Statuses of answers without a function: while the configuration is wrong, while too many bodies are being
	// received, and to a malformed call.
	Misconfigured, Full, Malformed int
	// Open means that anyone can send calls, so that a malformed one is a refusal and not a failure.
	Open bool
	// Unread returns the status for a body that did not arrive, if that is a failure. It returns 0 if it is a refusal,
	// which has the status of RefusedBody. If Unread is nil, it always is.
	Unread func(error) int
	// Text returns the body of an answer with an error status. If it is nil, the body is the text of the status.
	Text func(status int) []byte

	// Begin notes what the request itself says about its call, even if it is rejected then. It may be nil.
	Begin func(c *C, r *http.Request)
	// Admit rejects a request before its body is read. It may be nil.
	Admit func(c *C, r *http.Request) *access.Refused
	// Verify rejects a request whose body is not the platform's. It may be nil.
	Verify func(c *C, r *http.Request, raw []byte) *access.Refused
	// Decode reads a verified body. An error of Rejected is a refusal, and one of Ignored a report. Others wrap
	// ErrMalformed, or are wrapped in it.
	Decode func(c *C, r *http.Request, raw []byte) error
	// Run returns the answer to a call, at the latest when it is due. Its context ends then, or earlier if the client
	// disconnects. It reports failures itself.
	Run func(ctx context.Context, c *C, due time.Time) Reply

	// Withhold returns until when a request is left without an answer that would have a status, and is then aborted. It
	// returns the zero time for requests that are answered. If it is nil, all are.
	Withhold func(c *C, arrived time.Time, status int) time.Time

	// Hooks of the app, any of which may be nil. Answered and Failed pass a call to OnAnswered and OnFailure.
	OnStarted func(ctx context.Context, r *http.Request) context.Context
	OnRefused func(ctx context.Context, r access.Refused)
	Answered  func(ctx context.Context, c *C, a Answer)
	Failed    func(ctx context.Context, c *C, f Failed)
	Logger    *slog.Logger
	// Throttle, if set, limits the failures that are passed to Failed to one a minute for each text that it returns and
	// each kind of error. It is for failures that go to the log.
	Throttle func(c *C) string
	// Kinds are further kinds of errors for Throttle: those of the package.
	Kinds []error
}

// Reply is the answer that Kind.Run returns.
type Reply struct {
	Status     int
	Body       []byte        // JSON, or empty
	RetryAfter time.Duration // for a Retry-After header, if it is above 0
	Err        error         // why it is not the function's result, for Answer
}

// Answer is what the kernel knows about an answer.
type Answer struct {
	Status  int // 0 if a panic ended the request without an answer, or the answer is withheld
	Took    time.Duration
	Err     error
	Refused bool
}

// Failed is what the kernel knows about a failure.
type Failed struct {
	Status int   // of the answer; 0 if it is not known
	Err    error // of the function, or why it was not called
	Late   bool  // the call was answered before
	// Since is how many failures were not passed on since the last one, because of Throttle.
	Since int
}

// ErrMalformed means that a call is the platform's but violates the contract. The packages export it.
var ErrMalformed = errors.New("malformed call")

// Rejected returns the error with which Kind.Decode rejects a call.
func Rejected(r *access.Refused) error { return rejected{r} }

type rejected struct{ *access.Refused }

func (r rejected) Error() string { return r.Err.Error() }

// Ignored returns the error with which Kind.Decode reports members that it could not read, and on which no answer
// depends. The call is read. Ignored returns nil for nil.
func Ignored(err error) error {
	if err == nil {
		return nil
	}
	return ignored{err}
}

type ignored struct{ error }

// Server drives the calls of one kind: bound, admit, verify, decode, run, answer, report.
type Server[C any] struct {
	kind     Kind[C]
	wrong    error // of the configuration
	reported sync.Once
	bodies   *Bodies
	refusals Refusals
	hooks    *Guard
	logs     *Guard
	failing  Seldom        // hooks that failed
	lines    Seldom        // failures, if they are throttled
	held     chan struct{} // a place for each withheld answer

	// Runs are the places of the functions.
	Runs *Runs
}

// NewServer returns a Server for a kind. If wrong is not nil, the configuration is wrong. It is then reported with the
// first call, and all calls have the status Misconfigured.
func NewServer[C any](k Kind[C], wrong error) *Server[C] {
	limit := max(k.Limits.Budget/20, shortestHook)
	s := &Server[C]{kind: k, wrong: wrong, hooks: NewGuard(limit), logs: NewGuard(limit)}
	if wrong != nil {
		return s
	}
	s.bodies = NewBodies(k.Limits.MaxReceiving)
	s.held = make(chan struct{}, k.Limits.MaxRuns)
	s.Runs = &Runs{Gate: NewGate(k.Limits.MaxRuns)}
	if k.Processors {
		s.Runs.Processors = NewProcessors()
	}
	return s
}

// shortestHook is the least time that a hook may take.
const shortestHook = 20 * time.Millisecond

// ServeHTTP implements http.Handler.
func (s *Server[C]) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	arrived := time.Now()
	due := arrived.Add(s.kind.Limits.Budget)
	t := &turn[C]{server: s, w: w, arrived: arrived}
	t.r = t.started(r)
	t.within.after = &t.after
	t.within.set(t.r.Context(), due)
	defer t.within.End()
	defer t.report(Answer{}) // for a body that panics as it is read
	if s.kind.Begin != nil {
		s.kind.Begin(&t.call, t.r)
	}
	switch refused, failed := t.receive(); {
	case refused != nil:
		t.refuse(refused)
	case failed != nil:
		t.fail(*failed)
	default:
		t.answer(s.kind.Run(&t.within, &t.call, due), false)
	}
}

// turn is a request that is being answered.
type turn[C any] struct {
	server  *Server[C]
	w       http.ResponseWriter
	r       *http.Request
	arrived time.Time
	within  Deadline // of Kind.Run
	after   after
	call    C
	told    bool // Answered was called
}

// receive reads a call. If there is none, it returns the refusal of the request, or its failure.
func (t *turn[C]) receive() (*access.Refused, *Failed) {
	s, k := t.server, &t.server.kind
	if s.wrong != nil {
		s.reported.Do(func() { s.Fail(&t.within, new(C), Failed{Err: s.wrong}) })
		return nil, &Failed{Status: k.Misconfigured, Err: ErrMisconfigured}
	}
	if !Open(t.w, t.r, k.Method, t.arrived.Add(k.Limits.ReadTime)) {
		return RefusedMethod(t.r, k.Method), nil
	}
	if k.Admit != nil {
		if refused := k.Admit(&t.call, t.r); refused != nil {
			return refused, nil
		}
	}
	raw, err := s.bodies.Read(t.w, t.r, k.Limits.MaxBody)
	if err != nil {
		return t.unread(err)
	}
	var refused *access.Refused
	if k.Verify != nil {
		refused = k.Verify(&t.call, t.r, raw)
	}
	if s.bodies.Done(raw); refused != nil {
		return refused, nil
	}
	return t.decode(raw)
}

// unread returns what becomes of a request whose body did not arrive.
func (t *turn[C]) unread(err error) (*access.Refused, *Failed) {
	k := &t.server.kind
	refused := RefusedBody(err)
	if errors.Is(err, ErrFull) {
		refused.Status = k.Full
		return refused, nil
	}
	if k.Unread != nil {
		if status := k.Unread(err); status > 0 {
			return nil, &Failed{Status: status, Err: fmt.Errorf("%w: the body did not arrive: %w", ErrMalformed, err)}
		}
	}
	return refused, nil
}

// decode reads a body of the platform.
func (t *turn[C]) decode(raw []byte) (*access.Refused, *Failed) {
	k := &t.server.kind
	err := k.Decode(&t.call, t.r, raw)
	if err == nil {
		return nil, nil
	}
	if r, ok := errors.AsType[rejected](err); ok {
		return r.Refused, nil
	}
	if i, ok := err.(ignored); ok {
		t.server.Fail(&t.within, &t.call, Failed{Err: i.error})
		return nil, nil
	}
	if !errors.Is(err, ErrMalformed) {
		err = fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	if k.Open {
		return &access.Refused{Reason: access.RefusedMalformed, Status: k.Malformed, Err: err}, nil
	}
	return nil, &Failed{Status: k.Malformed, Err: err}
}

// started calls OnStarted and returns the request with the context that it returned. A hook that fails or returns nil
// changes nothing.
func (t *turn[C]) started(r *http.Request) *http.Request {
	s := t.server
	hook := s.kind.OnStarted
	if hook == nil {
		return r
	}
	ctx, err := Guarded(r.Context(), s.hooks, "OnStarted", func(context.Context) (context.Context, error) {
		return hook(r.Context(), r), nil
	})
	if err != nil {
		t.after.add(func() { s.complain(r.Context(), "OnStarted", err) })
	}
	if ctx == nil {
		return r
	}
	return r.WithContext(ctx)
}

// refuse answers a rejected request.
func (t *turn[C]) refuse(refused *access.Refused) {
	s := t.server
	refused.Handler = s.kind.Name
	t.after.add(func() { s.Refuse(t.r, refused) })
	t.answer(Reply{Status: refused.Status, Err: refused.Err}, true)
}

// Refuse logs a rejected request, and calls OnRefused.
func (s *Server[C]) Refuse(r *http.Request, refused *access.Refused) {
	var hook func(context.Context, access.Refused)
	if s.kind.OnRefused != nil {
		hook = func(ctx context.Context, r access.Refused) {
			s.Hook(ctx, "OnRefused", func() { s.kind.OnRefused(ctx, r) })
		}
	}
	ctx := context.WithoutCancel(r.Context())
	_ = s.hook(ctx, s.logs, "Logger", func() { s.refusals.Notify(r, refused, hook, s.logger()) }) // a log that fails says nothing
}

// fail answers a call that cannot be decoded.
func (t *turn[C]) fail(f Failed) {
	if t.server.wrong == nil { // that was reported
		t.server.Fail(&t.within, &t.call, f)
	}
	t.answer(Reply{Status: f.Status, Err: f.Err}, false)
}

// Fail reports a failure, also after the end of ctx, which may be the failure. It calls OnFailure after the answer to
// the request of ctx. If OnFailure fails, the log has both.
func (s *Server[C]) Fail(ctx context.Context, c *C, f Failed) {
	if s.kind.Throttle != nil {
		var due bool
		if f.Since, due = s.lines.Due(classOf(f.Err, s.kind.Kinds) + " " + s.kind.Throttle(c)); !due {
			return
		}
	}
	call := *c // a hook must not see what changes later
	do(ctx, func() { s.pass(ctx, &call, f) })
}

// pass passes a failure to OnFailure.
func (s *Server[C]) pass(ctx context.Context, c *C, f Failed) {
	ctx = context.WithoutCancel(ctx)
	err := s.hook(ctx, s.hooks, "OnFailure", func() { s.kind.Failed(ctx, c, f) })
	if err == nil {
		return
	}
	if since, due := s.failing.Due("OnFailure"); due {
		_ = s.hook(ctx, s.logs, "Logger", func() {
			s.logger().LogAttrs(ctx, slog.LevelError, s.kind.Name+": failure not reported", slog.String("error", Reason(err)),
				slog.String("failure", Reason(f.Err)), slog.Int("not_logged", since))
		})
	}
}

// classOf returns the kind of an error. Errors of functions are of one kind, because their texts may be without number.
func classOf(err error, more []error) string {
	for _, class := range append([]error{ErrLate, ErrBusy, ErrMalformed, ErrHangs}, more...) {
		if errors.Is(err, class) {
			return class.Error()
		}
	}
	if Stack(err) != nil {
		return "panic"
	}
	return "failed"
}

func (s *Server[C]) logger() *slog.Logger { return cmp.Or(s.kind.Logger, slog.Default()) }

// answer writes an answer and reports it.
func (t *turn[C]) answer(a Reply, refused bool) {
	if until, withheld := t.withheld(a.Status); withheld {
		t.report(Answer{Err: a.Err, Refused: refused})
		t.withhold(until)
	}
	t.write(a)
	t.report(Answer{Status: a.Status, Err: a.Err, Refused: refused})
}

// write writes an answer. One that has an error status reveals nothing else.
func (t *turn[C]) write(a Reply) {
	h := t.w.Header()
	if a.RetryAfter > 0 {
		h.Set("Retry-After", strconv.FormatInt(int64((a.RetryAfter+time.Second-1)/time.Second), 10))
	}
	if len(a.Body) > 0 {
		h.Set("Content-Type", "application/json")
	} else if a.Status >= http.StatusBadRequest {
		a.Body = t.text(a.Status)
	}
	soon := time.Until(t.within.at) < t.server.kind.Limits.Budget/2
	if soon && a.Status != http.StatusNoContent {
		h.Set("Content-Length", strconv.Itoa(len(a.Body)))
	}
	t.w.WriteHeader(a.Status)
	if len(a.Body) > 0 {
		_, _ = t.w.Write(a.Body) // an error means that the client has disconnected
	}
	if soon { // hooks that hang could delay the answer past its due time
		_ = http.NewResponseController(t.w).Flush() // not every writer can do this
	}
}

// text returns the body of an answer with an error status, and sets its type.
func (t *turn[C]) text(status int) []byte {
	h := t.w.Header()
	if of := t.server.kind.Text; of != nil {
		h.Set("Content-Type", "application/json")
		return of(status)
	}
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("X-Content-Type-Options", "nosniff")
	return []byte(http.StatusText(status) + "\n")
}

// report calls OnAnswered once.
func (t *turn[C]) report(a Answer) {
	if t.told {
		return
	}
	t.told = true
	t.after.begin()
	s := t.server
	if s.kind.Answered == nil {
		return
	}
	a.Took = time.Since(t.arrived)
	ctx := context.WithoutCancel(t.r.Context())
	call := t.call // a hook that hangs must not see what changes later
	s.Hook(ctx, "OnAnswered", func() { s.kind.Answered(ctx, &call, a) })
}

// After calls a hook of the app after the answer to the request of ctx. If it fails, that is reported.
func (s *Server[C]) After(ctx context.Context, name string, hook func()) {
	do(ctx, func() { s.Hook(ctx, name, hook) })
}

// Hook calls a hook of the app whose result the answer requires. If it fails, that is reported.
func (s *Server[C]) Hook(ctx context.Context, name string, hook func()) {
	s.complain(ctx, name, s.hook(ctx, s.hooks, name, hook))
}

func (s *Server[C]) hook(ctx context.Context, g *Guard, name string, hook func()) error {
	_, err := Guarded(ctx, g, name, func(context.Context) (struct{}, error) {
		hook()
		return struct{}{}, nil
	})
	return err
}

// complain reports a hook that failed, at most once a minute.
func (s *Server[C]) complain(ctx context.Context, name string, err error) {
	if err == nil {
		return
	}
	if since, due := s.failing.Due(name); due {
		do(ctx, func() { s.pass(ctx, new(C), Failed{Err: err, Since: since}) })
	}
}

// withheld takes a place for a request that is left without an answer, and returns until when. There may be none.
func (t *turn[C]) withheld(status int) (until time.Time, ok bool) {
	k := &t.server.kind
	if k.Withhold == nil || t.server.wrong != nil {
		return until, false
	}
	if until = k.Withhold(&t.call, t.arrived, status); until.IsZero() {
		return until, false
	}
	select {
	case t.server.held <- struct{}{}:
		return until, true
	default:
		return until, false
	}
}

// withhold leaves a request that has a place without an answer, and aborts it.
func (t *turn[C]) withhold(until time.Time) {
	defer func() { <-t.server.held }()
	given := time.NewTimer(time.Until(until))
	defer given.Stop()
	select {
	case <-given.C:
	case <-t.r.Context().Done():
	}
	panic(http.ErrAbortHandler)
}
