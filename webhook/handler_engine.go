package webhook

import (
	"cmp"
	"context"
	"crypto/sha256"
	"net/http"
	"slices"
	"time"

	"github.com/commerceplatform/commerce-go/client/access"
	"github.com/commerceplatform/commerce-go/internal/callback"
)

// bounds are the limits of a Handler.
var bounds = callback.Bounds{
	MaxBudget: AnswerTime,
	Default: callback.Limits{
		Budget: DefaultBudget, MaxBody: DefaultMaxBody, MaxReceiving: DefaultMaxReceiving, MaxRuns: DefaultMaxRuns,
	},
}

func (h *Handler) limits() callback.Limits {
	return callback.Limits{Budget: h.Budget, MaxBody: h.MaxBody, MaxReceiving: h.MaxReceiving, MaxRuns: h.MaxRuns}
}

// Check returns an error that describes an invalid configuration, or nil. Call it when the program starts, because
// a misconfigured Handler verifies nothing, calls no handler and answers every request 503.
func (h *Handler) Check() error {
	var wrong callback.Check
	wrong.Refuse(len(h.Secrets) == 0 && h.SecretSet == nil, "no secret")
	wrong.Refuse(len(h.Secrets) > 0 && h.SecretSet != nil, "both Secrets and SecretSet are set: must be one of them")
	callback.Secrets(&wrong, h.Secrets)
	wrong.Refuse(!callback.IsToken(h.headerName()), "HeaderName is %q: must be a valid name of an HTTP header", h.HeaderName)
	wrong.Refuse(h.Event != "" && !slices.Contains(Events(), h.Event), "Event is %q: must be an event of the contract", h.Event)
	wrong.CheckLimits(h.limits(), bounds)
	wrong.Refuse(h.AcceptTime < 0 || h.AcceptTime > AnswerTime, "AcceptTime is %v: must be 0 to %v, after which the platform ignores the answer", h.AcceptTime, AnswerTime)
	wrong.Refuse(h.Inbox != nil && h.Sink != nil, "both Inbox and Sink are set: must be at most one of them")
	wrong.Refuse(h.Inbox != nil && h.KnownStore != nil, "KnownStore is set together with Inbox: must be nil, because handlers run later; set it in the Worker")
	wrong.Refuse(h.Inbox != nil && h.Probe != nil, "Probe is set together with Inbox: must be nil, because handlers run later; set it in the Worker")
	wrong.Refuse(h.Sink != nil && h.KnownStore != nil, "KnownStore is set together with Sink: must be nil, because handlers run later; check the store before Registry.Handle")
	wrong.Refuse(h.Sink != nil && h.Probe != nil, "Probe is set together with Sink: must be nil, because handlers run later; check the access before Registry.Handle")
	if h.Registry != nil || !h.keeps() {
		wrong = append(wrong, h.Registry.check())
	}
	return wrong.Err("webhook")
}

// keeps reports whether deliveries are stored and handled later.
func (h *Handler) keeps() bool { return h.Inbox != nil || h.Sink != nil }

func (h *Handler) headerName() string { return cmp.Or(h.HeaderName, SignatureHeader) }

// engine is the state of a Handler that serves.
type engine struct {
	*Handler
	server    *callback.Server[received]
	header    string
	keys      keys
	read      func(r *http.Request, raw []byte, at time.Time) message
	joiner    joiner
	inspector *inspector      // nil if there is no Probe
	accepts   *callback.Guard // of the Inbox or the Sink
	inTime    bool            // the Inbox is InTime
	limit     time.Duration   // of the Inbox or the Sink
	unknowns  *callback.Guard // of Unknown, if there is an Inbox or a Sink
}

// received is a delivery that a Handler received.
type received struct {
	signature [sha256.Size]byte
	message   message // its time, until it is verified
	trace     string  // of its header
	outcome   Outcome // if it is answered 200
	key       string  // of its entry
	dead      bool    // its entry is not tried again
}

// ready makes the engine with the first request.
func (h *Handler) ready() *engine {
	h.once.Do(func() {
		reader, limits := newReader(h.Event), bounds.Of(h.limits())
		if h.keeps() {
			reader = reader.brief()
		}
		e := &engine{
			Handler: h, header: http.CanonicalHeaderKey(h.headerName()), read: readAt(reader),
			keys:     keys{secrets: callback.SecretsOf(h.Secrets, h.SecretSet)},
			limit:    cmp.Or(h.AcceptTime, DefaultAcceptTime),
			unknowns: callback.NewGuard(limits.Budget), inspector: newInspector(h.Probe, h.Judge),
		}
		e.accepts = callback.NewGuard(e.limit)
		if in, ok := h.Inbox.(InTime); ok {
			e.inTime = in.InTime(h.Inbox)
		}
		e.server = callback.NewServer(e.row(limits), h.Check())
		e.joiner.runs, e.joiner.lanes = e.server.Runs, map[key]*generation{}
		h.engine = e
	})
	return h.engine
}

// row describes deliveries to the kernel.
func (e *engine) row(limits callback.Limits) callback.Kind[received] {
	return callback.Kind[received]{
		Name: "webhook", Method: http.MethodPost, Limits: limits,
		Misconfigured: http.StatusServiceUnavailable, Full: http.StatusServiceUnavailable,
		Admit: func(c *received, r *http.Request) *access.Refused {
			given, ok := r.Header[e.header], false
			if c.signature, ok = claimed(given); !ok {
				return callback.Unsigned(e.header, given, "64 hexadecimal digits", http.StatusUnauthorized)
			}
			c.message.at = time.Now()
			return nil
		},
		Verify: func(c *received, _ *http.Request, raw []byte) *access.Refused {
			if v := e.keys.current(); !v.verify(c.signature, raw) {
				return callback.BadSignature(e.header, len(v.of), http.StatusUnauthorized)
			}
			return nil
		},
		Decode: func(c *received, r *http.Request, raw []byte) error {
			if c.message = e.read(r, raw, c.message.at); len(r.Header["Traceparent"]) == 1 {
				c.trace = r.Header["Traceparent"][0]
			}
			return nil
		},
		Run:       e.run,
		OnStarted: e.OnStarted, OnRefused: e.OnRefused, Logger: e.Logger,
		Answered: callback.Answers(e.OnAnswered, (*received).answered),
		Failed: func(ctx context.Context, c *received, f callback.Failed) {
			e.reporter().tell(ctx, &Failure{
				StoreID: c.message.store, Event: c.message.event, Key: c.key, Dead: c.dead, Err: f.Err,
			})
		},
	}
}

// answered returns what OnAnswered is called with.
func (c *received) answered(a callback.Answer) Answer {
	out := Answer{
		StoreID: c.message.store, Event: c.message.event, Key: c.key, Status: a.Status, Outcome: c.outcome,
		Bytes: len(c.message.raw), Took: a.Took, Err: a.Err,
	}
	switch {
	case a.Refused:
		out.Outcome = OutcomeRefused
	case a.Err != nil:
		out.Outcome = OutcomeFailed
	}
	return out
}

// run answers a verified delivery. A 503 has a Retry-After header if the error asks for a wait.
func (e *engine) run(ctx context.Context, c *received, due time.Time) callback.Reply {
	var err error
	if e.keeps() {
		err = e.store(ctx, c)
	} else {
		err = e.handle(ctx, c, due)
	}
	if err == nil {
		return callback.Reply{Status: http.StatusOK}
	}
	reply := callback.Reply{Status: http.StatusServiceUnavailable, Err: err}
	if wait, ok := WaitOf(err); ok {
		reply.RetryAfter = max(wait, ShortestBackoff)
	}
	return reply
}

func (e *engine) fail(ctx context.Context, m *message, err error) {
	e.server.Fail(ctx, &received{message: *m}, callback.Failed{Err: err})
}
