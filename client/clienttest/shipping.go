package clienttest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/refserver/carrier"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// Parcel is a delivery to a customer at the checkout.
type Parcel struct {
	// CartID is sent as a string; 0 is sent as null.
	CartID client.ID
	// Language is empty for the main language of the store.
	Language string
	To       ShippingAddress // the destination
	Items    []ParcelItem    // at least one item
	// FreeShipping is set if a promotion of the store makes the delivery free. Options with allow_free_shipping then
	// cost the customer 0.
	FreeShipping bool
}

// ShippingAddress is a place. Empty texts are sent as null.
type ShippingAddress struct {
	Name, Address, Number, Floor, Locality, City, Province, Country, PostalCode, Phone string // Country is an ISO 3166-1 code, such as AR
}

// ParcelItem is a quantity of an article, which need not exist in the store.
type ParcelItem struct {
	ID, ProductID client.ID // of the variant, and of its product
	// SKU is empty for null.
	Name, SKU    string
	Quantity     int  // at least 1
	FreeShipping bool // the product is delivered free
	Grams        int  // weight of a piece
	// Price is the price of a piece, Cost the merchant's cost; 0 is sent as null.
	Price, Cost client.Money
	// The dimensions are in centimetres; the empty Measure is 0.
	Width, Height, Depth client.Measure
	// LocationID is the ULID of the origin of the item; empty for the first location of the store.
	LocationID string
}

// Quote is the customer's options, and the calls that they come from.
type Quote struct {
	Options []ShippingOption // the customer's choice
	Calls   []RateCall       // one for each carrier and origin, even if not sent
}

// ShippingOption is a way of delivery that the customer may choose.
type ShippingOption struct {
	// Source is carrier, cache (an answer was reused) or fallback.
	Source string
	// CarrierID and OptionID are 0 for a fallback option.
	CarrierID, OptionID client.ID
	// LocationID is the origin.
	LocationID string
	// Type is ship or pickup.
	Code, Name, Type string
	// Price is the customer's price, with the merchant's additional cost; 0 for free shipping. MerchantPrice is the
	// amount that the merchant pays the carrier.
	Price, MerchantPrice client.Money
	Currency             string // ISO 4217 code of both prices
	// The dates include the merchant's additional days; zero for null.
	MinDelivery, MaxDelivery time.Time
	IDRequired               bool // the customer must provide an identification
	PhoneRequired            bool // the customer must leave a phone number
	AcceptsCOD               bool // may be paid on delivery
	// Available is false for a pickup point that has not all items in stock.
	Available bool
	Reference string // by the carrier, as in the answer
	// Point is {"address": …, "hours": …} of a pickup rate as in the answer; otherwise nil.
	Point json.RawMessage
}

// Quote asks the carriers of the store for rates as the checkout does. It calls every active carrier of an installed
// app, once per origin, at its callback_url, within 5 seconds of the server's clock. Put a handler there with Partner;
// Spend lets its time pass. Requests with the same Key reuse an answer 200 for 15 minutes and an answer 422 for one.
// Quote fails if the parcel is impossible or ctx ends, not because of a carrier's answer. Answers are in the Calls.
func (s *Server) Quote(ctx context.Context, p Parcel) (Quote, error) {
	parcel := carrier.Parcel{CartID: int64(p.CartID), Language: p.Language, To: carrier.Address(p.To), FreeShipping: p.FreeShipping}
	for i, item := range p.Items {
		it, err := item.item()
		if err != nil {
			return Quote{}, fmt.Errorf("clienttest: items[%d]: %w", i, err)
		}
		parcel.Items = append(parcel.Items, it)
	}
	return quoted(reference(s).Carriers().Quote(ctx, s.store, parcel))
}

// Quote asks the carriers of the store for rates of the cart, as Server.Quote does. Digital products are left out. The
// id of an item is that of its variant, and each item leaves from the first location that has enough of it. A coupon of
// type shipping makes the delivery free. Options that business rules hide are left out, as in Basket.PaymentOptions.
func (b *Basket) Quote(ctx context.Context, to ShippingAddress) (Quote, error) {
	s := b.server
	return quoted(reference(s).QuoteCart(ctx, s.store, int64(b.ID), carrier.Address(to)))
}

// quoted returns the customer's view of a quote.
func quoted(q carrier.Quote, err error) (Quote, error) {
	if err != nil {
		return Quote{}, fmt.Errorf("clienttest: %w", err)
	}
	var out Quote
	for _, o := range q.Options {
		out.Options = append(out.Options, ShippingOption{
			Source: string(o.Source), CarrierID: client.ID(o.Carrier), OptionID: client.ID(o.ID), LocationID: o.Location,
			Code: o.Code, Name: o.Name, Type: o.Type, Price: amount(o.Price), MerchantPrice: amount(o.Merchant), Currency: o.Currency,
			MinDelivery: o.MinDelivery, MaxDelivery: o.MaxDelivery, IDRequired: o.IDRequired, PhoneRequired: o.PhoneRequired,
			AcceptsCOD: o.AcceptsCOD, Available: o.Available, Reference: o.Reference, Point: slices.Clone(o.Point),
		})
	}
	for _, c := range q.Calls {
		out.Calls = append(out.Calls, rateCall(c))
	}
	return out, nil
}

func (i ParcelItem) item() (carrier.Item, error) {
	out := carrier.Item{
		ID: int64(i.ID), ProductID: int64(i.ProductID), Name: i.Name, SKU: i.SKU, Quantity: int64(i.Quantity), FreeShipping: i.FreeShipping,
		Grams: int64(i.Grams), Price: i.Price.Decimal(), Location: i.LocationID,
	}
	out.Cost.Decimal = i.Cost.Decimal()
	out.Cost.Valid = !out.Cost.Decimal.IsZero()
	var wrong [3]error
	out.Width, wrong[0] = i.Width.Decimal()
	out.Height, wrong[1] = i.Height.Decimal()
	out.Depth, wrong[2] = i.Depth.Decimal()
	return out, errors.Join(wrong[:]...)
}

// RateCall is one request to a carrier about one origin, or the reason why it was not sent.
type RateCall struct {
	At               time.Time // time of the call, by the server's clock
	AppID, CarrierID client.ID // the app, and its carrier
	LocationID       string    // the origin
	URL              string    // address of the request
	// Key is the MD5 of the request, 32 hexadecimal digits. Identical requests have the same Key.
	Key string
	// Source is carrier (the request was sent), cache (an answer was reused) or circuit (the circuit is open, and
	// nothing was sent).
	Source string
	// Request and Answer are the bodies. Status is 0 if there was no answer.
	Request, Answer []byte
	Status          int
	// Late is set if there was no answer within 5 seconds.
	Late     bool
	Duration time.Duration // time until the answer, by the server's clock
	// Counts is the effect of the answer on the circuit breaker: success, failure or neutral; empty if nothing was
	// sent.
	Counts string
	// Healthy is set for 2xx. Otherwise Fallback reports whether the fallback options are shown.
	Healthy, Fallback bool
	// Hidden are the rates of the answer that are not shown.
	Hidden []HiddenRate
	// Unread names the members of the rates that the platform does not read, such as "rates.address.zip", also of shown
	// rates.
	Unread []string
	// Reason describes why the carrier is not healthy, or why its answer has no rates.
	Reason string
}

// HiddenRate is a rate that the customer does not see.
type HiddenRate struct {
	// Index counts the rates of the answer from 0.
	Index        int
	Code, Reason string // the rate's code, and why it is hidden
}

// RateCalls returns the last 10,000 calls of Quote for the store, the oldest first.
func (s *Server) RateCalls() []RateCall {
	var all []RateCall
	for _, c := range reference(s).Carriers().Calls() {
		if c.Store == s.store {
			all = append(all, rateCall(c))
		}
	}
	return all
}

func rateCall(c carrier.Call) RateCall {
	out := RateCall{
		At: c.At, AppID: client.ID(c.App), CarrierID: client.ID(c.Carrier), LocationID: c.Location, URL: c.URL, Key: c.Key,
		Source: string(c.Source), Request: slices.Clone(c.Request), Answer: slices.Clone(c.Answer), Status: c.Status, Late: c.Late,
		Duration: c.Duration, Counts: string(c.Counts), Healthy: c.Healthy, Fallback: c.Fallback,
		Unread: slices.Clone(c.Unread), Reason: c.Reason,
	}
	for _, h := range c.Hidden {
		out.Hidden = append(out.Hidden, HiddenRate(h))
	}
	return out
}

// FallbackOption is a contingency option. The customer sees it instead of a carrier's options if the carrier answers
// 4xx, 5xx, late or not at all, or if its circuit is open.
type FallbackOption struct {
	Name string // as the customer sees it
	// Price is in the currency of the store.
	Price client.Money
	// MinDays and MaxDays are the duration of the delivery; both are 0 if it is unknown.
	MinDays, MaxDays int
}

// SetFallback sets the merchant's contingency options; without arguments there are none.
func (s *Server) SetFallback(options ...FallbackOption) {
	var list []world.Contingency
	for _, o := range options {
		list = append(list, world.Contingency{Name: o.Name, Price: o.Price.Decimal(), MinDays: o.MinDays, MaxDays: o.MaxDays})
	}
	// The store always exists, so nothing fails.
	_ = reference(s).World().Update(0, s.store, func(tx *world.Tx) error {
		st := tx.Store()
		st.Contingencies = list
		tx.SetStore(st)
		return nil
	})
}

// ShippingRules select between two documented behaviours. The zero value is the contract.
type ShippingRules struct {
	// RequireReference hides rates without a reference, as the platform announced in 2025. The table of the rate calls
	// it optional.
	RequireReference bool
	// RefusalsSucceed makes an answer 4xx a success for the circuit breaker. Otherwise it is neutral and not counted.
	RefusalsSucceed bool
	// PlainCost sends additional_cost of an option as a number, as in the resource of options. Otherwise it is an
	// object of amount and currency, as in the samples.
	PlainCost bool
	// NoCarrier leaves carrier out of the requests, as the sample of 2023 does.
	NoCarrier bool
	// Delay is added to the duration of each answer, as by a slow network. With the server's own clock, nothing really
	// waits.
	Delay time.Duration
}

// SetShippingRules changes the rules. It takes effect with the next Quote.
func (s *Server) SetShippingRules(r ShippingRules) {
	reference(s).Carriers().SetRules(carrier.Rules(r))
}

// CarrierHealth is the state of a carrier at the platform.
type CarrierHealth struct {
	// Healthy is set if the last answer was 2xx, or no request was sent yet.
	Healthy bool
	// Circuit is closed, open (no requests are sent) or probing (requests are sent again, and ten answers decide).
	Circuit string
	// Requests is the number of requests in the last 30 minutes, Failures the failed ones among them. While the circuit
	// is probing, only requests since the probing began count. For an open circuit both are 0.
	Requests, Failures int
	// Since is when the circuit entered its state; zero if it never opened.
	Since time.Time
	// NextCheck is when an open circuit sends requests again; otherwise zero.
	NextCheck time.Time
}

// CarrierHealth returns the state of a carrier of the store.
func (s *Server) CarrierHealth(id client.ID) CarrierHealth {
	h := reference(s).Carriers().Health(s.store, int64(id))
	return CarrierHealth{
		Healthy: h.Healthy, Circuit: string(h.Circuit), Requests: h.Requests, Failures: h.Failures, Since: h.Since, NextCheck: h.NextCheck,
	}
}
