package console

import (
	"slices"
	"strings"
)

// hasStates reports whether the records of a table have states.
func hasStates(resource string) bool { return slices.Contains(statedResources(), resource) }

// graphsOf are the tables of states of a resource, for all records.
func (a *asked) graphsOf(resource string) (out []section) {
	machines := a.get("machines?limit=200").list("items")
	for _, k := range allStated() {
		for _, m := range machines {
			if k.resource == resource && m.text("name") == k.machine {
				out = append(out, section{Title: "States of " + k.machine, Note: k.others, Graph: drawn(m, ""), Folded: true})
			}
		}
	}
	return out
}

// statesOf draws the tables of one record, each with buttons for its transitions.
func (a *asked) statesOf(store, resource string, record value) (out []section) {
	if !hasStates(resource) {
		return nil
	}
	now, machines := a.get("clock").text("now"), a.get("machines?limit=200").list("items")
	for _, k := range allStated() {
		for _, m := range machines {
			if k.resource == resource && m.text("name") == k.machine && k.of(record) {
				out = append(out, k.drawn(a, store, m, record, now))
			}
		}
	}
	return append(out, a.parts(store, resource, record, now)...)
}

// drawn is a table of states about one record.
func (k stated) drawn(a *asked, store string, m, record value, now string) section {
	state := record.text(k.member)
	s := section{Title: "States of " + k.machine, Graph: drawn(m, state)}
	leads, all := false, ways(m, state)
	for _, w := range all {
		do, ok := k.move(w.on)
		if !ok || !w.legal && w.to == state || k.resource == "transactions" && !reported(w) {
			continue
		}
		leads = leads || w.legal
		label := w.on
		if slices.ContainsFunc(all, func(o way) bool { return o.on == w.on && o.to != w.to }) {
			label += ": " + w.to
		}
		s.Forms = append(s.Forms, do.form(a, store, label, w, record, now))
	}
	if !leads && k.member != "" {
		s.Note = "No operation of the API moves it from " + state + "."
	}
	if k.others != "" {
		s.Note = strings.TrimSpace(s.Note + " " + k.others)
	}
	if slices.ContainsFunc(s.Forms, func(f form) bool { return f.Muted }) {
		s.Note = strings.TrimSpace(s.Note + " Dashed buttons are refused now: press one to see why.")
	}
	return s
}

// stateNames are the states of a table. One without a name is that of a record before its first event.
func stateNames(m value) []string {
	states := m.names("states")
	for i, s := range states {
		if s == "" {
			states[i] = begins
		}
	}
	return states
}

// begins is the name of a state without one.
const begins = "(new)"

// stateCell is a state with its color.
func stateCell(state string) cell {
	return cell{Text: state, Class: map[string]string{"delivered": "good", "failed": "bad", "pending": "warn"}[state]}
}
