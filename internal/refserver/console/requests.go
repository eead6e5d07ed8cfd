package console

// requests shows one request to the API with its answer, or the list of the last ones.
func requests(a *asked) []section {
	if seq := a.query("seq"); seq != "" {
		return a.request(seq)
	}
	path := "requests?order=newest&limit=50"
	for _, name := range []string{"operation", "status", "store", "after"} {
		if v := a.query(name); v != "" {
			path += "&" + name + "=" + escape(v)
		}
	}
	page := a.get(path)
	s := requestTable(page.list("items"))
	s.Title = "Requests"
	if next := page.text("next"); next != "" {
		s.MoreText = "Older requests"
		s.More = link("/requests", "operation", a.query("operation"), "status", a.query("status"), "store", a.query("store"), "after", next)
	}
	return []section{s}
}

func requestTable(all []value) section {
	s := section{
		Heads: []string{"Request", "Call", "Status", "Milliseconds", "Not read"},
		Empty: "Nobody called the API yet: refserver env prints the address and a token.",
	}
	for _, r := range all {
		status := cell{Text: r.text("status"), Class: "good"}
		if status.Text >= "4" {
			status.Class = "bad"
		}
		s.Rows = append(s.Rows, []cell{
			{Text: r.text("seq"), Link: link("/requests", "seq", r.text("seq"))}, {Text: r.text("method") + " " + r.text("path")}, status,
			number(r.text("ms")), {Text: r.text("unread")},
		})
		if len(r.list("unread")) == 0 {
			s.Rows[len(s.Rows)-1][4].Text = ""
		}
	}
	return s
}

func (a *asked) request(seq string) []section {
	r := a.get("requests/" + escape(seq))
	base := a.get("info").text("base_url")
	curl := "curl -X " + r.text("method") + " '" + base + r.text("path") + "' \\\n  -H \"Authorization: bearer $COMMERCE_TOKEN\" -H 'User-Agent: Desk (dev@app.example)'"
	if body := r.pretty("body"); body != "" {
		curl += " \\\n  -H 'Content-Type: application/json' -d '" + quoted(body) + "'"
	}
	return []section{
		{
			Title: "Request " + seq,
			Facts: []fact{
				{"Call", cell{Text: r.text("method") + " " + r.text("path")}},
				{"Operation", cell{Text: r.text("operation")}}, {"At", cell{Text: r.text("at")}}, {"Status", cell{Text: r.text("status")}},
				{"Not read", cell{Text: r.text("unread")}}, {"Fault", cell{Text: r.text("fault")}}, {"Error", cell{Text: r.text("error")}},
			},
		},
		{Title: "Body", Text: r.pretty("body")},
		{Title: "Answer", Text: r.pretty("answer")},
		{Title: "As curl", Text: curl},
	}
}

// quoted is text within the single quotation marks of a shell.
func quoted(s string) string {
	out := ""
	for _, r := range s {
		if r == '\'' {
			out += `'\''`
			continue
		}
		out += string(r)
	}
	return out
}
