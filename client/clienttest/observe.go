package clienttest

import (
	"context"
	"net/http"
	"regexp"
	"slices"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/fault"
)

// Fault is something that goes wrong with an operation.
type Fault struct {
	// Operation is the endpoint as in Error.Method and Error.Route, for example
	// "POST /products"; "*" is every one.
	Operation string
	// Skip lets that many requests pass first, Count is how many are hit then.
	// Zero Count is all of them, until EndFaults.
	Skip, Count int
	// Status answers instead of the operation, with Header and Body; no Body is
	// the platform's own for the status.
	Status int
	Header http.Header
	Body   string
	// Reset cuts the connection instead of answering; Truncate sends half an answer.
	Reset, Truncate bool
	// After lets the operation do its work before the answer is lost.
	After bool
	// Delay holds the request back, by the server's clock.
	Delay time.Duration
}

// Fault arms a fault. An operation that does not exist is an error; what the parameters of its path
// are called does not matter.
func (s *Server) Fault(f Fault) error {
	id := f.Operation
	for _, op := range reference(s).Ops() {
		if shape(op.Method+" "+op.Path) == shape(f.Operation) {
			id = op.ID
		}
	}
	_, err := s.platform.Fault(fault.Rule{
		Op: id, Skip: f.Skip, Count: f.Count, Status: f.Status, Header: f.Header, Body: f.Body,
		Reset: f.Reset, Truncate: f.Truncate, After: f.After, Delay: f.Delay,
	})
	return err
}

// EndFaults ends all faults that were armed, also those without a Count: the platform is well again.
func (s *Server) EndFaults() {
	for _, f := range s.platform.Faults() {
		s.platform.Disarm(f.ID)
	}
}

// parameter is one of a path, such as {id}.
var parameter = regexp.MustCompile(`\{[^{}/]*\}`)

// shape is an operation without the names of its parameters: some paths have an {id} where others
// have an {order_id}, and nobody remembers which.
func shape(operation string) string { return parameter.ReplaceAllString(operation, "{}") }

// Request is a call that the server has seen.
type Request struct {
	Method, Path string // Path with query, below the server's address
	Operation    string // "POST /products"; empty if there is none
	Body         []byte // as it was sent
	Status       int    // what it was answered
	Fault        bool   // a fault had its hand in it
	// Hint says what there is instead of a path or a method that no operation has, or that the version lacks: the
	// nearest operation, the methods, or the versions. It is empty if there was an operation, and is also in the
	// answer, as description and as the header X-Ref-Hint.
	Hint string
	// Unread names members of the body, and members within them such as "variants.price", and parameters that nothing
	// reads.
	Unread []string
}

// Requests returns the last 100,000 calls to the API, the oldest first.
func (s *Server) Requests() []Request {
	names := map[string]string{}
	for _, op := range reference(s).Ops() {
		names[op.ID] = op.Method + " " + op.Path
	}
	var all []Request
	for _, e := range s.platform.Requests() {
		all = append(all, Request{
			Method: e.Method, Path: e.Path, Operation: names[e.Op], Body: slices.Clone(e.Body), Status: e.Status,
			Fault: e.Fault, Hint: e.Hint, Unread: slices.Concat(e.UnreadBody, e.UnreadQuery),
		})
	}
	return all
}

// Partner puts a handler at an https origin, for example "https://app.example":
// what the platform sends there reaches it in this process.
func (s *Server) Partner(origin string, h http.Handler) error { return s.platform.Partner(origin, h) }

// Forward sends what the platform sends to an https origin to another address,
// for example "http://127.0.0.1:3000", for partners behind real sockets.
func (s *Server) Forward(origin, to string) error { return s.platform.Forward(origin, to) }

// Delivery is one webhook on its way to one address.
type Delivery struct {
	ID    int64
	Event string // such as order/paid
	URL   string // where it goes
	Body  []byte // what is signed and sent, equal in each attempt
	// Delivered is set after a 2xx. Otherwise Next is when the next attempt is
	// due; it is zero if all were made.
	Delivered bool
	Next      time.Time
	Attempts  []Attempt // the oldest first
}

// Attempt is one POST of a delivery.
type Attempt struct {
	At time.Time // when it was made, by the server's clock
	// Wait lies between the attempt before and this one.
	Wait      time.Duration
	Signature string // of the body, in hexadecimal digits
	// Status is the partner's answer, 0 if there was none; then Error says why.
	Status int
	Error  string
}

// Deliveries returns the last 10,000 webhooks, sent or due, the oldest first.
func (s *Server) Deliveries() []Delivery {
	var all []Delivery
	for _, d := range s.platform.Deliveries() {
		out := Delivery{ID: d.ID, Event: d.Name, URL: d.URL, Body: slices.Clone(d.Body), Next: d.Next}
		for _, a := range d.Attempts {
			out.Attempts = append(out.Attempts, Attempt{At: a.At, Wait: a.Wait, Signature: a.Signature, Status: a.Status, Error: a.Error})
			out.Delivered = out.Delivered || a.OK()
		}
		all = append(all, out)
	}
	return all
}

// Resend makes one more attempt at a delivery.
func (s *Server) Resend(delivery int64) error { return s.platform.Resend(delivery) }

// Settle waits until no webhook is being sent. Those that wait for the clock do
// not count.
func (s *Server) Settle(ctx context.Context) error { return s.platform.Settle(ctx) }

// Emit sends an event of the store that no call causes, for example
// domain/updated, to the app.
func (s *Server) Emit(event string, fields map[string]any) error {
	return s.platform.Emit(s.app.ID, s.store, event, fields)
}

// Snapshot is a state of the platform: its stores with their records and installations.
type Snapshot struct {
	restore func(*Server) // and nothing that fmt would print: there are tokens in it
}

// Snapshot keeps the state.
func (s *Server) Snapshot() Snapshot {
	s.mu.Lock()
	defer s.mu.Unlock()
	state, token := reference(s).Snapshot(), s.token
	return Snapshot{func(s *Server) {
		s.mu.Lock()
		defer s.mu.Unlock()
		reference(s).Restore(state)
		s.token = token
	}}
}

// Restore brings a state back, with the token of then. Requests, deliveries and
// faults stay as they are.
func (s *Server) Restore(snapshot Snapshot) { snapshot.restore(s) }
