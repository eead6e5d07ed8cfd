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

// Errors for plans whose result is not used.
var (
	// ErrLate means that the plan did not return in time.
	ErrLate = errors.New("plan was late: must return within Budget")
	// ErrBusy means that Handler.MaxRuns plans were in progress, or the store's share of them, or that the processors
	// were busy with plans.
	ErrBusy = errors.New("too many plans in progress")
)

// reply is the answer to a cart.
type reply struct {
	status     int
	body       []byte
	commands   int
	named      map[pair]bool // promotions that the commands create or update
	own        *own          // the store's promotions; nil if unknown
	remembered bool
	ran        bool      // the plan was called for this cart
	began      time.Time // start of the plan, if the answer is kept
	dropped    []*Dropped
	unwritten  *Commands // commands whose encoding is left to the answering goroutine
	err        error     // why it is not the plan's result
}

// task is a cart to be planned for. The plan does not change its members, so it can be answered without the plan at
// any time.
type task struct {
	plans Plans
	cart  *Cart
	raw   []byte
	facts *facts
	judge *judge
	id    Cart // the members that reports contain
}

func newTask(plans Plans, cart *Cart, o *own, raw []byte) *task {
	return &task{plans, cart, raw, factsOf(cart, o), newJudge(cart, o), Cart{ID: cart.ID, StoreID: cart.StoreID, Tier: cart.Tier}}
}

// AnswerBy returns the time at which the answer of a plan is due. The plan's context ends later: see Handler.Linger.
// A plan that has a fast fallback for a slow source should return it before that time. The result ok is false if ctx
// is not from a plan in a Handler.
func AnswerBy(ctx context.Context) (due time.Time, ok bool) { return callback.AnswerBy(ctx) }

// run calls the plan in a new goroutine. The answer does not wait for it after it is due. The plan has Linger more to
// complete its result, also if the platform disconnects.
func (h *Handler) run(ctx context.Context, e *serving, t *task) reply {
	if !e.gate.Take(ctx, callback.Party{Store: t.id.StoreID}) {
		return h.without(t, fmt.Errorf("%w: MaxRuns is %d", ErrBusy, e.gate.Most()))
	}
	done := make(chan reply, 1)
	var settled atomic.Bool // whether the answer was decided
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
				a.err = ErrLate // the context made it stop
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

// afterwards receives a result that was too late to be sent. It is kept, in case the same cart is sent again.
func (h *Handler) afterwards(ctx context.Context, e *serving, t *task, a reply) {
	a = t.written(a)
	switch {
	case a.err == nil:
		e.late.keep(t.facts.own, t.raw, a)
	case a.err != ErrLate && !errors.Is(a.err, ErrBusy):
		h.fail(ctx, &t.id, a.err)
	}
}

// without returns the answer to a cart whose plan has no result.
func (h *Handler) without(t *task, cause error) reply {
	a := reply{status: http.StatusNoContent, err: cause}
	// Commands that Validate rejects are an encoding error of the app. Its plan was computed in time, and does not
	// imply that the applied discounts are wrong.
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

// plan calls the app's function and creates the answer. Short answers are encoded by the answering goroutine, which
// has a grown stack and a warm cache. Long ones, which could delay the answer, are encoded here.
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

// written returns the answer with its body, if that was not encoded yet.
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

// call calls the app's function. The place is returned when the function has ended. The function is not called if it
// waited too long for a processor, because others in progress keep all processors busy.
func (t *task) call(ctx context.Context, e *serving) (*Commands, []*Dropped, error) {
	defer e.gate.Give(callback.Party{Store: t.id.StoreID})
	if !e.processors.Begin() {
		return nil, nil, fmt.Errorf("%w: no processor was free for %v", ErrBusy, callback.MostQueued)
	}
	defer e.processors.End()
	return t.plans.commands(ctx, t.cart, t.facts)
}

// judged returns the answer with the commands, or the error that they must not be sent.
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

// commands returns the app's commands for the cart.
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

// Evaluate runs the plan for a cart without a Handler and returns the body of the answer; nil if there are no
// commands. Own are the app's promotions in the store. Use it to test a plan. The error is from the plan or from
// Validate, or it joins a *Dropped for each promotion that was removed. In the last case the body is valid.
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
