package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"time"
)

func clockCommand() command {
	return command{
		name: "clock", args: "[advance DURATION | to TIME | next]", most: 2, inputs: map[string]string{"at": "TIME"},
		does: "shows the platform's clock, or moves it forward",
		lesson: `Events that become due on the way happen in order: webhooks are retried, quotes expire, circuit breakers close. "next"
moves the clock to the next event and lets it happen. Durations are like 90s, 48h or 1h30m, and times like
2025-03-01T09:00:00Z. Without arguments the command shows the time, and when the next event is due.

    refserver clock
    refserver clock advance 48h
    refserver trigger product/created --to http://127.0.0.1:3000/missing
    refserver clock next     # the first retry of the webhook`,
		bind: func(*flag.FlagSet) func(context.Context, *env) error { return moveClock },
	}
}

func moveClock(ctx context.Context, e *env) error {
	switch {
	case len(e.args) == 1 && e.args[0] == "next":
		return show(ctx, e, "clock.next", nil, nil, showClock)
	case len(e.args) == 2 && e.args[0] == "advance":
		by, err := time.ParseDuration(e.args[1])
		if err != nil || by <= 0 {
			return misused("DURATION", e.args[1], "must be above 0 and below 290 years, like 90s, 48h or 1h30m")
		}
		var c reply
		if err := e.do(ctx, "clock", nil, nil, &c); err != nil {
			return err
		}
		now, err := time.Parse(time.RFC3339Nano, c.text("now"))
		if err != nil {
			return err
		}
		return moveTo(ctx, e, now.Add(by))
	case len(e.args) == 2 && e.args[0] == "to":
		at, err := time.Parse(time.RFC3339, e.args[1])
		if err != nil {
			return misused("TIME", e.args[1], "must be like 2025-03-01T09:00:00Z")
		}
		return moveTo(ctx, e, at)
	case len(e.args) > 0:
		return misused("argument", e.args[0], "must be advance DURATION, to TIME, or next")
	}
	return show(ctx, e, "clock", nil, nil, showClock)
}

// moveTo repeats the call, which ends after a few seconds, until everything that is due on the way is done.
func moveTo(ctx context.Context, e *env, at time.Time) error {
	ran := 0
	for {
		var c reply
		if err := e.do(ctx, "clock.to", nil, members{"at": at}, &c); err != nil {
			return err
		}
		if ran += int(c.number("ran")); c.is("done") {
			return showValue(e, map[string]any{"now": c.at("now").raw, "ran": ran}, func(w io.Writer) {
				fmt.Fprintf(w, "now   %s\nran   %d scheduled events\n", second(c, "now"), ran)
			})
		}
		e.progress("the clock is at %s on its way to %s; %d scheduled events ran", second(c, "now"), at.Format(time.RFC3339), ran)
	}
}

// second returns a time of an answer to the second.
func second(a reply, name string) string {
	at, _ := time.Parse(time.RFC3339Nano, a.text(name))
	return at.Format(time.RFC3339)
}

func showClock(w io.Writer, c reply) {
	fmt.Fprintf(w, "now   %s\n", second(c, "now"))
	if c.is("next") {
		fmt.Fprintf(w, "next  %s\n", second(c, "next"))
	}
}
