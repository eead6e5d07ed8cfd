package console

import (
	"cmp"
	"fmt"
)

// webhooks shows the timeline of one webhook, or the list of all and what nobody was sent.
func webhooks(a *asked) []section {
	if id := a.query("id"); id != "" {
		return a.webhook(id)
	}
	path := "deliveries?order=newest&limit=50"
	for _, name := range []string{"event", "state", "store", "after"} {
		if v := a.query(name); v != "" {
			path += "&" + name + "=" + escape(v)
		}
	}
	page := a.get(path)
	all := deliveryTable(page.list("items"))
	all.Title = "Sent"
	if a.query("event")+a.query("state")+a.query("store") != "" {
		all.Empty = "None of the webhooks that were searched is like that."
		all.Note = "Searched " + page.text("searched") + " webhooks."
	}
	if next := page.text("next"); next != "" {
		all.MoreText = "Older webhooks"
		all.More = a.webhooksLike(a.query("state"), "after", next)
	}
	for _, state := range []string{"", "pending", "delivered", "failed"} {
		l := cell{Text: cmp.Or(state, "all")}
		l.Link = a.webhooksLike(state)
		if state == a.query("state") {
			l.Class = "now"
		}
		all.Links = append(all.Links, l)
	}
	all.Forms = []form{a.ask("clock.next", "Jump to the next attempt", nil)}
	silent := section{
		Title: "Not sent", Heads: []string{"Event", "At", "Why"},
		Empty: "Every event had somebody to be sent to.",
	}
	for _, u := range a.last("deliveries/unsent") {
		silent.Rows = append(silent.Rows, []cell{
			{Text: u.text("event"), Class: "whole"}, when(u.text("at")), {Text: u.text("why")},
		})
	}
	order := a.get("deliveries/order")
	send := section{
		Title: "How they are sent",
		Forms: []form{
			a.ask("deliveries.order.set", "Set", nil, "twice|each one twice="+order.text("twice"),
				"reorder|every second one after the next="+order.text("reorder")),
			a.ask("stores.emit", "Send an event", nil, "/store="+a.store(), "event=domain/updated", "fields|Members={}").
				choosing("event", choose(a.eventNames()...)),
		},
	}
	return []section{all, silent, send}
}

// webhooksLike is the address of the webhooks in a state, with the other filters of the page.
func (a *asked) webhooksLike(state string, more ...string) string {
	return link("/webhooks", append([]string{"event", a.query("event"), "state", state, "store", a.query("store")}, more...)...)
}

func (a *asked) eventNames() []string {
	var out []string
	for _, e := range a.get("events?limit=200").list("items") {
		out = append(out, e.text("event"))
	}
	return out
}

func deliveryTable(all []value) section {
	s := section{
		Heads: []string{"Webhook", "Event", "State", "Attempts", "Next", "Why"},
		Empty: "Nothing was sent yet: an app registers a webhook with POST /webhooks, or use refserver trigger EVENT --to URL.",
	}
	for _, d := range all {
		s.Rows = append(s.Rows, []cell{
			{Text: d.text("id"), Link: link("/webhooks", "id", d.text("id"))}, {Text: d.text("event"), Class: "whole"},
			stateCell(d.text("state")), number(fmt.Sprint(len(d.list("attempts")))), when(d.text("next")), {Text: d.text("why")},
		})
	}
	return s
}

// stateCell is a state with its color.
func stateCell(state string) cell {
	return cell{Text: state, Class: map[string]string{"delivered": "good", "failed": "bad", "pending": "warn"}[state]}
}

// webhook is the timeline of one.
func (a *asked) webhook(id string) []section {
	d := a.get("deliveries/" + escape(id))
	one := section{
		Title: "Webhook " + id,
		Facts: []fact{
			{"Event", cell{Text: d.text("event")}}, {"To", cell{Text: d.text("url")}}, {"State", stateCell(d.text("state"))},
			{"Why", cell{Text: d.text("why")}}, {"Next attempt", when(d.text("next"))},
		},
		Forms: []form{
			a.ask("deliveries.resend", "Send again", of{id}), a.ask("clock.next", "Jump to the next attempt", nil),
		},
	}
	body := section{Title: "Body", Text: d.pretty("body")}
	attempts := section{
		Title: "Attempts", Heads: []string{"Attempt", "At", "Status", "Milliseconds", "Answer", "Signature"},
		Empty: "No attempt was made yet.",
	}
	for _, t := range d.list("attempts") {
		status := cell{Text: t.text("status"), Class: "bad"}
		switch {
		case t.text("error") != "":
			status.Text = t.text("error")
		case len(status.Text) == 3 && status.Text[0] == '2':
			status.Class = "good"
		}
		attempts.Rows = append(attempts.Rows, []cell{
			number(t.text("n")), when(t.text("at")), status, number(t.text("ms")),
			{Text: t.pretty("answer")}, {Text: t.text("signature"), Class: "code"},
		})
	}
	return []section{one, attempts, body}
}
