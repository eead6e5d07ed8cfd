package engine

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/hashicorp/go-retryablehttp"

	"github.com/commerceplatform/commerce-go/internal/condition"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// call is one call of the API with all its attempts. It is the transport under
// the retry loop, so that every attempt passes, in this order, the rate limit,
// the breaker, and the sender that bounds, traces and reads the answer whole.
type call struct {
	core     *Core
	observer *observer // nil without a hook
	method   string
	route    string
	class    Class
	secrets  bool      // of Request
	result   bool      // of Request
	chosen   bool      // the query chooses members, and not the id
	started  time.Time // of the first attempt
	attempts int
	sent     int           // requests; if one was answered 429 or met a replaced token, it is not an attempt
	refusals int           // of them were answered 429
	pass     pass          // of the last request
	wait     time.Duration // before the next request
	waited   time.Duration // for the rate limit
	asked    time.Duration // what the limiter asks for after a 429
	token    string
	renewed  bool   // another one has replaced it
	fresh    string // that one, until it is used
	unsure   bool   // a write may have been applied
	hurried  bool   // and a late repetition of it could undo a newer one
	failed   failure

	// Parts of every call, here so that they take one piece of memory.
	http   http.Client
	loop   retryablehttp.Client
	good   Answer
	whole  whole     // of the last attempt
	values [4]string // of the headers of the first one
}

// perform makes the call. Every error is one of Codec.Fail, except those of a request that cannot be built.
func (c *Core) perform(ctx context.Context, r Request, o *observer) (*Answer, error) {
	k := &call{core: c, observer: o, method: r.method(), route: r.Path, class: r.class(), secrets: r.Secrets, result: r.Result, chosen: r.chosen()}
	req, err := k.build(ctx, r)
	if err != nil {
		return nil, err
	}
	k.http = http.Client{Transport: k, CheckRedirect: keepRedirect}
	k.loop.HTTPClient, k.loop.RetryMax, k.loop.ErrorHandler = &k.http, math.MaxInt, retryablehttp.PassthroughErrorHandler
	k.loop.CheckRetry, k.loop.Backoff = k.checkRetry, leastWait
	c.quota.earn()
	resp, err := k.loop.Do(req)
	return k.finish(ctx, resp, err)
}

func keepRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// leastWait is how long the loop waits: checkRetry sets the least wait of it to what it decided.
func leastWait(least, _ time.Duration, _ int, _ *http.Response) time.Duration { return least }

// build makes the request with all its headers. The token is added here, for the
// configured origin, and not by a transport that a redirect could reach.
func (k *call) build(ctx context.Context, r Request) (*retryablehttp.Request, error) {
	address, err := r.url(&k.core.config)
	if err != nil {
		return nil, err
	}
	body, media, err := r.body()
	if err != nil {
		return nil, err
	}
	req, err := retryablehttp.NewRequestWithContext(ctx, k.method, address, body)
	if err != nil {
		return nil, fmt.Errorf("%s: address: %w", r.route(), withoutURL(err))
	}
	req.Header = k.header(media)
	if err := k.authorize(req.Request); err != nil {
		return nil, k.core.config.Codec.Fail(&Failure{Method: k.method, Route: k.route, Cause: err})
	}
	return req, nil
}

// header returns the headers of a request but for its token. It makes room for the token. The platform answers 415 to a
// POST, PUT or PATCH without a Content-Type. The contract does not mention requests without a body, whose media is
// empty.
func (k *call) header(media string) http.Header {
	h := make(http.Header, len(k.values))
	k.values = [...]string{k.core.config.UserAgent, "application/json", cmp.Or(media, jsonMedia), ""}
	h["User-Agent"], h["Accept"] = k.values[0:1:1], k.values[1:2:2]
	if media != "" || k.method == http.MethodPost || k.method == http.MethodPut || k.method == http.MethodPatch {
		h["Content-Type"] = k.values[2:3:3]
	}
	return h
}

// authorize sets the token, if it is not the one that the request carries.
func (k *call) authorize(req *http.Request) error {
	token := k.fresh
	if k.fresh = ""; token == "" {
		var err error
		if token, err = k.core.accessToken(req.Context()); err != nil {
			return err
		}
	}
	if token == k.token {
		return nil
	}
	k.token = token
	value := k.values[3:4:4]
	if k.sent > 0 {
		req.Header, value = req.Header.Clone(), make([]string, 1) // the last attempt may still be reading its own
	}
	var name string
	name, value[0] = k.core.config.Header(k.route, k.token)
	req.Header[name] = value
	return nil
}

// accessToken asks the source for the token.
func (c *Core) accessToken(ctx context.Context) (string, error) {
	token, err := c.config.Token(ctx)
	if err != nil {
		return "", fmt.Errorf("access token: %w", withoutURL(WithCause(ctx, err)))
	}
	if token == nil || token.AccessToken == "" {
		return "", errors.New("access token: Config.Token returned an empty one")
	}
	if strings.ContainsFunc(token.AccessToken, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", errors.New("access token: Config.Token returned one with a space, a line break or another character that no token has")
	}
	return token.AccessToken, nil
}

// RoundTrip makes one attempt. Another one may start late for the queue at the rate
// limit too, so that wait is held to what is left of the time for it.
func (k *call) RoundTrip(req *http.Request) (*http.Response, error) {
	if err := req.Context().Err(); err != nil {
		return nil, err // nothing was sent, and a transport could not report that
	}
	var p pass
	var err error
	if k.observer == nil {
		p, err = k.await(req.Context())
	} else {
		p, err = k.observer.wait(req.Context(), k)
	}
	if err != nil {
		return nil, err
	}
	defer k.core.limiter.end()
	k.pass = p
	k.waited += p.waited
	return k.core.breaker.do(req, endpoint{k.method, k.route}, k.attempt)
}

// await waits for the rate limit.
func (k *call) await(ctx context.Context) (pass, error) {
	return k.core.limiter.wait(ctx, k.patience(), k.refusals > 0)
}

// attempt sends the request, once it may be sent.
func (k *call) attempt(req *http.Request) (*http.Response, error) {
	if k.observer != nil {
		req = k.observer.attempt(k, req)
	}
	start := time.Now()
	k.sent++
	if k.attempts++; k.attempts == 1 {
		k.started = start
	}
	resp, err := k.send(req)
	if k.observer != nil {
		k.observer.over()
	}
	k.log(req.Context(), resp, err, time.Since(start))
	return resp, err
}

// checkRetry decides whether there is another request, and when. A 429 and a token that was replaced mean that nothing
// was done: the request is repeated as the same attempt.
func (k *call) checkRetry(ctx context.Context, resp *http.Response, err error) (bool, error) {
	again, checked := k.repeats(ctx, resp, err)
	if again {
		k.loop.RetryWaitMin, k.loop.PrepareRetry = k.wait, k.authorize // here, because few calls come to it
	}
	if k.observer != nil {
		k.observer.decided(ctx, k, resp, err, again)
	}
	return again, checked
}

// repeats is checkRetry but for what the loop is to know.
func (k *call) repeats(ctx context.Context, resp *http.Response, err error) (bool, error) {
	k.failed = k.classify(resp, err)
	k.unsure = k.unsure || k.class.uncertain(k.failed)
	k.wait = 0
	if k.failed == tooMany {
		k.attempts--
		return ctx.Err() == nil && k.queues(ctx, resp), err
	}
	if ctx.Err() != nil {
		return false, err
	}
	if k.failed == noFailure {
		return k.tokenReplaced(ctx, resp), err
	}
	if k.attempts >= k.core.config.Attempts {
		return false, err
	}
	k.wait = k.nextWait(resp, k.attempts)
	if !k.allowed() || beyond(ctx, k.wait) || !k.core.quota.spend() {
		return false, err
	}
	return true, nil
}

// allowed applies the policy of the endpoint's class to the failure.
func (k *call) allowed() bool {
	reaction := k.class.reactionTo(k.failed)
	k.hurried = k.hurried || reaction == soon
	if k.wait > k.core.config.MaxWait || k.wait > k.left() {
		return false
	}
	return reaction == always || reaction == soon || reaction == asked && k.core.config.Effects
}

// left returns in what time the last attempt has to start.
func (k *call) left() time.Duration {
	most := k.core.config.Total
	if k.hurried {
		most = min(most, soonLimit)
	}
	return most - time.Since(k.started)
}

// tokenReplaced reports whether a request was refused for its token and the source
// has another one by now: a newer installation ends the tokens before it. Nothing was done,
// so that this is no attempt. It happens once in a call.
func (k *call) tokenReplaced(ctx context.Context, resp *http.Response) bool {
	if resp == nil || resp.StatusCode != http.StatusUnauthorized || k.renewed || k.attempts > 1 && k.left() <= 0 {
		return false
	}
	token, err := k.core.accessToken(ctx)
	if err != nil || token == k.token {
		return false
	}
	k.renewed, k.fresh = true, token
	k.attempts--
	return true
}

// classify returns the meaning of the end of an attempt.
func (k *call) classify(resp *http.Response, err error) failure {
	if foreign(resp) {
		return serverError // like a 502, it says nothing about the record, the token or the store
	}
	if err == nil {
		return failureOf(resp.StatusCode)
	}
	var lost *lostError
	switch {
	case errors.As(err, new(*waitError)), errors.Is(err, condition.ErrCircuitOpen), errors.Is(err, condition.ErrRedirect):
		return noFailure
	case errors.As(err, new(*fileError)):
		return noFailure // a part of the body never left, so that nothing was done
	case errors.Is(err, ErrTooLarge) && k.class == Read:
		return noFailure // it would be as large again
	case errors.Is(err, ErrTruncated), errors.Is(err, ErrTooLarge):
		return brokenAnswer
	case errors.As(err, new(*tls.CertificateVerificationError)), errors.As(err, new(x509.UnknownAuthorityError)), errors.As(err, new(tls.RecordHeaderError)):
		return noFailure
	case errors.As(err, &lost) && lost.sent:
		return noAnswer
	case errors.As(err, &lost):
		return notSent
	}
	return noFailure
}

// finish turns the end of the loop into an answer or the error of a Failure.
func (k *call) finish(ctx context.Context, resp *http.Response, err error) (*Answer, error) {
	k.good = Answer{
		Method: k.method, Route: k.route, Read: k.class == Read, Secrets: k.secrets, Result: k.result, Chosen: k.chosen, Attempts: k.attempts,
		Unsure: k.unsure,
	}
	if err == nil && resp.StatusCode/100 == 2 {
		k.good.Header, k.good.Status, k.good.Body = resp.Header, resp.StatusCode, bodyOf(resp)
		return &k.good, nil
	}
	if k.class == Remove && k.removed(resp, err) {
		k.good.Status = http.StatusNoContent
		return &k.good, nil
	}
	return nil, k.core.config.Codec.Fail(k.failure(ctx, resp, err))
}

// failure describes how the call failed.
func (k *call) failure(ctx context.Context, resp *http.Response, err error) *Failure {
	f := &Failure{Method: k.method, Route: k.route, Secrets: k.secrets, Attempts: k.attempts, Cause: WithCause(ctx, withoutURL(err))}
	if resp != nil {
		f.Status, f.Header, f.Foreign = resp.StatusCode, resp.Header, foreign(resp)
		f.RetryAfter, _ = askedWait(resp)
		if k.failed == tooMany {
			f.RetryAfter = max(f.RetryAfter, k.asked)
		}
		f.Body = bodyOf(resp)
	}
	var lost *lostError
	if errors.As(err, &lost) {
		f.Status = lost.status
		f.Silent = !lost.left && k.failed != noFailure && !errors.Is(err, ErrTooLarge)
	}
	var waiting *waitError
	if errors.As(err, &waiting) {
		f.RetryAfter = waiting.wait
	}
	_, f.Waited = f.Cause.(*waitError) // the caller's context may have been cancelled for such an error of another call
	f.Unknown = k.unsure && (err != nil || k.failed != noFailure || !settles(resp.StatusCode))
	return f
}

// settles reports whether a status that rejects a repetition decides the attempts before it, because the record does
// not exist or its input is invalid. A rejection of the caller decides nothing, nor does a status that the platform
// does not use, such as 413.
func settles(status int) bool {
	switch status {
	case http.StatusBadRequest, http.StatusNotFound, http.StatusConflict, http.StatusUnsupportedMediaType,
		http.StatusUnprocessableEntity:
		return true
	}
	return false
}

// removed reports whether a failed DELETE has done its work: the answer to it
// broke off, or an earlier attempt that may have been applied left nothing to find.
func (k *call) removed(resp *http.Response, err error) bool {
	return errors.Is(err, ErrTruncated) || k.unsure && resp != nil && resp.StatusCode == http.StatusNotFound && !foreign(resp)
}

// log logs an attempt.
func (k *call) log(ctx context.Context, resp *http.Response, err error, took time.Duration) {
	logger := k.core.config.Logger
	if !logger.Enabled(ctx, slog.LevelDebug) {
		return
	}
	attrs := []slog.Attr{
		slog.String("method", k.method), slog.String("route", k.route), slog.Int64("store", k.core.config.Store),
		slog.Int("attempt", k.attempts), slog.Duration("took", took),
	}
	if err != nil {
		attrs = append(attrs, slog.String("error", wire.Line(withoutURL(err).Error(), wire.MaxText)))
	} else {
		attrs = append(attrs, slog.Int("status", resp.StatusCode), slog.String("request_id", RequestID(resp.Header)))
	}
	logger.LogAttrs(ctx, slog.LevelDebug, "client: api attempt", attrs...)
}

// withoutURL strips the wrapper of net/http and net/url, which prints the address
// with its query.
func withoutURL(err error) error {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		return wrapped.Err
	}
	return err
}

// RequestID returns the id that the platform gave a request, fit for a log line.
func RequestID(h http.Header) string { return wire.Line(h.Get("X-Request-Id"), wire.MaxName) }
