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
	change := section{Title: "The payload compared with the previous one", Empty: "It is the first one that was sent.",
		Forms: []form{a.ask("carts.replay", "Send to the apps again", of{store, id})}}
	if before.of != nil {
		change.Empty = "There is no difference."
		change.Diff = differenceOf(before.pretty("request"), shown.pretty("request"))
	}
	if len(change.Diff) > 0 {
		change.Empty = ""
	}
	return []section{
		change, effect(shown), commandTable(shown), a.callsOf("Runs of the cart", store, id, "cart"),
		{Title: "The whole request", Text: shown.pretty("request"), Folded: true},
		{Title: "The whole answer", Text: shown.pretty("answer"), Folded: true},
	}
}

// callsOf are the last calls of a kind about a cart, as the log has them.
func (a *asked) callsOf(title, store, cart, kind string) section {
	path := "log?limit=10&kind=" + kind + "&store=" + store
	if cart != "" {
		path += "&search=" + escapeQuery(cart)
	}
	s := trimmed(a.entries(a.get(path).list("items"), false))
	s.Title = title
	return s
}

// outcomeCell is the outcome of a run.
func outcomeCell(outcome string) cell {
	class := map[string]string{"applied": "good", "removed": "bad", "uninstalled": "bad", "ignored": "warn"}[outcome]
	if outcome == "removed" {
		outcome = "its discounts were removed"
	}
	return cell{Text: outcome, Class: strings.TrimSpace("key " + class)}
}

// commandTable is the verdict of each command of an answer.
func commandTable(r value) section {
	s := section{Title: "Commands of the answer", Heads: []string{"Command", "Verdict", "Carried out", "JSON"},
		Empty: "The answer had no command."}
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
	s := section{Title: "The cart before and after", Diff: differenceOf(r.pretty("before"), r.pretty("after"))}
	if len(s.Diff) == 0 {
		s.Note = "The answer changed nothing."
	}
	return s
}
