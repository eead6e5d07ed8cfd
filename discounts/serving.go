package discounts

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/callback"
)

// Check returns what is wrong with the configuration, or nil. Call it when the program
// starts: a Handler that is misconfigured answers every request 204.
func (h *Handler) Check() error {
	var wrong callback.Check
	wrong.Refuse(h.Plans.Raw == nil && h.Plans.LineItems == nil && h.Plans.CrossItems == nil, "no plan")
	wrong.Refuse(h.Plans.Raw != nil && (h.Plans.LineItems != nil || h.Plans.CrossItems != nil), "Plans.Raw beside LineItems or CrossItems")
	wrong.Refuse(h.Registry == nil || h.Registry.Load == nil, "no Registry with Load")
	wrong.Refuse(h.Sources == nil && !h.signs() && !h.Guarded, "neither Sources nor Secrets, nor Guarded: anybody could send carts")
	wrong.Refuse(h.Guarded && (h.Sources != nil || h.signs()), "Guarded beside Sources or Secrets")
	wrong.Refuse(h.Either && (h.Sources == nil || !h.signs()), "Either without both Sources and Secrets")
	wrong.Refuse(len(h.Secrets) > 0 && h.SecretSet != nil, "both Secrets and a SecretSet")
	callback.Secrets(&wrong, h.Secrets)
	wrong.Refuse(!callback.IsToken(h.headerName()), "header name %q is not one of HTTP", h.HeaderName)
	wrong.Refuse(h.Late != PolicyKeep && h.Late != PolicyRemoveOwn, "Late is %d: want Keep or RemoveOwn", h.Late)
	wrong.Refuse(h.Budget != 0 && (h.Budget < MinBudget || h.Budget > MaxBudget), "Budget is %v: want 0 or %v to %v", h.Budget, MinBudget, MaxBudget)
	wrong.Refuse(h.Linger < 0 || h.Linger > MaxLinger, "Linger is %v: must be 0 to %v", h.Linger, MaxLinger)
	wrong.Refuse(h.ReadTime < 0 || h.ReadTime > cmp.Or(h.Budget, DefaultBudget), "ReadTime is %v: want 0 to Budget", h.ReadTime)
	wrong.Refuse(h.MaxBody < 0, "MaxBody is %d: want 0 or more", h.MaxBody)
	wrong.CheckRoom(h.MaxReceiving, cmp.Or(h.MaxBody, DefaultMaxBody))
	wrong.Refuse(h.MaxRuns < 0, "MaxRuns is %d: want 0 or more", h.MaxRuns)
	return wrong.Err("discounts")
}

// signs reports whether carts may be signed.
func (h *Handler) signs() bool { return len(h.Secrets) > 0 || h.SecretSet != nil }

// serving is a Handler made ready to serve.
type serving struct {
	header     string
	secrets    *client.SecretSet // nil: signatures are not looked at
	maxBody    int64
	bodies     *callback.Bodies
	refusals   callback.Refusals
	budget     time.Duration
	linger     time.Duration
	readTime   time.Duration
	gate       *callback.Gate
	processors *callback.Processors
	late       memory
	promises   promises
}

// ready makes the Handler ready with the first request, or returns nil if it cannot be.
func (h *Handler) ready(ctx context.Context) *serving {
	h.once.Do(func() {
		if err := h.Check(); err != nil {
			h.reporter().tell(context.WithoutCancel(ctx), &Failure{Err: err})
			return
		}
		maxBody := cmp.Or(h.MaxBody, DefaultMaxBody)
		h.engine = &serving{
			header:     http.CanonicalHeaderKey(h.headerName()),
			secrets:    callback.SecretsOf(h.Secrets, h.SecretSet),
			maxBody:    maxBody,
			bodies:     callback.NewBodies(callback.Room(h.MaxReceiving, DefaultMaxReceiving, maxBody)),
			budget:     cmp.Or(h.Budget, DefaultBudget),
			linger:     cmp.Or(h.Linger, DefaultLinger),
			readTime:   cmp.Or(h.ReadTime, DefaultReadTime),
			gate:       callback.NewGate(cmp.Or(h.MaxRuns, DefaultMaxRuns)),
			processors: callback.NewProcessors(),
		}
	})
	return h.engine
}

func (h *Handler) headerName() string { return cmp.Or(h.HeaderName, SignatureHeader) }

// receive returns the body of a request that is from the platform: whole, or an error
// that says why it is not. If the request is somebody else's, it returns why it is refused.
func (h *Handler) receive(w http.ResponseWriter, r *http.Request, e *serving, arrived time.Time) (raw []byte, refused *client.Refused, err error) {
	if !callback.Open(w, r, http.MethodPost, arrived.Add(e.readTime)) {
		return nil, callback.RefusedMethod(r, http.MethodPost), nil
	}
	listed := h.Sources != nil && h.Sources.Allows(r)
	if h.Sources != nil && !listed && !h.Either {
		return nil, h.unlisted(r), nil
	}
	verify := e.secrets != nil && !(h.Either && listed)
	given := r.Header[e.header]
	signature, ok := claimed(given)
	if verify && !ok {
		return nil, h.unproven(r, callback.Unsigned(e.header, given, "64 hexadecimal digits", http.StatusForbidden)), nil
	}
	if raw, err = e.bodies.Read(w, r, e.maxBody); errors.Is(err, callback.ErrFull) {
		return nil, callback.RefusedBody(err), nil
	}
	if err != nil {
		// What it was signed over is not here. If it is the platform's, 403 would cost the cart its discounts; a
		// stranger gets nothing done, and his cart is not looked at.
		return nil, nil, fmt.Errorf("%w: the body did not arrive: %w", ErrMalformed, err)
	}
	defer e.bodies.Done(raw)
	if !verify {
		return raw, nil, nil
	}
	if list := e.secrets.Current(); !signed(list, signature, raw) {
		return nil, h.unproven(r, callback.BadSignature(e.header, len(list), http.StatusForbidden)), nil
	}
	return raw, nil, nil
}

// unlisted is the refusal of a request that Sources do not allow.
func (h *Handler) unlisted(r *http.Request) *client.Refused {
	refused, _ := h.Sources.Refuses(r)
	refused.Status = http.StatusForbidden
	return &refused
}

// unproven is the refusal of a request whose signature is not good. With Either, Sources could have allowed it.
func (h *Handler) unproven(r *http.Request, refused *client.Refused) *client.Refused {
	if h.Either {
		other := h.unlisted(r)
		refused.Address, refused.Hop, refused.Err = other.Address, other.Hop, fmt.Errorf("%w; and %w", refused.Err, other.Err)
	}
	return refused
}
