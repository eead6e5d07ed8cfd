package rules

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// ErrInvalid means that the result of a function is not sent. The platform would ignore it, or it would stop all
// purchases.
var ErrInvalid = errors.New("invalid answer")

// PaymentOption is a payment option that is hidden at the checkout. Both ids are strings as returned by
// v202503.PaymentOptions(c).List, UUIDs or not. The platform compares them exactly.
//
// It is inferred that the options of an answer are hidden, and that others stay. The contract can also be read the
// other way. Test it with one option before an app relies on it.
type PaymentOption struct {
	ProviderID client.Code `json:"id"`        // the payment provider
	OptionID   client.Code `json:"option_id"` // its checkout option
}

// ShippingOption is a shipping option that is hidden at the checkout. All three strings are as returned by
// v202503.Carriers(c).OfStore, where the carrier's id differs from carriers.Carrier. See PaymentOption for the meaning
// of an answer.
type ShippingOption struct {
	CarrierID client.Code `json:"id"`        // the carrier
	OptionID  client.Code `json:"option_id"` // its option
	Code      string      `json:"code"`      // the option's code
}

// LocationOrder is the order in which stock is taken from locations. The zero value means no rule, so that the
// merchant's priorities apply. Create it with Request.First, Only or Nowhere.
type LocationOrder struct {
	ids     []ulid.ULID
	given   bool
	nowhere bool
}

// First returns an order of all locations of the request: ids first, then the others in the merchant's order. It is
// the safe choice, because no location is omitted.
func (r *Request) First(ids ...ulid.ULID) LocationOrder {
	o := Only(ids...)
	rest := slices.Clone(r.Locations)
	slices.SortStableFunc(rest, func(a, b Location) int { return cmp.Compare(a.Priority, b.Priority) })
	for _, l := range rest {
		if !slices.Contains(ids, l.ID) {
			o.ids = append(o.ids, l.ID)
		}
	}
	return o
}

// Only returns an order of some locations of the request. Other locations do not ship [inferred]. Without locations,
// the handler rejects the order with ErrInvalid: see Nowhere.
func Only(ids ...ulid.ULID) LocationOrder { return LocationOrder{ids: slices.Clone(ids), given: true} }

// Nowhere returns the order without locations. There is then no location to ship from, so the purchase cannot be
// completed.
func Nowhere() LocationOrder { return LocationOrder{given: true, nowhere: true} }

// IDs returns the locations in their order.
func (o LocationOrder) IDs() []ulid.ULID { return slices.Clone(o.ids) }

// Verdict is the decision whether a purchase can be completed.
type Verdict int

// The verdicts.
const (
	VerdictAllow Verdict = iota // this app does not object
	VerdictBlock                // the purchase cannot be completed
)

// command is the body of an answer.
type command struct {
	Command string `json:"command"`
	Detail  any    `json:"detail"`
}

// The commands of the contract.
const (
	filterPayments = "filter_payments_options"
	filterShipping = "filter_shipping_options"
	prioritize     = "location_prioritization"
	block          = "block_checkout"
)

// filtered is the detail of both filters.
type filtered[T any] struct {
	Options []T `json:"filtered_options"`
}

type prioritized struct {
	Locations []priority `json:"location_prioritization"`
}

type priority struct {
	ID       ulid.ULID `json:"id"`
	Priority int       `json:"priority"`
}

// filter returns the command that hides options, nil if there are none. Texts returns the fields of an option.
func filter[T comparable](name string, hide []T, texts func(T) []text) (*command, error) {
	var all []T
	seen := make(map[T]bool, len(hide))
	for i, o := range hide {
		for _, t := range texts(o) {
			if t.value == "" || !utf8.ValidString(t.value) {
				return nil, fmt.Errorf("%w: option %d: %s: must not be empty", ErrInvalid, i, t.field)
			}
		}
		if !seen[o] {
			seen[o] = true
			all = append(all, o)
		}
	}
	if len(all) == 0 {
		return nil, nil
	}
	return &command{name, filtered[T]{all}}, nil
}

// text is a field with its value.
type text struct{ field, value string }

func (o PaymentOption) texts() []text {
	return []text{{"ProviderID", string(o.ProviderID)}, {"OptionID", string(o.OptionID)}}
}

func (o ShippingOption) texts() []text {
	return []text{{"CarrierID", string(o.CarrierID)}, {"OptionID", string(o.OptionID)}, {"Code", o.Code}}
}

// command returns the command of an order for the locations of a request, nil for the zero LocationOrder.
func (o LocationOrder) command(r *Request) (*command, error) {
	if !o.given {
		return nil, nil
	}
	if len(o.ids) == 0 && !o.nowhere {
		return nil, fmt.Errorf("%w: an order without locations leaves no location to ship from: "+
			"return Nowhere() if that is meant, or the zero LocationOrder for no rule", ErrInvalid)
	}
	out := prioritized{make([]priority, len(o.ids))}
	for i, id := range o.ids {
		if !slices.ContainsFunc(r.Locations, func(l Location) bool { return l.ID == id }) {
			return nil, fmt.Errorf("%w: location %s is not one of the request's %d", ErrInvalid, id, len(r.Locations))
		}
		if slices.Contains(o.ids[:i], id) {
			return nil, fmt.Errorf("%w: location %s is in the order twice", ErrInvalid, id)
		}
		out.Locations[i] = priority{id, i}
	}
	return &command{prioritize, out}, nil
}

// command returns the command of a verdict, nil for VerdictAllow.
func (v Verdict) command() (*command, error) {
	switch v {
	case VerdictAllow:
		return nil, nil
	case VerdictBlock:
		return &command{block, struct{}{}}, nil
	}
	return nil, fmt.Errorf("%w: Verdict %d: must be VerdictAllow or VerdictBlock", ErrInvalid, v)
}

// body encodes a command.
func (c *command) body() ([]byte, error) {
	out, err := wire.Marshal(c)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	return out, nil
}
