package payments

import (
	"cmp"
	"context"
	"crypto/rsa"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/callback"
)

// AnswerTime is how long the platform waits for the answer to a call, the way there and
// back included. Of refunds and refreshes the contract tells no time: they are assumed to have the same
// [inferred].
const AnswerTime = 20 * time.Second

// Defaults of Callback. The contract does not say how old a call may be.
const (
	DefaultBudget  = AnswerTime - 2*time.Second // leaves 2 s for the way there and back
	DefaultLinger  = 20 * time.Second           // of a function after its answer is due
	MaxLinger      = 2 * time.Minute            // the most of that
	DefaultMaxAge  = 5 * time.Minute            // of a call's timestamp, in both directions
	DefaultMaxBody = 1 << 20                    // 1 MiB
	DefaultMaxRuns = 1024                       // for each handler

	DefaultMaxReceiving = 32 << 20 // 32 MiB of bodies that are not verified yet
)

// Callback is what the handlers of the platform's calls have in common. Keys or KeySet, and Origin must
// be set: without them everything is refused. One Callback may be copied into several
// handlers. Its fields must not be changed once they serve.
type Callback struct {
	// Keys are the public keys of the platform, the newest first: one, or two while it is
	// being changed. See ParseKeys.
	Keys []*rsa.PublicKey
	// KeySet, if set, is where the keys are instead of Keys. It can be changed while the handlers serve.
	KeySet *KeySet
	// Origin is the https address of the handlers as the platform knows it, without the path
	// that a request names: "https://pay.example". It is a part of what is signed. It is not
	// taken from the request, since other apps get calls that the platform has signed too,
	// and could send theirs here. A proxy that cuts off the start of paths adds that start:
	// "https://pay.example/shop".
	Origin string
	// MaxAge is how far the timestamp of a call may be from Now. 0 means DefaultMaxAge. The
	// answers of that time are kept for calls that are sent again, the last 100,000 of each
	// handler: of more than 300 calls a second, the oldest may be run again.
	MaxAge time.Duration
	// Now is the clock that MaxAge goes by. If nil, it is time.Now.
	Now func() time.Time

	// Budget is the time from the arrival of a call to its answer, at most AnswerTime. The
	// context of the app's function ends later: see Linger. 0 means DefaultBudget.
	Budget time.Duration
	// Linger is how much later than the answer is due the context of the app's function ends, up to MaxLinger. 0 means
	// DefaultLinger. It does not delay the answer. A function that has moved money needs this time to write down the
	// outcome and to report it to the platform. A function that lingers counts for MaxRuns.
	Linger time.Duration
	// MaxBody is the size in bytes above which a body is refused. 0 means DefaultMaxBody.
	MaxBody int64
	// MaxReceiving bounds the memory of the bodies that are being received and verified, in bytes, for each handler.
	// What comes beyond it is answered 503. A quarter is for the first 4 KiB of each body, so that a flood of large
	// bodies does not reject the usual calls. It must be at least twice MaxBody. 0 means DefaultMaxReceiving, or twice
	// MaxBody if that is more.
	MaxReceiving int64
	// MaxRuns is the number of functions in progress above which calls are answered 503,
	// counting those whose answer is out. 0 means DefaultMaxRuns.
	MaxRuns int

	// OnStarted is called at the beginning of each request, whatever it is answered, before its body is read. The app's
	// functions and all hooks get the values of the context that it returns, a trace for example; it must be made of
	// ctx, which ends when the sender hangs up. Nil counts as ctx, and so does a panic. It must not block.
	OnStarted func(ctx context.Context, r *http.Request) context.Context
	// OnAnswered is called once for each request, and so once for each call of OnStarted, also if the request was
	// refused. Its context has the values of the one that OnStarted returned, and does not end. It is for metrics and
	// must not block. If nil, it is not called.
	OnAnswered func(ctx context.Context, a Answer)
	// OnFailure is called with each failure that was answered 400 or 503, with the outcome of each function that
	// ended after its answer was due, also if it succeeded, and when there are more answers to keep than are kept. It
	// may be called concurrently and after the answer, and must not block. If nil, failures are logged.
	OnFailure func(ctx context.Context, f *Failure)
	// OnRefused is called with each call that was rejected before a function was called: strangers, and the platform if
	// Keys, Origin or the clock is wrong. It is for metrics and must not block. If nil, refusals are only logged.
	OnRefused func(ctx context.Context, r client.Refused)
	// Logger gets failures if OnFailure is nil, and refused calls at level warn, each reason at most once a minute. No
	// body, secret or signature reaches it. If nil, slog.Default() is used.
	Logger *slog.Logger
}

// check finds what is wrong with what all handlers of signed calls have: a function of the
// app's, and what verifying wants.
func (c *Callback) check(handler, function string, missing bool) error {
	wrong := c.checkBounds(function, missing)
	if c.KeySet == nil {
		if err := checkKeys(c.Keys); err != nil {
			wrong = append(wrong, err)
		}
	}
	wrong.Refuse(c.KeySet != nil && len(c.Keys) > 0, "both Keys and a KeySet")
	bad := !callback.IsHTTPS(c.Origin) || strings.ContainsAny(c.Origin, "?#") || strings.HasSuffix(c.Origin, "/")
	wrong.Refuse(bad, "the Origin is %q: want scheme https and host without a slash at the end, such as https://pay.example", callback.Host(c.Origin))
	wrong.Refuse(c.MaxAge < 0, "the MaxAge is %v: want 0 or more", c.MaxAge)
	return wrong.Err("payments: " + handler)
}

// checkBounds finds what is wrong with what all handlers have.
func (c *Callback) checkBounds(function string, missing bool) (wrong callback.Check) {
	wrong.Refuse(missing, "no %s", function)
	wrong.Refuse(c.Budget < 0 || c.Budget > AnswerTime, "the Budget is %v: want 0 to %v", c.Budget, AnswerTime)
	wrong.Refuse(c.Linger < 0 || c.Linger > MaxLinger, "Linger is %v: must be 0 to %v", c.Linger, MaxLinger)
	wrong.Refuse(c.MaxBody < 0, "the MaxBody is %d: want 0 or more", c.MaxBody)
	wrong.CheckRoom(c.MaxReceiving, c.maxBody())
	wrong.Refuse(c.MaxRuns < 0, "the MaxRuns are %d: want 0 or more", c.MaxRuns)
	return wrong
}

func (c *Callback) now() time.Time {
	if c.Now == nil {
		return time.Now()
	}
	return c.Now()
}

// kind is what the handlers differ in.
type kind struct {
	call   Call
	method string
	check  func() error
	// open is true for calls that are not signed.
	open bool
	// proved, if set, verifies what an open call has in its address instead of a signature.
	proved func(query url.Values) *client.Refused
	// queried is true for calls whose ids are in the address.
	queried bool
	// repeatable is true for calls that change nothing, so that nobody minds a second run.
	repeatable bool
	// read decodes a call and returns what is to be done about it.
	read func(raw []byte, query url.Values) (run, error)
}

// run is the app's function for one call. An error is answered 503.
type run func(ctx context.Context) (answer, error)

// answer is what a call is answered.
type answer struct {
	status  int
	body    []byte
	refusal error // of the function, if the answer is one
}

// serve answers a call: bound the body, verify, decode, act, answer.
func (c *Callback) serve(w http.ResponseWriter, r *http.Request, runs *runs, k kind) {
	arrived := time.Now()
	r = callback.Started(r, c.OnStarted)
	out := Answer{Call: k.call}
	defer func() { // also if a body panics as it is read
		out.Took = time.Since(arrived)
		callback.Answered(r.Context(), c.OnAnswered, out)
	}()
	if !runs.ready(cmp.Or(c.MaxRuns, DefaultMaxRuns), k.check, func(err error) { c.fail(r.Context(), Failure{Err: err}) }) {
		out.Status, out.Err = http.StatusServiceUnavailable, callback.ErrMisconfigured
		refuse(w, out.Status)
		return
	}
	due := arrived.Add(cmp.Or(c.Budget, DefaultBudget))
	raw, id, refused := c.receive(w, r, &runs.door, k, due)
	if refused != nil {
		c.refused(r, &runs.door, k, refused)
		out.Status, out.Refused, out.Err = refused.Status, true, refused.Err
		refuse(w, out.Status)
		return
	}
	id.once = !k.repeatable && !k.open
	about := k.about(raw, r.URL.Query())
	out.About = about
	fail := func(ctx context.Context, f Failure) {
		f.Call, f.About = k.call, about
		c.fail(ctx, f)
	}
	a, err := answer{status: http.StatusBadRequest}, error(nil)
	act, malformed := k.read(raw, r.URL.Query())
	if malformed != nil {
		err = fmt.Errorf("%w: %w", ErrMalformed, malformed)
		if k.open { // anybody can send what is not signed
			out.Refused = true
			c.refused(r, &runs.door, k, &client.Refused{Reason: client.RefusedMalformed, Status: a.status, Err: err})
		} else {
			fail(r.Context(), Failure{Status: a.status, Err: err})
		}
	} else {
		var by source
		a, by, err = runs.do(r.Context(), job{id, act, due, cmp.Or(c.Linger, DefaultLinger), c.now, fail})
		out.Ran, out.Joined, out.Repeated = by == ran, by == joined, by == joined || by == replayed
	}
	out.Status, out.Err = a.status, cmp.Or(err, a.refusal)
	c.finish(w, a, err)
}

// finish writes an answer, or the refusal that err is the reason of.
func (c *Callback) finish(w http.ResponseWriter, a answer, err error) {
	if err != nil {
		refuse(w, a.status)
		return
	}
	if len(a.body) > 0 {
		w.Header().Set("Content-Type", "application/json")
	}
	w.WriteHeader(a.status)
	_, _ = w.Write(a.body) // fails if the platform has hung up
}

// refused logs a refusal and passes it to the hook.
func (c *Callback) refused(r *http.Request, d *door, k kind, refused *client.Refused) {
	refused.Handler = "payments " + string(k.call)
	d.refusals.Tell(r, refused, c.OnRefused, c.logger())
}

// refuse writes a constant text, so that a refusal tells nothing but its status.
func refuse(w http.ResponseWriter, status int) { http.Error(w, http.StatusText(status), status) }
