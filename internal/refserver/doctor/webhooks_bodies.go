package doctor

import (
	"context"
	"fmt"
	"strings"
)

// bodyChecks are those of genuine webhooks that are unlike the first.
func (w *webhooks) bodyChecks() []check {
	const contents = "Events: a body has store_id, event and id; it is stored as it came"
	return []check{
		{
			name: "each event", sent: "events of other records, and those of one record in another order", rule: contents,
			after: []string{"unsigned", "unknown event"}, run: w.eachEvent,
			fix: "answer 2xx to each event, also to one about a record that you have not seen or that is gone",
		},
		{
			name: "unsigned events", sent: "unsigned bodies of other events", rule: ruleTrust,
			after: []string{"unsigned", "wrong signature", "another body"}, run: refuses(w.unsignedEvents),
			fix: "verify before you look at the event: no event is an exception, data protection and app/uninstalled included",
		},
		{
			name: "ids", sent: "a webhook whose ids are texts, one whose id is large, and one whose id is null", rule: contents,
			after: []string{"each event"}, run: w.accepts(w.otherIDs),
			fix: "read ids from numbers and texts, with all digits, and answer 2xx once the body is stored",
		},
		{
			name: "another store", sent: "events of a store that does not have the app", run: w.anotherStore,
			rule: "Events: an event of a store can arrive after the end of the installation",
			fix:  "answer 2xx to an event of a store that you do not know, or 4xx, but not 5xx: it would be sent 16 times",
		},
		{
			name: "data protection again", sent: "the three calls of data protection once more",
			rule:  "Limits: up to 16 attempts over 48 hours: what was handled is answered 2xx again",
			after: []string{"data protection", "again"}, run: w.protectedAgain,
			fix: "answer 2xx if the customer or the store is deleted already",
		},
		{
			name: "300 KB", sent: "a signed webhook of 300 KB", after: []string{"unknown members"}, rule: contents,
			run: w.accepts(func(e *exam) [][]byte {
				return [][]byte{withMember(e.posted().body, "padding", strings.Repeat("x", 300_000))}
			}),
			fix: "read up to 1 MiB: the limit of many frameworks is 100 KB if you do not set it",
		},
		{
			name: "letters", sent: "a signed webhook with letters beyond ASCII, whose bytes arrive in different chunks",
			rule: ruleTrust, after: []string{"raw bytes", "unknown members"}, run: w.letters,
			fix: "collect bytes, not texts: a letter of several bytes can be divided between two chunks",
		},
	}
}

// accepts returns a check that signed bodies are answered 2xx.
func (w *webhooks) accepts(bodies func(e *exam) [][]byte) func(ctx context.Context, e *exam) (outcome, error) {
	return func(ctx context.Context, e *exam) (outcome, error) {
		all := bodies(e)
		for _, body := range all {
			if x := e.sent(ctx, body); x.err != nil || x.status < 200 || x.status > 299 {
				return fail("%s for %s", x, shown(body))
			}
		}
		return pass("2xx for %d webhooks", len(all))
	}
}

func eventOf(store int64, event string, id int64) []byte {
	return fmt.Appendf(nil, `{"store_id":%d,"event":%q,"id":%d}`, store, event, id)
}

// otherEvents are events that change nothing about the installation, those of a record in an order that nobody expects.
var otherEvents = []string{
	"product/deleted", "product/updated", "product/created", "order/cancelled", "order/paid", "order/updated", "order/created",
	"order/fulfilled", "category/deleted", "category/created", "domain/updated", "customer/updated", "customer/created",
}

func (w *webhooks) eachEvent(ctx context.Context, e *exam) (outcome, error) {
	return w.accepts(func(e *exam) (out [][]byte) {
		w.id++
		for _, event := range otherEvents {
			out = append(out, eventOf(e.platform.store, event, w.id))
		}
		return out
	})(ctx, e)
}

func (w *webhooks) unsignedEvents(e *exam) []forgery {
	var out []forgery
	for _, event := range append([]string{
		"app/uninstalled", "app/suspended", "app/resumed", "loyalty_card/stamped", "",
	}, otherEvents...) {
		body := eventOf(e.platform.store, event, w.id)
		out = append(out, forgery{"unsigned event " + event, func(x *exchange) { strip(x); x.body = body }})
	}
	redact := fmt.Appendf(nil, `{"store_id":%d}`, e.platform.store)
	return append(out, forgery{"unsigned store/redact", func(x *exchange) { strip(x); x.body = redact }})
}

func (w *webhooks) otherIDs(e *exam) [][]byte {
	store, event := e.platform.store, w.event
	return [][]byte{
		fmt.Appendf(nil, `{"store_id":"%d","event":%q,"id":"%d"}`, store, event, w.id),
		eventOf(store, event, 1<<53+1),
		fmt.Appendf(nil, `{"store_id":%d,"event":%q,"id":null}`, store, event),
		fmt.Appendf(nil, `{"store_id":%d,"event":%q}`, store, event),
	}
}

func (w *webhooks) anotherStore(ctx context.Context, e *exam) (outcome, error) {
	for _, event := range []string{w.event, "app/uninstalled", "app/suspended"} {
		if x := e.sent(ctx, eventOf(strangerStore, event, w.id)); x.err != nil || x.status >= 500 || x.status < 200 {
			return fail("%s for %s", x, event)
		}
	}
	return pass("2xx or 4xx for each")
}

func (w *webhooks) protectedAgain(ctx context.Context, e *exam) (outcome, error) {
	for _, x := range w.protected {
		if x = e.direct(ctx, x); x.err != nil || x.status < 200 || x.status > 299 {
			return fail("%s for %s", x, shown(x.body))
		}
	}
	return pass("2xx for each")
}

func (w *webhooks) letters(ctx context.Context, e *exam) (outcome, error) {
	whole, x := e.direct(ctx, e.posted()), e.posted()
	x.shape = split
	if x = e.direct(ctx, x); x.status != whole.status {
		return skip("the endpoint reads no chunks: %s", x)
	}
	for _, s := range []shape{plain, split} {
		x, _ := e.made(withMember(e.posted().body, "note", fmt.Sprint("Ñandú São 東京 😀", s)))
		x.shape = s
		if got := e.direct(ctx, x); got.err != nil || got.status < 200 || got.status > 299 {
			return fail("%s", got)
		}
	}
	return pass("2xx, both times")
}
