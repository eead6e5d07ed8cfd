package clienttest

import (
	"context"
	"net/http"
	"regexp"
	"slices"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/traffic"
)

// Fault makes requests of an operation fail.
type Fault struct {
	// Operation is the endpoint as in Error.Method and Error.Route, for example "POST /products"; "*" means every
	// endpoint.
	Operation string
	// Skip is the number of requests that succeed first. Count is the number of requests that fail then. A zero Count
	// means all, until EndFaults.
	Skip, Count int
	// Status is the answer instead of that of the operation, with Header and Body. An empty Body means the platform's
	// body for the status.
	Status int
	Header http.Header
	Body   string
	// Reset cuts the connection instead of answering. Truncate sends half an answer.
	Reset, Truncate bool
	// After performs the operation before the answer is lost.
	After bool
	// Delay delays the request, by the server's clock.
	Delay time.Duration
}

// Fault activates a fault. It fails if the operation does not exist. The names of path parameters are ignored.
func (s *Server) Fault(f Fault) error {
	id := f.Operation
	for _, op := range reference(s).Ops() {
		if shape(op.Method+" "+op.Path) == shape(f.Operation) {
			id = op.ID
		}
	}
	_, err := s.platform.Fault(traffic.Fault{
		Op: id, Skip: f.Skip, Count: f.Count, Status: f.Status, Header: f.Header, Body: f.Body,
		Reset: f.Reset, Truncate: f.Truncate, After: f.After, Delay: f.Delay,
	})
	return err
}

// EndFaults ends all active faults, also those without a Count.
func (s *Server) EndFaults() { s.platform.DisarmAll() }

// parameter matches one parameter of a path, such as {id}.
var parameter = regexp.MustCompile(`\{[^{}/]*\}`)

// shape returns an operation without the names of its parameters, because some paths have an {id} and others an
// {order_id}.
func shape(operation string) string { return parameter.ReplaceAllString(operation, "{}") }

// Request is an API call that the server has received.
type Request struct {
	Method, Path string // Path with query, below the server's address
	Operation    string // "POST /products"; empty if there is none
	Body         []byte // as the client sent it
	Status       int    // status of the answer
	Fault        bool   // a fault changed the answer
	// Hint suggests the nearest operation, the methods, or the versions if no operation has the path or the method, or
	// the version lacks it. It is empty if there was an operation. The answer also has it, as description and as the
	// header X-Ref-Hint.
	Hint string
	// Unread names parameters and members of the body that the server does not read, also nested members such as
	// "variants.price".
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

// Partner puts a handler at an https origin, for example "https://app.example". Requests of the platform to that origin
// reach the handler in this process.
func (s *Server) Partner(origin string, h http.Handler) error { return s.platform.Partner(origin, h) }

// Forward sends the platform's requests for an https origin to another address, for example "http://127.0.0.1:3000".
// Use it for partners that listen on real sockets.
func (s *Server) Forward(origin, to string) error { return s.platform.Forward(origin, to) }

// Delivery is one webhook for one address.
type Delivery struct {
	ID    int64
	Event string // such as order/paid
	URL   string // address of the app
	Body  []byte // the signed body, equal in each attempt
	// Delivered is set after a 2xx. Otherwise Next is when the next attempt is due; zero if no attempt is left.
	Delivered bool
	Next      time.Time
	Attempts  []Attempt // the oldest first
}

// Attempt is one POST of a delivery.
type Attempt struct {
	At time.Time // time of the attempt, by the server's clock
	// Wait is the time between the previous attempt and this one.
	Wait      time.Duration
	Signature string // of the body, in hexadecimal digits
	// Status is the partner's answer. It is 0 if there was none; Error then describes the reason.
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

// Settle waits until no webhook is being sent. It does not wait for attempts that are due later by the clock.
func (s *Server) Settle(ctx context.Context) error { return s.platform.Settle(ctx) }

// Emit sends an event of the store to the app, for example domain/updated, which no API call causes.
func (s *Server) Emit(event string, fields map[string]any) error {
	return s.platform.Emit(s.app.ID, s.store, event, fields)
}

// Snapshot is a state of the platform: its stores with their records and installations.
type Snapshot struct {
	restore func(*Server) // hides the tokens from fmt
}

// Snapshot returns the present state.
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

// Restore restores a state, with its token. Requests, deliveries and faults remain as they are. Ids continue, so no two
// records or events of a server have the same one, and an inbox takes none for a repetition. Only numbers of orders
// repeat.
func (s *Server) Restore(snapshot Snapshot) { snapshot.restore(s) }
