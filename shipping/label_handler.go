package shipping

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"path"
	"sync"
	"sync/atomic"
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
	// into a queue. The ids, addresses, weights, pieces and the chosen option of a label have the form of the contract:
	// otherwise the label is answered as failed. Other members in another form are zero, and reported as ErrMalformed.
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
	// DefaultMaxRuns. Requests above it are answered 429.
	//
	// A store gets a place only while more places are free than it holds, so several stores leave room for others. A
	// store may use all places while no other store has one, and does not block stores that come then. If StoreOf does
	// not return the store, requests to the same URL prefix share places in the same way.
	MaxRuns int

	// StoreOf returns the store of a request, for MaxRuns, OnAnswered, OnFailure and the log. The platform's callbacks
	// about labels contain neither store nor order. Therefore give each store its own Carrier.CallbackLabelsURL, such
	// as https://carrier.example/TOKEN/7/labels, and read the store from r.URL.Path. A LabelRef contains the id of
	// the fulfillment order, whose Number begins with the number of the order. If the functions also require the store,
	// wrap the handler and put the store into the request's context, from which their contexts are derived. If StoreOf
	// is nil, hangs or panics, the store is unknown.
	StoreOf func(r *http.Request) client.ID

	// OnStarted is called at the start of each request, before its body is read. The functions, StoreOf and all hooks
	// receive the values of the returned context, for example a trace. The returned context must be derived from ctx,
	// which ends when the client disconnects. If it returns nil or fails, ctx is used.
	//
	// Neither a hook nor StoreOf may block. The handler waits for each at most a twentieth of Budget, and sends no
	// answer after Budget because of them. It reports hooks that hang or panic.
	OnStarted func(ctx context.Context, r *http.Request) context.Context
	// OnAnswered is called once for each request, and so once for each call of OnStarted, also for rejected requests.
	// Its context has the values of the context that OnStarted returned, and does not end. Use it for metrics. If a
	// request is left without an answer, OnAnswered is called before the wait. If nil, it is not called.
	OnAnswered func(ctx context.Context, a LabelAnswer)
	// OnFailure is called once for each failure. It may be called concurrently and after the answer. If nil, failures
	// are logged.
	OnFailure func(ctx context.Context, f *Failure)
	// OnRefused is called for each request that is rejected before its body is read. These are requests from
	// strangers, or from the platform if Access is wrong. Use it for metrics. If nil, refusals are only logged.
	OnRefused func(ctx context.Context, r client.Refused)
	// Logger logs failures if OnFailure is nil. It also logs rejected requests at level warn, each reason at most
	// once a minute. Bodies and tokens are never logged. If nil, slog.Default() is used.
	Logger *slog.Logger

	once   sync.Once
	server *callback.Server[labelCall]
}

// labelBounds are the limits of requests about labels.
var labelBounds = callback.Bounds{
	MinBudget: MinBudget, MaxBudget: MaxBudget,
	Default: callback.Limits{
		Budget: DefaultBudget, ReadTime: DefaultReadTime,
		MaxBody: DefaultMaxLabelBody, MaxReceiving: DefaultMaxReceiving, MaxRuns: DefaultMaxRuns,
	},
}

func (h *LabelHandler) limits() callback.Limits {
	return callback.Limits{Budget: h.Budget, ReadTime: h.ReadTime, MaxBody: h.MaxBody, MaxReceiving: h.MaxReceiving, MaxRuns: h.MaxRuns}
}

// Check returns an error that describes an invalid configuration, or nil. Call it at program start: a misconfigured
// LabelHandler answers every request 503.
func (h *LabelHandler) Check() error {
	var wrong callback.Check
	wrong.Refuse(h.Generate == nil, "no Generate")
	h.Access.check(&wrong)
	wrong.CheckLimits(h.limits(), labelBounds)
	return wrong.Err("shipping: labels")
}

// ServeHTTP implements http.Handler. It panics with http.ErrAbortHandler to leave a request without an answer.
// net/http handles this panic.
func (h *LabelHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.once.Do(func() { h.server = callback.NewServer(h.row(), h.Check()) })
	h.server.ServeHTTP(w, r)
}

// labelCall is a request about labels, and its answer.
type labelCall struct {
	action string
	store  client.ID // 0 if unknown
	party  callback.Party
	labelJob

	ran    bool // the function was called
	failed int  // labels that were not processed
}

// row describes requests about labels to the kernel.
func (h *LabelHandler) row() callback.Kind[labelCall] {
	k := row[labelCall]("shipping labels", inTime(h.limits(), labelBounds), &h.Access)
	k.Begin = func(in *labelCall, r *http.Request) {
		in.action, in.store = path.Base(r.URL.Path), h.store(r)
		if in.party.Store = in.store; in.store == 0 {
			in.party.Address = path.Dir(r.URL.Path)
		}
	}
	admit := k.Admit
	k.Admit = func(in *labelCall, r *http.Request) *client.Refused {
		if refused := admit(in, r); refused != nil || in.action == generate || h.change(in.action) != nil {
			return refused
		}
		return &client.Refused{ // the path may contain a token, so it is not shown
			Reason: client.RefusedFunction, Status: http.StatusNotFound,
			Err: errors.New("the last segment of the path must be generate, cancel, suspension or reactivate, and the function for it must be set"),
		}
	}
	k.Decode = func(in *labelCall, _ *http.Request, raw []byte) (err error) {
		in.labelJob, err = h.job(in.action, raw)
		return err
	}
	k.Run = h.run
	// If a request to generate could succeed later, it is left without an answer, so that the platform retries it. The
	// platform must time out first, because it does not treat a connection that is closed earlier as a timeout.
	k.Withhold = func(in *labelCall, arrived time.Time, status int) (until time.Time) {
		if in.action == generate && (status == http.StatusTooManyRequests || status >= http.StatusInternalServerError) {
			until = arrived.Add(AnswerTime + time.Second)
		}
		return until
	}
	k.OnStarted, k.OnRefused, k.Logger = h.OnStarted, h.OnRefused, h.Logger
	k.Answered = callback.Answers(h.OnAnswered, func(in *labelCall, a callback.Answer) LabelAnswer {
		return LabelAnswer{
			StoreID: in.store, Action: in.action, Labels: in.labels, Status: a.Status, Failed: in.failed, Took: a.Took,
			Err: a.Err, Ran: in.ran, Refused: a.Refused,
		}
	})
	k.Failed = func(ctx context.Context, in *labelCall, f callback.Failed) {
		report(ctx, h.OnFailure, h.Logger, &Failure{StoreID: in.store, Action: in.action, Labels: in.labels, Err: f.Err}, f.Since)
	}
	return k
}

// store returns the store of a request, 0 if unknown.
func (h *LabelHandler) store(r *http.Request) client.ID {
	if h.StoreOf == nil {
		return 0
	}
	var id atomic.Int64
	h.server.Hook(r.Context(), "StoreOf", func() { id.Store(int64(h.StoreOf(r))) })
	return client.ID(id.Load())
}

// run calls the function and returns the answer. It continues if the client disconnects.
func (h *LabelHandler) run(ctx context.Context, in *labelCall, due time.Time) callback.Reply {
	whose, do := &labelCall{action: in.action, store: in.store, labelJob: labelJob{labels: in.labels}}, in.do
	fail := func(ctx context.Context, err error, _ bool) { h.server.Fail(ctx, whose, callback.Failed{Err: err}) }
	waiting := callback.WithDeadline(context.WithoutCancel(ctx), due)
	defer waiting.End()
	var ran atomic.Bool
	o, err := callback.Fly(waiting, h.server.Runs, callback.Work[labelOutcome]{
		Party: in.party, Due: due, Failed: fail,
		Do: func(ctx context.Context) (labelOutcome, error) {
			ran.Store(in.calls)
			o, err := do(ctx)
			if o.Err != nil {
				fail(ctx, o.Err, false)
			}
			return o, err
		},
	})
	if in.ran = ran.Load(); err != nil {
		return callback.Reply{Status: statusOf(err), Err: err}
	}
	in.failed = o.failed
	return o.Reply
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
	// Err is the reason why a label was not processed as requested, or why the request was rejected. OnFailure or
	// OnRefused was called with it. It is nil if there is none, even if OnFailure was called with members of the
	// request that could not be read and that are not required.
	Err error
	// Ran reports whether the function was called for this request.
	Ran bool
	// Refused reports whether the request was rejected before its body was read, so that OnRefused was called.
	Refused bool
}
