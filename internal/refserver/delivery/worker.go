package delivery

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/clock"
	"github.com/commerceplatform/commerce-go/internal/refserver/work"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// Options say how deliveries are made. Clock, Work and Secret are required.
type Options struct {
	Clock clock.Clock
	// Work is what the attempts are part of: who closes it ends them.
	Work *work.Group
	// Secret returns the key an app's deliveries are signed with.
	Secret func(app int64) string
	// Suspended reports whether a store's webhooks are silent at the moment.
	Suspended func(store int64) bool
	// Header carries the signature; empty is DefaultHeader.
	Header string
	// Retries is the schedule; the zero value is Standard().
	Retries Retries
	// Timeout is a partner's time to answer; 0 is DefaultTimeout.
	Timeout time.Duration
	// AllowNetwork sends to hosts without a route over the network.
	AllowNetwork bool
	// NoRoute, if set, is called with the error of each request to a host without a route.
	NoRoute func(error)
	// Duplicate makes every delivery twice.
	Duplicate bool
	// Reorder holds every second delivery back by ReorderBy, so that the one
	// after it arrives first.
	Reorder bool
	// AtOnce is how many first attempts an app receives at a time; 0 is 1, so that they arrive in order.
	AtOnce int
	// ReadLate is how long the answer of an app is read on after its limit, so that people see it. It does not change
	// the outcome. 0 ends the connection at the limit, as the platform does, and so it does if 64 answers are read
	// already. It has no effect on a handler whose time is that of a virtual clock.
	ReadLate time.Duration
	// Note, if set, is called with each new delivery and after each change of one, with the worker locked. It may set
	// Delivery.Entry.
	Note func(*Delivery)
	// Mark, if set, is called at the beginning and at the end of each call, for Wire.
	Mark func() int64
	// Kept is how many deliveries are remembered, at least; 0 is 10000. The oldest are forgotten first.
	Kept int
}

// ReorderBy is how long Reorder holds a delivery back.
const ReorderBy = time.Second

// usuallyKept is how many deliveries are remembered, unsentKept how many events that were sent to nobody.
const (
	usuallyKept = 10000
	unsentKept  = 1000
)

// Worker makes the deliveries. It is safe for concurrent use. Goroutines exist
// only while there is something to send.
type Worker struct {
	// Routes are looked up for every attempt.
	Routes Routes
	// Changed rings after each change of a delivery.
	Changed work.Bell

	options       Options
	waits         []time.Duration
	local, public *http.Client
	work          *work.Group

	mu         sync.Mutex
	deliveries []*Delivery
	lastID     int64
	changes    work.Changes
	unsent     []world.Event
	lastUnsent int64                 // how many events were sent to nobody
	queues     map[int64][]*Delivery // first attempts to come, by app
	sending    map[int64]int         // and how many are made
	ended      bool

	late    sync.WaitGroup // requests whose answers may be read after their limit
	reading chan struct{}  // has an element for each answer that is
}

// New returns a worker with nothing to do.
func New(o Options) *Worker {
	if o.Kept <= 0 {
		o.Kept = usuallyKept
	}
	if o.Header == "" {
		o.Header = DefaultHeader
	}
	if o.Timeout == 0 {
		o.Timeout = DefaultTimeout
	}
	if o.Retries.Attempts == 0 {
		o.Retries = Standard()
	}
	return &Worker{
		options: o,
		waits:   o.Retries.Waits(),
		local:   newClient(local),
		public:  newClient(guard().DialContext),
		queues:  map[int64][]*Delivery{},
		sending: map[int64]int{},
		work:    o.Work,
		reading: make(chan struct{}, mostLate),
	}
}

// Enqueue takes over committed events. It does not block.
func (w *Worker) Enqueue(events []world.Event) {
	defer w.Changed.Ring()
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, e := range events {
		if len(e.To) == 0 {
			w.forgo(e)
			continue
		}
		body, err := payload(e)
		for _, to := range e.To {
			copies := 1
			if w.options.Duplicate {
				copies = 2
			}
			for range copies {
				w.add(e, to, body, err)
			}
		}
	}
}

// forgo remembers an event that is sent to nobody. The lock is held.
func (w *Worker) forgo(e world.Event) {
	w.lastUnsent++
	w.unsent = append(w.unsent, e)
	if n := len(w.unsent) - unsentKept; n > unsentKept/10 {
		w.unsent = slices.Clone(w.unsent[n:])
	}
}

// add begins a delivery. The lock is held.
func (w *Worker) add(e world.Event, to world.Target, body []byte, err error) {
	w.lastID++
	d := &Delivery{
		ID: w.lastID, Event: e.ID, Name: e.Name, Store: e.Store,
		App: to.App, Webhook: to.Webhook, URL: to.URL, Body: body, State: Pending, At: e.At, Cause: e.Cause,
	}
	w.deliveries = append(w.deliveries, d)
	w.touch(d)
	if n := len(w.deliveries) - w.options.Kept; n > w.options.Kept/10 {
		w.deliveries = slices.Clone(w.deliveries[n:])
	}
	switch {
	case w.work.Closed():
	case err != nil: // fields that are not JSON are a fault of the emitter
		w.drop(d, err.Error())
	case w.options.Reorder && d.ID%2 == 1:
		w.later(d, ReorderBy)
	default:
		w.first(d)
	}
}

// first queues a first attempt after those of the same app. The lock is held.
func (w *Worker) first(d *Delivery) {
	w.queues[d.App] = append(w.queues[d.App], d)
	if w.sending[d.App] < max(1, w.options.AtOnce) && w.work.Go(func() { w.drain(d.App) }) {
		w.sending[d.App]++
	}
}

func (w *Worker) drain(app int64) {
	for {
		w.mu.Lock()
		q := w.queues[app]
		if len(q) == 0 || w.work.Closed() {
			delete(w.queues, app)
			if w.sending[app]--; w.sending[app] == 0 {
				delete(w.sending, app)
			}
			w.mu.Unlock()
			return
		}
		w.queues[app] = q[1:]
		w.mu.Unlock()
		w.run(q[0], 0)
	}
}

// later makes the next attempt after a wait. The lock is held.
func (w *Worker) later(d *Delivery, wait time.Duration) {
	d.Next = w.options.Clock.Now().Add(wait)
	w.touch(d)
	d.retry = w.work.After(wait, func() { w.run(d, wait) })
}

// run makes attempts until one succeeds or the next has to wait.
func (w *Worker) run(d *Delivery, wait time.Duration) {
	for w.pending(d) {
		if w.options.Suspended != nil && w.options.Suspended(d.Store) && d.Name != "app/suspended" {
			w.mu.Lock()
			w.drop(d, fmt.Sprintf("store %d is suspended: its webhooks are neither sent nor kept", d.Store))
			w.mu.Unlock()
			return
		}
		a := w.attempt(d, wait)
		w.mu.Lock()
		more := w.record(d, a)
		if !more || w.work.Closed() {
			w.mu.Unlock()
			return
		}
		wait = w.waits[scheduled(d)-1]
		if wait > 0 {
			w.later(d, wait)
			w.mu.Unlock()
			return
		}
		w.mu.Unlock()
	}
}

// touch numbers a change of a delivery, and notes it. The lock is held.
func (w *Worker) touch(d *Delivery) {
	d.Rev = w.changes.Touch(d.ID, len(w.deliveries), w.holds)
	if w.options.Note != nil {
		w.options.Note(d)
	}
}

// changed reports a change of a delivery by an answer that came late.
func (w *Worker) changed(d *Delivery) {
	defer w.Changed.Ring()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.touch(d)
}

// holds reports whether a change is the last of a delivery that is remembered. The lock is held.
func (w *Worker) holds(c work.Change) bool {
	d := w.find(c.ID)
	return d != nil && d.Rev == c.Rev
}

// mark is what Options.Mark returns.
func (w *Worker) mark() int64 {
	if w.options.Mark == nil {
		return 0
	}
	return w.options.Mark()
}

// pending is false for a delivery that was resent with success in between.
func (w *Worker) pending(d *Delivery) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return d.State == Pending
}

// drop ends a delivery that cannot be sent. The lock is held.
func (w *Worker) drop(d *Delivery, why string) {
	defer w.Changed.Ring()
	defer w.touch(d)
	d.State, d.Next = Failed, time.Time{}
	d.retry.Stop()
	d.Attempts = append(d.Attempts, Attempt{N: len(d.Attempts) + 1, At: w.options.Clock.Now(), URL: d.URL, Error: why})
}

// record keeps an attempt and reports whether another one is due. The lock is held.
func (w *Worker) record(d *Delivery, a Attempt) bool {
	defer w.Changed.Ring()
	defer w.touch(d)
	a.N = len(d.Attempts) + 1
	d.Attempts = append(d.Attempts, a)
	if !a.Resent || a.OK() { // a retry stays due
		d.Next = time.Time{}
	}
	switch {
	case a.OK():
		d.State = Delivered
		d.retry.Stop()
	case a.Resent || d.State != Pending:
		return false
	case scheduled(d) > len(w.waits):
		d.State = Failed
	default:
		return true
	}
	return false
}

// scheduled counts the attempts that the schedule made.
func scheduled(d *Delivery) int {
	n := 0
	for _, a := range d.Attempts {
		if !a.Resent {
			n++
		}
	}
	return n
}

// attempt makes one POST.
func (w *Worker) attempt(d *Delivery, wait time.Duration) Attempt {
	c := w.options.Clock
	a := Attempt{At: c.Now(), Wait: wait, URL: d.URL, Body: d.Body, DecidedBy: "real"}
	a.Wire = Wire{Limit: w.options.Timeout, From: w.mark()}
	a.Signature = Sign(w.options.Secret(d.App), d.Body)
	ctx, ch, cancel := w.limitCall(w.work.Context(), Call{URL: d.URL, Timeout: w.options.Timeout})
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, d.URL, bytes.NewReader(d.Body))
	if err != nil {
		a.Error = err.Error()
		return a
	}
	req.Header = d.request(w.options.Header, a.Signature)
	got, later := w.wait(ctx, req, answerKept)
	later.OnEnd(func() { w.changed(d) })
	a.Status, a.Answer, err, a.To = got.status, got.body, got.err, reached(req)
	a.Wire.Sent, a.Wire.Got, a.Wire.Later, a.Wire.To = req.Header, work.Masked(got.header), later, w.mark()
	a.Duration = c.Now().Sub(a.At) + ch.taken()
	if err == nil {
		return a
	}
	a.Error = err.Error()
	switch {
	case errors.Is(context.Cause(ctx), errSpent):
		a.DecidedBy = "virtual"
		fallthrough
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		a.Error = fmt.Sprintf("no answer within %s", w.options.Timeout)
	}
	return a
}
