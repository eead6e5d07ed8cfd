package console

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver/traffic"
)

// charts are rates, states and times of calls at a glance.
func charts(a *asked) []section {
	over := a.query("over")
	if over == "" {
		over = "10m"
	}
	top := section{Title: "The last " + over}
	overs := []choice{{"1m", "minute"}, {"10m", "10 minutes"}, {"1h", "hour"}, {"24h", "day"}, {"168h", "week"}}
	if i := slices.IndexFunc(overs, func(c choice) bool { return c.Value == over }); i >= 0 {
		top.Title = "The last " + overs[i].Text
	}
	top.Links = views(over, overs, func(over string) string { return link("/charts", "over", over) })
	webhooks := a.get("series?of=webhooks&over=" + escapeQuery(over))
	if a.err != nil {
		return nil
	}
	times, every := timesOf(webhooks), seconds(webhooks.int("seconds")*1000)
	top.Note = map[string]string{
		"machine": "Times are by the clock of the machine.",
		"ahead":   "Times are by the platform's clock, which runs and can be moved forward.",
		"virtual": "Times are by the platform's clock, which changes only when it is moved.",
	}[webhooks.text("clock")]
	if webhooks.text("complete") == "no" {
		top.Note += " Entries of this time are forgotten, so the numbers are too low."
	}
	for _, of := range []struct{ name, member, state string }{
		{"webhooks", "n", ""}, {"delivered", "states.delivered", "delivered"}, {"waiting", "waiting",
			"waiting"}, {"failing", "failing", "failing"},
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
		{Title: "Webhooks every " + every, Chart: plotted("webhooks that began in "+every, times, 0, "",
			valuesOf(webhooks, "webhooks", "n"), valuesOf(webhooks, "problems", "problems"))},
		{Title: "Open webhooks", Chart: plotted("webhooks that were open at the end of each "+every+", by state", times, 0,
			"",
			valuesOf(webhooks, "waiting", "waiting"), valuesOf(webhooks, "failing", "failing"))},
		a.timesOfCalls("webhooks", webhooks, 3000),
	}
	for _, of := range []struct {
		kind  string
		limit int
	}{{"carts", 800}, {"rates", 5000}} {
		out = append(out, a.timesOfCalls(of.kind, a.get("series?of="+of.kind+"&over="+escapeQuery(over)), of.limit))
	}
	return append(out, a.circuits(a.store()))
}

// timesOfCalls are the times of calls of a kind, with their limit.
func (a *asked) timesOfCalls(kind string, of value, limit int) section {
	if n := of.int("of_ms"); n > 0 {
		limit = n
	}
	if of.int("total.n") == 0 {
		return section{Title: "Time of " + kind, Note: "There were no " + kind + " in this time."}
	}
	return section{Title: "Time of " + kind, Chart: plotted(
		"milliseconds of "+traffic.Count(of.int("total.n"), strings.TrimSuffix(kind, "s")), timesOf(of), limit, fmt.Sprint(limit),
		timed(of, "median", "p50_ms"), timed(of, "95th percentile", "p95_ms"), timed(of, "slowest", "max_ms"))}
}

// timesOf are the times of the parts of a series.
func timesOf(of value) (out []string) {
	for _, p := range of.list("parts") {
		_, clock, _ := strings.Cut(moment(p.text("from")), " ")
		out = append(out, clock)
	}
	return out
}

// valuesOf is a member of the parts of a series.
func valuesOf(of value, name, member string) series {
	s := series{name: name}
	for _, p := range of.list("parts") {
		s.values = append(s.values, p.int(member))
	}
	return s
}

// timed are milliseconds of the parts of a series, rounded up. A part without calls has none.
func timed(of value, name, member string) series {
	s := series{name: name}
	for _, p := range of.list("parts") {
		if p.int("n") == 0 {
			s.values = append(s.values, none)
		} else {
			s.values = append(s.values, int(math.Ceil(p.float(member))))
		}
	}
	return s
}
