package control

import (
	"fmt"
	"slices"

	"github.com/commerceplatform/commerce-go/internal/refserver/delivery"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// showDelivery is a webhook with its attempts, and why it has not arrived.
func showDelivery(d delivery.Delivery) any {
	attempts := []any{}
	for _, a := range d.Attempts {
		attempts = append(attempts, map[string]any{
			"n": a.N, "at": stamp(a.At), "wait_ms": ms(a.Wait), "to": a.To, "signature": a.Signature, "status": a.Status,
			"answer": shown([]byte(a.Answer)), "error": a.Error, "ms": ms(a.Duration), "resent": a.Resent,
			"decided_by": a.DecidedBy,
		})
	}
	return map[string]any{
		"id": d.ID, "rev": d.Rev, "event": d.Name, "store": d.Store, "app": d.App, "webhook": d.Webhook, "url": d.URL,
		"body": shown(d.Body), "state": d.State, "next": stamp(d.Next), "why": failing(d), "attempts": attempts,
	}
}

// failing is why a delivery has not arrived, empty if it has.
func failing(d delivery.Delivery) string {
	if d.State == delivery.Delivered {
		return ""
	}
	if len(d.Attempts) == 0 {
		return "no attempt was made yet"
	}
	last := d.Attempts[len(d.Attempts)-1]
	if last.Error == "" && !last.OK() {
		return fmt.Sprintf("status %d: must be 2xx", last.Status)
	}
	return last.Error
}

func deliveries(c *call) (any, error) {
	q := c.r.URL.Query()
	if name := q.Get("event"); name != "" {
		if err := eventExists(name, eventNames()); err != nil {
			return nil, err
		}
	}
	states := []string{string(delivery.Pending), string(delivery.Delivered), string(delivery.Failed)}
	if state := q.Get("state"); state != "" && !slices.Contains(states, state) {
		return nil, unknown("state", state, states)
	}
	all := records[delivery.Delivery]{
		in: c.server.Webhooks().Part, key: func(d delivery.Delivery) int64 { return d.ID }, show: showDelivery,
	}
	if q.Get("event")+q.Get("state")+q.Get("store") != "" {
		all.keep = func(d delivery.Delivery) bool {
			return matches(q.Get("event"), d.Name) && matches(q.Get("state"), string(d.State)) &&
				matches(q.Get("store"), text(d.Store))
		}
	}
	return all.page(c)
}

// matches reports whether a value is the one that is asked for, if any is.
func matches(wanted, got string) bool { return wanted == "" || wanted == got }

// register is what helps where there is no webhook.
const register = "register one with POST /webhooks of the API"

// silence is why nobody was notified of an event.
func silence(e world.Event) string {
	switch e.Silence {
	case world.Suspended:
		return fmt.Sprintf("store %d is suspended: its webhooks are neither sent nor kept", e.Store)
	case world.NoAddress:
		return fmt.Sprintf("app %d has no address for %s: PUT %sapps/%d/addresses sets it", e.App, e.Name, Prefix, e.App)
	}
	if e.App == 0 {
		return fmt.Sprintf("no app had a webhook for %s in store %d: %s", e.Name, e.Store, register)
	}
	return fmt.Sprintf("app %d had no webhook for %s in store %d: %s", e.App, e.Name, e.Store, register)
}

func unsent(c *call) (any, error) {
	show := func(e world.Event) any {
		return map[string]any{
			"id": e.ID, "at": stamp(e.At), "event": e.Name, "store": e.Store, "app": e.App, "fields": e.Fields,
			"why": silence(e),
		}
	}
	key := func(e world.Event) int64 { return e.ID }
	return records[world.Event]{in: c.server.Webhooks().Unsent, key: key, show: show}.page(c)
}

// delivery is the webhook of the path.
func (c *call) delivery() (delivery.Delivery, error) {
	d, ok := c.server.Webhooks().Delivery(c.id("delivery"))
	if !ok {
		known := ids(c.server.Webhooks().Part(lastKnown), func(d delivery.Delivery) int64 { return d.ID })
		return d, unknown("delivery", c.r.PathValue("delivery"), known)
	}
	return d, nil
}

func deliveryOf(c *call) (any, error) {
	d, err := c.delivery()
	if err != nil {
		return nil, err
	}
	return showDelivery(d), nil
}

func resend(c *call) (any, error) {
	d, err := c.delivery()
	if err != nil {
		return nil, err
	}
	if err := c.server.Resend(d.ID); err != nil {
		return nil, err
	}
	return showDelivery(d), nil
}

type orderJSON struct {
	Twice   bool `json:"twice"`
	Reorder bool `json:"reorder"`
}

func order(c *call) (any, error) {
	twice, reorder := c.server.Webhooks().Order()
	return orderJSON{twice, reorder}, nil
}

func setOrder(c *call, in orderJSON) (any, error) {
	c.server.Webhooks().SetOrder(in.Twice, in.Reorder)
	return in, nil
}
