package main

import (
	"context"
	"flag"
	"net/url"
)

// deliveryRow is a webhook in a list.
var deliveryRow = columns{"ID id", "EVENT event", "STATE state", "ATTEMPTS attempts#", "STATUS attempts.status", "NEXT next",
	"URL url", "WHY why"}

func deliveriesCommand() command {
	return command{
		name: "deliveries", args: "[ID] [--follow]", most: 1, does: "lists webhooks, or shows one with its attempts",
		lesson: `A row has the event, the number of attempts, the last status, the time of the next attempt, and why the last attempt
failed. --follow prints a line for each webhook (-->) and each answer (<--) until it is interrupted. --unsent lists the
events that went to no app, each with the reason.

    refserver deliveries
    refserver deliveries --state pending --event product/created
    refserver deliveries --unsent

"refserver clock next" makes the attempt that is due next, "refserver resend ID" makes one now.`,
		bind: func(f *flag.FlagSet) func(context.Context, *env) error {
			var follow, unsent bool
			query := url.Values{}
			f.BoolVar(&follow, "follow", false, "print each new webhook and answer until interrupted")
			f.BoolVar(&unsent, "unsent", false, "list the events that went to no app, and why")
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
					return misused("--follow", "", "must be used without an ID and without --unsent")
				case follow:
					return followDeliveries(ctx, e, query)
				case unsent:
					return listUnsent(ctx, e)
				case len(e.args) == 1:
					return showDelivery(ctx, e, e.args[0])
				}
				return list(ctx, e, "deliveries", query, deliveryRow)
			}
		},
	}
}

func listUnsent(ctx context.Context, e *env) error {
	return list(ctx, e, "deliveries.unsent", nil, columns{"ID id", "EVENT event", "STORE store", "WHY why"})
}

func showDelivery(ctx context.Context, e *env, id string) error {
	return show(ctx, e, "deliveries.show", of{id}, nil, printDelivery)
}

func resendCommand() command {
	return command{
		name: "resend", args: "ID", least: 1, most: 1, does: "sends a webhook again now, and shows the answer",
		lesson: `Use it after you have changed your code. "refserver deliveries" lists the ids. The platform's own retries follow its
clock: see "refserver clock".

    refserver trigger product/created --to http://127.0.0.1:3000/hooks
    refserver resend 1`,
		bind: func(*flag.FlagSet) func(context.Context, *env) error {
			return func(ctx context.Context, e *env) error {
				if err := e.do(ctx, "deliveries.resend", of{e.args[0]}, nil, nil); err != nil {
					return err
				}
				if err := e.do(ctx, "settle", nil, nil, nil); err != nil {
					return err
				}
				return showDelivery(ctx, e, e.args[0])
			}
		},
	}
}
