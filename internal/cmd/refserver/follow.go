package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"time"
)

// followDeliveries prints webhooks and answers from now on, a line each.
func followDeliveries(ctx context.Context, e *env, query url.Values) error {
	begun, err := seen(ctx, e)
	if err != nil {
		return err
	}
	shown := map[int64]int{} // attempts of the webhooks that are not done
	e.progress("waiting for webhooks; Ctrl-C ends it")
	return e.remote.Follow(ctx, "deliveries/follow", func(raw json.RawMessage) error {
		var d reply
		if err := json.Unmarshal(raw, &d); err != nil {
			return err
		}
		matches := func(name string) bool { return query.Get(name) == "" || query.Get(name) == d.text(name) }
		if !matches("event") || !matches("state") || !matches("store") {
			return nil
		}
		id := int64(d.number("id"))
		if _, under := shown[id]; !under && id <= begun.delivery {
			shown[id] = len(d.list("attempts")) // attempts already made
			return nil
		}
		if e.json {
			return e.line(raw)
		}
		return printAnswers(e, d, shown)
	})
}

// printAnswers prints a webhook if it is new, and its new answers.
func printAnswers(e *env, d reply, shown map[int64]int) error {
	id, attempts := int64(d.number("id")), d.list("attempts")
	before, under := shown[id]
	if !under {
		if _, err := fmt.Fprintf(e.stdout, "%19s  --> %s [%d] store %s\n", "", d.text("event"), id, d.text("store")); err != nil {
			return err
		}
	}
	for _, a := range attempts[min(before, len(attempts)):] {
		at, _ := time.Parse(time.RFC3339Nano, a.text("at")) // the zero time means that it is no time
		_, err := fmt.Fprintf(e.stdout, "%s  <-- [%s] POST %s [%d]\n", at.Format(time.DateTime), came(a), d.text("url"), id)
		if err != nil {
			return err
		}
	}
	shown[id] = len(attempts)
	return nil
}
