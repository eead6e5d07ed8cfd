package label

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/delivery"
	"github.com/commerceplatform/commerce-go/internal/refserver/work"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// Platform calls carriers about labels. It is safe for concurrent use. Its work in the background belongs to a group,
// which ends it.
type Platform struct {
	world *world.World
	call  delivery.Caller
	work  *work.Group
	calls work.Log[Call]

	mu sync.Mutex
	// expiry is the alarm that fails labels of a store, by store.
	expiry map[int64]alarm
}

// New returns a platform over the world.
func New(w *world.World, g *work.Group, call delivery.Caller) *Platform {
	return &Platform{world: w, call: call, work: g, expiry: map[int64]alarm{}}
}

// Kind is what a call is about. It is the last part of its address.
type Kind string

// The kinds of calls.
const (
	Generate   Kind = "generate"
	Cancel     Kind = "cancel"
	Suspend    Kind = "suspension"
	Reactivate Kind = "reactivate"
)

// Call is the record of one call to a carrier.
type Call struct {
	// N counts the calls of the platform from 1.
	N       int
	At      time.Time
	Kind    Kind
	Store   int64
	App     int64
	Carrier int64
	URL     string
	// Try counts the calls about the same labels from 1.
	Try     int
	Request []byte
	// Status is 0 if there was no answer.
	Status   int
	Answer   []byte
	Late     bool
	Duration time.Duration
	// DecidedBy is the clock that decides Late: "virtual" or "real".
	DecidedBy string
	Wire      delivery.Wire
	// Next is when the call is repeated; the zero time if it is not.
	Next time.Time
	// Results has one for each label of the request.
	Results []Result
	// Unread are the paths of the members of an answer 207 that nothing reads, such as "reason.text".
	Unread []string
	// Reason is why the answer does not accept; empty if it does.
	Reason string
}

// Result is what a carrier said of a label.
type Result struct {
	Fulfillment, Label string
	OK                 bool
	// Code and Message are those of a refusal.
	Code, Message string
	// Status is that of the label after the call.
	Status world.LabelStatus
}

// Calls returns the records, the oldest first. Of very many the oldest are forgotten.
func (p *Platform) Calls() []Call { return p.calls.All() }

// CallsIn returns a part of them, by their numbers.
func (p *Platform) CallsIn(part work.Part) []Call {
	return p.calls.Part(part, func(c Call) int64 { return int64(c.N) })
}

// Log is the log of the calls.
func (p *Platform) Log() *work.Log[Call] { return &p.calls }

// record numbers a call and keeps it.
func (p *Platform) record(c Call) Call { return p.calls.Add(c, func(c *Call, n int) { c.N = n }) }

// send makes a call. It fails if ctx ended before there was an answer.
func (p *Platform) send(ctx context.Context, c Call) (Call, error) {
	c.At = p.world.Clock().Now()
	own, stop := context.WithCancel(ctx)
	defer stop()
	defer context.AfterFunc(p.work.Context(), stop)()
	reply := p.call(own, delivery.Call{
		URL: c.URL, Body: c.Request, Timeout: p.world.Limits().LabelTimeout,
		Header: http.Header{"Content-Type": {"application/json"}, "User-Agent": {"Commerce-Platform-Shipping"}},
	})
	if err := own.Err(); err != nil && reply.Err != nil {
		return c, err
	}
	c.Status, c.Answer, c.Late, c.Duration, c.DecidedBy = reply.Status, reply.Body, reply.Late, reply.Duration, reply.DecidedBy
	c.Wire = reply.Wire
	if reply.Err != nil {
		c.Reason = reply.Err.Error()
		return c, nil
	}
	c.refuseStatus()
	return c, nil
}
