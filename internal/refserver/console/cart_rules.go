package console

import "encoding/json"

// rules are the questions about a cart to the business rules of apps, and their registrations.
func (a *asked) rules(store, at string, in of) []section {
	asked := section{
		Title: "Ask the rules", Forms: []form{
			a.ask("carts.may-finish", "May it be bought?", in), a.ask("carts.payment-options", "Ways to pay", in),
			a.ask("carts.places", "Locations", in),
		},
		Heads: []string{"Question", "Domain", "App", "Status", "ms", "Outcome", "Reason"}, Empty: "No rule was asked about this cart yet.",
	}
	for _, r := range a.last(at + "rule-runs") {
		if r.text("cart") == in[1] {
			asked.Rows = append(asked.Rows, []cell{
				number(r.text("n")), {Text: r.text("domain")}, number(r.text("app")), answeredCell(r.text("status")),
				number(r.text("ms") + " of " + r.text("of_ms")), {Text: r.text("outcome")}, {Text: r.text("reason")},
			})
		}
	}
	registered := section{
		Title: "Registered rules", Heads: []string{"Domain", "App", "Address"}, Empty: "No app has a rule in this store: register its address.",
	}
	has := map[string]string{}
	for _, r := range a.get(at + "entities/rule_callbacks?limit=50").list("items") {
		has[r.text("domain")] = r.text("url")
		registered.Rows = append(registered.Rows, []cell{{Text: r.text("domain")}, number(r.text("app_id")), {Text: r.text("url")}})
	}
	for _, d := range [][2]string{
		{"cart", "cart/before-finish"}, {"payments", "payments/before-filter"}, {"shipping", "shipping/before-filter"},
		{"location", "location/prioritization"},
	} {
		url := has[d[0]]
		if url == "" {
			url = "https://app.example/rules/" + d[0]
		}
		event, _ := json.Marshal(d[1])
		registered.Forms = append(registered.Forms, a.ask("call", "Register for "+d[0], of{store},
			"call!=PUT /business_rules/integrations/"+d[0], "body.event!="+string(event)[1:len(event)-1], "body.url|Address="+url))
	}
	return []section{asked, registered}
}
