package console

import (
	"fmt"
	"math"
	"strings"
)

// charts are rates, states and times of calls at a glance.
func charts(a *asked) []section {
	over := a.query("over")
	if over == "" {
		over = "10m"
	}
	top := section{Title: "The last " + over}
	for _, o := range []string{"1m", "10m", "1h", "24h", "168h"} {
		one := cell{Text: o, Link: link("/charts", "over", o)}
		if o == over {
			one.Class = "now"
		}
		top.Links = append(top.Links, one)
	}
	webhooks := a.get("series?of=webhooks&over=" + escapeQuery(over))
	if a.err != nil {
		return nil
	}
	times := timesOf(webhooks)
	top.Note = "By the clock of the platform, which is " + webhooks.text("clock") + "."
	if webhooks.text("complete") == "no" {
		top.Note += " Entries of this time are forgotten, so the numbers are too low."
	}
	for _, of := range []struct{ name, member, state string }{
		{"webhooks", "n", ""}, {"delivered", "states.delivered", "delivered"}, {"waiting", "waiting", "waiting"}, {"failing", "failing", "failing"},
		{"given up", "states.given_up", "given_up"},
	} {
		n := webhooks.int("total." + of.member)
		f := figure{Value: fmt.Sprint(n), Name: of.name, Link: link("/log", "kind", "webhook", "state", of.state)}
		if n > 0 && (of.state == "failing" || of.state == "given_up") {
			f.Class = "bad"
		}
		top.Figures = append(top.Figures, f)
	}
	out := []section{
		top,
		{Title: "Webhooks a part", Chart: plotted("webhooks that began in "+seconds(webhooks.int("seconds")*1000), times, 0, "",
			valuesOf(webhooks, "webhooks", "n"), valuesOf(webhooks, "problems", "problems"))},
		{Title: "Open webhooks", Chart: plotted("webhooks that were open at the end of a part, by state", times, 0, "",
			valuesOf(webhooks, "waiting", "waiting"), valuesOf(webhooks, "failing", "failing"))},
		a.timesOfCalls("webhooks", webhooks, 3000),
	}
	for _, of := range []struct {
		kind  string
		limit int
	}{{"carts", 800}, {"rates", 5000}} {
		out = append(out, a.timesOfCalls(of.kind, a.get("series?of="+of.kind+"&over="+escapeQuery(over)), of.limit))
	}
	return append(out, a.failures())
}

// timesOfCalls are the times of calls of a kind, with their limit.
func (a *asked) timesOfCalls(kind string, of value, limit int) section {
	if n := of.int("of_ms"); n > 0 {
		limit = n
	}
	return section{Title: "Time of " + kind, Chart: plotted(
		fmt.Sprintf("milliseconds of %d %s", of.int("total.n"), kind), timesOf(of), limit, fmt.Sprint(limit),
		valuesOf(of, "median", "p50_ms"), valuesOf(of, "95 of 100", "p95_ms"), valuesOf(of, "greatest", "max_ms"))}
}

// timesOf are the times of the parts of a series.
func timesOf(of value) (out []string) {
	for _, p := range of.list("parts") {
		_, clock, _ := strings.Cut(moment(p.text("from")), " ")
		out = append(out, clock)
	}
	return out
}

// valuesOf is a member of the parts of a series. Milliseconds are rounded up.
func valuesOf(of value, name, member string) series {
	s := series{name: name}
	for _, p := range of.list("parts") {
		s.values = append(s.values, int(math.Ceil(p.float(member))))
	}
	return s
}

// failures are the calls of each carrier that count, against the threshold of its circuit.
func (a *asked) failures() section {
	const fewest = 500 // calls that count before the circuit may open: half of them must fail
	s := section{Title: "Failures of carriers", Heads: []string{"Carrier", "Circuit", "Calls that count", "Failures", "Opens at"}, Empty: "The store has no carrier."}
	store := a.store()
	for _, c := range a.get("stores/" + store + "/entities/carriers?limit=10").list("items") {
		id := c.text("id")
		h := a.get("stores/" + store + "/carriers/" + escape(id))
		circuit := cell{Text: h.text("circuit"), Class: map[string]string{"closed": "good", "open": "bad"}[h.text("circuit")]}
		s.Rows = append(s.Rows, []cell{
			{Text: nameOf(c) + " " + id, Link: recordLink(store, "carriers", id)}, circuit, number(h.text("requests")), number(h.text("failures")),
			{Text: fmt.Sprintf("%d failures of %d calls", max(fewest, h.int("requests"))/2, max(fewest, h.int("requests")))},
		})
	}
	return s
}
