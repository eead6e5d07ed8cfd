package refserver

import (
	"cmp"
	"fmt"

	"github.com/commerceplatform/commerce-go/internal/refserver/carrier"
	"github.com/commerceplatform/commerce-go/internal/refserver/delivery"
	"github.com/commerceplatform/commerce-go/internal/refserver/label"
	"github.com/commerceplatform/commerce-go/internal/refserver/payment"
	"github.com/commerceplatform/commerce-go/internal/refserver/rules"
	"github.com/commerceplatform/commerce-go/internal/refserver/shop"
	"github.com/commerceplatform/commerce-go/internal/refserver/traffic"
)

// judged sets the state of a call, which is late, failed or ok.
func judged(e *traffic.Entry, late, ok bool, word, reason string) {
	e.State, e.Word = traffic.StateOK, word
	switch {
	case late:
		e.State, e.Word = traffic.StateLate, "no answer in time"
	case !ok:
		e.State, e.Word = traffic.StateFailed, "failed"
	}
	if reason != "" {
		e.Line = reason
	}
}

func cartEntry(r shop.Run, store int64) (traffic.Entry, delivery.Wire) {
	e := traffic.Entry{
		Kind: traffic.KindCart, At: r.At, Name: string(r.Tier), Store: store, App: r.App, Status: r.Status, Took: r.Duration,
		Record: traffic.Record{Resource: "carts", Key: fmt.Sprint(r.Cart)},
		Line:   fmt.Sprintf("%d: %s, total %s", r.Status, traffic.Count(len(r.Commands), "command"), r.After.Total.StringFixed(2)),
	}
	judged(&e, r.Late, r.Outcome != shop.Removed, string(r.Outcome), r.Reason)
	switch {
	case r.Late:
	case r.Outcome == shop.Removed:
		e.Word = "its discounts were removed"
	case r.Outcome == shop.Ignored:
		e.State = traffic.StateIgnored
	}
	return e, r.Wire
}

func rateEntry(c carrier.Call) (traffic.Entry, delivery.Wire) {
	e := traffic.Entry{
		Kind: traffic.KindRate, At: c.At, Name: "carrier " + fmt.Sprint(c.Carrier), Store: c.Store, App: c.App,
		Status: c.Status, Took: c.Duration, Line: fmt.Sprint(c.Status),
	}
	e.Record = about("carts", idsOf(c.Request).Cart)
	word := "answered"
	if c.Source != carrier.Asked {
		word = "from the " + string(c.Source)
	}
	if len(c.Hidden) > 0 {
		e.Line = fmt.Sprintf("%d, %s hidden: %s", c.Status, traffic.Count(len(c.Hidden), "rate"), c.Hidden[0].Reason)
	}
	judged(&e, c.Late, c.Healthy || c.Source == carrier.Cached, word, c.Reason)
	return e, c.Wire
}

func ruleEntry(r rules.Run) (traffic.Entry, delivery.Wire) {
	e := traffic.Entry{
		Kind: traffic.KindRule, At: r.At, Name: string(r.Domain), Store: r.Store, App: r.App, Status: r.Status, Took: r.Duration,
		Record: traffic.Record{Resource: "carts", Key: fmt.Sprint(r.Cart)},
		Line:   fmt.Sprintf("%d: %s", r.Status, cmp.Or(r.Command, "no command")),
	}
	judged(&e, r.Late, r.Outcome == rules.Applied || r.Reason == "", string(r.Outcome), r.Reason)
	return e, r.Wire
}

func labelEntry(c label.Call) (traffic.Entry, delivery.Wire) {
	e := traffic.Entry{
		Kind: traffic.KindLabel, At: c.At, Name: string(c.Kind), Store: c.Store, App: c.App, Status: c.Status, Took: c.Duration,
		Line: fmt.Sprintf("%d: %s", c.Status, traffic.Count(len(c.Results), "label")), Next: c.Next,
	}
	if len(c.Results) > 0 {
		e.Record = traffic.Record{Resource: "fulfillment_orders", Key: c.Results[0].Fulfillment}
	}
	refused := false
	for _, r := range c.Results {
		if refused = refused || !r.OK; !r.OK && r.Code+r.Message != "" {
			e.Line = fmt.Sprintf("%d: %s %s", c.Status, r.Code, r.Message)
		}
	}
	judged(&e, c.Late, c.Reason == "", "answered", c.Reason)
	if refused && e.State == traffic.StateOK {
		e.State, e.Word = traffic.StateRefused, "refused"
	}
	return e, c.Wire
}

func paymentEntry(c payment.Call) (traffic.Entry, delivery.Wire) {
	e := traffic.Entry{
		Kind: traffic.KindPayment, At: c.At, Name: string(c.Kind), Store: c.Store, App: c.App, Status: c.HTTPStatus,
		Took: c.Duration, Line: fmt.Sprintf("%d: %s", c.HTTPStatus, c.Outcome), Next: c.Next,
	}
	e.Record = about("orders", idsOf(c.Request).Order)
	judged(&e, c.Late, c.Outcome != payment.Failed, string(c.Outcome), c.Reason)
	if c.Outcome == payment.Rejected {
		e.State = traffic.StateRefused
	}
	return e, c.Wire
}
