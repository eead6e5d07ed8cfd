package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/control"
	"github.com/commerceplatform/commerce-go/internal/refserver/payment"
	"github.com/commerceplatform/commerce-go/internal/refserver/traffic"
)

// callChecks are those of what a signature covers, and of what calls leave at the platform.
func (p *payments) callChecks() []check {
	signed := []string{"unsigned", "wrong signature"}
	return []check{
		{
			name: "odd signatures", sent: "signatures that are empty, short, not base64, or without a valid timestamp",
			rule: rulePayments, after: signed, run: refuses(oddPayments),
			fix: "answer 401 if a header cannot be read, as if it were wrong",
		},
		{
			name: "another timestamp", sent: "a genuine call with a timestamp a second later", rule: rulePayments,
			after: append(signed, "another body"), run: refuses(laterStamp), fix: "put the header X-Timestamp into what you verify, as it arrived",
		},
		{
			name: "unsigned calls", sent: "unsigned calls of the other kinds: cancellation, status, refund", rule: rulePayments,
			after: signed, run: p.unsignedCalls, fix: "verify each of your addresses, not the one for payments alone",
		},
		{
			name: "another path", sent: "a genuine payment at other paths, and with parameters", rule: rulePayments,
			after: append(signed, "another body", "another address", "unsigned calls"), run: refuses(p.otherPaths),
			fix: "verify the whole URL, with path and query, as it was called",
		},
		{
			name: "twice at once", sent: "a new payment that arrives twice at once", rule: ruleOnce, run: p.atOnce,
			after: []string{"paid once"},
			fix:   "write payment_attempt_id as a unique key first: to look for it and then write it lets two calls pass",
		},
		{
			name: "amounts", sent: "payments of 60.00, 59.99 and 0.10", rule: "Payments: the transaction is of the amount that was asked for",
			run: p.amounts, fix: "copy value and currency of amount as they are; compute with decimals, not with floats",
		},
		{
			name: "transactions", sent: "GET with an order_id that has a payment, and with ones that have none", run: p.transactions,
			after: []string{"payment status"}, rule: "the app answers 200 with the transactions of the order, and of no other",
			fix: "look for the transactions of this order alone, and answer an empty list if there are none",
		},
		{
			name: "cancel again", sent: "a cancellation of an attempt that was paid, twice", run: p.cancelPaid,
			after: []string{"cancel"}, rule: "a cancellation is idempotent, and repeated until it is answered 200",
			fix: "answer 200 whatever has become of the attempt, and void or refund once",
		},
		{
			name: "refunded", sent: "what the transaction has after the refunds", run: p.refunded, after: []string{"refunds"},
			rule: "a refund is of the amount that was asked for, and what was rejected with 422 is not refunded",
			fix:  "report the amount of the call in the event refund, once, and nothing after 422",
		},
	}
}

func header(how, name, value string) forgery {
	return forgery{how, func(x *exchange) { x.header.Set(name, value) }}
}

func oddPayments(e *exam) []forgery {
	right, at := e.posted().header.Get("X-Signature"), e.posted().header.Get("X-Timestamp")
	out := []forgery{
		{"no X-Signature", func(x *exchange) { x.header.Del("X-Signature") }},
		{"no X-Timestamp", func(x *exchange) { x.header.Del("X-Timestamp") }},
	}
	for _, s := range []string{"", "0", "null", "undefined", "!!!!", right[:len(right)/2], strings.Repeat("QUFB", 1000), "é"} {
		out = append(out, header(fmt.Sprintf("the signature %.80q", s), "X-Signature", s))
	}
	for _, s := range []string{"", "0", "-1", "now", "99999999999999999999", at + "0", "NaN", "1e3"} {
		out = append(out, header(fmt.Sprintf("the timestamp %q", s), "X-Timestamp", s))
	}
	return out
}

func laterStamp(e *exam) []forgery {
	at, err := strconv.ParseInt(e.posted().header.Get("X-Timestamp"), 10, 64)
	if err != nil {
		return nil
	}
	return []forgery{header("one second later", "X-Timestamp", strconv.FormatInt(at+1, 10))}
}

func (p *payments) otherPaths(e *exam) []forgery {
	var out []forgery
	for _, query := range []string{"?a=1", "?order_id=1", "?payment_attempt_id=1"} {
		out = append(out, forgery{"with " + query, func(x *exchange) { x.uri += query }})
	}
	for _, name := range []string{"cancel", "status"} {
		if at := p.urls[name]; at != "" && at != p.urls["process"] {
			path := strings.TrimPrefix(at, e.o.Origin)
			out = append(out, forgery{"the signature of a payment at " + path, func(x *exchange) { x.uri = path }})
		}
	}
	return out
}

// unsignedCalls repeats the genuine calls of the other kinds without their signatures.
func (p *payments) unsignedCalls(ctx context.Context, e *exam) (outcome, error) {
	var others []exchange
	if p.urls["cancel"] != "" {
		v, err := p.ask(ctx, e, "cancel", object{"provider": p.provider, "attempt": "doctor-unsigned"})
		if err != nil {
			return outcome{}, err
		}
		others = append(others, v.ex)
	}
	if p.urls["status"] != "" {
		v, err := p.ask(ctx, e, "status", object{"provider": p.provider, "order": p.paid})
		if err != nil {
			return outcome{}, err
		}
		others = append(others, v.ex)
	}
	t, known, err := p.transaction(ctx, e, p.paid)
	if err != nil {
		return outcome{}, err
	}
	if at, ok := strings.CutPrefix(t.Info.RefundURL, e.o.Origin); known && ok {
		x := e.posted()
		x.uri = at
		x.body = fmt.Appendf(nil, `{"store_id":%d,"payment_provider_id":%q,"transaction_id":%q,"amount":{"value":"1.00","currency":%q}}`,
			e.platform.store, p.provider, t.ID, t.Currency)
		others = append(others, x)
	}
	for _, x := range others {
		x.header = x.header.Clone()
		strip(&x)
		if o, err := refused(e.direct(ctx, x)); o.state == Failed || err != nil {
			return fail("%s %s: %s", x.method, x.uri, o.got)
		}
	}
	return pass("%d calls, each refused", len(others))
}

// transactionJSON is a transaction as the platform has it.
type transactionJSON struct {
	ID       string          `json:"id"`
	Order    int64           `json:"order_id"`
	Status   string          `json:"status"`
	Currency string          `json:"currency"`
	Held     decimal.Decimal `json:"authorized"`
	Captured decimal.Decimal `json:"captured"`
	Refunded decimal.Decimal `json:"refunded"`
	Voided   decimal.Decimal `json:"voided"`
	Info     struct {
		RefundURL string `json:"refund_url"`
	} `json:"info"`
}

// transactionsOf are those of an order.
func (p *payments) transactionsOf(ctx context.Context, e *exam, order int64) (out []transactionJSON, err error) {
	made, err := all[transactionJSON](ctx, e.platform, e.platform.in("entities/transactions"))
	for _, t := range made {
		if t.Order == order {
			out = append(out, t)
		}
	}
	return out, err
}

// transaction is the one of an order, if there is one.
func (p *payments) transaction(ctx context.Context, e *exam, order int64) (transactionJSON, bool, error) {
	known, err := p.transactionsOf(ctx, e, order)
	if err != nil || len(known) == 0 {
		return transactionJSON{}, false, err
	}
	return known[0], true, nil
}

// pay has a new order paid with an amount, in a shape.
func (p *payments) pay(ctx context.Context, e *exam, s shape, amount string) (verdict, error) {
	if err := p.newOrder(ctx, e); err != nil {
		return verdict{}, err
	}
	return e.relay.shaped(s, func() (verdict, error) { return p.ask(ctx, e, "process", p.attempt(amount)) })
}

func (p *payments) atOnce(ctx context.Context, e *exam) (outcome, error) {
	v, err := p.pay(ctx, e, doubled, "60.00")
	if err != nil {
		return outcome{}, err
	}
	n, err := p.counted(ctx, e, p.order)
	if err != nil {
		return outcome{}, err
	}
	if n > 1 {
		return fail("%s; the order has %s", v, traffic.Count(n, "transaction"))
	}
	return pass("%s; the order has %s", v, traffic.Count(n, "transaction"))
}

func (p *payments) amounts(ctx context.Context, e *exam) (outcome, error) {
	for _, amount := range []string{"60.00", "59.99", "0.10"} {
		v, err := p.pay(ctx, e, plain, amount)
		if err != nil {
			return outcome{}, err
		}
		if !v.accepted {
			continue // an amount that the provider does not take
		}
		if _, err := p.counted(ctx, e, p.order); err != nil {
			return outcome{}, err
		}
		t, known, err := p.transaction(ctx, e, p.order)
		if err != nil {
			return outcome{}, err
		}
		asked := decimal.RequireFromString(amount)
		if got := decimal.Max(t.Held, t.Captured); known && !got.IsZero() && !got.Equal(asked) {
			return fail("a payment of %s has a transaction of %s", amount, got.StringFixed(2))
		}
	}
	return pass("each transaction has the amount of the call")
}

// transactions compares what the app says about orders with what it has reported to the platform.
func (p *payments) transactions(ctx context.Context, e *exam) (outcome, error) {
	if err := p.newOrder(ctx, e); err != nil {
		return outcome{}, err
	}
	for _, order := range []int64{p.paid, p.order} {
		v, err := p.ask(ctx, e, "status", object{"provider": p.provider, "order": order})
		if err != nil {
			return outcome{}, err
		}
		var said struct {
			Transactions []json.RawMessage `json:"transactions"`
		}
		if err := payment.Judge(payment.Status, v.ex.status, v.ex.answer); err != nil {
			return fail("status %d for an order without payments: %v", v.ex.status, err)
		}
		_ = json.Unmarshal(v.ex.answer, &said) // judged
		if order == p.order && len(said.Transactions) > 0 {
			return fail("an order without payments has %s", traffic.Count(len(said.Transactions), "transaction"))
		}
	}
	return pass("those of the order alone")
}

func (p *payments) cancelPaid(ctx context.Context, e *exam) (outcome, error) {
	if p.urls["cancel"] == "" {
		return skip("the app has no address for it")
	}
	v, err := p.pay(ctx, e, plain, "60.00")
	if err != nil || !v.accepted {
		return outcome{Skipped, notPaid}, err
	}
	order, attempt := p.order, p.last.Attempt
	for range 2 {
		if v, err = p.ask(ctx, e, "cancel", object{"provider": p.provider, "attempt": attempt}); err != nil {
			return outcome{}, err
		}
		if !v.accepted {
			return fail("%s", v)
		}
	}
	if _, err := p.counted(ctx, e, order); err != nil {
		return outcome{}, err
	}
	t, _, err := p.transaction(ctx, e, order)
	if err != nil {
		return outcome{}, err
	}
	if t.Refunded.GreaterThan(decimal.NewFromInt(60)) {
		return fail("%s were refunded of 60.00", t.Refunded.StringFixed(2))
	}
	return pass("status 200, twice")
}

// refunded compares the refunds that the app reports with the refunds that it accepts.
func (p *payments) refunded(ctx context.Context, e *exam) (outcome, error) {
	t, known, err := p.transaction(ctx, e, p.paid)
	if err != nil || !known {
		return outcome{Skipped, "the app has reported no transaction"}, err
	}
	if t.Refunded.GreaterThan(p.given) {
		return fail("refunds of %s were accepted, and %s were reported", p.given.StringFixed(2), t.Refunded.StringFixed(2))
	}
	return pass("%s of %s reported until now", t.Refunded.StringFixed(2), p.given.StringFixed(2))
}

// askRefund asks for a refund, and counts it if the app accepts.
func (p *payments) askRefund(ctx context.Context, e *exam, transaction, amount string) (v verdict, refusal *control.Refusal, err error) {
	v, err = p.ask(ctx, e, "refund", object{"transaction": transaction, "amount": amount})
	if refusal, ok := errors.AsType[*control.Refusal](err); ok {
		return v, refusal, nil
	}
	if v.accepted {
		p.given = p.given.Add(decimal.RequireFromString(amount))
	}
	return v, nil, err
}

// remembered has the first payment repeated, which is paid already.
func (p *payments) remembered(ctx context.Context, e *exam) (outcome, error) {
	v, err := p.again(ctx, e)
	if err != nil {
		return outcome{}, err
	}
	n, err := p.counted(ctx, e, p.paid)
	if err == nil && (n > 1 || !v.accepted) {
		return fail("%s; the order has %s", v, traffic.Count(n, "transaction"))
	}
	return outcome{Passed, fmt.Sprintf("%s; the order has %s", v, traffic.Count(n, "transaction"))}, err
}
