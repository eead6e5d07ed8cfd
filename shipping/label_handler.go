package shipping

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"path"
	"sync"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/callback"
)

// DefaultMaxLabelBody is larger than DefaultMaxBody, because whole fulfillment orders are sent.
const DefaultMaxLabelBody = 8 << 20

// LabelHandler answers the callbacks about labels. Mount it below Carrier.CallbackLabelsURL: the last
// segment of the path says what is to be done (generate, cancel, suspension or reactivate).
// Generate must be set, and who may ask: see Access. The fields must not be changed once it
// serves, and it must not be copied. The zero LabelHandler answers 503.
//
// It answers before Budget is over, whatever the functions do:
//
//	202  labels will be made
//	204  all labels are cancelled, suspended or active again
//	207  some are not: the answer names them
//	400  not the JSON of a label callback; 413 too large; 415 not JSON, or compressed
//	403  not from the platform; 404 a function that is not set; 405 not a POST
//	429  MaxRuns are in progress, or MaxReceiving bytes are being received
//	500  the function panicked
//	503  the function failed or was late
//
// The platform repeats a request to generate that it has no answer to within AnswerTime, up to three
// times, 2 seconds apart. It repeats nothing else, and any answer but 2xx is a refusal, which fails the
// labels for good [inferred]. So generate is not answered 429, 500 or 503: the LabelHandler says
// nothing until AnswerTime is over, and then aborts the request. Up to MaxRuns are kept waiting
// so; what comes beyond them is answered.
//
// Generate must do nothing twice, then: the id of a label tells whether it was asked for before. It may
// be asked for again while the call before goes on.
type LabelHandler struct {
	// Generate takes note of labels that are to be made, up to MaxLabels at once, and returns those that will
	// not be. It should only put them into a queue.
	Generate func(ctx context.Context, labels []Label) ([]LabelFailure, error)
	// Cancel cancels labels and returns those that stay as they are.
	Cancel func(ctx context.Context, labels []LabelRef) ([]LabelFailure, error)
	// Suspend and Reactivate are optional.
	Suspend    func(ctx context.Context, labels []LabelRef) ([]LabelFailure, error)
	Reactivate func(ctx context.Context, labels []LabelRef) ([]LabelFailure, error)

	Access

	// Budget is the time from the arrival of a request to its answer, from MinBudget to
	// MaxBudget. 0 means DefaultBudget. The context of a function ends 100 ms before it does.
	Budget time.Duration
	// ReadTime is how long a body may take to arrive. 0 means DefaultReadTime, or what there is of Budget
	// if that is less.
	ReadTime time.Duration
	// MaxBody is the size in bytes above which a body is refused. 0 means DefaultMaxLabelBody.
	MaxBody int64
	// MaxReceiving bounds the memory of the bodies that are being received, in bytes. What comes beyond it is answered
	// 429. A quarter is for the first 4 KiB of each body, so that a flood of large bodies does not reject the usual
	// ones. It must be at least twice MaxBody. 0 means DefaultMaxReceiving, or twice MaxBody if that is more.
	MaxReceiving int64
	// MaxRuns bounds the calls of functions in progress, those among them whose answer is out. 0
	// means DefaultMaxRuns.
	MaxRuns int

	// StoreOf returns the store that a request is about, for OnAnswered, OnFailure and the log. The platform's callbacks
	// about labels name neither store nor order: give each store an address of its own, Carrier.CallbackLabelsURL such as
	// https://carrier.example/TOKEN/7/labels, and read the store from r.URL.Path. A LabelRef names the fulfillment order,
	// whose Number begins with that of the order. To tell the functions too, wrap the handler and put the store into the
	// context of the request, which their contexts are made from. If nil, the store is not known.
	StoreOf func(r *http.Request) client.ID

	// OnStarted is called at the beginning of each request, whatever it is answered, before its body is read. The
	// functions, StoreOf and all hooks get the values of the context that it returns, a trace for example; it must be
	// made of ctx, which ends when the sender hangs up. Nil counts as ctx, and so does a panic. It must not block.
	OnStarted func(ctx context.Context, r *http.Request) context.Context
	// OnAnswered is called once for each request, and so once for each call of OnStarted, also if the request was
	// refused. Its context has the values of the one that OnStarted returned, and does not end. It is for metrics and
	// must not block. For a request that is left without an answer, it is called before that waits. If nil, it is not
	// called.
	OnAnswered func(ctx context.Context, a LabelAnswer)
	// OnFailure is called once for each failure. It may be called
	// concurrently and after the answer, and must not block. If nil, failures are logged.
	OnFailure func(ctx context.Context, f *Failure)
	// OnRefused is called with each request that was rejected before its body was read: strangers, and the platform if
	// Access is wrong. It is for metrics and must not block. If nil, refusals are only logged.
	OnRefused func(ctx context.Context, r client.Refused)
	// Logger gets failures if OnFailure is nil, and refused requests at level warn, each reason at most once a minute.
	// No body and no token reaches it. If nil, slog.Default() is used.
	Logger *slog.Logger

	once  sync.Once
	door  *door // nil: the configuration is wrong
	slots chan struct{}
	held  chan struct{} // a place for each request that is kept waiting
}

// Check returns what is wrong with the configuration, or nil. Call it when the program starts: a
// LabelHandler that is misconfigured answers every request 503.
func (h *LabelHandler) Check() error {
	var wrong callback.Check
	wrong.Refuse(h.Generate == nil, "no Generate")
	h.Access.check(&wrong)
	wrong.Refuse(h.Budget != 0 && (h.Budget < MinBudget || h.Budget > MaxBudget), "Budget is %v: want 0 or %v to %v", h.Budget, MinBudget, MaxBudget)
	wrong.Refuse(h.ReadTime < 0 || h.ReadTime > cmp.Or(h.Budget, DefaultBudget), "ReadTime is %v: want 0 to Budget", h.ReadTime)
	wrong.Refuse(h.MaxBody < 0, "MaxBody is %d: want 0 or more", h.MaxBody)
	wrong.CheckRoom(h.MaxReceiving, cmp.Or(h.MaxBody, DefaultMaxLabelBody))
	wrong.Refuse(h.MaxRuns < 0, "MaxRuns is %d: want 0 or more", h.MaxRuns)
	return wrong.Err("shipping: labels")
}

func (h *LabelHandler) ready(ctx context.Context) bool {
	h.once.Do(func() {
		if err := h.Check(); err != nil {
			h.fail(context.WithoutCancel(ctx), labelCall{}, err)
			return
		}
		most := cmp.Or(h.MaxRuns, DefaultMaxRuns)
		h.slots, h.held = make(chan struct{}, most), make(chan struct{}, most)
		h.door = newDoor("shipping labels", cmp.Or(h.MaxBody, DefaultMaxLabelBody), h.MaxReceiving, cmp.Or(h.ReadTime, min(DefaultReadTime, h.budget())))
	})
	return h.door != nil
}

// budget is the time to the moment at which an answer is made.
func (h *LabelHandler) budget() time.Duration { return cmp.Or(h.Budget, DefaultBudget) - margin }

// ServeHTTP implements http.Handler. It panics with http.ErrAbortHandler to leave a request without an
// answer, as a server expects.
func (h *LabelHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	arrived := time.Now()
	r = callback.Started(r, h.OnStarted)
	about := labelCall{action: path.Base(r.URL.Path), arrived: arrived}
	t := &labelTold{hook: h.OnAnswered, ctx: r.Context(), labelCall: about}
	defer t.answered(labelOutcome{}) // if it is not, because a body panics as it is read
	h.serve(w, r, t)
}

// serve answers a request, and notes it in t.
func (h *LabelHandler) serve(w http.ResponseWriter, r *http.Request, t *labelTold) {
	if !h.ready(r.Context()) {
		writeStatus(w, http.StatusServiceUnavailable)
		t.answered(labelOutcome{status: http.StatusServiceUnavailable, err: callback.ErrMisconfigured})
		return
	}
	about, arrived := &t.labelCall, t.arrived
	about.store = h.store(r)
	raw, refused, err := h.door.receive(w, r, &h.Access, arrived)
	if refused != nil {
		h.refuse(w, r, refused, t)
		return
	}
	var j labelJob
	if err == nil {
		j, err = h.job(about.action, raw)
	}
	about.labels = j.labels
	ctx := context.WithoutCancel(r.Context()) // who hangs up undoes nothing
	switch {
	case err != nil:
		h.fail(ctx, *about, err)
		writeStatus(w, statusOf(err))
		t.answered(labelOutcome{status: statusOf(err), err: err})
		return
	case j.do == nil: // the path may contain a token, so it is not shown
		h.refuse(w, r, &client.Refused{
			Reason: client.RefusedFunction, Status: http.StatusNotFound,
			Err: errors.New("the last segment of the path must be generate, cancel, suspension or reactivate, with a function that is set"),
		}, t)
		return
	}
	o := h.run(ctx, *about, j.do)
	o.ran = j.calls && o.status != http.StatusTooManyRequests
	if o.err != nil {
		h.fail(ctx, *about, o.err)
	}
	if about.action == generate && o.status >= http.StatusBadRequest && h.holds() {
		t.answered(labelOutcome{err: o.err, ran: o.ran})
		h.withhold(r.Context(), arrived)
	}
	defer t.answered(o)
	switch {
	case o.body != nil:
		write(w, o.status, o.body)
	case o.status < http.StatusMultipleChoices:
		w.WriteHeader(o.status)
	default:
		writeStatus(w, o.status)
	}
}

// store returns the store that a request is about, 0 if that is not known.
func (h *LabelHandler) store(r *http.Request) (id client.ID) {
	if h.StoreOf != nil {
		callback.Panics(func() { id = h.StoreOf(r) })
	}
	return id
}

// refuse answers a request that is refused. One to generate that may be good is left without an answer, as one that
// failed, so that the platform repeats it.
func (h *LabelHandler) refuse(w http.ResponseWriter, r *http.Request, refused *client.Refused, t *labelTold) {
	passing := refused.Status == http.StatusTooManyRequests || refused.Status == http.StatusServiceUnavailable
	h.door.note(r, refused, h.OnRefused, reporter{h.OnFailure, h.Logger}.log())
	o := labelOutcome{status: refused.Status, err: refused.Err, refused: true}
	if passing && t.action == generate && h.holds() {
		o.status = 0
		t.answered(o)
		h.withhold(r.Context(), t.arrived)
	}
	writeStatus(w, refused.Status)
	t.answered(o)
}

// labelAct does what the platform asks for and returns the answer.
type labelAct func(ctx context.Context) labelOutcome

type labelOutcome struct {
	status int // 0: the request is left without an answer
	body   []byte
	failed int // labels that nothing is done about
	err    error

	ran     bool // the function was called
	refused bool
}

// labelCall is a request about labels.
type labelCall struct {
	action  string
	arrived time.Time
	store   client.ID
	labels  []LabelRef
}

// LabelAnswer is what a callback about labels was answered.
type LabelAnswer struct {
	StoreID client.ID  // what StoreOf returned; 0 without it
	Action  string     // generate, cancel, suspension or reactivate
	Labels  []LabelRef // whom it was about; nil if the request could not be read
	// Status is the HTTP status, 0 if a request to generate was left without an answer, so that the platform repeats
	// it.
	Status int
	Failed int           // labels that nothing is done about
	Took   time.Duration // from the arrival of the request
	Err    error         // what OnFailure or OnRefused was called with; nil if there was nothing
	// Ran: the function was called for this request.
	Ran bool
	// Refused: the request was rejected before it was read, and OnRefused was called.
	Refused bool
}

// labelTold is a request with the hook that is called once for it.
type labelTold struct {
	labelCall
	ctx  context.Context
	hook func(ctx context.Context, a LabelAnswer)
	told bool
}

// answered calls the hook, unless that was called.
func (t *labelTold) answered(o labelOutcome) {
	if t.told {
		return
	}
	t.told = true
	callback.Answered(t.ctx, t.hook, LabelAnswer{
		StoreID: t.store, Action: t.action, Labels: t.labels, Status: o.status, Failed: o.failed, Took: time.Since(t.arrived),
		Err: o.err, Ran: o.ran, Refused: o.refused,
	})
}

// run calls the function in a goroutine of its own, which is left alone at the deadline. What comes of
// it later is reported if it is no success.
func (h *LabelHandler) run(ctx context.Context, about labelCall, act labelAct) labelOutcome {
	select {
	case h.slots <- struct{}{}:
	default:
		return labelOutcome{status: http.StatusTooManyRequests, err: fmt.Errorf("%w: MaxRuns is %d", ErrBusy, cap(h.slots))}
	}
	limited, cancel := context.WithDeadline(ctx, about.arrived.Add(h.budget()))
	done, left := make(chan labelOutcome), make(chan struct{})
	go func() {
		o := labelOutcome{status: http.StatusInternalServerError, err: callback.ErrExit}
		defer func() {
			if v := recover(); v != nil {
				o.err = callback.Recovered(v)
			}
			if limited.Err() != nil && errors.Is(o.err, limited.Err()) {
				o.err = ErrLate // it stopped because it was told to
			}
			<-h.slots
			select {
			case done <- o:
			case <-left:
				if o.err != nil && o.err != ErrLate {
					h.fail(ctx, about, o.err)
				}
			}
			cancel()
		}()
		o = act(limited)
	}()
	select {
	case o := <-done:
		return o
	case <-limited.Done():
		close(left)
		return labelOutcome{status: http.StatusServiceUnavailable, err: ErrLate}
	}
}

// holds takes a place for a request that is to be left without an answer, unless too many are left so already.
func (h *LabelHandler) holds() bool {
	select {
	case h.held <- struct{}{}:
		return true
	default:
		return false
	}
}

// withhold leaves a request that has a place without an answer, and panics. The platform must be the first to give up:
// a connection that breaks off earlier is no timeout.
func (h *LabelHandler) withhold(ctx context.Context, arrived time.Time) {
	defer func() { <-h.held }()
	given := time.NewTimer(time.Until(arrived.Add(AnswerTime + time.Second)))
	defer given.Stop()
	select {
	case <-given.C:
	case <-ctx.Done():
	}
	panic(http.ErrAbortHandler)
}

func (h *LabelHandler) fail(ctx context.Context, about labelCall, err error) {
	reporter{h.OnFailure, h.Logger}.tell(ctx, &Failure{StoreID: about.store, Action: about.action, Labels: about.labels, Err: err})
}
