package control

import (
	"bytes"
	"encoding/json"
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver/delivery"
	"github.com/commerceplatform/commerce-go/internal/refserver/work"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// mostEvents is how many events of a record are answered.
const mostEvents = 50

// eventsOf answers the events whose body names a record, the newest first. They are webhooks, and events that were sent
// to nobody.
func eventsOf(c *call) (any, error) {
	r, err := c.resource()
	if err != nil {
		return nil, err
	}
	key, store := c.r.PathValue("key"), c.st.ID
	if _, err := r.record(key); err != nil {
		return nil, err
	}
	type happened struct {
		event int64
		shown map[string]any
	}
	var all []happened
	deliveries := backward(c.server.Webhooks().Part, func(d delivery.Delivery) int64 { return d.ID })
	for d := range deliveries {
		if len(all) > mostEvents || c.ctx.Err() != nil {
			break
		}
		if d.Store == store && bytes.Contains(d.Body, []byte(key)) && names(parsed(d.Body), key) {
			all = append(all, happened{d.Event, map[string]any{
				"event": d.Name, "at": begun(d), "delivery": d.ID, "url": d.URL, "state": d.State, "why": failing(d),
			}})
		}
	}
	sent := len(all)
	for e := range backward(c.server.Webhooks().Unsent, func(e world.Event) int64 { return e.ID }) {
		if len(all)-sent > mostEvents || c.ctx.Err() != nil {
			break
		}
		if e.Store == store && names(fieldsOf(e), key) {
			all = append(all, happened{e.ID, map[string]any{
				"event": e.Name, "at": stamp(e.At), "delivery": nil, "url": "", "state": "unsent", "why": silence(e),
			}})
		}
	}
	slices.SortStableFunc(all, func(a, b happened) int { return int(b.event - a.event) })
	out := []any{}
	for _, one := range all[:min(len(all), mostEvents)] {
		out = append(out, one.shown)
	}
	return map[string]any{"events": out, "complete": len(all) <= mostEvents}, c.ctx.Err()
}

// backward yields records from the newest on, mostLooked at most, piece by piece.
func backward[T any](in func(work.Part) []T, key func(T) int64) iter.Seq[T] {
	return func(yield func(T) bool) {
		part := work.Part{After: math.MaxInt64, Newest: true, Most: piece}
		for looked := 0; looked < mostLooked; looked += piece {
			some := in(part)
			for _, one := range some {
				if part.After = key(one); !yield(one) {
					return
				}
			}
			if len(some) < piece {
				return
			}
		}
	}
}

// begun is when the first attempt of a delivery was made, or the next one is due.
func begun(d delivery.Delivery) *string {
	if len(d.Attempts) > 0 {
		return stamp(d.Attempts[0].At)
	}
	return stamp(d.Next)
}

// parsed is a body as JSON, nil if it is none.
func parsed(raw []byte) any {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return nil
	}
	return v
}

// fieldsOf are the members that the body of an event would have had.
func fieldsOf(e world.Event) any {
	raw, err := encode(e.Fields)
	if err != nil {
		return nil
	}
	return parsed(raw)
}

// names reports whether a value has the key of a record in a member whose name ends with id.
func names(v any, key string) bool { return hasKey(v, "", key) }

func hasKey(v any, member, key string) bool {
	switch v := v.(type) {
	case map[string]any:
		for name, value := range v {
			if name != "store_id" && name != "app_id" && hasKey(value, name, key) {
				return true
			}
		}
	case []any:
		for _, value := range v {
			if hasKey(value, member, key) {
				return true
			}
		}
	case string:
		return v == key && isID(member)
	case json.Number:
		return v.String() == key && isID(member)
	}
	return false
}

// isID reports whether a member has ids: id, order_id, orders_to_redact and the like.
func isID(member string) bool {
	return member == "id" || strings.HasSuffix(member, "_id") || strings.HasSuffix(member, "_ids") ||
		strings.HasPrefix(member, "orders")
}
