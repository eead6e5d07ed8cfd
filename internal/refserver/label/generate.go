package label

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/res"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// otherError is the type of a reason that the carrier has not given one.
const otherError = "OTHER_ERROR"

// Request begins labels of fulfillment orders, as the merchant does, and asks their carriers for them. It returns the
// first calls. A late call is repeated by the clock of the server. It fails if a label cannot be asked for or ctx ends,
// but not because of the answer of a carrier. If ctx ends, the next Request or Wake asks for the remaining labels. It
// also repeats the call in progress, which the carrier may have received.
func (p *Platform) Request(ctx context.Context, store int64, fulfillments ...string) ([]Call, error) {
	if len(fulfillments) == 0 {
		return nil, errors.New("label: fulfillment_orders: must have at least one")
	}
	err := p.world.Update(0, store, func(tx *world.Tx) error {
		for _, id := range fulfillments {
			if !tx.FulfillmentOrders.Has(id) {
				return fmt.Errorf("fulfillment order %q does not exist in store %d", id, store)
			}
			if _, ok := res.LabelCarrier(tx, id); !ok {
				return fmt.Errorf("fulfillment order %s: its carrier takes no calls about labels", id)
			}
		}
		_, err := res.AddLabels(tx, fulfillments...)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("label: %w", err)
	}
	calls, err := p.gather(store)
	if err != nil {
		return nil, err
	}
	return p.deliver(ctx, calls)
}

// Wake asks for the labels that an app has begun. It does not wait for the answers.
func (p *Platform) Wake(store int64) {
	calls, err := p.gather(store)
	if err != nil || len(calls) == 0 {
		return // the store is gone, or there is nobody to ask
	}
	p.work.Go(func() { _, _ = p.deliver(p.work.Context(), calls) }) // fails only if the platform is closed
}

// gather returns the calls about every label of the store that its carrier was not asked
// for yet, and sees to it that labels end in time.
func (p *Platform) gather(store int64) ([]Call, error) {
	var calls []Call
	err := p.world.Update(0, store, func(tx *world.Tx) error {
		var labels []world.Label
		for _, l := range tx.Labels.Values() {
			if _, ok := res.LabelCarrier(tx, l.FulfillmentOrderID); !ok || l.Status != world.LabelStarted || !l.AskedAt.IsZero() {
				continue
			}
			l.AskedAt = tx.Now()
			if err := tx.Labels.Put(l.ID, l); err != nil {
				return err
			}
			labels = append(labels, l)
		}
		var err error
		calls, err = batches(tx, Generate, labels, func(tx *world.Tx, l []world.Label) any {
			var out []any
			for _, one := range l {
				out = append(out, res.LabelRequest(tx, one))
			}
			return out
		})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("label: %w", err)
	}
	p.expire(store)
	return calls, nil
}

// deliver makes the calls, one after another. The labels of calls that fail count as not asked for.
func (p *Platform) deliver(ctx context.Context, calls []Call) ([]Call, error) {
	for i := range calls {
		made, err := p.generate(ctx, calls[i])
		if err != nil {
			p.forget(calls[i:])
			return calls[:i], err
		}
		calls[i] = made
	}
	return calls, nil
}

// forget has the labels of calls of one store asked for again.
func (p *Platform) forget(calls []Call) {
	_ = p.world.Update(0, calls[0].Store, func(tx *world.Tx) error { // fails if the store is gone
		for _, c := range calls {
			for _, r := range c.Results {
				l, ok := tx.Labels.Get(r.Label)
				if !ok {
					continue
				}
				l.AskedAt = time.Time{}
				if err := tx.Labels.Put(l.ID, l); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// batches are calls about labels, one for each carrier and no more than 50 labels.
func batches(tx *world.Tx, kind Kind, labels []world.Label, body func(*world.Tx, []world.Label) any) ([]Call, error) {
	var order []int64
	by := map[int64][]world.Label{}
	for _, l := range labels {
		c, _ := res.LabelCarrier(tx, l.FulfillmentOrderID)
		if by[c.ID] == nil {
			order = append(order, c.ID)
		}
		by[c.ID] = append(by[c.ID], l)
	}
	var out []Call
	for _, id := range order {
		carrier, _ := tx.Carriers.Get(id)
		for rest := by[id]; len(rest) > 0; {
			n := min(len(rest), tx.Limits().LabelRequest)
			c := Call{Kind: kind, Store: tx.Store().ID, App: carrier.AppID, Carrier: id, URL: carrier.LabelsURL + "/" + string(kind), Try: 1}
			for _, l := range rest[:n] {
				c.Results = append(c.Results, Result{Fulfillment: l.FulfillmentOrderID, Label: l.ID})
			}
			var err error
			if c.Request, err = json.Marshal(body(tx, rest[:n])); err != nil {
				return nil, err
			}
			out, rest = append(out, c), rest[n:]
		}
	}
	return out, nil
}

// generate makes one call, and sees to the next if the answer is late.
func (p *Platform) generate(ctx context.Context, c Call) (Call, error) {
	c, err := p.send(ctx, c)
	if err != nil {
		return c, err
	}
	l := p.world.Limits()
	if c.Late && c.Try <= l.LabelRepeats {
		c.Next = p.world.Clock().Now().Add(l.LabelWait)
	} else {
		c.hear()
	}
	if err := p.settle(&c, func(tx *world.Tx, r Result) error {
		if r.OK || !c.Next.IsZero() {
			return nil
		}
		return res.RefuseLabel(tx, r.Label, world.LabelReason{Type: r.Code, Message: r.Message})
	}); err != nil {
		return c, err
	}
	c = p.record(c)
	if !c.Next.IsZero() {
		p.work.After(l.LabelWait, func() {
			next := Call{Kind: c.Kind, Store: c.Store, App: c.App, Carrier: c.Carrier, URL: c.URL, Try: c.Try + 1, Request: c.Request}
			for _, r := range c.Results {
				next.Results = append(next.Results, Result{Fulfillment: r.Fulfillment, Label: r.Label})
			}
			_, _ = p.generate(p.work.Context(), next) // fails only if the platform is closed
		})
	}
	return c, nil
}

// settle does what the results mean, and notes the status of each label then.
func (p *Platform) settle(c *Call, do func(*world.Tx, Result) error) error {
	return p.world.Update(0, c.Store, func(tx *world.Tx) error {
		for i, r := range c.Results {
			if err := do(tx, r); err != nil {
				return err
			}
			l, _ := tx.Labels.Get(r.Label)
			c.Results[i].Status = l.Status
		}
		return nil
	})
}

// hear reads what the carrier says of each label of a request to make them.
func (c *Call) hear() {
	for i := range c.Results {
		if c.Results[i].OK = c.Reason == ""; !c.Results[i].OK {
			c.Results[i].Code, c.Results[i].Message = otherError, c.Reason
		}
	}
	if c.Status == http.StatusMultiStatus && c.Reason == "" {
		c.hearEach()
	}
}
