package console

import (
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver/act"
)

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
			"skip?|Skip calls=0", "delay?=0s", "after|do the work first", "reset|reset the connection",
			"truncate|cut the answer off").choosing("operation", choices)},
	}
	send := section{Title: "Send an event", Forms: []form{
		a.ask("stores.emit", "Send an event", nil, "/store="+a.store(), "event=domain/updated", "fields|Members={}").
			choosing("event", choose(a.eventNames()...)),
	}}
	return []section{armed, arm, send, a.settings()}
}

// settings are a form for each act that sets what another one shows, such as the order of webhooks.
func (a *asked) settings() section {
	s := section{Title: "How the platform sends and judges calls", Folded: true}
	for _, one := range a.acts {
		name, sets := strings.CutSuffix(one.Name, ".set")
		read, shown := act.Find(a.acts, name)
		if !sets || !shown || read.Lists || len(one.Parameters()) > 1 {
			continue
		}
		var in, fields []string
		for range one.Parameters() {
			in = append(in, a.store())
		}
		path, err := read.Fill(in...)
		if err != nil {
			continue // it needs more than a store
		}
		now := a.get(path)
		for _, m := range one.Members() {
			fields = append(fields, m.Name+"?="+now.pretty(m.Name))
			if m.Kind == act.Check {
				fields[len(fields)-1] = m.Name + "=" + now.text(m.Name)
			}
		}
		s.Forms = append(s.Forms, a.ask(one.Name, "Set "+strings.ReplaceAll(name, ".", " "), in, fields...))
	}
	return s
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
