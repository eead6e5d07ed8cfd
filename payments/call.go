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
	// open is true for unsigned calls. Admit, if set, verifies their URL.
	open  bool
	admit func(in *received, r *http.Request) *client.Refused
	// repeatable is true for calls that change nothing, so that they may be executed again.
	repeatable bool
	// read returns the action of a call, which is in its body. If it is nil, ask is set.
	read func(b body) run
	// ask returns the action of a call, which is in its URL. The body means nothing.
	ask func(query url.Values) (run, error)
}

// run is the app's function for one call. An error is answered as by failing.
type run func(ctx context.Context) (answer, error)

// answer is the answer to a call.
type answer struct {
	status  int
	body    []byte
	refusal error // of the function, if the answer is one
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
func (c *Callback) serve(w http.ResponseWriter, r *http.Request, s *runs, k kind) {
	s.once.Do(func() {
		s.kind, s.of = k, c
		s.server = callback.NewServer(s.row(), k.check())
	})
	s.server.ServeHTTP(w, r)
}

// row describes the calls to the kernel.
func (s *runs) row() callback.Kind[received] {
	c, k := s.of, s.kind
	row := callback.Kind[received]{
		Name: "payments " + string(k.call), Method: k.method, Limits: bounds.Of(c.limits()),
		Misconfigured: http.StatusServiceUnavailable, Full: http.StatusServiceUnavailable,
		Malformed: http.StatusBadRequest, Open: k.open,
		Admit: c.admit, Verify: c.verify, Decode: s.decode, Run: s.do,
		OnStarted: c.OnStarted, OnRefused: c.OnRefused, Logger: c.Logger,
		Answered: callback.Answers(c.OnAnswered, k.call.answered), Failed: c.fail,
	}
	if k.open {
		row.Admit, row.Verify = k.admit, c.identify
	}
	return row
}
