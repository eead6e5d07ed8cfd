package console

import (
	"slices"
	"strings"
)

// requests shows one request to the API with its answer, or the list of the last ones.
func requests(a *asked) []section {
	if seq := a.query("seq"); seq != "" {
		return a.request(seq)
	}
	path, more := "requests?order=newest&limit=50", []string{}
	for _, name := range []string{"operation", "status", "store", "after"} {
		if v := strings.TrimSpace(a.query(name)); v != "" {
			path += "&" + name + "=" + escapeQuery(v)
			more = append(more, name, v)
		}
	}
	page := a.get(path)
	s := requestTable(page.list("items"))
	if s.Title = "Requests"; len(more) > 0 {
		s.Empty = "No request is like that."
	}
	if next := page.text("next"); next != "" {
		s.MoreText = "Older requests"
		s.More = link("/requests", append(more, "after", next)...)
	}
	s.Find = a.findRequests()
	return []section{s}
}

// findRequests chooses requests by operation, status and store.
func (a *asked) findRequests() *finder {
	choices := []choice{{"", "all"}}
	for _, op := range a.operations() {
		choices = append(choices, choice{op, op})
	}
	if now := a.query("operation"); now != "" && !slices.Contains(choices, choice{now, now}) {
		choices = append(choices, choice{now, now}) // by its id
	}
	return &finder{Path: "/requests", Fields: []field{
		{Name: "operation", Label: "Operation", Value: a.query("operation"), Choices: choices},
		{Name: "status", Label: "Status", Value: a.query("status")}, {Name: "store", Label: "Store", Value: a.query("store")},
	}}
}

func requestTable(all []value) section {
	s := section{
		Heads: []string{"Request", "At (UTC)", "Call", "Status", "ms", "Not read"},
		Empty: "Nobody called the API yet: refserver env prints the address and a token.",
	}
	for _, r := range all {
		seq := cell{Text: r.text("seq"), Link: link("/requests", "seq", r.text("seq")), Class: "number"}
		s.Rows = append(s.Rows, []cell{
			seq, number(moment(r.text("at"))), {Text: r.text("method") + " " + r.text("path")}, statusCell(r.text("status")),
			number(r.text("ms")), {Text: strings.Join(r.names("unread"), ", "), Class: "warn"},
		})
	}
	return s
}

// statusCell is a status with its color.
func statusCell(status string) cell {
	if status >= "4" {
		return cell{Text: status, Class: "bad"}
	}
	return cell{Text: status, Class: "good"}
}

// request is one request with what came of it, and as commands that make it again.
func (a *asked) request(seq string) []section {
	sent, body := a.sent(seq)
	if a.err != nil {
		return nil
	}
	r := sent.of
	fault := cell{}
	if r.text("fault") == "yes" {
		fault = cell{Text: "a fault that is armed had its hand in it", Link: "/faults", Class: "warn"}
	}
	out := []section{{
		Title: "Request " + seq,
		Facts: []fact{
			{"Call", cell{Text: r.text("method") + " " + r.text("path")}}, {"Status", statusCell(r.text("status"))},
			{"Operation", operationCell(r.text("operation"))}, {"At (UTC)", cell{Text: moment(r.text("at"))}},
			{"Took", cell{Text: r.text("ms") + " ms"}}, {"Fault", fault}, {"Instead", cell{Text: r.text("hint")}},
			{"Error of the server", cell{Text: r.text("error"), Class: "bad"}},
		},
	}}
	if names := r.names("unread"); len(names) > 0 {
		out = append(out, unread(names, r.names("unread_query")))
	}
	note := "COMMERCE_TOKEN is the token of the installation: refserver env prints it."
	if strings.Contains(string(body), "***") {
		note += " Secrets are masked: put them where *** is."
	}
	return append(out,
		section{Title: "Body", Text: r.pretty("body")},
		section{Title: "Answer", Text: r.pretty("answer")},
		section{Title: "As curl", Note: note + " A click selects all of it.", Text: sent.curl(), Copy: true},
		section{Title: "As Go", Note: "client/api.md names the typed method of an endpoint, if it has one.",
			Text: sent.goProgram(), Copy: true},
	)
}

// operationCell leads to the requests of an operation.
func operationCell(name string) cell {
	if name == "" {
		return cell{Text: "none: the API has no operation with this method and path", Class: "bad"}
	}
	return cell{Text: name, Link: link("/requests", "operation", name)}
}

// unread are the members and parameters that the server did not read.
func unread(names, query []string) section {
	s := section{
		Title: "Sent, and not read", Heads: []string{"Name", "Where"},
		Note: "The server read the request and did not look at these, so they changed nothing. Usually a name is misspelt, " +
			"stands at another place, or belongs to another version of the API.",
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
