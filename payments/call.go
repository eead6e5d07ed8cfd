package payments

import (
	"context"
	"net/http"
	"net/url"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/callback"
)

// kind holds the differences between handlers.
type kind struct {
	call   Call
	method string
	check  func() error
	// open is true for unsigned calls.
	open bool
	// proved, if set, verifies the URL of an open call instead of a signature.
	proved func(query url.Values) *client.Refused
	// repeatable is true for calls that change nothing, so that they may be executed again.
	repeatable bool
	// read returns the action of a call, which is in its body. If it is nil, ask is set.
	read func(b body) run
	// ask returns the action of a call, which is in its URL. The body is not read.
	ask func(query url.Values) (run, error)
}

// run is the app's function for one call. An error is answered 503.
type run func(ctx context.Context) (answer, error)

// answer is the answer to a call.
type answer struct {
	status  int
	body    []byte
	refusal error // of the function, if the answer is one
}

// reply is the answer as the kernel writes it.
func (a answer) reply() callback.Reply {
	return callback.Reply{Status: a.status, Body: a.body, Err: a.refusal}
}

// received is a call that a handler received.
type received struct {
	callID
	kind  Call // empty until it is verified
	about About
	act   run
	by    source
}

// serve answers a call.
func (c *Callback) serve(w http.ResponseWriter, r *http.Request, runs *runs, k kind) {
	runs.once.Do(func() {
		runs.of = c
		runs.server = callback.NewServer(c.row(k, runs), k.check())
	})
	runs.server.ServeHTTP(w, r)
}

// row describes a kind to the kernel.
func (c *Callback) row(k kind, runs *runs) callback.Kind[received] {
	row := callback.Kind[received]{
		Name: "payments " + string(k.call), Method: k.method, Limits: bounds.Of(c.limits()),
		Misconfigured: http.StatusServiceUnavailable, Full: http.StatusServiceUnavailable,
		Malformed: http.StatusBadRequest, Open: k.open,
		Admit: c.admit, Verify: c.verify,
		Decode: func(in *received, r *http.Request, raw []byte) error {
			in.once = !k.repeatable && !k.open
			ignored, err := k.decode(in, raw, r.URL.Query())
			if ignored != nil && err == nil {
				runs.server.Fail(r.Context(), in, callback.Failed{Err: ignored})
			}
			return err
		},
		Run:       runs.do,
		OnStarted: c.OnStarted, OnRefused: c.OnRefused, Logger: c.Logger,
		Answered: callback.Answers(c.OnAnswered, k.call.answered),
		Failed: func(ctx context.Context, in *received, f callback.Failed) {
			c.fail(ctx, Failure{Call: in.kind, About: in.about, Status: f.Status, Late: f.Late, Err: f.Err})
		},
	}
	if k.open {
		row.Admit, row.Verify = k.prove, c.name
	}
	return row
}

// decode reads a verified call. It also returns an error that names the members that were ignored, or nil.
func (k kind) decode(in *received, raw []byte, query url.Values) (ignored, err error) {
	in.kind, in.about = k.call, k.about(raw, query)
	if k.read == nil {
		in.act, err = k.ask(query)
		return nil, err
	}
	b, err := readBody(raw)
	if err != nil {
		return nil, err
	}
	in.act = k.read(b)
	return b.ignored(), b.err()
}

// prove verifies the URL of an open call.
func (k kind) prove(_ *received, r *http.Request) *client.Refused {
	if k.proved == nil {
		return nil
	}
	return k.proved(r.URL.Query())
}
