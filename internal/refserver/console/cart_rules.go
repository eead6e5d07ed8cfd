package console

// rules are the questions about a cart to the business rules of apps, and their registrations.
func (a *asked) rules(store, at string, in of) []section {
	asked := a.callsOf("Ask the rules", store, in[1], "rule")
	asked.Empty = "No rule was asked about this cart yet."
	asked.Forms = []form{
		a.ask("carts.may-finish", "Check the purchase", in), a.ask("carts.payment-options", "Ways to pay", in),
		a.ask("carts.places", "Locations", in),
	}
	registered := section{
		Title: "Registered rules", Heads: []string{"Domain", "App",
			"Address"}, Empty: "No app has a rule in this store: register its address.",
	}
	has := map[string]string{}
	for _, r := range a.get(at + "entities/rule_callbacks?limit=50").list("items") {
		has[r.text("domain")] = r.text("url")
		registered.Rows = append(registered.Rows, []cell{{Text: r.text("domain")}, number(r.text("app_id")),
			{Text: r.text("url")}})
	}
	for _, d := range []struct{ domain, event, asks string }{
		{"cart", "cart/before-finish", "may-finish"}, {"payments", "payments/before-filter", "payment-options"},
		{"location", "location/prioritization", "places"}, {"shipping", "shipping/before-filter", ""},
	} {
		url := has[d.domain]
		if url == "" {
			url = "https://app.example/rules/" + d.domain
		}
		f := a.ask("call", "Register for "+d.domain+" and ask", of{store}, "call!=PUT /business_rules/integrations/"+d.domain,
			"body.event!="+d.event, "body.url|Address="+url)
		if d.asks != "" {
			f = f.followed("GET "+at+"carts/"+escape(in[1])+"/"+d.asks, nil)
		} else {
			f.Label = "Register for " + d.domain
		}
		registered.Forms = append(registered.Forms, f)
	}
	return []section{asked, registered}
}
