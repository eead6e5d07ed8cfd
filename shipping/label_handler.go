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

// DefaultMaxLabelBody is larger than DefaultMaxBody, because label callbacks contain whole fulfillment orders.
const DefaultMaxLabelBody = 8 << 20

// LabelHandler is an http.Handler that answers the callbacks about labels. Mount it below Carrier.CallbackLabelsURL.
// The last segment of the path is the action: generate, cancel, suspension or reactivate. Generate and a field of
// Access must be set. A LabelHandler must not be copied, and its fields must not be changed after the first request.
// The zero LabelHandler answers 503.
//
// It answers before Budget ends, even if the functions are slow:
//
//	202  labels will be made
//	204  all labels are cancelled, suspended or active again
//	207  some are not; the answer lists them
//	400  not the JSON of a label callback; 413 too large; 415 not JSON, or compressed
//	403  not from the platform; 404 the function is not set; 405 not a POST
//	429  MaxRuns calls are in progress, or MaxReceiving bytes are being received
//	500  the function panicked
//	503  the function failed or was late
//
// The platform retries only generate, and only if there is no answer within AnswerTime: up to three times, 2 seconds
// apart. Any answer other than 2xx is a refusal, which fails the labels permanently [inferred]. Therefore a
// LabelHandler does not answer generate with 429, 500 or 503. It waits until AnswerTime has passed, and then aborts
// the request. Up to MaxRuns requests wait in this way. Requests above that number are answered.
//
// Therefore Generate must be idempotent. Use the id of a label to detect duplicates. A label can be requested again
// while the previous call is still in progress.
type LabelHandler struct {
	// Generate accepts up to MaxLabels labels, and returns the labels that will not be made. It should only put them
	// into a queue.
	Generate func(ctx context.Context, labels []Label) ([]LabelFailure, error)
	// Cancel cancels labels and returns the labels that were not cancelled.
	Cancel func(ctx context.Context, labels []LabelRef) ([]LabelFailure, error)
	// Suspend and Reactivate are optional.
	Suspend    func(ctx context.Context, labels []LabelRef) ([]LabelFailure, error)
	Reactivate func(ctx context.Context, labels []LabelRef) ([]LabelFailure, error)

	Access

	// Budget is the maximum time from the arrival of a request to its answer. It must be between MinBudget and
	// MaxBudget. Zero means DefaultBudget. The context of a function ends 100 ms earlier.
	Budget time.Duration
	// ReadTime is the maximum time to read a body. Zero means DefaultReadTime, or the rest of Budget if that is
	// shorter.
	ReadTime time.Duration
	// MaxBody is the maximum size of a body in bytes. Zero means DefaultMaxLabelBody.
	MaxBody int64
	// MaxReceiving bounds the memory for bodies that are being received, in bytes. Requests above it are answered
	// 429. A quarter is reserved for the first 4 KiB of each body, so that a flood of large bodies does not block
	// small ones. It must be at least twice MaxBody. Zero means DefaultMaxReceiving, or twice MaxBody if that is
	// more.
	MaxReceiving int64
	// MaxRuns bounds the calls of functions in progress, including calls whose answer was already sent. Zero means
	// DefaultMaxRuns.
	MaxRuns int

	// StoreOf returns the store of a request, for OnAnswered, OnFailure and the log. The platform's callbacks about
	// labels contain neither store nor order. Therefore give each store its own Carrier.CallbackLabelsURL, such as
	// https://carrier.example/TOKEN/7/labels, and read the store from r.URL.Path. A LabelRef contains the id of the
	// fulfillment order, whose Number begins with the number of the order. If the functions also require the store,
	// wrap the handler and put the store into the request's context, from which their contexts are derived. If nil,
	// the store is unknown.
	StoreOf func(r *http.Request) client.ID

	// OnStarted is called at the start of each request, before its body is read. The functions, StoreOf and all hooks
	// receive the values of the returned context, for example a trace. The returned context must be derived from ctx,
	// which ends when the client disconnects. If it returns nil or panics, ctx is used. It must not block.
	OnStarted func(ctx context.Context, r *http.Request) context.Context
	// OnAnswered is called once for each request, and so once for each call of OnStarted, also for rejected requests.
	// Its context has the values of the context that OnStarted returned, and does not end. Use it for metrics. It
	// must not block. If a request is left without an answer, OnAnswered is called before the wait. If nil, it is not
	// called.
	OnAnswered func(ctx context.Context, a LabelAnswer)
	// OnFailure is called once for each failure. It may be called concurrently and after the answer, and must not
	// block. If nil, failures are logged.
	OnFailure func(ctx context.Context, f *Failure)
	// OnRefused is called for each request that is rejected before its body is read. These are requests from
	// strangers, or from the platform if Access is wrong. Use it for metrics. It must not block. If nil, refusals are
	// only logged.
	OnRefused func(ctx context.Context, r client.Refused)
	// Logger logs failures if OnFailure is nil. It also logs rejected requests at level warn, each reason at most
	// once a minute. Bodies and tokens are never logged. If nil, slog.Default() is used.
	Logger *slog.Logger

	once  sync.Once
	door  *door // nil if the configuration is invalid
	slots chan struct{}
	held  chan struct{} // a slot for each request that waits without an answer
}

// Check returns an error that describes an invalid configuration, or nil. Call it at program start: a misconfigured
// LabelHandler answers every request 503.
func (h *LabelHandler) Check() error {
	var wrong callback.Check
	wrong.Refuse(h.Generate == nil, "no Generate")
	h.Access.check(&wrong)
	wrong.Refuse(h.Budget != 0 && (h.Budget < MinBudget || h.Budget > MaxBudget), "Budget is %v: must be 0 or %v to %v", h.Budget, MinBudget, MaxBudget)
	wrong.Refuse(h.ReadTime < 0 || h.ReadTime > cmp.Or(h.Budget, DefaultBudget), "ReadTime is %v: must be 0 to Budget", h.ReadTime)
	wrong.Refuse(h.MaxBody < 0, "MaxBody is %d: must be 0 or more", h.MaxBody)
	wrong.CheckRoom(h.MaxReceiving, cmp.Or(h.MaxBody, DefaultMaxLabelBody))
	wrong.Refuse(h.MaxRuns < 0, "MaxRuns is %d: must be 0 or more", h.MaxRuns)
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

// budget is the time until an answer is made.
func (h *LabelHandler) budget() time.Duration { return cmp.Or(h.Budget, DefaultBudget) - margin }

// ServeHTTP implements http.Handler. It panics with http.ErrAbortHandler to leave a request without an answer.
// net/http handles this panic.
func (h *LabelHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	arrived := time.Now()
	r = callback.Started(r, h.OnStarted)
	about := labelCall{action: path.Base(r.URL.Path), arrived: arrived}
	t := &labelTold{hook: h.OnAnswered, ctx: r.Context(), labelCall: about}
	defer t.answered(labelOutcome{}) // for a body that panics as it is read
	h.serve(w, r, t)
}

// serve answers a request and records the answer in t.
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
	ctx := context.WithoutCancel(r.Context()) // continue if the client disconnects
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

// store returns the store of a request, 0 if unknown.
func (h *LabelHandler) store(r *http.Request) (id client.ID) {
	if h.StoreOf != nil {
		callback.Panics(func() { id = h.StoreOf(r) })
	}
	return id
}

// refuse answers a rejected request. If a request to generate could be valid, it is left without an answer, as a
// failed one is, so that the platform retries it.
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

// labelAct performs the action and returns the answer.
type labelAct func(ctx context.Context) labelOutcome

type labelOutcome struct {
	status int // 0: the request is left without an answer
	body   []byte
	failed int // labels that were not processed
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

// LabelAnswer describes the answer to a callback about labels.
type LabelAnswer struct {
	StoreID client.ID  // result of StoreOf; 0 if that is nil
	Action  string     // generate, cancel, suspension or reactivate
	Labels  []LabelRef // labels of the request; nil if the request could not be read
	// Status is the HTTP status. It is 0 if a request to generate was left without an answer, so that the platform
	// retries it.
	Status int
	Failed int           // labels that were not processed
	Took   time.Duration // from the arrival of the request
	Err    error         // the error passed to OnFailure or OnRefused; nil if neither was called
	// Ran reports whether the function was called for this request.
	Ran bool
	// Refused reports whether the request was rejected before its body was read, so that OnRefused was called.
	Refused bool
}

// labelTold is a request with the hook OnAnswered, which is called once.
type labelTold struct {
	labelCall
	ctx  context.Context
	hook func(ctx context.Context, a LabelAnswer)
	told bool
}

// answered calls the hook, unless it was already called.
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

// run calls the function in a new goroutine. The answer does not wait for it after the deadline. A later error is
// reported.
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
				o.err = ErrLate // the context made it stop
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

// holds reserves a slot for a request that is left without an answer. It returns false if there is none.
func (h *LabelHandler) holds() bool {
	select {
	case h.held <- struct{}{}:
		return true
	default:
		return false
	}
}

// withhold leaves a request that has a slot without an answer, and panics. The platform must time out first, because
// it does not treat a connection that is closed earlier as a timeout.
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
