package console

import "fmt"

// overview shows the clock, the stores and the last of everything.
func overview(a *asked) []section {
	info, clock := a.get("info"), a.get("clock")
	at := section{
		Title: "Clock",
		Facts: []fact{
			{"Now", when(clock.text("now"))},
			{"What waits for the clock", cell{Text: clock.text("waiting")}},
			{"Next thing due", when(clock.text("next"))},
		},
	}
	if clock.text("movable") == "yes" {
		at.Forms = []form{
			a.ask("clock.advance", "+1 min", nil, "by!=1m"), a.ask("clock.advance", "+1 h", nil, "by!=1h"),
			a.ask("clock.advance", "+48 h", nil, "by!=48h"), a.ask("clock.next", "Next", nil),
		}
	} else {
		at.Note = "The clock is that of the machine: start the server with --control to move it."
	}
	where := section{
		Title: "Where it is",
		Facts: []fact{
			{"API", cell{Text: info.text("base_url")}},
			{"Control API", cell{Text: info.text("control_url")}},
			{"Stores", cell{Text: info.text("stores"), Link: "/stores"}},
			{"Apps", cell{Text: info.text("apps"), Link: "/stores"}},
			{"Webhooks sent", cell{Text: info.text("deliveries"), Link: "/webhooks"}},
		},
		Note: "Token and secret of the demo app: refserver env, or GET /_/api/info.",
	}
	return []section{at, where, a.lastDeliveries(), a.lastRequests(), a.states()}
}

func (a *asked) lastDeliveries() section {
	s := deliveryTable(a.last("deliveries"))
	s.Title = "Last webhooks"
	return s
}

func (a *asked) lastRequests() section {
	s := requestTable(a.last("requests"))
	s.Title = "Last requests"
	return s
}

// last are the last ten of a list, the newest first.
func (a *asked) last(path string) []value {
	return a.get(path + "?order=newest&limit=10").list("items")
}

// states are the snapshots, with what brings one back.
func (a *asked) states() section {
	s := section{
		Title: "States", Heads: []string{"Name", "Records", "Digest"},
		Empty: "No state is kept: keep one before you try something, and bring it back after it.",
		Forms: []form{
			a.ask("snapshots.keep", "Keep", nil, "name"), a.ask("reset", "Reset all", nil).endangering(),
		},
	}
	for _, one := range a.get("snapshots").list("items") {
		name := one.text("name")
		s.Rows = append(s.Rows, []cell{{Text: name}, number(one.text("records")), {Text: fmt.Sprintf("%.12s", one.text("digest"))}})
		s.Forms = append(s.Forms, a.ask("snapshots.restore", "Restore "+name, of{name}))
	}
	return s
}

// number is a cell whose digits stand below each other.
func number(s string) cell { return cell{Text: s, Class: "number"} }
