package console

import "strings"

// faults shows the faults with their hits, and arms one.
func faults(a *asked) []section {
	armed := section{
		Title: "Armed", Heads: []string{"Fault", "Operation", "Effect", "Calls", "Hits", "State"},
		Empty: "No fault is armed. Choose an operation and a fault below.",
	}
	choices := []choice{{"*", "every operation"}}
	for _, op := range a.operations() {
		choices = append(choices, choice{op, op})
	}
	for _, f := range a.get("faults?limit=200").list("items") {
		id := f.text("id")
		state := cell{Text: "armed", Class: "warn"}
		if f.text("done") == "yes" {
			state = cell{Text: "done"}
		}
		armed.Rows = append(armed.Rows, []cell{
			number(id), faultOperation(f.text("operation")), {Text: faultEffect(f)}, {Text: faultCalls(f)},
			number(f.text("hits")), state,
		})
		if f.text("done") == "no" {
			armed.Forms = append(armed.Forms, a.ask("faults.remove", "End fault "+id, of{id}))
		}
	}
	if len(armed.Forms) > 1 {
		armed.Forms = append(armed.Forms, a.ask("faults.remove-all", "End all", nil))
	}
	arm := section{
		Title: "Arm",
		Forms: []form{a.ask("faults.add", "Arm", nil, "operation=POST /products", "status?=503", "count?|Calls (0: all)=1",
			"skip?|After calls=0", "delay?=0s", "after|do the work first", "reset|reset the connection",
			"truncate|cut the answer off").choosing("operation", choices)},
	}
	return append([]section{armed, arm}, a.settings()...)
}

// settings are how the platform sends and judges calls.
func (a *asked) settings() []section {
	store := a.store()
	order, f, signing := a.get("deliveries/order"), a.get("stores/"+store+"/storefront"), a.get("payments/signing")
	return []section{
		{Title: "How webhooks are sent", Forms: []form{
			a.ask("deliveries.order.set", "Set order", nil, "twice|each one twice="+order.text("twice"),
				"reorder|every second one after the next="+order.text("reorder")),
			a.ask("stores.emit", "Send an event", nil, "/store="+store, "event=domain/updated", "fields|Members={}").
				choosing("event", choose(a.eventNames()...)),
		}},
		{Title: "How carts are sent", Note: "A change begins a new list of runs.", Forms: []form{
			a.ask("storefront.set", "Set storefront", of{store}, "delay="+f.text("delay"),
				"late_removes|a late answer removes discounts="+f.text("late_removes")),
		}},
		a.fallback(store, "stores/"+store+"/"),
		{Title: "How payment calls are signed", Text: a.get("payments/key").text("pem"), Folded: true, Forms: []form{
			a.ask("payments.signing.set", "Set signing", nil, "old_key|sign with the key before="+signing.text("old_key"),
				"skew|Clock ahead by="+signing.text("skew")),
			a.ask("payments.key.new", "Generate another key", nil).endangering(),
		}},
	}
}

// eventNames are the events that can be emitted.
func (a *asked) eventNames() []string {
	var out []string
	for _, e := range a.get("events?limit=200").list("items") {
		out = append(out, e.text("event"))
	}
	return out
}

// faultOperation leads to the requests of an operation; * is every one.
func faultOperation(id string) cell {
	if id == "*" {
		return cell{Text: "every operation", Link: "/log?kind=request"}
	}
	return cell{Text: id, Link: link("/log", "kind", "request", "search", id)}
}

// faultEffect is what a fault does to a call, in words.
func faultEffect(f value) string {
	var parts []string
	if delay := f.text("delay"); delay != "0s" {
		parts = append(parts, "waits "+delay)
	}
	if f.text("after") == "yes" {
		parts = append(parts, "does the work")
	}
	switch {
	case f.text("reset") == "yes":
		parts = append(parts, "resets the connection")
	case f.text("truncate") == "yes":
		parts = append(parts, "cuts the answer off")
	case f.text("status") != "0":
		parts = append(parts, "answers "+f.text("status"))
	}
	return strings.Join(parts, ", ")
}

// faultCalls are the calls that a fault is about, in words.
func faultCalls(f value) string {
	calls := "all"
	if n := f.text("count"); n != "0" {
		calls = "at most " + n
	}
	if skip := f.text("skip"); skip != "0" {
		calls += " after " + skip
	}
	return calls
}
