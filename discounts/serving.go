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

// Check returns an error that describes an invalid configuration, or nil. Call it at program start: a misconfigured
// Handler answers every request 204.
func (h *Handler) Check() error {
	var wrong callback.Check
	wrong.Refuse(h.Plans.Raw == nil && h.Plans.LineItems == nil && h.Plans.CrossItems == nil, "no plan")
	wrong.Refuse(h.Plans.Raw != nil && (h.Plans.LineItems != nil || h.Plans.CrossItems != nil), "Plans.Raw must not be set together with LineItems or CrossItems")
	wrong.Refuse(h.Registry == nil || h.Registry.Load == nil, "no Registry with Load")
	wrong.Refuse(h.Sources == nil && !h.signs() && !h.Guarded, "none of Sources, Secrets, SecretSet and Guarded is set, so anyone could send carts")
	wrong.Refuse(h.Guarded && (h.Sources != nil || h.signs()), "Guarded must not be set together with Sources, Secrets or SecretSet")
	wrong.Refuse(h.Either && (h.Sources == nil || !h.signs()), "Either requires both Sources and Secrets")
	wrong.Refuse(len(h.Secrets) > 0 && h.SecretSet != nil, "Secrets and SecretSet must not both be set")
	callback.Secrets(&wrong, h.Secrets)
	wrong.Refuse(!callback.IsToken(h.headerName()), "HeaderName is %q: must be a valid HTTP header name", h.HeaderName)
	wrong.Refuse(h.Late != PolicyKeep && h.Late != PolicyRemoveOwn, "Late is %d: must be PolicyKeep or PolicyRemoveOwn", h.Late)
	wrong.Refuse(h.Budget != 0 && (h.Budget < MinBudget || h.Budget > MaxBudget), "Budget is %v: must be 0 or %v to %v", h.Budget, MinBudget, MaxBudget)
	wrong.Refuse(h.Linger < 0 || h.Linger > MaxLinger, "Linger is %v: must be 0 to %v", h.Linger, MaxLinger)
	wrong.Refuse(h.ReadTime < 0 || h.ReadTime > cmp.Or(h.Budget, DefaultBudget), "ReadTime is %v: must be 0 to Budget", h.ReadTime)
	wrong.Refuse(h.MaxBody < 0, "MaxBody is %d: must be 0 or more", h.MaxBody)
	wrong.CheckRoom(h.MaxReceiving, cmp.Or(h.MaxBody, DefaultMaxBody))
	wrong.Refuse(h.MaxRuns < 0, "MaxRuns is %d: must be 0 or more", h.MaxRuns)
	return wrong.Err("discounts")
}

// signs reports whether secrets are configured.
func (h *Handler) signs() bool { return len(h.Secrets) > 0 || h.SecretSet != nil }

// serving is the state of a Handler that serves.
type serving struct {
	header     string
	secrets    *client.SecretSet // nil if signatures are not checked
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

// ready prepares the Handler at the first request. It returns nil if the configuration is invalid.
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

// receive returns the whole body of a request of the platform, or an error. If the request is not from the platform,
// it returns the refusal.
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
		// The signed content is incomplete. If it is from the platform, 403 would remove the cart's discounts. A
		// stranger achieves nothing, because the cart is not processed.
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

// unlisted returns the refusal of a request that Sources do not allow.
func (h *Handler) unlisted(r *http.Request) *client.Refused {
	refused, _ := h.Sources.Refuses(r)
	refused.Status = http.StatusForbidden
	return &refused
}

// unproven returns the refusal of a request without a valid signature. With Either, Sources could have allowed it.
func (h *Handler) unproven(r *http.Request, refused *client.Refused) *client.Refused {
	if h.Either {
		other := h.unlisted(r)
		refused.Address, refused.Hop, refused.Err = other.Address, other.Hop, fmt.Errorf("%w; and %w", refused.Err, other.Err)
	}
	return refused
}
