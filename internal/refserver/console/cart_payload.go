package console

import "strings"

// runsOf are the last carts that apps were sent, the newest first, of one cart.
func (a *asked) runsOf(at, id string) (own []value) {
	for _, r := range a.last(at + "runs") {
		if r.text("cart") == id {
			own = append(own, r)
		}
	}
	return own
}

// payload is a cart as an app was sent it, as a difference to the one before, with the answer and its effect.
func (a *asked) payload(store, id string, runs []value) []section {
	if len(runs) == 0 {
		return []section{{Title: "Payload", Empty: "No app was sent the cart: " + a.unasked(store) + "."}}
	}
	shown, before := runs[0], value{}
	for i, r := range runs {
		if n := a.query("run"); n == "" && i == 0 || r.text("n") == n {
			if shown = r; i+1 < len(runs) {
				before = runs[i+1]
			}
		}
	}
	all := section{Title: "Runs of the cart", Heads: []string{"Run", "At (UTC)", "App", "Status", "ms", "Outcome", "Reason"}}
	for _, r := range runs {
		n := cell{Text: r.text("n"), Link: link("/cart", "store", store, "cart", id, "view", "payload", "run", r.text("n")), Class: "number"}
		all.Rows = append(all.Rows, []cell{
			n, number(moment(r.text("at"))), number(r.text("app")), answeredCell(r.text("status")), number(r.millis("ms")),
			outcomeCell(r.text("outcome")), {Text: r.text("reason")},
		})
	}
	change := section{Title: "The payload against the one before", Empty: "It is the first one that was sent.",
		Forms: []form{a.ask("carts.replay", "Send to the apps again", of{store, id})}}
	if before.of != nil {
		change.Empty = "There is no difference."
		change.Diff = differenceOf(before.pretty("request"), shown.pretty("request"))
	}
	if len(change.Diff) > 0 {
		change.Empty = ""
	}
	return []section{
		change, effect(shown), commandTable(shown), all,
		{Title: "The whole request", Text: shown.pretty("request"), Folded: true},
		{Title: "The whole answer", Text: shown.pretty("answer"), Folded: true},
	}
}

// outcomeCell is the outcome of a run.
func outcomeCell(outcome string) cell {
	class := map[string]string{"applied": "good", "removed": "bad", "uninstalled": "bad", "ignored": "warn"}[outcome]
	return cell{Text: outcome, Class: strings.TrimSpace("key " + class)}
}

// commandTable is the verdict of each command of an answer.
func commandTable(r value) section {
	s := section{Title: "Commands of the answer", Heads: []string{"Command", "Verdict", "Carried out", "JSON"}, Empty: "The answer had no command."}
	if warnings := r.names("warnings"); len(warnings) > 0 {
		s.Note = strings.Join(warnings, "; ")
	}
	for _, c := range r.list("commands") {
		verdict, turn := cell{Text: "valid", Class: "good"}, "no"
		if c.text("valid") != "yes" {
			verdict = cell{Text: c.text("error"), Class: "bad"}
		}
		if c.text("turn") != "0" {
			turn = "as number " + c.text("turn")
		}
		s.Rows = append(s.Rows, []cell{number(c.text("n")), verdict, {Text: turn}, {Text: c.text("command")}})
	}
	return s
}

// promotionName is the name of a promotion that was on the cart.
func promotionName(r value, id string) string {
	for _, d := range r.list("before.discounts") {
		if d.text("promotion") == id && d.text("name") != "" {
			return d.text("name")
		}
	}
	return id
}

// effect is the cart before and after a run.
func effect(r value) section {
	s := section{Title: "The cart before and after", Heads: []string{"Part", "Before", "After"}}
	row := func(part, before, after string) {
		changed := cell{Text: after, Class: "number"}
		if before != after {
			changed.Class = "number warn"
		}
		s.Rows = append(s.Rows, []cell{{Text: part}, number(before), changed})
	}
	lines := func(of value) map[string]string {
		out := map[string]string{}
		for _, l := range of.list("lines") {
			out[l.text("id")] = l.text("quantity") + " × " + l.text("price")
			if less := off(l.text("discount")); strings.HasPrefix(less, "-") {
				out[l.text("id")] += " " + less
			}
		}
		return out
	}
	before, after := lines(r.at("before")), lines(r.at("after"))
	for _, of := range []string{"after", "before"} {
		for _, l := range r.list(of + ".lines") {
			id := l.text("id")
			if of == "before" && after[id] != "" {
				continue
			}
			row(l.text("name"), orNone(before[id]), orNone(after[id]))
		}
	}
	for _, one := range []struct{ name, member string }{
		{"Subtotal", "subtotal"}, {"Discounts of apps", "promotions"}, {"Coupons", "coupon"}, {"Shipping", "shipping"},
		{"Total", "total"},
	} {
		row(one.name, r.text("before."+one.member), r.text("after."+one.member))
	}
	return s
}

// off is an amount that is taken off.
func off(amount string) string {
	if amount == "" || strings.Trim(amount, "0.") == "" {
		return amount
	}
	return "-" + amount
}

// orNone is a text, or that there is none.
func orNone(s string) string {
	if s == "" {
		return "not there"
	}
	return s
}

// answeredCell is the status of an answer; 0 is none.
func answeredCell(status string) cell {
	if status == "0" {
		return cell{Text: "no answer", Class: "number bad"}
	}
	return number(status)
}
