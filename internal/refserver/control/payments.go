package control

import (
	"crypto/x509"
	"encoding/pem"
	"slices"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/payment"
	"github.com/commerceplatform/commerce-go/internal/refserver/res"
	"github.com/commerceplatform/commerce-go/internal/refserver/seed"
	"github.com/commerceplatform/commerce-go/internal/refserver/work"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

type paymentJSON struct {
	Order      int64  `json:"order"`
	Provider   string `json:"provider"`
	MethodType string `json:"method_type"`
	MethodID   string `json:"method_id"`
	Amount     amount `json:"amount"`
}

// paid shows a call to a payment app.
func paid(made payment.Call, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return showPayment(made), nil
}

func showPayment(p payment.Call) any {
	return map[string]any{
		"n": p.N, "at": stamp(p.At), "kind": p.Kind, "app": p.App, "provider": p.Provider, "attempt": p.Attempt, "try": p.Try,
		"method": p.Method, "url": p.URL, "to": p.To, "timestamp": p.Timestamp, "signature": p.Signature,
		"request": shown(p.Request),
		"status":  p.HTTPStatus, "answer": shown(p.Answer), "late": p.Late, "ms": ms(p.Duration), "decided_by": p.DecidedBy,
		"outcome": p.Outcome, "error_code": p.ErrorCode, "unread": append([]string{}, p.Unread...), "reason": p.Reason,
		"next": stamp(p.Next),
	}
}

func processPayment(c *call, in paymentJSON) (any, error) {
	return paid(c.server.Payments().Process(c.ctx, c.st.ID, payment.Attempt{
		Order: in.Order, Provider: in.Provider, MethodType: in.MethodType, MethodID: in.MethodID, Amount: in.Amount.Decimal,
	}))
}

type cancelJSON struct {
	Provider string `json:"provider"`
	Attempt  string `json:"attempt"`
}

func cancelPayment(c *call, in cancelJSON) (any, error) {
	if in.Attempt == "" || len(in.Attempt) > 100 {
		return nil, wrong("attempt", cut(in.Attempt), "must be the attempt of a process call, of at most 100 bytes")
	}
	return paid(c.server.Payments().Cancel(c.ctx, c.st.ID, in.Provider, in.Attempt))
}

type statusJSON struct {
	Provider string `json:"provider"`
	Order    int64  `json:"order"`
}

func paymentStatus(c *call, in statusJSON) (any, error) {
	return paid(c.server.Payments().Status(c.ctx, c.st.ID, in.Provider, in.Order))
}

type refundJSON struct {
	Transaction string `json:"transaction"`
	Amount      amount `json:"amount"`
}

func refund(c *call, in refundJSON) (any, error) {
	return paid(c.server.Payments().Refund(c.ctx, c.st.ID, in.Transaction, in.Amount.Decimal))
}

type providerJSON struct {
	Provider string `json:"provider"`
}

func refreshToken(c *call, in providerJSON) (any, error) {
	return paid(c.server.Payments().Refresh(c.ctx, c.st.ID, in.Provider))
}

func paymentCalls(c *call) (any, error) {
	return records[payment.Call]{
		in: c.server.Payments().CallsIn, key: func(p payment.Call) int64 { return int64(p.N) },
		keep: func(p payment.Call) bool { return p.Store == c.st.ID }, show: showPayment,
	}.page(c)
}

type againJSON struct {
	Replica int  `json:"replica"`
	Resign  bool `json:"resign"`
}

func paymentAgain(c *call, in againJSON) (any, error) {
	if in.Replica < 0 {
		return nil, wrong("replica", in.Replica, "must be 0 for the next target, or the number of a target, from 1")
	}
	calls, n := c.server.Payments(), c.id("call")
	for _, p := range calls.CallsIn(work.Part{After: n - 1, Most: 1}) {
		if int64(p.N) == n && p.Store == c.st.ID {
			return paid(calls.Again(c.ctx, c.st.ID, p.N, payment.Repeat(in)))
		}
	}
	own := slices.DeleteFunc(calls.CallsIn(lastKnown), func(p payment.Call) bool { return p.Store != c.st.ID })
	return nil, unknown("call", c.r.PathValue("call"), ids(own, func(p payment.Call) int64 { return int64(p.N) }))
}

func paymentKey(c *call) (any, error) {
	key, err := c.server.Payments().PublicKey()
	if err != nil {
		return nil, err
	}
	der, err := x509.MarshalPKIXPublicKey(key)
	if err != nil {
		return nil, err
	}
	return map[string]any{"pem": string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}))}, nil
}

func rotateKey(c *call) (any, error) {
	if err := c.server.Payments().RotateKey(); err != nil {
		return nil, err
	}
	return paymentKey(c)
}

type signingJSON struct {
	OldKey bool `json:"old_key"`
	Skew   span `json:"skew"`
}

func signing(c *call) (any, error) {
	s := c.server.Payments().Signing()
	return signingJSON{s.OldKey, span(s.Skew)}, nil
}

func setSigning(c *call, in signingJSON) (any, error) {
	c.server.Payments().SetSigning(payment.Signing{OldKey: in.OldKey, Skew: time.Duration(in.Skew)})
	return in, nil
}

type saleJSON struct {
	Amount amount `json:"amount"`
}

// sale makes an order that a transaction of the demo app has paid.
func sale(c *call, in saleJSON) (any, error) {
	app, err := c.app(0)
	if err != nil {
		return nil, err
	}
	if !in.Amount.IsPositive() {
		return nil, wrong("amount", in.Amount.String(), "must be more than 0")
	}
	return sold(seed.Charge(c.server, app, c.st, in.Amount.Decimal))
}

// payOrder pays an order by a transaction of the demo app.
func payOrder(c *call) (any, error) {
	app, err := c.app(0)
	if err != nil {
		return nil, err
	}
	if err := c.has("orders", "order"); err != nil {
		return nil, err
	}
	return sold(seed.Pay(c.server, app, c.st, c.id("order")))
}

// sold shows a transaction that has paid an order.
func sold(t world.Transaction, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return map[string]any{
		"order": t.OrderID, "transaction": t.ID, "provider": t.ProviderID, "amount": money(t.Captured), "currency": t.Currency,
	}, nil
}

// prepareOrder is what no operation of the API does.
func prepareOrder(c *call) (any, error) {
	err := c.server.World().Update(0, c.st.ID, func(tx *world.Tx) error { return res.PrepareOrder(tx, c.id("order")) })
	if err != nil {
		return nil, err
	}
	return map[string]any{"order": c.id("order")}, nil
}

func payCharge(c *call) (any, error) { return c.charge(c.server.PayCharge) }

func failCharge(c *call) (any, error) { return c.charge(c.server.FailCharge) }

// charge ends a charge of an app.
func (c *call) charge(f func(store int64, charge string) error) (any, error) {
	if err := f(c.st.ID, c.r.PathValue("charge")); err != nil {
		return nil, err
	}
	return map[string]any{"charge": c.r.PathValue("charge")}, nil
}
