package console

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver/traffic"
)

// log shows everything that happened, one entry, or a comparison of two.
func log(a *asked) []section {
	if with := a.r.URL.Query()["with"]; len(with) == 2 {
		return a.compared(with[0], with[1])
	} else if len(with) > 0 {
		return []section{{Note: "To compare, pick two entries in the log.", Links: []cell{{Text: "Log",
			Link: "/log"}}}}
	}
	if id := a.query("id"); id != "" {
		return a.entry(id)
	}
	path, chosen := "log?limit=50", []string{}
	for _, name := range []string{"search", "kind", "state", "app", "store", "after"} {
		if v := strings.TrimSpace(a.query(name)); v != "" {
			path, chosen = path+"&"+name+"="+escapeQuery(v), append(chosen, name, v)
		}
	}
	page := a.get(path)
	if a.err != nil {
		return nil
	}
	s := a.entries(page.list("items"), true)
	s.Title, s.Find = "Everything that happened", a.findEntries()
	s.Picker = &picker{Compares: true, Buttons: []bulk{{"Send again", func(id string) (form, bool) {
		again := a.repeat(a.get("log/" + escape(id)))
		return append(again, form{})[0], len(again) > 0
	}}}}
	if s.Note = traffic.Count(page.int("total"), "entry"); page.text("matching") != page.text("total") {
		s.Note = page.text("matching") + " of " + s.Note
	}
	if strings.Contains(a.query("search"), "@") {
		s.Note += "; e-mail addresses are searched in the newest 1,000 orders, customers and carts"
	}
	if n := page.int("forgotten"); n > 0 {
		s.Note += fmt.Sprintf("; the oldest %d are forgotten", n)
	}
	s.Links = logStates(page.at("states"), a.query("state"), chosen)
	if len(chosen) > 0 {
		s.Empty = "No entry matches."
	} else if s.Empty = a.silence(); s.Empty == "" {
		s.Empty = "Nothing has happened yet."
	}
	if next := page.text("next"); next != "" {
		s.MoreText, s.More = "Older entries", link("/log", append(chosen, "after", next)...)
	}
	return []section{s}
}

// logStates are the links to the states that entries have, with their numbers.
func logStates(counts value, now string, chosen []string) []cell {
	others := []string{}
	for i := 0; i < len(chosen); i += 2 {
		if chosen[i] != "state" && chosen[i] != "after" {
			others = append(others, chosen[i], chosen[i+1])
		}
	}
	all, of := 0, []choice{{"", ""}, {"problem", "problems"}}
	states, _ := counts.of.(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(states)) {
		all += counts.int(name)
		of = append(of, choice{name, fmt.Sprintf("%s %d", strings.ReplaceAll(name, "_", " "), counts.int(name))})
	}
	of[0].Text = fmt.Sprintf("all %d", all)
	return views(now, of, func(state string) string { return link("/log", append(slices.Clone(others), "state", state)...) })
}

// findEntries chooses entries by words, kind, app and store.
func (a *asked) findEntries() *finder {
	kinds := []choice{{"", "everything"}}
	for _, kind := range []string{"webhook", "cart", "rate", "rule", "label", "payment", "request", "act", "clock"} {
		kinds = append(kinds, choice{kind, kind})
	}
	return &finder{Path: "/log", Fields: []field{
		{Name: "search", Label: "Words", Value: a.query("search")}, {Name: "kind", Label: "Kind", Value: a.query("kind"),
			Choices: kinds},
		{Name: "app", Label: "App", Value: a.query("app")}, {Name: "store", Label: "Store", Value: a.query("store")},
		hidden("state", a.query("state")),
	}}
}

// entries are entries of the log as rows.
func (a *asked) entries(all []value, picks bool) section {
	s := section{Heads: []string{"When", "What", "Record", "State", "ms", "Answer", "Pick"}}
	now := a.get("clock").text("now")
	for _, e := range all {
		id := e.text("id")
		took := number(e.millis("ms"))
		if of := e.text("of_ms"); of != "" {
			took.Text += " of " + of
		} else if e.text("ms") == "0" {
			took.Text = "" // an act
		}
		row := []cell{
			ago(e.text("at"), now), {Text: e.text("kind") + " " + e.text("name"), Link: link("/log", "id", id), Class: "name"},
			recordOf(e), wordsOf(e), took, {Text: clip(e.text("line")), Class: "bare"}, {Pick: id},
		}
		if !picks {
			row = row[:len(row)-1]
		}
		s.Rows = append(s.Rows, row)
	}
	if !picks {
		s.Heads = s.Heads[:len(s.Heads)-1]
	}
	return s
}

// recordOf leads to the record of an entry, by its name.
func recordOf(e value) cell {
	key := e.text("record.key")
	if key == "" {
		return cell{}
	}
	resource, store := e.text("record.resource"), e.text("record.store")
	out := cell{Text: singular(resource) + " " + key, Link: recordLink(store, resource, key)}
	if name := e.text("record.name"); name != "" {
		out.Text = clipTo(40, singular(resource)+" "+name)
	}
	if resource == "carts" {
		out.Link = link("/cart", "store", store, "cart", key)
	}
	return out
}

// wordsOf is the state of an entry in words, with its color.
func wordsOf(e value) cell {
	out := cell{Text: e.text("words"), Class: "good"}
	switch {
	case e.text("problem") == "yes":
		out.Class = "bad"
	case e.text("state") == "waiting" || e.text("state") == "ignored":
		out.Class = "warn"
	}
	return out
}

// silence says why nothing was sent, by the registrations of the demo store.
func (a *asked) silence() string {
	store := a.store()
	counts := a.get("stores/" + store + "/entities").at("resources")
	if a.err != nil {
		return ""
	}
	if counts.int("webhooks")+counts.int("discount_callbacks")+counts.int("carriers")+counts.int("rule_callbacks") == 0 {
		return "Nothing has happened, and store " + store +
			" has no webhook, discount callback, carrier or rule of an app: " +
			"an app registers them through the API, or use refserver trigger EVENT --to URL."
	}
	return fmt.Sprintf("Nothing has happened yet, and store %s has %s, %s, %s and %s: change a record or a cart.", store,
		traffic.Count(counts.int("webhooks"), "webhook"), traffic.Count(counts.int("discount_callbacks"), "discount callback"),
		traffic.Count(counts.int("carriers"), "carrier"), traffic.Count(counts.int("rule_callbacks"), "rule"))
}
