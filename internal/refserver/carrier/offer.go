package carrier

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// Source is where an option comes from.
type Source string

const (
	// Asked: the carrier has answered now.
	Asked Source = "carrier"
	// Cached: an answer is reused.
	Cached Source = "cache"
	// Skipped: the circuit is open, and the carrier was not asked.
	Skipped Source = "circuit"
	// Fallback is the source of a contingency.
	Fallback Source = "fallback"
)

// Option is what a customer may choose, and where it comes from.
type Option struct {
	Source Source
	world.Rate
}

// Hidden is a rate of an answer that is not shown.
type Hidden struct {
	// Index counts the rates of the answer from 0.
	Index  int
	Code   string
	Reason string
}

// offer turns the rates of an answer into options.
type offer struct {
	rules   Rules
	limits  world.Limits
	free    bool
	carrier world.Carrier
	// options are all of the carrier's, active or not.
	options  []world.CarrierOption
	currency string

	shipped map[string]bool // codes of ship rates
	points  map[string]int  // pickup rates shown by code
}

// judge returns the options of an answer, the rates that are none, and the paths of the members of rates that nothing
// has read.
func (o *offer) judge(answers []json.RawMessage) (shown []Option, hidden []Hidden, unread []string) {
	o.shipped, o.points = map[string]bool{}, map[string]int{}
	for i, raw := range answers {
		r, err := readRate(raw)
		for _, path := range r.unread {
			unread = append(unread, "rates."+path)
		}
		option, err := o.admit(r, err)
		if err != nil {
			hidden = append(hidden, Hidden{i, r.code, err.Error()})
			continue
		}
		shown = append(shown, o.price(r, option))
	}
	return shown, hidden, unread
}

// admit returns the option that a rate belongs to, or why the rate is not shown. wrong is the fault of the rate itself.
func (o *offer) admit(r rate, wrong error) (world.CarrierOption, error) {
	var none world.CarrierOption
	if r.kind == world.Ship && r.code != "" {
		if o.shipped[r.code] {
			return none, fmt.Errorf("code %q: another ship rate before it has the code", r.code)
		}
		o.shipped[r.code] = true
	}
	at := slices.IndexFunc(o.options, func(c world.CarrierOption) bool { return c.Code == r.code })
	switch {
	case wrong != nil:
		return none, wrong
	case !slices.Contains(o.carrier.Types, r.kind):
		return none, fmt.Errorf("type %s: must be one of the carrier's, %v", r.kind, o.carrier.Types)
	case r.currency != o.currency:
		return none, fmt.Errorf("currency %s: must be %s, that of the request", r.currency, o.currency)
	case o.rules.RequireReference && r.reference == nil:
		return none, errors.New("reference: must be a string")
	case at < 0:
		return none, fmt.Errorf("code %q: the carrier has no such option", r.code)
	case !o.options[at].Active:
		return none, fmt.Errorf("code %q: the option is not active", r.code)
	case r.kind == world.Pickup && o.points[r.code] >= o.limits.PickupRates:
		return none, fmt.Errorf("code %q: must have at most %d pickup rates", r.code, o.limits.PickupRates)
	}
	if r.kind == world.Pickup {
		o.points[r.code]++
	}
	return o.options[at], nil
}

// price applies what the merchant has set up for the option.
func (o *offer) price(r rate, by world.CarrierOption) Option {
	out := Option{Rate: world.Rate{
		Carrier: o.carrier.ID, ID: by.ID, Code: r.code, Name: r.name, Type: r.kind,
		Price: r.price.Add(by.AdditionalCost).Round(2), Merchant: r.merchant, Currency: r.currency,
		MinDelivery: later(r.earliest, by.AdditionalDays), MaxDelivery: later(r.latest, by.AdditionalDays),
		IDRequired: r.idRequired, PhoneRequired: r.phone, AcceptsCOD: !r.noCOD, AllowFree: by.AllowFreeShipping,
		Available: !r.noStock, Point: r.point,
	}}
	if r.reference != nil {
		out.Reference = *r.reference
	}
	if o.free && by.AllowFreeShipping {
		out.Price = decimal.Zero
	}
	return out
}

// later moves a date; one that is null stays so.
func later(t time.Time, days int) time.Time {
	if t.IsZero() {
		return t
	}
	return t.AddDate(0, 0, days)
}

// contingency is an option that is shown instead of what a carrier offers.
func contingency(c world.Contingency, st world.Store, location string, now time.Time) Option {
	out := Option{Fallback, world.Rate{
		Location: location, Name: c.Name, Type: world.Ship, Price: c.Price, Merchant: c.Price,
		Currency: st.MainCurrency, AcceptsCOD: true, Available: true,
	}}
	if c.MinDays > 0 || c.MaxDays > 0 {
		out.MinDelivery, out.MaxDelivery = now.AddDate(0, 0, c.MinDays), now.AddDate(0, 0, c.MaxDays)
	}
	return out
}
