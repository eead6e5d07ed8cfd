package doctor

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/control"
	"github.com/commerceplatform/commerce-go/internal/refserver/traffic"
)

// repeatChecks are those of calls and answers that are lost or come again. Each has an order of its own.
func (p *payments) repeatChecks() []check {
	return []check{
		{
			name: "lost answer", sent: "a payment whose connection is closed before the answer, then the same payment again",
			rule: ruleOnce + "; a call whose answer is lost has failed for the platform, which repeats it", run: p.lostAnswer,
			after: []string{"paid once"},
			fix:   "continue when the caller hangs up, record what was done, and answer the repeated call 201",
		},
		{
			name: "lost report", sent: "a payment whose transaction the API makes without answering, then the same payment again",
			rule: ruleOnce + "; the API has no key that makes a repeated POST safe", run: p.lostReport,
			after: []string{"lost answer"},
			fix:   "read the transactions of the order before you create one, and look for the attempt in it",
		},
		{
			name: "refunded once", sent: "one call to refund, delivered four times", run: p.refundedOnce, after: []string{"refunded"},
			rule: "a refund is made once, however often its call arrives",
			fix:  "a refund has no id: make X-Signature of the call, or a hash of it, the key of the refund in your database",
		},
		{
			name: "cancelled first", sent: "a cancellation of an attempt whose payment arrives afterwards", run: p.cancelledFirst,
			after: []string{"cancel", "paid once"}, section: "traps",
			rule: "a cancellation can arrive before the payment that it cancels, which then takes nothing or gives it back",
			fix:  "record the attempt as cancelled, even if you do not have it, and answer 409 to its payment",
		},
		{
			name: "cancel the rest", sent: "a cancellation of an attempt of which 15.00 of 60.00 were refunded", run: p.cancelRest,
			after: []string{"cancel", "cancel again", "refunds", "refunded", "refunded once"},
			rule:  "a cancellation is repeated until it is answered 200, and the API refuses a refund of more than is left",
			fix:   "give back captured_amount less refunded_amount, which the API has with the transaction",
		},
	}
}

// notPaid is why a check of a payment means nothing.
const notPaid = "the payment was not accepted"

// transactionOf waits for the transaction of an order.
func (p *payments) transactionOf(ctx context.Context, e *exam, order int64) (t transactionJSON, known bool, err error) {
	err = await(ctx, func() (bool, error) {
		t, known, err = p.transaction(ctx, e, order)
		return known, err
	})
	return t, known, err
}

// untilAccepted has a call repeated, with a new signature each time. The app may refuse it while the first is in
// progress.
func (p *payments) untilAccepted(ctx context.Context, e *exam, n int) (v verdict, err error) {
	for tries := 0; ; tries++ {
		v, err = p.ask(ctx, e, fmt.Sprintf("%d/again", n), object{"resign": true})
		if err != nil || v.accepted || tries == mostRepeats {
			return v, err
		}
		if err := pause(ctx, time.Second); err != nil {
			return v, err
		}
	}
}

func (p *payments) lostAnswer(ctx context.Context, e *exam) (outcome, error) {
	if _, err := p.pay(ctx, e, hungUp, "60.00"); err != nil {
		return outcome{}, err
	}
	order, lost := p.order, p.last.N
	if _, _, err := p.transactionOf(ctx, e, order); err != nil {
		return outcome{}, err
	}
	v, err := p.untilAccepted(ctx, e, lost)
	if err != nil {
		return outcome{}, err
	}
	if !v.accepted {
		return fail("the call again: %s", v)
	}
	return p.madeOnce(ctx, e, order, v)
}

// madeOnce is the outcome of a check that an order has at most one transaction.
func (p *payments) madeOnce(ctx context.Context, e *exam, order int64, v verdict) (outcome, error) {
	n, err := p.counted(ctx, e, order)
	if err != nil {
		return outcome{}, err
	}
	if n > 1 {
		return fail("the call again: %s; the order has %s", v, traffic.Count(n, "transaction"))
	}
	return pass("the call again: %s; the order has %s", v, traffic.Count(n, "transaction"))
}

func (p *payments) lostReport(ctx context.Context, e *exam) (outcome, error) {
	heal, err := e.loses(ctx, "POST /orders/{order_id}/transactions")
	if err != nil {
		return outcome{}, err
	}
	_, err = p.pay(ctx, e, plain, "60.00")
	order, lost, known := p.order, p.last.N, false
	if err == nil {
		_, known, err = p.transactionOf(ctx, e, order)
	}
	if err = errors.Join(err, heal()); err != nil {
		return outcome{}, err
	}
	if !known {
		return skip("the app has reported no transaction")
	}
	v, err := p.untilAccepted(ctx, e, lost)
	if err != nil {
		return outcome{}, err
	}
	return p.madeOnce(ctx, e, order, v)
}

// loses has the API make the next call of an operation without answering it, and returns what ends that.
func (e *exam) loses(ctx context.Context, operation string) (heal func() error, err error) {
	var armed struct {
		ID int64 `json:"id"`
	}
	begins, cancel := settled(ctx)
	defer cancel()
	lost := object{"operation": operation, "reset": true, "after": true, "count": 1}
	err = e.platform.Call(begins, http.MethodPost, "faults", lost, &armed)
	return func() error {
		ends, cancel := settled(ctx)
		defer cancel()
		return e.platform.Call(ends, http.MethodDelete, fmt.Sprintf("faults/%d", armed.ID), nil, nil)
	}, err
}

// refundedPart is a refund of 15.00 that the app has accepted.
type refundedPart struct {
	order   int64
	attempt string // of the payment of 60.00
	ex      exchange
}

// refundPart has a new order paid and a part of it refunded. It returns why there is none, if there is none.
func (p *payments) refundPart(ctx context.Context, e *exam) (made refundedPart, none string, err error) {
	v, err := p.pay(ctx, e, plain, "60.00")
	if err != nil || !v.accepted {
		return made, notPaid + ": " + v.String(), err
	}
	made.order, made.attempt = p.order, p.last.Attempt
	t, known, err := p.transactionOf(ctx, e, made.order)
	if err != nil || !known {
		return made, "the app has reported no transaction", err
	}
	if err := p.capture(ctx, e, t); err != nil {
		return made, "", err
	}
	v, err = p.ask(ctx, e, "refund", object{"transaction": t.ID, "amount": "15.00"})
	if refusal, ok := errors.AsType[*control.Refusal](err); ok {
		return made, "the platform asks for none: " + refusal.Message, nil
	}
	if err == nil && !v.accepted {
		none = "the app refunds nothing: " + v.says
	}
	made.ex = v.ex
	return made, none, err
}

func (p *payments) refundedOnce(ctx context.Context, e *exam) (outcome, error) {
	made, none, err := p.refundPart(ctx, e)
	if err != nil || none != "" {
		return outcome{Skipped, none}, err
	}
	if _, err := p.ask(ctx, e, fmt.Sprintf("%d/again", p.last.N), object{"resign": false}); err != nil {
		return outcome{}, err
	}
	var both sync.WaitGroup
	for range 2 {
		both.Go(func() { e.once(ctx, made.ex) })
	}
	both.Wait()
	given, err := p.reported(ctx, e, made.order)
	if err == nil {
		err = pause(ctx, settling)
	}
	if err == nil {
		given, err = p.refundedOf(ctx, e, made.order)
	}
	if err != nil {
		return outcome{}, err
	}
	if given.GreaterThan(decimal.NewFromInt(15)) {
		return fail("%s were refunded of 15.00", given.StringFixed(2))
	}
	return pass("%s of 15.00 refunded until now", given.StringFixed(2))
}

// reported waits for a refund of the transaction of an order, and returns what is refunded then.
func (p *payments) reported(ctx context.Context, e *exam, order int64) (given decimal.Decimal, err error) {
	err = await(ctx, func() (bool, error) {
		given, err = p.refundedOf(ctx, e, order)
		return given.IsPositive(), err
	})
	return given, err
}

func (p *payments) cancelRest(ctx context.Context, e *exam) (outcome, error) {
	if p.urls["cancel"] == "" {
		return skip("the app has no address for it")
	}
	made, none, err := p.refundPart(ctx, e)
	if err != nil || none != "" {
		return outcome{Skipped, none}, err
	}
	if _, err := p.reported(ctx, e, made.order); err != nil {
		return outcome{}, err
	}
	v, err := p.ask(ctx, e, "cancel", object{"provider": p.provider, "attempt": made.attempt})
	if err == nil && !v.accepted {
		v, err = p.untilAccepted(ctx, e, p.last.N)
	}
	if err != nil {
		return outcome{}, err
	}
	if !v.accepted {
		return fail("%s, and so for each repetition", v)
	}
	return pass("%s", v)
}

// refundedOf is what the transaction of an order has refunded.
func (p *payments) refundedOf(ctx context.Context, e *exam, order int64) (decimal.Decimal, error) {
	t, _, err := p.transaction(ctx, e, order)
	return t.Refunded, err
}

func (p *payments) cancelledFirst(ctx context.Context, e *exam) (outcome, error) {
	if p.urls["cancel"] == "" {
		return skip("the app has no address for it")
	}
	if _, err := p.pay(ctx, e, withheld, "60.00"); err != nil {
		return outcome{}, err
	}
	order, lost := p.order, p.last
	v, err := p.ask(ctx, e, "cancel", object{"provider": p.provider, "attempt": lost.Attempt})
	if err != nil || !v.accepted {
		return outcome{Skipped, "the cancellation was not accepted"}, err
	}
	v, err = p.ask(ctx, e, fmt.Sprintf("%d/again", lost.N), object{"resign": true})
	if err == nil && v.accepted {
		_, _, err = p.transactionOf(ctx, e, order)
	}
	if err == nil {
		err = pause(ctx, settling)
	}
	if err != nil {
		return outcome{}, err
	}
	left := decimal.Zero
	err = await(ctx, func() (bool, error) {
		left, err = p.takenOf(ctx, e, order)
		return left.IsZero(), err
	})
	if err != nil {
		return outcome{}, err
	}
	if left.IsPositive() {
		return fail("%s; %s are taken for an attempt that was cancelled before", v, left.StringFixed(2))
	}
	return pass("%s; nothing is taken", v)
}

// takenOf is what the transactions of an order hold or have, less what was given back.
func (p *payments) takenOf(ctx context.Context, e *exam, order int64) (decimal.Decimal, error) {
	made, err := p.transactionsOf(ctx, e, order)
	sum := decimal.Zero
	for _, t := range made {
		if t.Status == "failed" || t.Status == "expired" {
			continue
		}
		sum = sum.Add(decimal.Max(t.Held, t.Captured).Sub(t.Refunded).Sub(t.Voided))
	}
	return sum, err
}
