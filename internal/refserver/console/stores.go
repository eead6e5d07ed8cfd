package console

import "strings"

// stores shows the stores with their installations and the apps, and the acts of merchants and the platform on them.
func stores(a *asked) []section {
	var out []section
	all, named := a.get("apps?limit=10&after="+escape(a.query("app_after"))), a.get("apps?limit=21").list("items")
	page := a.get("stores?limit=10&after=" + escape(a.query("after")))
	for _, st := range page.list("items") {
		out = append(out, storeSection(st, named))
	}
	if len(out) == 0 {
		out = append(out, section{Empty: "There is no store yet: add one below."})
	}
	more := section{Title: "More stores and apps"}
	for _, next := range []struct{ text, name, after string }{
		{"Next stores", "after", page.text("next")}, {"Next apps", "app_after", all.text("next")},
	} {
		if next.after != "" {
			more.Facts = append(more.Facts, fact{next.text, cell{Text: "after " + next.after, Link: link("/stores", next.name, next.after)}})
		}
	}
	add := section{
		Title: "Add",
		Forms: []form{
			{Call: "POST stores", Label: "Add a store", Shows: true, Fields: []field{
				{Name: "id", Label: "Id (0 draws one)", Kind: "number", Value: "0"},
				{Name: "app", Label: "App to install (0: none)", Kind: "number", Value: "0"},
			}},
			{Call: "POST apps", Label: "Add an app", Shows: true, Fields: []field{
				{Name: "name", Label: "Name", Kind: "text"},
				{Name: "redirect_url", Label: "Redirect URL", Kind: "text", Value: "https://second.example/installed"},
			}},
		},
	}
	for _, app := range all.list("items") {
		out = append(out, appSection(app))
	}
	if len(more.Facts) > 0 {
		out = append(out, more)
	}
	return append(out, add)
}

func storeSection(st value, apps []value) section {
	id := st.text("id")
	s := section{
		Title: "Store " + id, Heads: []string{"App", "Scopes"}, Empty: "No app is installed: install one.",
		Facts: []fact{
			{"Suspended", cell{Text: st.text("suspended")}},
			{"Records", cell{Text: "tables", Link: link("/entities", "store", id)}},
			{"States", cell{Text: "orders and what else has states", Link: link("/orders", "store", id)}},
			{"Carts", cell{Text: "carts and checkout", Link: link("/cart", "store", id)}},
			{"Payments", cell{Text: "calls to payment apps", Link: link("/payments", "store", id)}},
		},
	}
	for _, in := range st.list("installs") {
		s.Rows = append(s.Rows, []cell{number(in.text("app")), {Text: strings.Join(in.names("scopes"), " ")}})
	}
	var choices []choice // none if there are too many: then the id is entered
	for _, app := range apps {
		if len(apps) > 20 {
			break
		}
		choices = append(choices, choice{app.text("id"), app.text("name") + " " + app.text("id")})
	}
	app := func() []field { return []field{{Name: "app", Label: "App", Kind: "number", Choices: choices}} }
	of := "POST stores/" + escape(id) + "/"
	s.Forms = []form{
		{Call: of + "install", Label: "Install", Fields: app(), Shows: true},
		{Call: of + "reinstall", Label: "Reinstall", Fields: app(), Shows: true},
		{Call: of + "browser-install", Label: "Address to install in a browser", Fields: app(), Shows: true},
		{Call: of + "uninstall", Label: "Uninstall", Fields: app(), Danger: true},
		{Call: of + "data-request", Label: "Send a data-protection request", Fields: append(app(),
			field{Name: "event", Label: "Request", Kind: "text", Choices: choose("store/redact", "customers/redact",
				"customers/data_request")},
			field{Name: "customer", Label: "Customer", Kind: "number", Value: "0"})},
	}
	if st.text("suspended") == "yes" {
		s.Forms = append(s.Forms, form{Call: of + "resume", Label: "Resume"})
	} else {
		s.Forms = append(s.Forms, form{Call: of + "suspend", Label: "Suspend", Danger: true})
	}
	return s
}

func appSection(app value) section {
	id := app.text("id")
	address := func(name, label string) field {
		return field{Name: name, Label: label, Kind: "text", Value: app.text("addresses." + name), Optional: true}
	}
	pay := func(name, label string) field {
		return field{Name: name, Label: label, Kind: "text", Value: app.text("payments." + name), Optional: true}
	}
	return section{
		Title: "App " + id,
		Facts: []fact{{"Name", cell{Text: app.text("name")}}, {"Redirect URL", cell{Text: app.text("redirect_url")}}},
		Forms: []form{
			{Call: "PUT apps/" + escape(id) + "/redirect", Label: "Set redirect", Fields: []field{
				{Name: "redirect_url", Label: "Redirect URL", Kind: "text", Value: app.text("redirect_url")},
			}},
			{Call: "PUT apps/" + escape(id) + "/addresses", Label: "Set addresses of data protection", Fields: []field{
				address("store_redact", "store/redact"), address("customers_redact", "customers/redact"),
				address("customers_data_request", "customers/data_request"),
			}},
			{Call: "PUT apps/" + escape(id) + "/payments", Label: "Set payment addresses", Fields: []field{
				pay("process", "Process"), pay("cancel", "Cancel"), pay("status", "Status"),
			}},
		},
	}
}
