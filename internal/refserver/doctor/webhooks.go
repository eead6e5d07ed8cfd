package doctor

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/delivery"
)

// attempts is how often a webhook is sent at most.
const attempts = 16

// usualEvent is emitted if the app has registered none at the endpoint.
const usualEvent = "order/paid"

// webhooks is an endpoint for events.
type webhooks struct {
	event string
	id    int64 // of the record or the customer in the last event
	// protected are the calls of data protection.
	protected []exchange
}

func (*webhooks) limit() time.Duration { return delivery.DefaultTimeout }

func (*webhooks) signs(*exam) bool { return true }

func (*webhooks) sign(e *exam, like exchange, body []byte) (http.Header, bool) {
	return resigned(e, like, body), true
}

func (w *webhooks) prepare(ctx context.Context, e *exam) error {
	type registered struct {
		Event string `json:"event"`
		URL   string `json:"url"`
	}
	known, err := all[registered](ctx, e.platform, e.platform.in("entities/webhooks"))
	if err != nil {
		return err
	}
	for _, k := range known {
		if k.URL == e.address() && !strings.HasPrefix(k.Event, "app/") {
			w.event = k.Event
		}
	}
	if w.event == "" {
		w.event = usualEvent
		_, err = e.platform.act(ctx, http.MethodPost, "/webhooks", object{"event": w.event, "url": e.address()})
	}
	w.id = 9_000_000_000 + time.Now().UnixNano()%1_000_000_000 // of no record: ids of earlier examinations are remembered
	return err
}

// deliveryJSON is a webhook as the control API shows it.
type deliveryJSON struct {
	ID       int64           `json:"id"`
	URL      string          `json:"url"`
	Body     json.RawMessage `json:"body"`
	Attempts []struct {
		Status int    `json:"status"`
		Error  string `json:"error"`
	} `json:"attempts"`
}

func (w *webhooks) call(ctx context.Context, e *exam) (verdict, error) {
	w.id++
	return w.cause(ctx, e, w.event, e.address(), object{"id": w.id})
}

// mark is a member of the bodies that an examination causes.
func (w *webhooks) mark() []byte { return fmt.Appendf(nil, `"id":%d`, w.id) }

// cause emits an event, and returns what came of its delivery to an address. The id in the body distinguishes it from
// deliveries of others. The body of store/redact has none.
func (w *webhooks) cause(ctx context.Context, e *exam, event, address string, fields object) (verdict, error) {
	ours := func(body []byte) bool {
		if len(fields) == 0 {
			return !bytes.Contains(body, []byte(`"id":`))
		}
		return bytes.Contains(body, w.mark())
	}
	before, err := deliveries(ctx, e, event, "order=newest&limit=1")
	if err != nil {
		return verdict{}, err
	}
	after := int64(0)
	if len(before) > 0 {
		after = before[0].ID
	}
	emitted := object{"event": event, "app": e.platform.app, "fields": fields}
	if err := e.platform.Call(ctx, http.MethodPost, e.platform.in("emit"), emitted, nil); err != nil {
		return verdict{}, err
	}
	for until := time.Now().Add(w.limit() + 2*time.Second); ; {
		since, err := deliveries(ctx, e, event, fmt.Sprintf("after=%d&limit=200", after))
		if err != nil {
			return verdict{}, err
		}
		for _, d := range since {
			if d.URL != address || !ours(d.Body) {
				continue
			}
			if len(d.Attempts) == 0 {
				until = time.Now().Add(time.Second) // it waits for others, or for this machine
				continue
			}
			// The relay goes by real time, whatever the platform's clock is.
			a := d.Attempts[0]
			x, arrived := e.relay.find(ctx, func(x exchange) bool { return ours(x.body) })
			if !arrived {
				return verdict{}, errNothing
			}
			return verdict{
				status: a.Status, accepted: a.Status >= 200 && a.Status < 300 && a.Error == "", took: x.took, says: a.Error,
				late: a.Status == 0 && strings.HasPrefix(a.Error, "no answer within"), ex: x,
			}, nil
		}
		if time.Now().After(until) {
			return verdict{}, errNothing
		}
		if err := pause(ctx, 5*time.Millisecond); err != nil {
			return verdict{}, err
		}
	}
}

// deliveries returns a page of the deliveries of an event.
func deliveries(ctx context.Context, e *exam, event, query string) ([]deliveryJSON, error) {
	page, err := get[struct {
		Items []deliveryJSON `json:"items"`
	}](ctx, e.platform, "deliveries?event="+event+"&"+query)
	return page.Items, err
}

func (w *webhooks) checks() []check {
	return slices.Concat(signatureChecks(), w.ownChecks(), w.bodyChecks())
}

func (w *webhooks) ownChecks() []check {
	return []check{
		{
			name: "raw bytes", sent: "a genuine body with other spaces and escapes, and the signature of that", after: []string{"unsigned"},
			rule: ruleTrust, run: w.rawBytes,
			fix: "verify the bytes as they arrived: what a parser read and wrote again is another text",
		},
		{
			name: "again", sent: fmt.Sprintf("the same webhook %d times", attempts), run: w.again,
			rule: "Limits: up to 16 attempts over 48 hours: what was handled is answered 2xx again",
			fix:  "answer 2xx to what you have already, and do nothing",
		},
		{
			name: "unknown event", sent: `a webhook of an event that is not documented`, run: w.unknownEvent,
			rule: "Events: new kinds of events are added; a webhook that is not answered 2xx is sent 16 times",
			fix:  "answer 2xx to events that you do not know, and store them for review",
		},
		{
			name: "data protection", sent: "customers/data_request, customers/redact and store/redact", run: w.dataProtection,
			rule: "Events, data protection: every app has addresses for these three, and answers 2xx",
			fix: "handle the three events; their bodies name no event, so give each an address of its own in the " +
				"app's settings",
		},
	}
}

// escape is a body with the same meaning in other bytes.
func escape(body []byte) []byte {
	text := strings.ReplaceAll(string(body), "/", `\/`)
	return []byte(strings.Replace(text, `{"`, "{ \t\"", 1) + "\r\n")
}

func (w *webhooks) rawBytes(ctx context.Context, e *exam) (outcome, error) {
	x, _ := e.made(escape(e.posted().body))
	if x = e.direct(ctx, x); x.err != nil || x.status < 200 || x.status > 299 {
		return fail("%s", x)
	}
	return pass("%s", x)
}

func (w *webhooks) again(ctx context.Context, e *exam) (outcome, error) {
	for n := range attempts {
		if x := e.direct(ctx, e.posted()); x.err != nil || x.status < 200 || x.status > 299 {
			return fail("attempt %d: %s", n+2, x)
		}
	}
	return pass("2xx each time")
}

func (w *webhooks) unknownEvent(ctx context.Context, e *exam) (outcome, error) {
	x, _ := e.made(fmt.Appendf(nil, `{"store_id":%d,"event":"loyalty_card/stamped","id":5}`, e.platform.store))
	if x = e.direct(ctx, x); x.err != nil || x.status < 200 || x.status > 299 {
		return fail("%s", x)
	}
	return pass("%s", x)
}

func (w *webhooks) dataProtection(ctx context.Context, e *exam) (outcome, error) {
	path := fmt.Sprintf("apps/%d/addresses", e.platform.app)
	apps, err := all[struct {
		ID        int64           `json:"id"`
		Addresses json.RawMessage `json:"addresses"`
	}](ctx, e.platform, "apps")
	if err != nil {
		return outcome{}, err
	}
	for _, a := range apps {
		if a.ID == e.platform.app {
			e.restore = append(e.restore, func(ctx context.Context) error {
				return e.platform.put(ctx, path, a.Addresses)
			})
		}
	}
	to := object{}
	for _, a := range apps {
		if a.ID == e.platform.app {
			_ = json.Unmarshal(a.Addresses, &to) // of the server itself
		}
	}
	for _, name := range []string{"customers_data_request", "customers_redact", "store_redact"} {
		if at, _ := to[name].(string); !strings.HasPrefix(at, e.o.Origin+"/") {
			to[name] = e.address()
		}
	}
	if err := e.platform.put(ctx, path, to); err != nil {
		return outcome{}, err
	}
	for _, event := range []string{"customers/data_request", "customers/redact", "store/redact"} {
		address, _ := to[strings.ReplaceAll(event, "/", "_")].(string)
		v, err := w.cause(ctx, e, event, address, protected(event, w.id))
		if err != nil {
			return outcome{}, err
		}
		if !v.accepted {
			return fail("%s: %s", event, v)
		}
		w.protected = append(w.protected, v.ex)
	}
	return pass("2xx for each")
}

// protected are the members of an event of data protection, about a customer whom nobody knows.
func protected(event string, id int64) object {
	customer := object{"id": id, "email": "nobody@mail.example", "phone": nil, "identification": nil}
	switch event {
	case "customers/redact":
		return object{"customer": customer, "orders_to_redact": []int64{}}
	case "customers/data_request":
		return object{
			"customer": customer, "data_request": object{"id": id},
			"orders_requested": []int64{}, "checkouts_requested": []int64{}, "drafts_orders_requested": []int64{},
		}
	}
	return object{}
}
