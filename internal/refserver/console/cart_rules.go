package console

// rules are the questions about a cart to the business rules of apps, and their registrations.
func (a *asked) rules(store, at string, in of) []section {
	asked := section{
		Title: "Ask the rules", Forms: []form{
			a.ask("carts.may-finish", "Check the purchase", in), a.ask("carts.payment-options", "Ways to pay", in),
			a.ask("carts.places", "Locations", in),
		},
		Heads: []string{"Question", "Domain", "App", "Status", "ms", "Outcome",
			"Reason"}, Empty: "No rule was asked about this cart yet.",
	}
	for _, r := range a.last(at + "rule-runs") {
		if r.text("cart") == in[1] {
			asked.Rows = append(asked.Rows, []cell{
				number(r.text("n")), {Text: r.text("domain")}, number(r.text("app")), answeredCell(r.text("status")),
				number(r.millis("ms") + " of " + r.text("of_ms")), {Text: r.text("outcome")}, {Text: r.text("reason")},
			})
		}
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
