package console

import "strings"

// stores shows the stores with their installations and the apps, and the acts of merchants and the platform on them.
func stores(a *asked) []section {
	var out []section
	all, named := a.get("apps?limit=10&after="+escape(a.query("app_after"))), a.get("apps?limit=21").list("items")
	page := a.get("stores?limit=10&after=" + escape(a.query("after")))
	for _, st := range page.list("items") {
		out = append(out, a.storeSection(st, named))
	}
	if len(out) == 0 {
		out = append(out, section{Empty: "There is no store yet: add one below."})
	}
	more := section{Title: "More stores and apps"}
	for _, next := range []struct{ text, name, after string }{
		{"Next stores", "after", page.text("next")}, {"Next apps", "app_after", all.text("next")},
	} {
		if next.after != "" {
			more.Facts = append(more.Facts, fact{next.text, cell{Text: "after " + next.after, Link: link("/stores", next.name,
				next.after)}})
		}
	}
	add := section{
		Title: "Add",
		Forms: []form{
			a.ask("stores.add", "Add a store", nil, "id|Id (0: a new one)=0", "app|App to install (0: none)=0"),
			a.ask("apps.add", "Add an app", nil, "name", "redirect_url|Redirect URL=https://second.example/installed"),
		},
	}
	for _, app := range all.list("items") {
		out = append(out, a.appSection(app))
	}
	if len(more.Facts) > 0 {
		out = append(out, more)
	}
	return append(out, add)
}

func (a *asked) storeSection(st value, apps []value) section {
	id := st.text("id")
	s := section{
		Title: "Store " + id, Heads: []string{"App", "Scopes"}, Empty: "No app is installed: install one.",
		Facts: []fact{
			{"Suspended", cell{Text: st.text("suspended")}},
			{"Records", cell{Text: "tables", Link: link("/entities", "store", id)}},
			{"Orders", cell{Text: "orders and other records with states", Link: link("/orders", "store", id)}},
			{"Carts", cell{Text: "carts and checkout", Link: link("/cart", "store", id)}},
			{"Log", cell{Text: "everything that happened in it", Link: link("/log", "store", id)}},
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
	in := of{id}
	s.Forms = []form{
		a.ask("stores.install", "Install", in, "app"),
		a.ask("stores.reinstall", "Reinstall", in, "app"),
		a.ask("stores.browser-install", "Address to install in a browser", in, "app"),
		a.ask("stores.uninstall", "Uninstall", in, "app").losing("The app loses its token and its records in store " +
			id + "."),
		a.ask("stores.data-request", "Send a privacy request", in, "app", "event|Request", "customer=0").
			choosing("event", choose("store/redact", "customers/redact", "customers/data_request")),
	}
	for _, f := range s.Forms {
		f.choosing("app", choices)
	}
	if st.text("suspended") == "yes" {
		s.Forms = append(s.Forms, a.ask("stores.resume", "Resume", in))
	} else {
		s.Forms = append(s.Forms, a.ask("stores.suspend", "Suspend", in).endangering())
	}
	return s
}

func (a *asked) appSection(app value) section {
	id := app.text("id")
	return section{
		Title: "App " + id,
		Facts: []fact{{"Name", cell{Text: app.text("name")}}, {"Redirect URL", cell{Text: app.text("redirect_url")}}},
		Forms: []form{
			a.ask("apps.redirect", "Set redirect", of{id}, "redirect_url|Redirect URL="+app.text("redirect_url")),
			a.ask("apps.addresses", "Set the addresses of privacy requests", of{id},
				"store_redact?|store/redact="+app.text("addresses.store_redact"),
				"customers_redact?|customers/redact="+app.text("addresses.customers_redact"),
				"customers_data_request?|customers/data_request="+app.text("addresses.customers_data_request")),
			a.ask("apps.payments", "Set payment addresses", of{id}, "process?="+app.text("payments.process"),
				"cancel?="+app.text("payments.cancel"), "status?="+app.text("payments.status")),
		},
	}
}
