package doctor

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/payment"
	"github.com/commerceplatform/commerce-go/internal/refserver/traffic"
)

const (
	rulePayments = "Payment calls: X-Signature is RSA-SHA256 over URL|timestamp|SHA-256 of the payload"
	ruleOnce     = "an attempt is paid once, however often and wherever its call arrives"
)

func (p *payments) checks() []check {
	return slices.Concat(p.ownChecks(), strangerChecks(), p.callChecks(), p.repeatChecks())
}

func (p *payments) ownChecks() []check {
	return []check{
		{
			name: "unsigned", sent: "a genuine call without X-Signature", rule: rulePayments, run: p.unsigned,
			fix: "answer 401 if a header is missing, before anything is done",
		},
		{
			name:  "wrong signature",
			sent:  "a call signed with a key that is not the platform's",
			rule:  rulePayments,
			run:   p.forged,
			after: []string{"unsigned"}, fix: "verify with the platform's public key alone, RSA PKCS #1 v1.5 with SHA-256",
		},
		{
			name:  "another body",
			sent:  "a changed body with the signature of the genuine one",
			rule:  rulePayments,
			run:   changedBody,
			after: []string{"wrong signature"}, fix: "hash the payload that arrived, and compare it with what is signed",
		},
		{
			name:  "another address",
			sent:  "a call that the platform signed for the address of another app",
			rule:  rulePayments,
			run:   p.elsewhere,
			after: []string{"wrong signature"},
			fix:   "put your own public address into what you verify; do not take it from Host",
		},
		{
			name:  "old timestamp",
			sent:  "a call that was signed an hour ago, by its timestamp",
			rule:  rulePayments,
			run:   p.skewed("-1h"),
			after: []string{"wrong signature"}, fix: "refuse a timestamp that is more than a few minutes from your clock",
		},
		{
			name:  "future timestamp",
			sent:  "a call that is signed for an hour from now",
			rule:  rulePayments,
			run:   p.skewed("1h"),
			after: []string{"wrong signature"},
			fix:   "refuse a timestamp that is more than a few minutes from your clock, ahead too",
		},
		{
			name: "old key", sent: "a call signed with the platform's previous key", run: p.oldKey,
			rule: "while the platform changes its key, calls are signed with either",
			fix:  "verify with both keys until the old one is gone",
		},
		{
			name: "paid once",
			sent: "the same payment again: with a new signature, twice at once, and with the recorded one",
			rule: ruleOnce,
			run:  p.once,
			fix:  "make payment_attempt_id a unique key in your database, and write it before any money moves",
		},
		{
			name:  "replicas",
			sent:  "the recorded call to each other replica",
			rule:  ruleOnce,
			run:   p.replicas,
			after: []string{"paid once"},
			fix:   "keep attempts in a database that the replicas share",
		},
		{
			name: "cancel", sent: "a cancellation of an attempt that the app does not know, twice", run: p.cancel,
			rule: "a cancellation is idempotent, and repeated until it is answered 200",
			fix:  "answer 200 to the attempt that you do not have: there is nothing to cancel",
		},
		{
			name: "payment status", sent: "GET with the order_id", run: p.status,
			rule: "the app answers 200 with the transactions of the order",
			fix:  `answer {"transactions": […]}, empty if there are none`,
		},
		{
			name: "refunds", sent: "a refund of a part, and then another", run: p.refund,
			rule: "a refund is answered 202, or 422 with error_code insufficient_account_balance, " +
				"refund_already_in_process, refund_rejected or transaction_date_too_old",
			fix: "answer 422 with one of the four codes if you do not refund",
		},
	}
}

func (p *payments) unsigned(ctx context.Context, e *exam) (outcome, error) {
	return refuses(func(*exam) []forgery { return []forgery{{"no signature", strip}} })(ctx, e)
}

// forger returns a key that is not the platform's. It takes long to find one.
var forger = sync.OnceValues(func() (*rsa.PrivateKey, error) { return rsa.GenerateKey(rand.Reader, 2048) })

func (p *payments) forged(ctx context.Context, e *exam) (outcome, error) {
	key, err := forger()
	if err != nil {
		return outcome{}, err
	}
	clock, err := get[struct {
		Now time.Time `json:"now"`
	}](ctx, e.platform, "clock")
	if err != nil {
		return outcome{}, err
	}
	x := e.posted()
	signed, err := payment.Sign(key, e.o.Origin+x.uri, x.body, clock.Now)
	if err != nil {
		return outcome{}, err
	}
	x.header = x.header.Clone()
	for name := range signed {
		x.header.Set(name, signed.Get(name))
	}
	return refused(e.direct(ctx, x))
}

// elsewhere has the platform call another app, and its call sent to this one.
func (p *payments) elsewhere(ctx context.Context, e *exam) (outcome, error) {
	e.restore = append(e.restore, e.unroute(strings.TrimPrefix(stranger, "https://")))
	to := object{"origin": stranger, "targets": []string{e.relay.address}}
	if err := e.platform.put(ctx, "partners", to); err != nil {
		return outcome{}, err
	}
	urls := map[string]string{}
	for name, at := range p.urls {
		urls[name] = strings.Replace(at, e.o.Origin, stranger, 1)
	}
	err := p.register(e, urls)(ctx)
	var v verdict
	if err == nil {
		v, err = p.call(ctx, e)
	}
	if err = errors.Join(err, p.register(e, p.urls)(ctx)); err != nil {
		return outcome{}, err
	}
	return refused(v.ex)
}

// signedBy has the first call repeated with a setting of the signature.
func (p *payments) signedBy(ctx context.Context, e *exam, setting object) (verdict, error) {
	if err := e.platform.put(ctx, "payments/signing", setting); err != nil {
		return verdict{}, err
	}
	v, err := p.again(ctx, e)
	usual := object{"old_key": false, "skew": "0s"}
	return v, errors.Join(err, e.platform.put(ctx, "payments/signing", usual))
}

func (p *payments) skewed(by string) func(ctx context.Context, e *exam) (outcome, error) {
	return func(ctx context.Context, e *exam) (outcome, error) {
		v, err := p.signedBy(ctx, e, object{"old_key": false, "skew": by})
		if err != nil {
			return outcome{}, err
		}
		return refused(v.ex)
	}
}

func (p *payments) oldKey(ctx context.Context, e *exam) (outcome, error) {
	if !e.o.OldKey {
		return skip(`ask for it (--old-key) after "refserver do payments.key.new", with an app that has both keys`)
	}
	v, err := p.signedBy(ctx, e, object{"old_key": true, "skew": "0s"})
	if err != nil {
		return outcome{}, err
	}
	if !v.accepted {
		return fail("%s", v)
	}
	return pass("%s", v)
}

// counted returns how many transactions an order has, once the app had time to report them.
func (p *payments) counted(ctx context.Context, e *exam, order int64) (int, error) {
	if err := pause(ctx, settling); err != nil {
		return 0, err
	}
	known, err := p.transactionsOf(ctx, e, order)
	return len(known), err
}

func (p *payments) once(ctx context.Context, e *exam) (outcome, error) {
	v, err := p.again(ctx, e)
	if err != nil {
		return outcome{}, err
	}
	if !v.accepted {
		return fail("the call again: %s", v)
	}
	var both sync.WaitGroup
	for range 2 {
		both.Go(func() { e.once(ctx, e.posted()) })
	}
	both.Wait()
	n, err := p.counted(ctx, e, p.paid)
	if err != nil {
		return outcome{}, err
	}
	if n > 1 {
		return fail("the order has %s", traffic.Count(n, "transaction"))
	}
	return pass("the order has %s", traffic.Count(n, "transaction"))
}

func (p *payments) replicas(ctx context.Context, e *exam) (outcome, error) {
	if len(e.o.Replicas) == 0 {
		return skip("name them with --replica")
	}
	for _, address := range e.o.Replicas {
		to, err := url.Parse(address)
		if err != nil {
			return outcome{}, err
		}
		e.relay.send(ctx, e.posted(), plain, to)
	}
	n, err := p.counted(ctx, e, p.paid)
	if err != nil {
		return outcome{}, err
	}
	if n > 1 {
		return fail("the order has %s", traffic.Count(n, "transaction"))
	}
	return pass("the order has %s", traffic.Count(n, "transaction"))
}

func (p *payments) cancel(ctx context.Context, e *exam) (outcome, error) {
	if p.urls["cancel"] == "" {
		return skip("the app has no address for it")
	}
	for range 2 {
		v, err := p.ask(ctx, e, "cancel", object{"provider": p.provider, "attempt": "doctor-" + p.first.Attempt})
		if err != nil {
			return outcome{}, err
		}
		if !v.accepted {
			return fail("%s", v)
		}
	}
	return pass("status 200, twice")
}

func (p *payments) status(ctx context.Context, e *exam) (outcome, error) {
	if p.urls["status"] == "" {
		return skip("the app has no address for it")
	}
	v, err := p.ask(ctx, e, "status", object{"provider": p.provider, "order": p.paid})
	if err != nil {
		return outcome{}, err
	}
	if !v.accepted {
		return fail("status %d with %s: %s", v.status, shown(v.ex.answer), v.says)
	}
	return pass("%s", v)
}

// refund asks for two refunds of the transaction that the app has reported.
func (p *payments) refund(ctx context.Context, e *exam) (outcome, error) {
	made, err := p.transactionsOf(ctx, e, p.paid)
	if err != nil {
		return outcome{}, err
	}
	if len(made) == 0 {
		return skip("the app has reported no transaction")
	}
	t := made[0]
	if err := p.capture(ctx, e, t); err != nil {
		return outcome{}, err
	}
	return p.refundOf(ctx, e, t.ID)
}

// capture takes what a transaction has reserved, as the app would do when the goods leave.
func (p *payments) capture(ctx context.Context, e *exam, t transactionJSON) error {
	if t.Status != "authorized" {
		return nil
	}
	event := object{
		"type": "capture", "status": "success", "authorization_code": "DOCTOR",
		"amount": object{"value": "60.00", "currency": t.Currency},
	}
	_, err := e.platform.act(ctx, http.MethodPost, fmt.Sprintf("/orders/%d/transactions/%s/events", t.Order, t.ID), event)
	return err
}

func (p *payments) refundOf(ctx context.Context, e *exam, transaction string) (outcome, error) {
	for _, amount := range []string{"20.00", "5.00"} {
		v, refusal, err := p.askRefund(ctx, e, transaction, amount)
		if refusal != nil && p.given.IsPositive() {
			return pass("one refund accepted; the platform asks for no other: %s", refusal.Message)
		}
		if refusal != nil {
			return skip("the platform asks for none: %s", refusal.Message)
		}
		if err != nil {
			return outcome{}, err
		}
		if !v.accepted && p.last.Outcome != string(payment.Rejected) {
			return fail("status %d with %s: %s", v.status, shown(v.ex.answer), v.says)
		}
	}
	return pass("accepted, or rejected with a code")
}
