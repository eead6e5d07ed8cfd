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
	matches := func(name, value string) bool { return query.Get(name) == "" || query.Get(name) == value }
	shown := map[int64]int{} // attempts of the webhooks that are not done
	e.progress("waiting for webhooks; Ctrl-C ends it")
	return e.remote.Follow(ctx, "deliveries/follow", func(raw json.RawMessage) error {
		var d deliveryJSON
		if err := json.Unmarshal(raw, &d); err != nil {
			return err
		}
		if !matches("event", d.Event) || !matches("state", d.State) || !matches("store", fmt.Sprint(d.Store)) {
			return nil
		}
		if _, under := shown[d.ID]; !under && d.ID <= begun.delivery {
			shown[d.ID] = len(d.Attempts) // attempts already made
			return nil
		}
		if e.json {
			return e.line(raw)
		}
		return printAnswers(e, d, shown)
	})
}

// printAnswers prints a webhook if it is new, and its new answers.
func printAnswers(e *env, d deliveryJSON, shown map[int64]int) error {
	before, under := shown[d.ID]
	if !under {
		if _, err := fmt.Fprintf(e.stdout, "%19s  --> %s [%d] store %d\n", "", plain(d.Event), d.ID, d.Store); err != nil {
			return err
		}
	}
	for _, a := range d.Attempts[min(before, len(d.Attempts)):] {
		came := fmt.Sprint(a.Status)
		if a.Status == 0 {
			came = "no answer: " + plain(a.Error)
		}
		at, _ := time.Parse(time.RFC3339Nano, a.At) // the zero time means that it is no time
		if _, err := fmt.Fprintf(e.stdout, "%s  <-- [%s] POST %s [%d]\n", at.Format(time.DateTime), came, plain(d.URL), d.ID); err != nil {
			return err
		}
	}
	shown[d.ID] = len(d.Attempts)
	return nil
}
