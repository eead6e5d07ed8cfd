package discounts

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/commerceplatform/commerce-go/internal/callback"
)

// What a plan is reported with whose answer is not used.
var (
	// ErrLate: the answer was due before the plan returned.
	ErrLate = errors.New("plan was late")
	// ErrBusy: Handler.MaxRuns were in progress, or the store's share of them, or the processors were busy with plans.
	ErrBusy = errors.New("too many plans in progress")
)

// reply is the answer to a cart.
type reply struct {
	status     int
	body       []byte
	commands   int
	named      map[pair]bool // promotions that the commands create or update
	own        *own          // the store's promotions; nil if they are not known
	remembered bool
	ran        bool      // the plan was called for this cart
	began      time.Time // of the plan, if the answer is kept
	dropped    []*Dropped
	unwritten  *Commands // what the body is to say, if that is left to who answers
	err        error     // why it is not that of the plan
}

// task is a cart to be planned for. What is in it is not changed by the plan, so that
// it can be answered without the plan at any time.
type task struct {
	plans Plans
	cart  *Cart
	raw   []byte
	facts *facts
	judge *judge
	id    Cart // the members that reports name
}

func newTask(plans Plans, cart *Cart, o *own, raw []byte) *task {
	return &task{plans, cart, raw, factsOf(cart, o), newJudge(cart, o), Cart{ID: cart.ID, StoreID: cart.StoreID, Tier: cart.Tier}}
}

// AnswerBy returns when the answer is due for which a plan was called. Its context ends later: see Handler.Linger. A
// plan with a quick substitute for a slow source should return it before that time. AnswerBy returns false for contexts
// that are not of a plan in a Handler.
func AnswerBy(ctx context.Context) (due time.Time, ok bool) { return callback.AnswerBy(ctx) }

// run plans for a cart in a goroutine of its own, which is left alone when the answer is due. The plan has Linger more
// to complete what is kept, also if the platform hangs up.
func (h *Handler) run(ctx context.Context, e *serving, t *task) reply {
	if !e.gate.Take(ctx, t.id.StoreID) {
		return h.without(t, fmt.Errorf("%w: MaxRuns is %d", ErrBusy, e.gate.Most()))
	}
	done := make(chan reply, 1)
	var settled atomic.Bool // whether it was decided which answer is given
	began := time.Now()
	due, _ := ctx.Deadline()
	lingering, end := callback.Linger(ctx, due, e.linger)
	go func() {
		defer end()
		a := reply{err: callback.ErrExit}
		defer func() {
			if v := recover(); v != nil {
				a = reply{err: callback.Recovered(v)}
			}
			if lingering.Err() != nil && errors.Is(a.err, lingering.Err()) {
				a.err = ErrLate // it stopped because it was told to
			}
			if settled.CompareAndSwap(false, true) {
				if a.err != nil {
					a = h.without(t, a.err)
				}
				done <- a
				return
			}
			a.began = began
			h.afterwards(context.WithoutCancel(lingering), e, t, a)
		}()
		a = t.plan(lingering, e)
	}()
	select {
	case a := <-done:
		return t.written(a)
	case <-ctx.Done():
	}
	if !settled.CompareAndSwap(false, true) {
		return t.written(<-done)
	}
	return h.without(t, ErrLate)
}

// afterwards is told of a result that came too late to be sent. It is kept for the case
// that the same cart comes again.
func (h *Handler) afterwards(ctx context.Context, e *serving, t *task, a reply) {
	a = t.written(a)
	switch {
	case a.err == nil:
		e.late.keep(t.facts.own, t.raw, a)
	case a.err != ErrLate && !errors.Is(a.err, ErrBusy):
		h.fail(ctx, &t.id, a.err)
	}
}

// without returns the answer to a cart whose plan is not known.
func (h *Handler) without(t *task, cause error) reply {
	a := reply{status: http.StatusNoContent, err: cause}
	// Commands that are refused are the app's mistake in writing them down: its plan was made, in time, and does not
	// say that what acts on the cart is wrong.
	if h.Late != PolicyRemoveOwn || errors.Is(cause, ErrInvalid) {
		return a
	}
	b := t.judged(t.facts.removeAll())
	if b.err != nil {
		return a
	}
	b.err = cause
	return b
}

// plan runs the app's function and makes the answer of what it wants. What is soon written is left to who answers,
// whose stack is grown and whose processor has the cart in its cache; what could hold the answer is written here.
func (t *task) plan(ctx context.Context, e *serving) reply {
	out, dropped, err := t.call(ctx, e)
	if err != nil {
		return reply{err: err}
	}
	a := reply{unwritten: out, dropped: dropped}
	if out.brief() {
		return a
	}
	return t.written(a)
}

// written returns the answer with its body, if that was left to do.
func (t *task) written(a reply) reply {
	if a.unwritten == nil {
		return a
	}
	b := t.judged(a.unwritten)
	b.began = a.began
	if b.err == nil {
		b.dropped = a.dropped
	}
	return b
}

// call runs the app's function. The place is given back when that has truly ended. It is not run if it had to wait long
// for a processor, because others in progress keep all of them busy.
func (t *task) call(ctx context.Context, e *serving) (*Commands, []*Dropped, error) {
	defer e.gate.Give(t.id.StoreID)
	if !e.processors.Begin() {
		return nil, nil, fmt.Errorf("%w: no processor was free for %v", ErrBusy, callback.MostQueued)
	}
	defer e.processors.End()
	return t.plans.commands(ctx, t.cart, t.facts)
}

// judged returns the answer with the commands, or the error that no such may be sent.
func (t *task) judged(out *Commands) reply {
	if out.Len() == 0 {
		return reply{status: http.StatusNoContent}
	}
	var named map[pair]bool
	body, err := out.MarshalJSON()
	if err != nil {
		err = fmt.Errorf("%w: %w", ErrInvalid, err)
	} else {
		named, err = t.judge.checkWritten(body)
	}
	if err != nil {
		return reply{status: http.StatusNoContent, err: err}
	}
	return reply{status: http.StatusOK, body: body, commands: out.Len(), named: named}
}

// commands returns what the app wants of the cart.
func (p Plans) commands(ctx context.Context, cart *Cart, f *facts) (*Commands, []*Dropped, error) {
	if p.Raw != nil {
		out := &Commands{}
		return out, nil, p.Raw(ctx, cart, append([]Promotion(nil), f.own.list...), out)
	}
	wanted := newPlan(f, cart, p.Clamp)
	var err error
	switch {
	case f.tier == TierLineItems && p.LineItems != nil:
		err = p.LineItems(ctx, &LinePlan{wanted})
	case f.tier == TierCrossItems && p.CrossItems != nil:
		err = p.CrossItems(ctx, &CrossPlan{wanted})
	}
	if err != nil {
		return nil, nil, err
	}
	return wanted.commands(), wanted.dropped, nil
}

// Evaluate runs the plan for a cart outside of a Handler and returns the body of the
// answer, nil if there is nothing to do. Own are the app's promotions in the store. It is
// for tests and for trying a plan out. The error is that of the plan, of Validate, or
// one that joins a *Dropped for each promotion that was taken off; in that case the
// body is good.
func (p Plans) Evaluate(ctx context.Context, cart *Cart, own []Promotion) ([]byte, error) {
	t := newTask(p, cart, newOwn(own, 0), nil)
	out, dropped, err := p.commands(ctx, cart, t.facts)
	if err != nil {
		return nil, err
	}
	a := t.judged(out)
	all := []error{a.err}
	for _, d := range dropped {
		all = append(all, d)
	}
	return a.body, errors.Join(all...)
}
