package carrier

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"sync"

	"github.com/commerceplatform/commerce-go/internal/refserver/delivery"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// Quote is what a customer sees, and the calls it comes from.
type Quote struct {
	Options []Option
	Calls   []Call
}

// inquiry is one carrier that is to be asked about one origin.
type inquiry struct {
	call    Call
	offer   offer
	options []Option
}

// Quote asks the carriers of a store what the delivery of a parcel costs. The carriers
// are asked at the same time; the options come by origin, then by carrier. It fails if
// the parcel is impossible or ctx ends, not because of what a carrier answers.
func (p *Platform) Quote(ctx context.Context, store int64, parcel Parcel) (Quote, error) {
	var st world.Store
	var all []*inquiry
	err := p.world.View(0, store, func(tx *world.Tx) error {
		st = tx.Store()
		var err error
		all, err = p.inquiries(tx, parcel)
		return err
	})
	if err != nil {
		return Quote{}, fmt.Errorf("carrier: %w", err)
	}
	var asking sync.WaitGroup
	for _, q := range all {
		asking.Go(func() { p.answer(ctx, q) })
	}
	asking.Wait()
	if err := ctx.Err(); err != nil {
		return Quote{}, err
	}
	var out Quote
	for i, q := range all {
		out.Options = append(out.Options, q.options...)
		q.call.Fallback = !q.call.Healthy && len(st.Contingencies) > 0
		out.Calls = append(out.Calls, p.record(q.call))
		if i+1 == len(all) || all[i+1].call.Location != q.call.Location {
			out.Options = append(out.Options, p.contingencies(st, out.Calls, q.call.Location)...)
		}
	}
	return out, p.Remember(store, parcel, out.Options)
}

// Remember keeps the offer for a cart, or for a checkout, until it is bought or something else is offered. An offer for
// neither is forgotten.
func (p *Platform) Remember(store int64, parcel Parcel, options []Option) error {
	if parcel.CartID == 0 {
		return nil
	}
	return p.world.Update(0, store, func(tx *world.Tx) error {
		if !tx.Carts.Has(parcel.CartID) && !tx.Checkouts.Has(parcel.CartID) {
			return nil
		}
		q := world.Quote{CartID: parcel.CartID, To: world.Address{
			Name: parcel.To.Name, Address: parcel.To.Address, Number: parcel.To.Number, Floor: parcel.To.Floor, Locality: parcel.To.Locality,
			City: parcel.To.City, Province: parcel.To.Province, Country: parcel.To.Country, Zipcode: parcel.To.PostalCode, Phone: parcel.To.Phone,
		}}
		for _, i := range parcel.Items {
			if i.Location == "" {
				i.Location = tx.FirstLocation().ID
			}
			q.Items = append(q.Items, world.QuotedItem{VariantID: i.ID, Quantity: i.Quantity, LocationID: i.Location})
		}
		for _, o := range options {
			q.Rates = append(q.Rates, o.Rate)
		}
		return tx.Quotes.Put(q.CartID, q)
	})
}

// contingencies are shown if a call about the origin was not answered as it should be.
func (p *Platform) contingencies(st world.Store, calls []Call, location string) []Option {
	var out []Option
	for _, c := range calls {
		if c.Location != location || !c.Fallback {
			continue
		}
		for _, f := range st.Contingencies {
			out = append(out, contingency(f, st, location, p.world.Clock().Now()))
		}
		break
	}
	return out
}

// inquiries has one for each origin and each carrier that may be asked.
func (p *Platform) inquiries(tx *world.Tx, parcel Parcel) ([]*inquiry, error) {
	origins, err := parcel.origins(tx)
	if err != nil {
		return nil, err
	}
	rules := p.Rules()
	var out []*inquiry
	for _, from := range origins {
		for _, c := range tx.Carriers.All() {
			if !c.Active || !tx.Installed(c.AppID) {
				continue
			}
			options := tx.OptionsOf(c.ID)
			var active []world.CarrierOption
			for _, o := range options {
				if o.Active {
					active = append(active, o)
				}
			}
			r := request(tx.Store(), parcel, from, c, active)
			body, err := json.Marshal(r.by(rules))
			if err != nil {
				return nil, err
			}
			out = append(out, &inquiry{
				call: Call{At: tx.Now(), Store: tx.Store().ID, App: c.AppID, Carrier: c.ID, Location: from.location.ID,
					URL: c.RatesURL, Key: r.key(), Request: body},
				offer: offer{rules: rules, limits: tx.Limits(), free: parcel.FreeShipping, carrier: c, options: options, currency: tx.Store().MainCurrency},
			})
		}
	}
	return out, nil
}

// answer finds the answer to an inquiry: one that is reused, or a new one, unless the
// circuit is open.
func (p *Platform) answer(ctx context.Context, q *inquiry) {
	c := &q.call
	if a, ok := p.reuse(*c, c.At); ok {
		c.Source, c.Status, c.Answer = Cached, a.status, a.body
		q.settle()
		return
	}
	p.mu.Lock()
	by, ok := p.of(account{c.Store, c.Carrier}).circuit.enter(q.offer.limits, c.At)
	p.mu.Unlock()
	if !ok {
		c.Source, c.Reason = Skipped, "the circuit is open"
		return
	}
	c.Source = Asked
	p.ask(ctx, q, by)
}

// ask sends the request and counts what comes of it.
func (p *Platform) ask(ctx context.Context, q *inquiry, by pass) {
	c := &q.call
	reply := p.call(ctx, delivery.Call{
		URL: c.URL, Body: c.Request, Timeout: q.offer.limits.RateTimeout, Delay: q.offer.rules.Delay,
		Header: http.Header{"Content-Type": {"application/json"}, "User-Agent": {"Commerce-Platform-Shipping"}},
	})
	if ctx.Err() != nil {
		return // nobody waits for it, so it says nothing
	}
	c.Status, c.Answer, c.Late, c.Duration, c.DecidedBy = reply.Status, reply.Body, reply.Late, reply.Duration, reply.DecidedBy
	c.Wire = reply.Wire
	if reply.Err != nil {
		c.Reason = reply.Err.Error()
	}
	q.settle()
	switch {
	case c.Healthy:
		c.Counts = Success
	case reply.Err != nil || c.Status >= 500:
		c.Counts = Failure
	case c.Status >= 400 && q.offer.rules.RefusalsSucceed:
		c.Counts = Success
	default:
		c.Counts = Neutral
	}
	now := p.world.Clock().Now()
	if reply.Err == nil {
		p.keep(*c, now)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.of(account{c.Store, c.Carrier})
	s.unhealthy = !c.Healthy
	s.circuit.leave(q.offer.limits, now, by, c.Counts)
}

// settle judges an answer.
func (q *inquiry) settle() {
	c := &q.call
	if c.Healthy = c.Status >= 200 && c.Status < 300; !c.Healthy {
		if c.Reason == "" {
			c.Reason = wrongStatus(c.Status).Error()
		}
		return
	}
	answers, err := rates(c.Answer)
	if err != nil {
		c.Reason = err.Error()
		return
	}
	q.options, c.Hidden, c.Unread = q.offer.judge(answers)
	c.Unread = append(c.Unread, delivery.Unread[ratesJSON](c.Answer)...)
	slices.Sort(c.Unread)
	c.Unread = slices.Compact(c.Unread)
	for i := range q.options {
		q.options[i].Source, q.options[i].Location = c.Source, c.Location
	}
}
