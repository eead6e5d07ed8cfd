package payments

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/providers"
	"github.com/commerceplatform/commerce-go/internal/address"
	"github.com/commerceplatform/commerce-go/internal/callback"
	"github.com/commerceplatform/commerce-go/internal/engine"
)

// Review is a payment that the merchant must accept or cancel.
type Review struct {
	StoreID client.ID // the store
	// Key is the app's own id of the payment, such as its PaymentAttemptID or Info.ExternalID. The transaction has no
	// id before its first event is reported. It must be 1 to 255 bytes of visible ASCII.
	Key string
	// Until is the time limit of the decision, to the second: EventInput.ExpiresAt. The zero time means no limit.
	Until time.Time
}

// Decision is the merchant's decision.
type Decision string

// The values of Decision.
const (
	DecisionAccept Decision = "accept" // take the payment
	DecisionCancel Decision = "cancel" // release or return the money
)

// ReviewHandler is an http.Handler for EventInfo.AcceptURL and EventInfo.CancelURL. The platform calls one of them
// when the merchant accepts or cancels a payment that needs review in the admin panel. Address, Secrets or SecretSet,
// and Decide must be set. It must not be copied.
//
// The platform does not sign these calls, and as far as is known their body is empty [inferred]. Therefore each URL
// contains its payment, and a signature with a secret of the app. Info creates the URLs. Anyone who has a URL can
// call it, so remove queries from access logs, and set Review.Until.
//
// It answers 200 if Decide returned nil, and the merchant sees the decision. Any other status is displayed to the
// merchant as an error: 401 for a URL that Info did not create, 410 after Review.Until, 503 and others as
// RefundHandler. The platform does not repeat a call, but the merchant can.
type ReviewHandler struct {
	// Address is the public HTTPS URL of this handler, without a query: "https://pay.example/reviews".
	Address string
	// Secrets sign the URLs, the newest first: one, or two during a rotation. They are secrets of the app, with at
	// least 32 random bytes, which must not be used elsewhere.
	Secrets []client.Secret
	// SecretSet, if set, holds the secrets and replaces Secrets. It can be changed while the handler serves.
	SecretSet *client.SecretSet
	// Decide takes the payment, or releases or returns the money, and reports the resulting event. It is called again
	// for a repeated decision. It can also be called for both decisions of one payment. The first one counts, and
	// Decide must return an error for the other.
	Decide func(ctx context.Context, r Review, d Decision) error
	// Now is the clock for Review.Until. If nil, it is time.Now.
	Now func() time.Time

	// Budget, Linger, MaxRuns, OnStarted, OnAnswered, OnFailure, OnRefused and Logger are described in Callback.
	Budget     time.Duration
	Linger     time.Duration
	MaxRuns    int
	OnStarted  func(ctx context.Context, r *http.Request) context.Context
	OnAnswered func(ctx context.Context, a Answer)
	OnFailure  func(ctx context.Context, f *Failure)
	OnRefused  func(ctx context.Context, r client.Refused)
	Logger     *slog.Logger

	runs    runs
	once    sync.Once
	secrets *client.SecretSet
}

var errNoSecret = errors.New("payments: ReviewHandler: SecretSet is empty: call Set with a secret")

// maxReview is the maximum size of the body of a decision, in bytes. The body is not decoded.
const maxReview = 4 << 10

// Query parameters of the URL.
const (
	reviewDecision  = "decision"
	reviewStore     = "store_id"
	reviewKey       = "key"
	reviewUntil     = "until" // Unix seconds, 0 for no limit
	reviewSignature = "signature"
)

// Info returns the information for an event that requests a review of r, with both URLs. Add information about the
// risk, and set the ExpiresAt of the event to r.Until. It returns an error if r or the configuration of the handler
// is invalid.
func (h *ReviewHandler) Info(r Review) (providers.EventInfo, error) {
	if err := h.Check(); err != nil {
		return providers.EventInfo{}, err
	}
	if err := r.check(); err != nil {
		return providers.EventInfo{}, err
	}
	secrets := h.inForce()
	if len(secrets) == 0 {
		return providers.EventInfo{}, errNoSecret
	}
	return providers.EventInfo{
		AcceptURL: h.address(r, DecisionAccept, secrets[0]), CancelURL: h.address(r, DecisionCancel, secrets[0]),
	}, nil
}

func (r Review) check() error {
	hidden := func(c rune) bool { return c <= ' ' || c > '~' }
	switch {
	case r.StoreID <= 0:
		return engine.Invalid("store_id", r.StoreID, "the id of a store")
	case r.Key == "" || len(r.Key) > 255 || strings.ContainsFunc(r.Key, hidden):
		return engine.Invalid("key", r.Key[:min(len(r.Key), 256)], "1 to 255 bytes of visible ASCII")
	}
	return nil
}

// until returns the limit in Unix seconds.
func (r Review) until() int64 {
	if r.Until.IsZero() {
		return 0
	}
	return r.Until.Unix()
}

// address returns the URL for a decision.
func (h *ReviewHandler) address(r Review, d Decision, secret client.Secret) string {
	return h.Address + "?" + url.Values{
		reviewDecision: {string(d)}, reviewStore: {r.StoreID.String()}, reviewKey: {r.Key},
		reviewUntil: {strconv.FormatInt(r.until(), 10)}, reviewSignature: {hex.EncodeToString(h.sign(r, d, secret))},
	}.Encode()
}

// sign returns the signature of a decision. The key comes last, because only the key has a free form. Another handler
// with the same secret has another Address. Writing to a hash never fails.
func (h *ReviewHandler) sign(r Review, d Decision, secret client.Secret) []byte {
	mac := hmac.New(sha256.New, []byte(secret))
	_, _ = fmt.Fprintf(mac, "review\n%s\n%s\n%d\n%d\n%s", h.Address, d, r.StoreID, r.until(), r.Key)
	return mac.Sum(nil)
}

// inForce returns the valid secrets, the newest first.
func (h *ReviewHandler) inForce() []client.Secret {
	h.once.Do(func() { h.secrets = callback.SecretsOf(h.Secrets, h.SecretSet) })
	return h.secrets.Current()
}

func (h *ReviewHandler) callback() *Callback {
	return &Callback{
		Budget: h.Budget, Linger: h.Linger, MaxRuns: h.MaxRuns, MaxBody: maxReview, Now: h.Now,
		OnStarted: h.OnStarted, OnAnswered: h.OnAnswered, OnFailure: h.OnFailure, OnRefused: h.OnRefused, Logger: h.Logger,
	}
}

// Check returns an error that describes an invalid configuration, or nil. Call it at program start: a misconfigured
// handler answers every request 503.
func (h *ReviewHandler) Check() error {
	wrong := h.callback().checkBounds("Decide", h.Decide == nil)
	bad := !address.IsHTTPS(h.Address) || strings.ContainsAny(h.Address, "?#")
	wrong.Refuse(bad, "Address is %q: must be an https URL without a query, such as https://pay.example/reviews",
		address.Host(h.Address))
	if h.SecretSet == nil {
		callback.Secrets(&wrong, h.Secrets)
	}
	wrong.Refuse(h.SecretSet != nil && len(h.Secrets) > 0, "Secrets and SecretSet must not both be set")
	wrong.Refuse(h.SecretSet == nil && len(h.Secrets) == 0, "no Secrets")
	return wrong.Err("payments: ReviewHandler")
}

// ServeHTTP implements http.Handler.
func (h *ReviewHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	h.callback().serve(w, r, &h.runs, kind{
		call: CallReview, method: http.MethodPost, check: h.Check, ask: h.ask, open: true, admit: h.proved,
	})
}

// proved rejects a URL that Info did not create, before the body is read, and an expired one.
func (h *ReviewHandler) proved(_ *received, req *http.Request) *client.Refused {
	query := req.URL.Query()
	secrets := h.inForce()
	if len(secrets) == 0 {
		return &client.Refused{Reason: client.RefusedSignature, Status: http.StatusServiceUnavailable, Err: errNoSecret}
	}
	r, d, err := decided(query)
	signature, _ := hex.DecodeString(query.Get(reviewSignature)) // invalid hexadecimal is an invalid signature
	good := false
	for _, secret := range secrets {
		good = hmac.Equal(h.sign(r, d, secret), signature) || good
	}
	switch {
	case err != nil || !good:
		return &client.Refused{
			Reason: client.RefusedSignature, Status: http.StatusUnauthorized,
			Err: errors.New("the URL was not created by Info with the present Address and Secrets"),
		}
	case !r.Until.IsZero() && !h.callback().now().Before(r.Until):
		err = errors.New("the decision came after Review.Until")
		return &client.Refused{Reason: client.RefusedClock, Status: http.StatusGone, Err: err}
	}
	return nil
}

// decided reads a URL.
func decided(query url.Values) (r Review, d Decision, err error) {
	for _, name := range []string{reviewDecision, reviewStore, reviewKey, reviewUntil, reviewSignature} {
		if len(query[name]) != 1 {
			return r, d, engine.Invalid(name, len(query[name]), "one value")
		}
	}
	r.Key, d = query.Get(reviewKey), Decision(query.Get(reviewDecision))
	if d != DecisionAccept && d != DecisionCancel {
		return r, d, engine.Invalid(reviewDecision, d, "accept or cancel")
	}
	if r.StoreID, err = client.ParseID(query.Get(reviewStore)); err != nil {
		return r, d, err
	}
	until, err := strconv.ParseInt(query.Get(reviewUntil), 10, 64)
	if until != 0 {
		r.Until = time.Unix(until, 0).UTC()
	}
	return r, d, err
}

func (h *ReviewHandler) ask(query url.Values) (run, error) {
	r, d, err := decided(query)
	return func(ctx context.Context) (answer, error) {
		return answer{status: http.StatusOK}, h.Decide(ctx, r, d)
	}, err
}
