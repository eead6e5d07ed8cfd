package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver/control"
)

// kind is what an app at an address is called for. Each has an https origin of its own, because the platform calls only
// https, and because the programs of an app may have different addresses.
type kind string

const (
	carts   kind = "carts"
	rates   kind = "rates"
	events  kind = "events"
	pays    kind = "payments"
	ofDesks      = ".desk.example"
)

// reach makes calls to the returned https address arrive at the address of an app. An https address is returned as it
// is. If an origin of a --partner leads to the address, that origin is used.
func reach(ctx context.Context, e *env, what kind, address string) (string, error) {
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Host == "" || u.User != nil || u.Scheme != "http" && u.Scheme != "https":
		return "", misused("URL", address, "must be like http://127.0.0.1:3000/carts")
	case u.Scheme == "https":
		return address, nil
	}
	own, to := "https://"+string(what)+ofDesks, "http://"+u.Host
	origin, before := own, ""
	err = e.elements(ctx, "partners", nil, nil, func(p reply) error {
		host, targets := p.text("host"), p.texts("targets")
		switch {
		case "https://"+host == own:
			before = strings.Join(targets, ", ")
		case slices.Contains(targets, to) && !strings.HasSuffix(host, ofDesks):
			origin = "https://" + host
		}
		return nil
	})
	if err != nil || origin != own || before == to {
		return origin + u.RequestURI(), err
	}
	target := members{"origin": own, "targets": []string{to}}
	if err := e.do(ctx, "partners.set", nil, target, nil); err != nil {
		return "", err
	}
	if before != "" {
		e.progress("%s led to %s, and leads to %s now", own, plain(before), to)
	}
	return own + u.RequestURI(), nil
}

// record is a call of the API in the name of the demo app.
type record struct {
	Store   int64  `json:"store,omitempty"`
	Version string `json:"version,omitempty"`
	Method  string `json:"method,omitempty"`
	Path    string `json:"path"`
	Body    any    `json:"body,omitempty"`
	As      string `json:"as,omitempty"`
}

// write makes calls of the API in the name of the demo app, and returns the ids of what they made.
func write(ctx context.Context, e *env, records ...record) (made []reply, err error) {
	if e.store != "" {
		store, err := number("--store", e.store)
		if err != nil {
			return nil, err
		}
		for i := range records {
			records[i].Store = store
		}
	}
	var all reply
	err = e.do(ctx, "seed", nil, members{"records": records}, &all)
	if refusal, ok := errors.AsType[*control.Refusal](err); ok { // the records are those of the command
		refusal.Message = seeded.ReplaceAllString(refusal.Message, "")
	}
	return all.list("created"), err
}

// seeded begins the message about a record of "seed".
var seeded = regexp.MustCompile(`^records\[\d+\]: `)

// sendCartsTo sends the carts of the demo app to an address. An app receives the carts of the tiers of its promotions,
// so it gets a promotion if it has none.
func sendCartsTo(ctx context.Context, e *env, address string) error {
	to, err := reach(ctx, e, carts, address)
	if err != nil {
		return err
	}
	promotion, err := newest(ctx, e, "entities", "promotions")
	if err != nil {
		return err
	}
	records := []record{{Method: http.MethodPut, Path: "/discounts/callbacks", Body: map[string]any{"url": to}}}
	if promotion == "" {
		records = append(records, record{
			Path: "/promotions", Body: map[string]any{"name": "Desk", "allocation_type": "line_item"}, As: "promotion",
		})
	}
	if _, err := write(ctx, e, records...); err != nil || promotion != "" {
		return err
	}
	if promotion, err = newest(ctx, e, "entities", "promotions"); err != nil {
		return err
	}
	e.progress("promotion %s (tier line_item) was made for the app; each command in the app's answers must name this promotion", promotion)
	return nil
}

// askForRatesAt asks for rates of a carrier of the demo app at an address, with an option of the code. A carrier that
// has the address already is used again.
func askForRatesAt(ctx context.Context, e *env, address, code string) error {
	to, err := reach(ctx, e, rates, address)
	if err != nil {
		return err
	}
	known := false
	err = e.elements(ctx, "entities", of{"carriers"}, nil, func(c reply) error {
		known = known || c.text("rates_url") == to
		return nil
	})
	if err != nil || known {
		return err
	}
	made, err := write(ctx, e,
		record{
			Path: "/shipping_carriers", As: "desk",
			Body: map[string]any{"name": "Desk", "callback_url": to, "types": "ship,pickup"},
		},
		record{Path: "/shipping_carriers/{desk.id}/options", Body: map[string]any{"code": code, "name": "Desk " + code}})
	if err != nil {
		return err
	}
	e.progress("carrier %s with the option %q was made for the app; rates with other codes are hidden",
		made[0].text("id"), code)
	return nil
}

// addresses receive the privacy requests, for which no webhook is registered.
var addresses = map[string]string{
	"store/redact": "store_redact", "customers/redact": "customers_redact", "customers/data_request": "customers_data_request",
}

// sendEventTo sends an event to the demo app at an address. An existing webhook is kept.
func sendEventTo(ctx context.Context, e *env, event, address string) error {
	to, err := reach(ctx, e, events, address)
	if err != nil {
		return err
	}
	if name, ok := addresses[event]; ok {
		in, err := e.info(ctx)
		if err != nil {
			return err
		}
		return setAddress(ctx, e, in.AppID, name, to)
	}
	known := false
	err = e.elements(ctx, "entities", of{"webhooks"}, nil, func(w reply) error {
		known = known || w.text("event") == event && w.text("url") == to
		return nil
	})
	if err != nil || known {
		return err
	}
	_, err = write(ctx, e, record{Path: "/webhooks", Body: map[string]any{"event": event, "url": to}})
	return err
}

// setAddress changes one of the addresses of an app.
func setAddress(ctx context.Context, e *env, app int64, name, to string) error {
	all := members{}
	err := e.elements(ctx, "apps", nil, nil, func(one reply) error {
		if id := fmt.Sprint(app); one.text("id") == id {
			for member, address := range one.at("addresses").in {
				all[member] = address
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	all[name] = to
	return e.do(ctx, "apps.addresses", of{fmt.Sprint(app)}, all, nil)
}

// callPaymentsAt sends payment calls to the demo app at the paths below an address.
func callPaymentsAt(ctx context.Context, e *env, address string) error {
	to, err := reach(ctx, e, pays, strings.TrimSuffix(address, "/"))
	if err != nil {
		return err
	}
	in, err := e.info(ctx)
	if err != nil {
		return err
	}
	to = strings.TrimSuffix(to, "/")
	paths := members{"process": to + "/process", "cancel": to + "/cancel", "status": to + "/status"}
	return e.do(ctx, "apps.payments", of{fmt.Sprint(in.AppID)}, paths, nil)
}

// newest returns the key of the newest record of a list; empty if there is none.
func newest(ctx context.Context, e *env, name string, path ...string) (key string, err error) {
	err = e.elements(ctx, name, path, nil, func(one reply) error {
		key = one.text("id")
		return nil
	})
	return key, err
}
