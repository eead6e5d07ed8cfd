package console

import "strings"

// faults shows the faults with their hits, and arms one.
func faults(a *asked) []section {
	armed := section{
		Title: "Armed", Heads: []string{"Fault", "Operation", "What goes wrong", "Calls", "Hits", "State"},
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
			armed.Forms = append(armed.Forms, form{Call: "DELETE faults/" + escape(id), Label: "End fault " + id})
		}
	}
	if len(armed.Forms) > 1 {
		armed.Forms = append(armed.Forms, form{Call: "DELETE faults", Label: "End all"})
	}
	arm := section{
		Title: "Arm",
		Forms: []form{{Call: "POST faults", Label: "Arm", Fields: []field{
			{Name: "operation", Label: "Operation", Kind: "text", Value: "POST /products", Choices: choices},
			{Name: "status", Label: "Status", Kind: "number", Value: "503", Optional: true},
			{Name: "count", Label: "Calls (0: all)", Kind: "number", Value: "1", Optional: true},
			{Name: "skip", Label: "After calls", Kind: "number", Value: "0", Optional: true},
			{Name: "delay", Label: "Delay", Kind: "text", Value: "0s", Optional: true},
			{Name: "after", Label: "do the work first", Kind: "check"},
			{Name: "reset", Label: "reset the connection", Kind: "check"},
			{Name: "truncate", Label: "cut the answer off", Kind: "check"},
		}}},
	}
	return []section{armed, arm}
}

// faultOperation leads to the requests of an operation; * is every one.
func faultOperation(id string) cell {
	if id == "*" {
		return cell{Text: "every operation", Link: "/requests"}
	}
	return cell{Text: id, Link: link("/requests", "operation", id)}
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
