package console

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver/copied"
	"github.com/commerceplatform/commerce-go/internal/refserver/traffic"
)

// overview shows how to connect an app, four figures, the newest problems, and the snapshots.
func overview(a *asked) []section {
	info := a.get("info")
	problems := a.get("log?limit=5&state=problem")
	figures := section{Title: "Now", Figures: []figure{
		{problems.text("matching"), "problems", "/log?state=problem", alarm(problems.int("matching"))},
		a.figure("webhooks not delivered", "webhook", "failing", "given_up"),
		a.figure("answers too late", "", "late"),
		a.figure("requests of apps refused or failed", "request", "refused", "failed"),
	}}
	newest := trimmed(a.entries(problems.list("items"), false))
	newest.Title, newest.Empty = "Newest problems", a.silence()
	if problems.int("total") > 0 {
		newest.Empty = fmt.Sprintf("None of %s is a problem.", traffic.Count(problems.int("total"), "entry"))
	}
	if problems.text("next") != "" {
		newest.More, newest.MoreText = "/log?state=problem", "All problems"
	}
	return append(a.connect(info), figures, newest, a.snapshots())
}

// figure counts the entries of a kind in some states.
func (a *asked) figure(name, kind string, states ...string) figure {
	counts, n := a.get("log?limit=1&kind="+kind).at("states"), 0
	for _, state := range states {
		n += counts.int(state)
	}
	state := states[0]
	if len(states) > 1 {
		state = "problem"
	}
	return figure{fmt.Sprint(n), name, link("/log", "kind", kind, "state", state), alarm(n)}
}

func alarm(n int) string {
	if n > 0 {
		return "bad"
	}
	return ""
}

// connect is the first thing that a developer does: the partner, whether it answers, and the variables of the demo app.
// The variables are folded once the app is called.
func (a *asked) connect(info value) []section {
	s := section{Title: "Connect your app"}
	if info.int("app_id") == 0 {
		s.Note = "The server has no demo app: start it with --demo, or add an app and a store on the page Stores."
		return []section{s}
	}
	var lines []string
	for _, v := range [][2]string{
		{"REFSERVER_CONTROL", "control_url"}, {"COMMERCE_BASE_URL", "base_url"}, {"COMMERCE_AUTH_URL", "auth_url"},
		{"COMMERCE_APP_ID", "app_id"}, {"COMMERCE_APP_SECRET", "client_secret"}, {"COMMERCE_STORE_ID", "store_id"},
		{"COMMERCE_TOKEN", "access_token"},
	} {
		lines = append(lines, "export "+v[0]+"="+copied.Quoted(info.text(v[1])))
	}
	last, called := a.lastCall()
	for _, p := range a.get("partners?limit=10").list("items") {
		to := "the app in this process"
		if targets := p.names("targets"); len(targets) > 0 {
			to = strings.Join(targets, ", ")
		}
		s.Facts = append(s.Facts, fact{p.text("host"), cell{Text: "delivered to " + to}})
	}
	if len(s.Facts) > 0 {
		s.Facts = append(s.Facts, fact{"Last call to an app", last})
	} else {
		s.Note = "No app is connected yet: enter the address at which yours listens."
		s.Forms = []form{a.ask("partners.set", "Connect", nil, "origin=https://app.example",
			"targets|Your app=http://127.0.0.1:3000")}
	}
	return []section{s, {Title: "Variables of the app", Text: strings.Join(lines, "\n"), Copy: true, Folded: called}}
}

// lastCall says whether an app answered the last call, if one was called recently.
func (a *asked) lastCall() (said cell, called bool) {
	for _, e := range a.get("log?limit=20").list("items") {
		kind := e.text("kind")
		if kind == "request" || kind == "act" || kind == "clock" {
			continue
		}
		said = cell{Text: kind + " " + e.text("name") + ": " + e.text("status"), Link: link("/log", "id", e.text("id")), Class: "good"}
		if e.int("status") == 0 {
			said.Text, said.Class = strings.TrimSuffix(said.Text, "0")+cmp.Or(e.text("line"), "no answer"), "bad"
		}
		return said, true
	}
	return cell{Text: "none recently", Class: "dim"}, false
}

// last are the last ten of a list, the newest first.
func (a *asked) last(path string) []value {
	return a.get(path + "?order=newest&limit=10").list("items")
}

// snapshots are the kept states, each with the form that brings it back.
func (a *asked) snapshots() section {
	s := section{
		Title: "Snapshots", Heads: []string{"Name", "Records", "Digest", "Bring back"},
		Empty: "No state is kept: keep one before you try something.",
		Forms: []form{
			a.ask("snapshots.keep", "Keep", nil, "name"),
			a.ask("reset", "Reset all", nil).losing("All stores return to their state at the start."),
		},
	}
	for _, one := range a.get("snapshots").list("items") {
		name := one.text("name")
		s.Rows = append(s.Rows, []cell{
			{Text: name}, number(one.text("records")), {Text: fmt.Sprintf("%.12s", one.text("digest"))},
			{Forms: []form{a.ask("snapshots.restore", `Restore "`+name+`"`, of{name}).losing("All stores return to this state.")}},
		})
	}
	return s
}

// number is a cell whose digits stand below each other.
func number(s string) cell { return cell{Text: s, Class: "number"} }
