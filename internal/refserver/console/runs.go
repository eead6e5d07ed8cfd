package console

import "strings"

// runs are the carts that were sent to apps: one with all of it, and the others as rows.
func (a *asked) runs(store, at, id string) []section {
	var own []value
	for _, r := range a.last(at + "runs") {
		if r.text("cart") == id {
			own = append(own, r)
		}
	}
	if len(own) == 0 {
		return []section{{
			Title: "Sent to apps",
			Empty: "No app was sent the cart: an app registers with PUT /discounts/callbacks and a promotion, or use " +
				"refserver cart --to URL.",
		}}
	}
	shown := own[0]
	for _, r := range own {
		if r.text("n") == a.query("run") {
			shown = r
		}
	}
	all := section{Title: "Runs of the cart", Heads: []string{"Run", "At (UTC)", "App", "Tier", "Status", "ms",
		"Outcome", "Why"}}
	for _, r := range own {
		n := cell{Text: r.text("n"), Link: link("/cart", "store", store, "cart", id, "run", r.text("n")), Class: "number"}
		all.Rows = append(all.Rows, []cell{
			n, number(moment(r.text("at"))), number(r.text("app")), {Text: r.text("tier"), Class: "key"},
			answeredCell(r.text("status")),
			number(r.text("ms")), outcomeCell(r.text("outcome")), {Text: r.text("reason")},
		})
	}
	return []section{
		oneRun(shown, shown.text("n") == own[0].text("n")), vanished(store, shown), compared(shown), all,
		{Title: "What was sent", Text: shown.pretty("request")}, {Title: "What came back", Text: shown.pretty("answer")},
	}
}

// outcomeCell is what came of a run.
func outcomeCell(outcome string) cell {
	class := map[string]string{"applied": "good", "removed": "bad", "uninstalled": "bad", "ignored": "warn"}[outcome]
	return cell{Text: outcome, Class: strings.TrimSpace("key " + class)}
}

// oneRun is a run with its time of 800 ms and the verdict of each command.
func oneRun(r value, last bool) section {
	outcome := outcomeCell(r.text("outcome"))
	if why := r.text("reason"); why != "" {
		outcome.Text += ": " + why
	}
	s := section{
		Title: "Run " + r.text("n") + ", sent to app " + r.text("app"),
		Facts: []fact{
			{"To", cell{Text: r.text("url")}}, {"Tier", cell{Text: r.text("tier")}}, {"Status",
				answeredCell(r.text("status"))}, {"So", outcome},
			{"Warnings", cell{Text: strings.Join(r.names("warnings"), "; "), Class: "warn"}},
		},
		Meter: &meter{Value: r.text("ms"), Of: r.text("of_ms"), Label: r.text("ms") + " of " + r.text("of_ms") + " ms"},
		Heads: []string{"Command", "Verdict", "Carried out", "What it is"}, Empty: "The answer had no command.",
	}
	if last {
		s.Title = "Last sent to app " + r.text("app")
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

// vanished are the parts of the cart that are gone with a run.
func vanished(store string, r value) section {
	s := section{Title: "Vanished", Heads: []string{"Part", "Of", "Line", "Why"}, Empty: "Nothing vanished with it."}
	for _, v := range r.list("vanished") {
		of := cell{Text: v.text("code")}
		if id := v.text("promotion"); id != "" {
			of = cell{Text: promotionName(r, id), Link: recordLink(store, "promotions", id)}
		}
		line := v.text("line")
		if line == "0" {
			line = "all"
		}
		s.Rows = append(s.Rows, []cell{{Text: v.text("part")}, of, {Text: line}, {Text: v.text("why")}})
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

// compared is the cart before and after a run.
func compared(r value) section {
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
