package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/internal/refserver/act"
	"github.com/commerceplatform/commerce-go/internal/refserver/control"
)

func triggerCommand() command {
	return command{
		name: "trigger", args: "[EVENT]", most: 1, does: "causes an event, such as order/paid, and shows its webhooks",
		lesson: `The command makes the API calls that cause the event, so the event and the records agree: for order/paid it creates a
product and an order, and pays the order. It shows the webhooks with their answers, or why the event went to no app.
Without an EVENT it lists the events.

    refserver trigger product/created
    refserver trigger product/created --set name.en=Mug --set 'variants=[{"price":"12.50","stock":3}]'
    refserver trigger order/paid --to http://127.0.0.1:3000/hooks
    refserver trigger domain/updated

--set NAME=VALUE sets a member of the body of the call that causes the event. name.en is the member en of the object name.
VALUE is JSON, or else text. --body FILE replaces the whole body. --set payload.id=ID uses an existing record instead of
a new one. No API call causes some events, such as domain/updated. --set payload.NAME=VALUE sets their members.

"refserver resend ID" sends a webhook again now, and "refserver clock next" moves the clock to the next retry.`,
		bind: func(f *flag.FlagSet) func(context.Context, *env) error {
			in := triggerFlags{set: map[string]string{}}
			f.Func("set", "`name=value` of the body, or payload.name=value; repeatable", func(s string) error {
				name, value, ok := strings.Cut(s, "=")
				if !ok || name == "" {
					return fmt.Errorf("must be like name.en=Mug or payload.id=5")
				}
				in.set[name] = value
				return nil
			})
			f.StringVar(&in.to, "to", "", "`URL` of an app that receives the event from now on")
			f.StringVar(&in.file, "body", "", "`file` with the body of the call that causes the event; - is standard input")
			return func(ctx context.Context, e *env) error {
				if len(e.args) == 0 {
					return list(ctx, e, "events", nil, columns{"EVENT event"})
				}
				return trigger(ctx, e, e.args[0], in)
			}
		},
	}
}

type triggerFlags struct {
	set      map[string]string
	file, to string
}

func trigger(ctx context.Context, e *env, event string, in triggerFlags) error {
	r, ok := recipes()[event]
	if !ok {
		// The server knows the nearest name.
		return e.remote.Call(ctx, http.MethodGet, "deliveries?limit=1&event="+escape(event), nil, nil)
	}
	if in.to != "" {
		if err := sendEventTo(ctx, e, event, in.to); err != nil {
			return err
		}
	}
	before, err := seen(ctx, e)
	if err != nil {
		return err
	}
	made, err := r.cause(ctx, e, event, in)
	if err != nil {
		return err
	}
	if err := e.do(ctx, "settle", nil, nil, nil); err != nil {
		return err
	}
	return reportSince(ctx, e, event, before, made)
}

// cause makes the calls that cause the event. It returns the records that they made or are about.
func (r recipe) cause(ctx context.Context, e *env, event string, in triggerFlags) ([]reply, error) {
	payload, body, err := in.split()
	if err != nil {
		return nil, err
	}
	given, hasID := payload["id"]
	records := slices.Clone(r.make)
	switch {
	case r.emitted != nil:
		return nil, e.do(ctx, "stores.emit", nil, members{"event": event, "fields": payload}, nil)
	case hasID && r.find == "":
		return nil, misused("--set payload.id", fmt.Sprint(given), "must be used with an event about an existing record; "+event+" creates one")
	case hasID:
		records = []record{{Method: http.MethodGet, Path: r.find + escape(fmt.Sprint(given)), As: "it"}}
	}
	for name := range payload {
		if name != "id" {
			return nil, misused("--set payload."+name, in.set["payload."+name], "must be used with an event that no API call causes; leave out \"payload.\" to set a member of the call's body")
		}
	}
	records = append(records, r.then...)
	if err := override(records, r, body, in.file, e); err != nil {
		return nil, err
	}
	if r.before != "" {
		if err := e.do(ctx, r.before, nil, nil, nil); err != nil {
			return nil, err
		}
	}
	made, err := actWith(ctx, e, records)
	refusal, refused := errors.AsType[*control.Refusal](err)
	if refused && hasID && strings.HasPrefix(refusal.Message, "GET "+records[0].Path+": status 404") {
		return nil, misused("--set payload.id", fmt.Sprint(given), "must be the id of an existing record")
	}
	if err != nil || r.control == "" {
		return made, err
	}
	return made, r.finish(ctx, e, event, made)
}

// finish makes the call of the control API.
func (r recipe) finish(ctx context.Context, e *env, event string, made []reply) error {
	id := ""
	if n := len(made); n > 0 {
		id = made[n-1].text("id")
	}
	switch r.control {
	case labelOf:
		return failLabel(ctx, e, id)
	case "stores.data-request":
		n, _ := strconv.ParseInt(id, 10, 64) // store/redact is about no customer
		return e.do(ctx, "stores.data-request", nil, members{"event": event, "customer": n}, nil)
	case "stores.uninstall":
		in, err := e.info(ctx)
		if err != nil {
			return err
		}
		return e.do(ctx, "stores.uninstall", nil, members{"app": in.AppID}, nil)
	}
	if declared, _ := act.Find(acts(), r.control); len(declared.Parameters()) > 1 { // the store and the record
		return e.do(ctx, r.control, of{id}, nil, nil)
	}
	return e.do(ctx, r.control, nil, nil, nil)
}

// failLabel asks for a label of an order's parcel from a carrier without an app, so that it fails.
func failLabel(ctx context.Context, e *env, order string) error {
	carrier, err := write(ctx, e, step("POST /shipping_carriers", `{"name": "Triggered", "types": "ship",
		"callback_url": "https://carrier.example/rates", "callback_labels_url": "https://carrier.example/labels"}`, ""))
	if err != nil {
		return err
	}
	parcels, err := write(ctx, e,
		step("GET /orders/"+order+"/fulfillment-orders", "", "parcels"),
		step("PATCH /orders/"+order+"/fulfillment-orders/{parcels.0.id}",
			`{"shipping": {"carrier": {"carrier_id": "`+carrier[0].text("id")+`"}}}`, ""))
	if err != nil {
		return err
	}
	return e.do(ctx, "labels.generate", nil, members{"fulfillment_orders": []string{parcels[1].text("id")}}, nil)
}

// split separates the members of the payload from those of the body.
func (in triggerFlags) split() (payload, body map[string]any, err error) {
	payload, body = map[string]any{}, map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(in.set)) {
		var value any = in.set[name]
		d := json.NewDecoder(strings.NewReader(in.set[name]))
		d.UseNumber()
		var parsed any
		if d.Decode(&parsed) == nil && !d.More() {
			value = parsed
		}
		to, path := body, strings.Split(name, ".")
		if path[0] == "payload" && len(path) > 1 {
			to, path = payload, path[1:]
		}
		if err := put(to, path, value); err != nil {
			return nil, nil, misused("--set", name, err.Error())
		}
	}
	return payload, body, nil
}

// put sets a member of an object within objects.
func put(to map[string]any, path []string, value any) error {
	for _, name := range path[:len(path)-1] {
		inner, ok := to[name].(map[string]any)
		if !ok {
			if _, taken := to[name]; taken {
				return fmt.Errorf("%q is not an object", name)
			}
			inner = map[string]any{}
			to[name] = inner
		}
		to = inner
	}
	to[path[len(path)-1]] = value
	return nil
}

// override changes the body of the operation that causes the event: the last step that has one.
func override(records []record, r recipe, body map[string]any, file string, e *env) error {
	if len(body) == 0 && file == "" {
		return nil
	}
	for i := len(records) - 1; i >= 0; i-- {
		raw, ok := records[i].Body.(rawBody)
		if !ok {
			continue
		}
		if file != "" {
			whole, err := readFile(file)
			if err != nil {
				return err
			}
			raw = rawBody(whole)
		}
		var object map[string]any
		d := json.NewDecoder(strings.NewReader(string(raw)))
		d.UseNumber()
		if err := d.Decode(&object); err != nil {
			return misused("body", oneLine(json.RawMessage(raw)), "must be a JSON object")
		}
		for name, value := range body {
			object[name] = merged(object[name], value)
		}
		changed, err := json.Marshal(object)
		records[i].Body = rawBody(changed)
		return err
	}
	return misused("--set", "", "the operation that causes this event has no body")
}

// merged returns a value over another one; objects are merged.
func merged(under, over any) any {
	a, ok := under.(map[string]any)
	b, also := over.(map[string]any)
	if !ok || !also {
		return over
	}
	for name, value := range b {
		a[name] = merged(a[name], value)
	}
	return a
}

// rawBody is a body with references and with the words {unique}, {uuid}, {now} and {app}.
type rawBody string

// MarshalJSON returns the body as it is.
func (b rawBody) MarshalJSON() ([]byte, error) { return []byte(b), nil }

// actWith makes the calls of the steps.
func actWith(ctx context.Context, e *env, records []record) ([]reply, error) {
	if len(records) == 0 {
		return nil, nil
	}
	var in struct {
		info
		Now string `json:"now"`
	}
	if err := e.do(ctx, "info", nil, nil, &in); err != nil {
		return nil, err
	}
	one := uuid.NewString()
	words := strings.NewReplacer("{unique}", one[:8], "{uuid}", one, "{now}", in.Now, "{app}", fmt.Sprint(in.AppID))
	for i := range records {
		records[i].Path = words.Replace(records[i].Path)
		if body, ok := records[i].Body.(rawBody); ok {
			records[i].Body = rawBody(words.Replace(string(body)))
		}
	}
	return write(ctx, e, records...)
}

// last are the ids after which webhooks and unsent events are new.
type last struct{ delivery, unsent int64 }

func seen(ctx context.Context, e *env) (l last, err error) {
	id := func(to *int64) func(reply) error {
		return func(one reply) error {
			*to = max(*to, int64(one.number("id")))
			return nil
		}
	}
	if err = e.elements(ctx, "deliveries", nil, nil, id(&l.delivery)); err == nil {
		err = e.elements(ctx, "deliveries.unsent", nil, nil, id(&l.unsent))
	}
	return l, err
}

// since returns the elements of a list that are of the event: those of the records that were made, else all, because an
// event may be about another record. Commands that run at the same time cause others.
func since(ctx context.Context, e *env, name string, after int64, event, body string, made []reply) (own []reply, err error) {
	var all []reply
	query := url.Values{"after": {fmt.Sprint(after)}}
	err = e.elements(ctx, name, nil, query, func(one reply) error {
		if one.text("event") != event {
			return nil
		}
		all = append(all, one)
		if id := one.at(body).text("id"); id != "" && slices.ContainsFunc(made, func(m reply) bool { return m.text("id") == id }) {
			own = append(own, one)
		}
		return nil
	})
	if len(own) == 0 {
		own = all
	}
	return own, err
}

// reportSince shows the new webhooks of the event, and why some apps have none.
func reportSince(ctx context.Context, e *env, event string, before last, made []reply) error {
	sent, err := since(ctx, e, "deliveries", before.delivery, event, "body", made)
	if err != nil {
		return err
	}
	unsent, err := since(ctx, e, "deliveries.unsent", before.unsent, event, "fields", made)
	if err != nil {
		return err
	}
	t := e.table(deliveryRow)
	for _, d := range sent {
		if err := errors.Join(e.jsonLine(d.raw), t.row(d)); err != nil {
			return err
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, u := range unsent {
		if err := e.jsonLine(u.raw); err != nil {
			return err
		}
		if e.json {
			continue
		}
		if _, err := fmt.Fprintf(e.stdout, "%s happened and was sent to nobody: %s\n", event, u.text("why")); err != nil {
			return err
		}
	}
	if len(sent)+len(unsent) == 0 {
		return fmt.Errorf("%s did not happen: the calls were accepted, but did not cause it; perhaps the record already has these values", event)
	}
	return nil
}

// jsonLine prints a value on a line with --json, otherwise nothing.
func (e *env) jsonLine(raw json.RawMessage) error {
	if !e.json {
		return nil
	}
	return e.line(raw)
}
