package webhook

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/callback"
)

// Check returns an error that describes mistakes in the configuration, or nil. Call it when the program starts, because
// a misconfigured Handler verifies nothing, calls no handler and answers every request 503.
func (h *Handler) Check() error {
	var wrong callback.Check
	wrong.Refuse(len(h.Secrets) == 0 && h.SecretSet == nil, "no secret")
	wrong.Refuse(len(h.Secrets) > 0 && h.SecretSet != nil, "both Secrets and SecretSet are set: must be one of them")
	callback.Secrets(&wrong, h.Secrets)
	wrong.Refuse(!callback.IsToken(h.headerName()), "HeaderName is %q: must be a valid name of an HTTP header", h.HeaderName)
	wrong.Refuse(h.Event != "" && !slices.Contains(Events(), h.Event), "Event is %q: must be an event of the contract", h.Event)
	wrong.Refuse(h.MaxBody < 0, "MaxBody is %d: must be 0 or more", h.MaxBody)
	wrong.CheckRoom(h.MaxReceiving, cmp.Or(h.MaxBody, DefaultMaxBody))
	wrong.Refuse(h.MaxRuns < 0, "MaxRuns is %d: must be 0 or more", h.MaxRuns)
	wrong.Refuse(h.Budget < 0 || h.Budget > AnswerTime, "Budget is %v: must be 0 to %v, after which the platform ignores the answer", h.Budget, AnswerTime)
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

// engine is the state of a Handler that serves.
type engine struct {
	header   string
	maxBody  int64
	bodies   *callback.Bodies
	budget   time.Duration
	keys     keys
	read     func(r *http.Request, raw []byte, at time.Time) message
	accept   time.Duration
	joiner   joiner
	refusals callback.Refusals
	absences absences
}

// ready makes the engine with the first request, or returns nil if the configuration is wrong.
func (h *Handler) ready(ctx context.Context) *engine {
	h.once.Do(func() {
		if err := h.Check(); err != nil {
			h.reporter().tell(context.WithoutCancel(ctx), &Failure{Err: err})
			return
		}
		maxBody := cmp.Or(h.MaxBody, DefaultMaxBody)
		h.engine = &engine{
			header:  http.CanonicalHeaderKey(h.headerName()),
			maxBody: maxBody,
			bodies:  callback.NewBodies(callback.Room(h.MaxReceiving, DefaultMaxReceiving, maxBody)),
			budget:  cmp.Or(h.Budget, DefaultBudget),
			keys:    keys{secrets: callback.SecretsOf(h.Secrets, h.SecretSet)},
			read:    readAt(h.reader()),
			accept:  cmp.Or(h.AcceptTime, DefaultAcceptTime),
			joiner:  joiner{most: cmp.Or(h.MaxRuns, DefaultMaxRuns)},
		}
	})
	return h.engine
}

// reader returns a reader that omits Extra if the Handler only stores deliveries.
func (h *Handler) reader() reader {
	if h.keeps() {
		return newReader(h.Event).brief()
	}
	return newReader(h.Event)
}

func (h *Handler) headerName() string { return cmp.Or(h.HeaderName, SignatureHeader) }

// receive returns the body of a delivery, or the reason why the request is rejected.
func (e *engine) receive(w http.ResponseWriter, r *http.Request, deadline time.Time) ([]byte, *client.Refused) {
	if !callback.Open(w, r, http.MethodPost, deadline) {
		return nil, callback.RefusedMethod(r, http.MethodPost)
	}
	given := r.Header[e.header]
	signature, ok := claimed(given)
	if !ok {
		return nil, callback.Unsigned(e.header, given, "64 hexadecimal digits", http.StatusUnauthorized)
	}
	raw, err := e.bodies.Read(w, r, e.maxBody)
	if err != nil {
		return nil, callback.RefusedBody(err)
	}
	v := e.keys.current()
	signed := v.verify(signature, raw)
	e.bodies.Done(raw)
	if !signed {
		return nil, callback.BadSignature(e.header, len(v.of), http.StatusUnauthorized)
	}
	return raw, nil
}
