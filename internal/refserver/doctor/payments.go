package doctor

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/payment"
)

// stranger is the origin of another app, which the platform calls too.
const stranger = "https://other-app.example"

// payments are the endpoints of a payment app.
type payments struct {
	provider string
	method   [2]string // type and id
	variant  int64
	urls     map[string]string
	order    int64
	last     payCallJSON
	first    payCallJSON     // a genuine call that was accepted
	paid     int64           // its order
	given    decimal.Decimal // refunds that the app has accepted
}

func (*payments) limit() time.Duration { return payment.Timeout }

func (*payments) signs(*exam) bool { return true }

func (*payments) sign(_ *exam, like exchange, _ []byte) (http.Header, bool) {
	return like.header.Clone(), false // nobody but the platform has the key
}

type providerJSON struct {
	ID      string `json:"id"`
	App     int64  `json:"app_id"`
	Methods []struct {
		Type string   `json:"type"`
		IDs  []string `json:"i_ds"`
	} `json:"methods"`
}

// prepare finds or makes what is paid for, and by whom.
func (p *payments) prepare(ctx context.Context, e *exam) error {
	if err := p.addresses(ctx, e); err != nil {
		return err
	}
	if err := e.keep(ctx, "payments/signing"); err != nil {
		return err
	}
	for range 2 {
		known, err := all[providerJSON](ctx, e.platform, e.platform.in("entities/payment_providers"))
		if err != nil {
			return err
		}
		for _, k := range known {
			if k.App == e.platform.app && len(k.Methods) > 0 {
				p.provider, p.method[0] = k.ID, k.Methods[0].Type
				if len(k.Methods[0].IDs) > 0 {
					p.method[1] = k.Methods[0].IDs[0]
				}
			}
		}
		if p.provider != "" {
			break
		}
		if err := e.platform.Call(ctx, http.MethodPost, e.platform.in("sales"), object{"amount": "60.00"}, nil); err != nil {
			return err
		}
	}
	goods := object{"name": object{"en": "Teapot"}, "variants": []object{{"price": "60.00"}}}
	raw, err := e.platform.act(ctx, http.MethodPost, "/products", goods)
	if err != nil {
		return err
	}
	variants, err := all[struct {
		ID      int64           `json:"id"`
		Product json.RawMessage `json:"product_id"`
	}](ctx, e.platform, e.platform.in("entities/variants"))
	for _, v := range variants {
		if string(v.Product) == string(raw) {
			p.variant = v.ID
		}
	}
	return err
}

// addresses has the app called at the endpoint, unless it has addresses there.
func (p *payments) addresses(ctx context.Context, e *exam) error {
	apps, err := all[struct {
		ID       int64             `json:"id"`
		Payments map[string]string `json:"payments"`
	}](ctx, e.platform, "apps")
	if err != nil {
		return err
	}
	for _, a := range apps {
		if a.ID == e.platform.app {
			p.urls = a.Payments
		}
	}
	e.restore = append(e.restore, p.register(e, p.urls))
	if strings.HasPrefix(p.urls["process"], e.o.Origin+"/") {
		return nil
	}
	base := strings.TrimSuffix(e.address(), "/")
	p.urls = map[string]string{"process": base + "/process", "cancel": base + "/cancel", "status": base + "/status"}
	return p.register(e, p.urls)(ctx)
}

// register returns what sets where the app is called.
func (p *payments) register(e *exam, urls map[string]string) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		return e.platform.put(ctx, fmt.Sprintf("apps/%d/payments", e.platform.app), urls)
	}
}

// payCallJSON is a call to the app, with the platform's judgement of the answer.
type payCallJSON struct {
	N         int     `json:"n"`
	Attempt   string  `json:"attempt"`
	Timestamp string  `json:"timestamp"`
	Signature string  `json:"signature"`
	Status    int     `json:"status"`
	Outcome   string  `json:"outcome"`
	Code      string  `json:"error_code"`
	Late      bool    `json:"late"`
	MS        float64 `json:"ms"`
	Reason    string  `json:"reason"`
}

// ask has the platform make a call.
func (p *payments) ask(ctx context.Context, e *exam, path string, body object) (verdict, error) {
	p.last = payCallJSON{}
	if err := e.platform.Call(ctx, http.MethodPost, e.platform.in("payments/%s", path), body, &p.last); err != nil {
		return verdict{}, err
	}
	c := p.last
	x, arrived := e.relay.find(ctx, func(x exchange) bool { return x.header.Get("X-Signature") == c.Signature })
	if !arrived {
		return verdict{}, errNothing
	}
	return verdict{
		status: c.Status, accepted: c.Outcome == string(payment.Accepted), late: c.Late, says: c.Reason, ex: x,
		took: time.Duration(c.MS * float64(time.Millisecond)),
	}, nil
}

// newOrder makes an order that is not paid yet.
func (p *payments) newOrder(ctx context.Context, e *exam) error {
	raw, err := e.platform.act(ctx, http.MethodPost, "/orders", object{
		"gateway": "not-provided", "products": []object{{"variant_id": p.variant, "quantity": 1}},
		"customer": object{"name": "Ana", "email": "ana@mail.example"},
	})
	if err == nil {
		err = json.Unmarshal(raw, &p.order)
	}
	return err
}

// call has a new order paid.
func (p *payments) call(ctx context.Context, e *exam) (verdict, error) {
	if err := p.newOrder(ctx, e); err != nil {
		return verdict{}, err
	}
	v, err := p.ask(ctx, e, "process", p.attempt("60.00"))
	if p.first.N == 0 && v.accepted {
		p.first, p.paid = p.last, p.order
	}
	return v, err
}

// attempt is a payment of the last order.
func (p *payments) attempt(amount string) object {
	return object{
		"order": p.order, "provider": p.provider, "method_type": p.method[0], "method_id": p.method[1], "amount": amount,
	}
}

// again has the platform repeat the first call with a new signature.
func (p *payments) again(ctx context.Context, e *exam) (verdict, error) {
	return p.ask(ctx, e, fmt.Sprintf("%d/again", p.first.N), object{"resign": true})
}
