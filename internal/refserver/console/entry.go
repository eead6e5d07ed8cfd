package console

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// entry is one call whole: its time, attempts, request, answer, and the entries that it caused.
func (a *asked) entry(id string) []section {
	raw, err := a.call(a.r.Context(), "GET", "log/"+escape(id), nil)
	if err != nil {
		a.err = err
		return nil
	}
	e := parse(raw)
	now := a.get("clock").text("now")
	name := e.text("kind") + " " + e.text("name")
	a.title = name + " " + id + ", " + e.text("words")
	attempts := e.list("attempts")
	s := section{
		Title: name,
		Facts: []fact{
			{"State", wordsOf(e)}, {"Answer", cell{Text: e.text("line"), Class: problem(e)}}, {"Record", recordOf(e)},
			{"When", ago(e.text("at"), now)}, {"App", cell{Text: unless(e.text("app"), "0")}}, {"Store",
				cell{Text: unless(e.text("store"), "0")}},
			{"Forgotten", cell{Text: map[string]string{"yes": "bodies and attempts are no longer kept"}[e.text("forgotten")]}},
		},
		Meter: timeOf(e), Forms: a.repeat(e),
		Links: []cell{{Text: "Log", Link: "/log"}},
	}
	if e.text("kind") == "cart" {
		s.Links = append(s.Links, cell{Text: "The cart with this run", Link: link("/cart", "store", e.text("store"), "cart",
			e.text("record.key"), "view", "payload", "run", e.text("detail.n"))})
	}
	if name, ok := contractOf[e.text("kind")]; ok {
		s.Links = append(s.Links, cell{Text: "The contract of this call", Link: "/contract/" + name})
	}
	if before := a.before(e); before != "" {
		s.Links = append(s.Links, cell{Text: "Compare with the previous one",
			Link: "/log?with=" + before + "&with=" + escapeQuery(id)})
	}
	if cause := e.at("cause"); cause.of != nil {
		s.Facts = append(s.Facts, fact{"Caused by", cell{Text: cause.text("kind") + " " + cause.text("name"),
			Link: link("/log", "id", cause.text("id"))}})
	}
	out := []section{s}
	if len(attempts) > 1 || e.text("kind") == "webhook" {
		out = append(out, tried(attempts, now))
	}
	out = append(out, verdictsOf(e)...)
	if len(attempts) > 0 {
		out = append(out, exchanged(attempts[len(attempts)-1])...)
	}
	return append(append(out, a.causedBy(e)), a.copies(e, raw)...)
}

// problem is the class of an entry with one.
func problem(e value) string {
	if e.text("problem") == "yes" {
		return "bad"
	}
	return ""
}

// unless is a text, or nothing if it is another one.
func unless(s, none string) string {
	if s == none {
		return ""
	}
	return s
}

// timeOf is the time of a call against its limit.
func timeOf(e value) *meter {
	of := e.int("of_ms")
	if of == 0 {
		return nil
	}
	m := &meter{Value: e.text("ms"), Of: e.text("of_ms"), Low: of * 7 / 10, High: of - 1,
		Label: e.millis("ms") + " ms of " + e.text("of_ms") + " ms"}
	if all := e.list("attempts"); len(all) > 0 {
		switch late := all[len(all)-1].at("late"); {
		case late.text("reading") == "yes":
			m.Label += ": no answer in time; still waiting for it"
		case late.text("too_late_ms") != "":
			m.Label = fmt.Sprintf("answered after %s, %s too late (limit %s)", seconds(late.int("ms")),
				seconds(late.int("too_late_ms")), seconds(of))
		case late.text("error") != "":
			m.Label += ": " + late.text("error")
		}
	}
	return m
}

// seconds are milliseconds as a person reads them.
func seconds(ms int) string {
	if ms < 1000 {
		return fmt.Sprintf("%d ms", ms)
	}
	return strings.TrimSuffix(fmt.Sprintf("%.1f", (time.Duration(ms)*time.Millisecond).Seconds()), ".0") + " s"
}

// tried are the attempts at a call.
func tried(attempts []value, now string) section {
	s := section{Title: "Attempts", Heads: []string{"Attempt", "When", "Status", "ms", "Too late by ms", "Reason"},
		Empty: "No attempt was made yet."}
	for _, t := range attempts {
		status := cell{Text: t.text("answer.status"), Class: "bad"}
		if strings.HasPrefix(status.Text, "2") {
			status.Class = "good"
		} else if status.Text == "" {
			status.Text = "no answer"
		}
		n := t.text("n")
		if t.text("resent") == "yes" {
			n += ", sent again"
		}
		s.Rows = append(s.Rows, []cell{
			{Text: n}, ago(t.text("at"),
				now), status, number(t.millis("ms")), number(t.millis("late.too_late_ms")), {Text: t.text("reason")},
		})
	}
	return trimmed(s)
}

// verdictsOf say what the platform thought of an answer.
func verdictsOf(e value) (out []section) {
	d := e.at("detail")
	if commands := d.list("commands"); len(commands) > 0 {
		out = append(out, commandTable(d))
	}
	if gone := hiddenRates(d); len(gone.Rows) > 0 {
		out = append(out, gone)
	}
	if names := d.names("unread"); len(names) > 0 {
		out = append(out, unread(names, d.names("unread_query")))
	}
	return out
}

// unread are the members and parameters that the server did not read.
func unread(names, query []string) section {
	s := section{
		Title: "Sent, and not read", Heads: []string{"Name", "Where"},
		Note: "These changed nothing. Usually a name is misspelt, is in another place, or belongs to another version.",
	}
	for i, name := range names {
		where := "body"
		if i >= len(names)-len(query) {
			where = "query"
		}
		s.Rows = append(s.Rows, []cell{{Text: name, Class: "warn"}, {Text: where}})
	}
	return s
}

// exchanged are the request and the answer of an attempt.
func exchanged(t value) []section {
	answer := section{Title: "Answer", Text: t.pretty("answer.body"), Note: "Status " + t.text("answer.status")}
	if t.at("answer").of == nil {
		answer.Note = cmp.Or(t.text("reason"), "There was none in time.")
	}
	if late := t.at("late.answer"); late.of != nil {
		answer.Note = "Status " + late.text("status") + ", after the limit, without an effect"
		answer.Text = late.pretty("body")
	}
	return []section{
		{Title: "Request", Note: t.text("request.method") + " " + t.text("request.url"),
			Text: t.pretty("request.body")}, answer,
		{Title: "Headers of the request", Folded: true, Text: headerLines(t.at("request.headers"))},
		{Title: "Headers of the answer", Folded: true, Text: headerLines(t.at("answer.headers"))},
	}
}

// headerLines are headers, one a line, in the order of their names.
func headerLines(v value) string {
	all, _ := v.of.(map[string]any)
	var lines []string
	for _, name := range sortedNames(all) {
		for _, s := range v.names(name) {
			lines = append(lines, name+": "+s)
		}
	}
	return strings.Join(lines, "\n")
}

// before is the entry before this one of the same kind and name, for a comparison.
func (a *asked) before(e value) string {
	if e.text("kind") == "act" || e.text("kind") == "clock" {
		return ""
	}
	path := "log?limit=20&kind=" + e.text("kind") + "&store=" + e.text("store") + "&after=" + e.text("id")
	for _, one := range a.get(path).list("items") {
		if one.text("name") == e.text("name") {
			return one.text("id")
		}
	}
	return ""
}

// causedBy are the entries that followed from one.
func (a *asked) causedBy(e value) section {
	s := a.entries(e.list("caused"), false)
	if s.Title = "It caused"; len(s.Rows) == 0 {
		return section{}
	}
	if e.text("caused_more") == "yes" {
		s.Note = "These are the first ones."
	}
	return s
}

// repeat are the buttons that make a call again, as it was or with a changed body.
func (a *asked) repeat(e value) []form {
	store, key, d := e.text("store"), e.text("record.key"), e.at("detail")
	if d.of == nil {
		return nil
	}
	switch e.text("kind") {
	case "webhook":
		return []form{
			a.ask("deliveries.resend", "Send again", of{d.text("id")}),
			a.ask("stores.emit", "Send again with this body", of{store}, "event!="+e.text("name"), "app!="+e.text("app"),
				"fields|Body="+d.pretty("body")),
		}
	case "cart":
		return []form{a.ask("carts.replay", "Send the cart again", of{store, key})}
	case "rate":
		if key != "" {
			return []form{a.ask("carts.quote", "Ask again", of{store, key}, "to.country=AR", "to.postal_code?=2000")}
		}
	case "rule":
		if act := map[string]string{"payments": "carts.payment-options", "location": "carts.places",
			"cart": "carts.may-finish"}[e.text("name")]; act != "" && key != "" {
			return []form{a.ask(act, "Ask again", of{store, key})}
		}
	case "payment":
		return []form{a.ask("payments.again", "Make it again", of{store, d.text("n")}, "replica|Replica (0: in turn)=0",
			"resign|sign again")}
	case "request":
		_, below, ok := strings.Cut(strings.TrimPrefix(d.text("path"), "/"), "/"+store+"/")
		if !ok {
			return nil
		}
		body := d.pretty("body")
		if body == "" || !json.Valid([]byte(body)) {
			body = "{}"
		}
		call := d.text("method") + " /" + below
		if d.text("method") == "GET" || d.text("method") == "DELETE" {
			return []form{a.ask("call", "Make it again", of{store}, "call!="+call)}
		}
		return []form{a.ask("call", "Make it again with this body", of{store}, "call!="+call, "body="+body)}
	}
	return nil
}
