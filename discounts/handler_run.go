package discounts

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/commerceplatform/commerce-go/client/promotions"
	"github.com/commerceplatform/commerce-go/internal/callback"
)

// reply is the answer to a cart.
type reply struct {
	status    int
	body      []byte
	commands  int
	named     map[pair]bool // promotions that the commands create or update
	own       *own          // the store's promotions; nil if unknown
	began     time.Time     // start of the plan, if the answer is kept
	dropped   []*Dropped
	unwritten *Commands // commands whose encoding is left to the answering goroutine
	err       error     // why it is not the plan's result
}

// task is a cart to be planned for. The plan does not change its members, so it can be answered without the plan at
// any time.
type task struct {
	plans Plans
	cart  *Cart
	facts facts
	judge judge
}

func newTask(plans Plans, cart *Cart, o *own) *task {
	return &task{plans, cart, factsOf(cart, o), newJudge(cart, o)}
}

// AnswerBy returns the time at which the answer of a plan is due. The plan's context ends later: see Handler.Linger.
// A plan that has a fast fallback for a slow source should return it before that time. The result ok is false if ctx
// is not from a plan in a Handler.
func AnswerBy(ctx context.Context) (due time.Time, ok bool) { return callback.AnswerBy(ctx) }

// planned calls the plan and returns its answer, or at the latest when ctx ends the answer without it. The plan has
// Linger more to complete its result, even if the platform disconnects. A result that was too late is kept, in case the
// same cart is sent again.
func (h *Handler) planned(ctx context.Context, in *received, o *own, due time.Time) reply {
	t, began := newTask(h.Plans, in.cart, o), time.Now()
	whose := &received{raw: in.raw, answer: in.answer} // in changes while a late plan continues
	a, err := callback.Fly(ctx, h.server.Runs, callback.Work[reply]{
		Party: callback.Party{Store: whose.answer.StoreID}, Due: due, Linger: h.limits.Linger,
		Do: t.plan,
		Failed: func(ctx context.Context, err error, late bool) {
			if !late || !errors.Is(err, ErrBusy) {
				h.fail(ctx, whose, err)
			}
		},
		Late: func(ctx context.Context, a reply) {
			if a = t.written(a); a.err != nil {
				h.fail(ctx, whose, a.err)
				return
			}
			a.began = began
			h.late.keep(o, whose.raw, a)
		},
	})
	if err == nil {
		if a = t.written(a); a.err != nil {
			err = a.err
			h.fail(ctx, in, err)
		}
	}
	if err != nil {
		a = h.without(t, err)
	}
	in.answer.Ran = !errors.Is(err, ErrBusy)
	return a
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
func (t *task) plan(ctx context.Context) (reply, error) {
	out, dropped, err := t.plans.commands(ctx, t.cart, &t.facts)
	if err != nil {
		return reply{}, err
	}
	a := reply{unwritten: out, dropped: dropped}
	if !out.brief() {
		a = t.written(a)
	}
	return a, a.err
}

// written returns the answer with its body, if that was not encoded yet.
func (t *task) written(a reply) reply {
	if a.unwritten == nil {
		return a
	}
	b := t.judged(a.unwritten)
	if b.err == nil {
		b.dropped = a.dropped
	}
	return b
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

// Evaluate runs the plan for a cart without a Handler and returns the body of the answer; nil if there are no
// commands. Own are the app's promotions in the store. Use it to test a plan. The error is from the plan or from
// Validate, or it joins a *Dropped for each promotion that was removed. In the last case the body is valid.
func (p Plans) Evaluate(ctx context.Context, cart *Cart, own []promotions.Promotion) ([]byte, error) {
	t := newTask(p, cart, newOwn(own, 0))
	out, dropped, err := p.commands(ctx, cart, &t.facts)
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
