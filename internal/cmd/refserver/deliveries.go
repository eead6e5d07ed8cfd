package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/url"
)

// deliveryJSON is a webhook with its attempts.
type deliveryJSON struct {
	ID       int64  `json:"id"`
	Event    string `json:"event"`
	Store    int64  `json:"store"`
	App      int64  `json:"app"`
	URL      string `json:"url"`
	State    string `json:"state"`
	Next     string `json:"next"`
	Why      string `json:"why"`
	Attempts []struct {
		At     string  `json:"at"`
		Status int     `json:"status"`
		Error  string  `json:"error"`
		Answer any     `json:"answer"`
		MS     float64 `json:"ms"`
		Resent bool    `json:"resent"`
	} `json:"attempts"`
	Body json.RawMessage `json:"body"`
}

const deliveryHeads = "ID EVENT STATE ATTEMPTS STATUS NEXT URL WHY"

func (d deliveryJSON) row() []any {
	status := "-"
	if n := len(d.Attempts); n > 0 && d.Attempts[n-1].Status != 0 {
		status = fmt.Sprint(d.Attempts[n-1].Status)
	}
	return []any{d.ID, d.Event, d.State, len(d.Attempts), status, orDash(d.Next), d.URL, orDash(d.Why)}
}

// orDash replaces an empty cell, so that columns stay in place.
func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

func deliveriesCommand() command {
	return command{
		name: "deliveries", args: "[ID] [--follow]", most: 1, does: "lists webhooks, or shows one with its attempts",
		lesson: `Each has the event, the number of attempts, the last status, the time of the next attempt and why it has not
arrived. --follow prints a line for each webhook (-->) and each answer (<--) from now on, until it is interrupted. --unsent
lists the events that were sent to nobody, each with the reason.

    refserver deliveries
    refserver deliveries --state pending --event product/created
    refserver deliveries --unsent

"refserver clock next" makes the attempt that is due next, "refserver resend ID" makes one now.`,
		bind: func(f *flag.FlagSet) func(context.Context, *env) error {
			var follow, unsent bool
			query := url.Values{}
			f.BoolVar(&follow, "follow", false, "print webhooks and answers from now on, until interrupted")
			f.BoolVar(&unsent, "unsent", false, "list the events that were sent to nobody, and why")
			for name, usage := range map[string]string{
				"event": "list only webhooks of an `event`", "state": "list only webhooks in a `state`: pending, delivered or failed",
			} {
				f.Func(name, usage, func(s string) error { query.Set(name, s); return nil })
			}
			return func(ctx context.Context, e *env) error {
				if e.store != "" {
					query.Set("store", e.store)
				}
				switch {
				case follow && (unsent || len(e.args) > 0):
					return misused("--follow", "true", "must be set without an ID or --unsent")
				case follow:
					return followDeliveries(ctx, e, query)
				case unsent:
					return listUnsent(ctx, e)
				case len(e.args) == 1:
					return showDelivery(ctx, e, e.args[0])
				}
				return list(ctx, e, "deliveries?"+query.Encode(), deliveryHeads, deliveryJSON.row)
			}
		},
	}
}

// unsentJSON is an event that was sent to nobody.
type unsentJSON struct {
	ID    int64  `json:"id"`
	Event string `json:"event"`
	Store int64  `json:"store"`
	Why   string `json:"why"`
}

func listUnsent(ctx context.Context, e *env) error {
	return list(ctx, e, "deliveries/unsent", "ID EVENT STORE WHY", func(u unsentJSON) []any {
		return []any{u.ID, u.Event, u.Store, u.Why}
	})
}

func showDelivery(ctx context.Context, e *env, id string) error {
	return call(ctx, e, "GET", "deliveries/"+escape(id), nil, printDelivery)
}

func resendCommand() command {
	return command{
		name: "resend", args: "ID", least: 1, most: 1, does: "sends a webhook again, now, and shows the answer",
		lesson: `The platform also makes the attempts that are due by the clock. Use it after you have changed your code; "refserver
deliveries" lists the ids.

    refserver trigger product/created --to http://127.0.0.1:3000/hooks
    refserver resend 1`,
		bind: func(*flag.FlagSet) func(context.Context, *env) error {
			return func(ctx context.Context, e *env) error {
				path := "deliveries/" + escape(e.args[0])
				if err := e.remote.Call(ctx, "POST", path+"/resend", nil, nil); err != nil {
					return err
				}
				if err := e.remote.Call(ctx, "POST", "settle", nil, nil); err != nil {
					return err
				}
				return showDelivery(ctx, e, e.args[0])
			}
		},
	}
}
