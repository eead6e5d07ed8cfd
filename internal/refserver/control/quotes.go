package control

import (
	"fmt"
	"net/netip"
	"strconv"
	"time"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/carrier"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

type addressJSON struct {
	Name       string `json:"name"`
	Address    string `json:"address"`
	Number     string `json:"number"`
	Floor      string `json:"floor"`
	Locality   string `json:"locality"`
	City       string `json:"city"`
	Province   string `json:"province"`
	Country    string `json:"country"`
	PostalCode string `json:"postal_code"`
	Phone      string `json:"phone"`
}

type parcelJSON struct {
	Cart         int64            `json:"cart"`
	Language     string           `json:"language"`
	To           addressJSON      `json:"to"`
	Items        []parcelItemJSON `json:"items"`
	FreeShipping bool             `json:"free_shipping"`
}

type parcelItemJSON struct {
	ID           int64  `json:"id"`
	Product      int64  `json:"product"`
	Name         string `json:"name"`
	SKU          string `json:"sku"`
	Quantity     int64  `json:"quantity"`
	FreeShipping bool   `json:"free_shipping"`
	Grams        int64  `json:"grams"`
	Price        amount `json:"price"`
	Cost         amount `json:"cost"`
	Width        amount `json:"width"`
	Height       amount `json:"height"`
	Depth        amount `json:"depth"`
	Location     string `json:"location"`
}

// parcel is the parcel that a body describes.
func (in parcelJSON) parcel() carrier.Parcel {
	p := carrier.Parcel{CartID: in.Cart, Language: in.Language, To: carrier.Address(in.To), FreeShipping: in.FreeShipping}
	for _, i := range in.Items {
		p.Items = append(p.Items, carrier.Item{
			ID: i.ID, ProductID: i.Product, Name: i.Name, SKU: i.SKU, Quantity: i.Quantity, FreeShipping: i.FreeShipping,
			Grams: i.Grams,
			Price: i.Price.Decimal, Cost: decimal.NullDecimal{Decimal: i.Cost.Decimal, Valid: !i.Cost.IsZero()},
			Width: i.Width.Decimal, Height: i.Height.Decimal, Depth: i.Depth.Decimal, Location: i.Location,
		})
	}
	return p
}

func quote(c *call, in parcelJSON) (any, error) {
	return quoted(c.server.Carriers().Quote(c.ctx, c.st.ID, in.parcel()))
}

type cartQuoteJSON struct {
	To addressJSON `json:"to"`
}

func quoteCart(c *call, in cartQuoteJSON) (any, error) {
	_, id, err := c.basket()
	if err != nil {
		return nil, err
	}
	return quoted(c.server.QuoteCart(c.ctx, c.st.ID, id, carrier.Address(in.To)))
}

func quoted(q carrier.Quote, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	options, calls := []any{}, []any{}
	for _, o := range q.Options {
		options = append(options, map[string]any{
			"source": o.Source, "carrier": o.Carrier, "option": o.ID, "location": o.Location, "code": o.Code, "name": o.Name,
			"type": o.Type, "price": money(o.Price), "merchant_price": money(o.Merchant), "currency": o.Currency,
			"min_delivery": stamp(o.MinDelivery), "max_delivery": stamp(o.MaxDelivery), "id_required": o.IDRequired,
			"phone_required": o.PhoneRequired, "accepts_cod": o.AcceptsCOD, "available": o.Available, "reference": o.Reference,
			"point": shown(o.Point),
		})
	}
	for _, one := range q.Calls {
		calls = append(calls, showRateCall(one))
	}
	return map[string]any{"options": options, "calls": calls}, nil
}

func showRateCall(r carrier.Call) any {
	hidden := []any{}
	for _, h := range r.Hidden {
		hidden = append(hidden, map[string]any{"index": h.Index, "code": h.Code, "why": h.Reason})
	}
	return map[string]any{
		"n": r.N, "at": stamp(r.At), "app": r.App, "carrier": r.Carrier, "location": r.Location, "url": r.URL, "key": r.Key,
		"source": r.Source, "hit": r.Source == carrier.Cached, "request": shown(r.Request), "status": r.Status,
		"answer": shown(r.Answer),
		"late":   r.Late, "ms": ms(r.Duration), "decided_by": r.DecidedBy, "counts": r.Counts, "healthy": r.Healthy,
		"fallback": r.Fallback,
		"hidden":   hidden, "unread": append([]string{}, r.Unread...), "reason": r.Reason,
	}
}

func rateCalls(c *call) (any, error) {
	return records[carrier.Call]{
		in: c.server.Carriers().CallsIn, key: func(r carrier.Call) int64 { return int64(r.N) },
		keep: func(r carrier.Call) bool { return r.Store == c.st.ID }, show: showRateCall,
	}.page(c)
}

func health(c *call) (any, error) {
	var known []int64
	err := c.server.World().View(0, c.st.ID, func(tx *world.Tx) error {
		for id := range tx.Carriers.All() {
			known = append(known, id)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, id := range known {
		if id == c.id("carrier") {
			h := c.server.Carriers().Health(c.st.ID, id)
			return map[string]any{
				"carrier": id, "healthy": h.Healthy, "circuit": h.Circuit, "requests": h.Requests, "failures": h.Failures,
				"since": stamp(h.Since), "next_check": stamp(h.NextCheck),
			}, nil
		}
	}
	return nil, unknown("carrier", c.r.PathValue("carrier"), ids(known, func(id int64) int64 { return id }))
}

type fallbackJSON struct {
	Options []fallbackOptionJSON `json:"options"`
}

type fallbackOptionJSON struct {
	Name    string `json:"name"`
	Price   amount `json:"price"`
	MinDays int    `json:"min_days"`
	MaxDays int    `json:"max_days"`
}

func fallback(c *call) (any, error) {
	out := []any{}
	for _, o := range c.st.Contingencies {
		out = append(out, map[string]any{
			"name": o.Name, "price": money(o.Price), "min_days": o.MinDays, "max_days": o.MaxDays,
		})
	}
	return map[string]any{"options": out}, nil
}

// mostDays is far beyond any delivery.
const mostDays = 1000

func setFallback(c *call, in fallbackJSON) (any, error) {
	var list []world.Contingency
	for i, o := range in.Options {
		switch {
		case o.Name == "":
			return nil, wrong(fmt.Sprintf("options[%d].name", i), "", "must not be empty")
		case o.MinDays < 0 || o.MaxDays < o.MinDays || o.MaxDays > mostDays:
			return nil, wrong(fmt.Sprintf("options[%d].max_days", i), o.MaxDays, "must be min_days to "+strconv.Itoa(mostDays))
		}
		list = append(list, world.Contingency{Name: o.Name, Price: o.Price.Decimal, MinDays: o.MinDays, MaxDays: o.MaxDays})
	}
	err := c.server.World().Update(0, c.st.ID, func(tx *world.Tx) error {
		s := tx.Store()
		s.Contingencies = list
		tx.SetStore(s)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return fallback(c)
}

type shippingRulesJSON struct {
	RequireReference bool `json:"require_reference"`
	RefusalsSucceed  bool `json:"refusals_succeed"`
	PlainCost        bool `json:"plain_cost"`
	NoCarrier        bool `json:"no_carrier"`
	Delay            span `json:"delay"`
}

func shippingRules(c *call) (any, error) {
	r := c.server.Carriers().Rules()
	return shippingRulesJSON{r.RequireReference, r.RefusalsSucceed, r.PlainCost, r.NoCarrier, span(r.Delay)}, nil
}

func setShippingRules(c *call, in shippingRulesJSON) (any, error) {
	if in.Delay < 0 || time.Duration(in.Delay) > mostTime {
		return nil, wrong("delay", in.Delay, "must be 0s to "+mostTime.String())
	}
	c.server.Carriers().SetRules(carrier.Rules{
		RequireReference: in.RequireReference, RefusalsSucceed: in.RefusalsSucceed, PlainCost: in.PlainCost,
		NoCarrier: in.NoCarrier, Delay: time.Duration(in.Delay),
	})
	return in, nil
}

// isIP reports whether a text is an IP address.
func isIP(s string) bool {
	_, err := netip.ParseAddr(s)
	return err == nil
}
