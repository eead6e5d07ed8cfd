package main

import (
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/url"
)

// entryRow is an entry of the log in a list.
var entryRow = columns{"ID id", "AT at", "KIND kind", "NAME name", "RECORD record.name", "STATE words", "STATUS status", "MS ms~",
	"LINE line"}

func logCommand() command {
	return command{
		name: "log", args: "[ID] [--follow]", most: 1, does: "lists everything that happened, or shows one entry whole",
		lesson: `The entries are webhooks, carts, rates, rules, labels, payments, requests to the API, acts of these commands, and moves of
the clock, the newest first. --search finds words in the columns NAME, STATE and LINE, numbers of orders, ids of records and
e-mail addresses. With an ID the command shows each attempt with its request, its answer, its time and the limit, and which
entries caused this one or were caused by it. --follow prints a line for each change until it is interrupted.

    refserver trigger product/created
    refserver log
    refserver log --kind request --failing
    refserver log --search "order/paid 500" --limit 5
    refserver log 1

"refserver serve --log" sets how many entries are kept.`,
		bind: func(f *flag.FlagSet) func(context.Context, *env) error {
			var follow bool
			query := url.Values{}
			f.BoolVar(&follow, "follow", false, "print changes from now on, until interrupted")
			f.BoolFunc("failing", "list only entries that failed, are being retried, were refused, or were answered late",
				func(string) error { query.Set("state", "problem"); return nil })
			for name, usage := range map[string]string{
				"search": "list only entries that have each word of a `text`", "app": "list only entries of the app with this `id`",
				"kind":  "list only entries of a `kind`: webhook, cart, rate, rule, label, payment, request, act or clock, or their plural",
				"state": "list only entries in a `state`: ok, delivered, waiting, failing, given_up, late, refused, failed or ignored",
				"limit": "list at most this `number` of entries, 1 to 200 (default 50)",
			} {
				f.Func(name, usage, func(s string) error { query.Set(name, s); return nil })
			}
			return func(ctx context.Context, e *env) error {
				if e.store != "" {
					query.Set("store", e.store)
				}
				switch {
				case follow && len(e.args) > 0:
					return misused("argument", e.args[0], "must be absent with --follow")
				case follow:
					query.Del("limit")
					return followLog(ctx, e, query)
				case len(e.args) == 1:
					return show(ctx, e, "log.show", of{e.args[0]}, nil, printEntry)
				}
				return listLog(ctx, e, query)
			}
		},
	}
}

// listLog prints a page of the log: with --json the whole page, with the counts.
func listLog(ctx context.Context, e *env, query url.Values) error {
	var page json.RawMessage
	if err := e.remote.Call(ctx, http.MethodGet, "log?"+query.Encode(), nil, &page); err != nil {
		return err
	}
	var answer reply
	if err := json.Unmarshal(page, &answer); err != nil {
		return err
	}
	t := e.table(entryRow)
	for _, one := range answer.list("items") {
		if e.json {
			if err := e.line(one.raw); err != nil {
				return err
			}
		}
		if err := t.row(one); err != nil {
			return err
		}
	}
	if err := t.Flush(); err != nil || e.json {
		return err
	}
	fmt.Fprintf(e.stdout, "%d of %.0f matching entries, %.0f in all", len(answer.list("items")), answer.number("matching"),
		answer.number("total"))
	if answer.is("forgotten") {
		fmt.Fprintf(e.stdout, ", of which the oldest %.0f are no longer kept", answer.number("forgotten"))
	}
	_, err := fmt.Fprintln(e.stdout)
	return err
}

// followLog prints the changes of entries from now on, a line each.
func followLog(ctx context.Context, e *env, query url.Values) error {
	var begun reply
	if err := e.remote.Call(ctx, http.MethodGet, "log?limit=1", nil, &begun); err != nil {
		return err
	}
	query.Set("after", begun.text("rev"))
	e.progress("waiting for entries; Ctrl-C ends it")
	return e.remote.Follow(ctx, "log/follow?"+query.Encode(), func(raw json.RawMessage) error {
		if e.json {
			return e.line(raw)
		}
		var one reply
		if err := json.Unmarshal(raw, &one); err != nil {
			return err
		}
		_, err := fmt.Fprintf(e.stdout, "%s  [%s] %s %s  %s: %s\n",
			one.text("at"), one.text("id"), one.text("kind"), one.text("name"), one.text("words"), one.text("line"))
		return err
	})
}

// printEntry shows an entry with its attempts and causes.
func printEntry(w io.Writer, a reply) {
	fmt.Fprintf(w, "%s %s: %s\n%s\n", a.text("kind"), a.text("name"), a.text("words"), a.text("line"))
	if a.is("record") {
		fmt.Fprintf(w, "record  %s %s %s\n", a.text("record.resource"), a.text("record.key"), a.text("record.name"))
	}
	for _, one := range a.list("attempts") {
		printAttempt(w, one)
	}
	if a.is("forgotten") {
		fmt.Fprintln(w, "The request and the answer are no longer kept.")
	}
	if a.is("cause") {
		printCause(w, "cause", a.at("cause"))
	}
	for _, one := range a.list("caused") {
		printCause(w, "caused", one)
	}
}

// printAttempt shows a request with its answer.
func printAttempt(w io.Writer, a reply) {
	limit := ""
	if a.is("of_ms") {
		limit = fmt.Sprintf(" of %.0f ms", a.number("of_ms"))
	}
	fmt.Fprintf(w, "\n%s  %s  %.0f ms%s  %s\n", a.text("n"), cmp.Or(a.text("at"), "-"), a.number("ms"), limit, a.text("reason"))
	fmt.Fprintf(w, "--> %s %s\n", a.text("request.method"), a.text("request.url"))
	printMessage(w, a.at("request"))
	if a.is("answer") {
		fmt.Fprintf(w, "<-- %s\n", a.text("answer.status"))
		printMessage(w, a.at("answer"))
	}
	if late := a.at("late"); late.is("answer") {
		fmt.Fprintf(w, "<-- %s after %.0f ms, %.0f ms too late\n", late.text("answer.status"), late.number("ms"),
			late.number("too_late_ms"))
		printMessage(w, late.at("answer"))
	}
}

// printMessage shows headers and a body.
func printMessage(w io.Writer, a reply) {
	if len(a.at("headers").in) > 0 {
		fmt.Fprintf(w, "    %s\n", a.body("headers"))
	}
	fmt.Fprintf(w, "    %s\n", a.body("body"))
}

func printCause(w io.Writer, how string, a reply) {
	fmt.Fprintf(w, "%s  [%s] %s %s: %s\n", how, a.text("id"), a.text("kind"), a.text("name"), a.text("words"))
}
