package console

import "strings"

// cart shows a cart with all that came of its last change, or the list of carts.
func cart(a *asked) []section {
	store := a.store()
	at := "stores/" + store + "/"
	id := a.query("cart")
	list := section{
		Title: "Carts", Heads: []string{"Cart", "Customer", "Lines", "Total"},
		Empty: "There is no cart yet: begin one.",
		Forms: []form{{Call: "POST " + at + "carts", Label: "Begin a cart"}},
	}
	for _, c := range a.get(at + "carts?limit=200").list("items") {
		key := c.text("id")
		list.Rows = append(list.Rows, []cell{
			{Text: key, Link: link("/cart", "store", store, "cart", key)}, number(c.text("customer")), {Text: lines(c)}, number(c.text("total")),
		})
	}
	if id == "" {
		return []section{list, a.front(store, at)}
	}
	c := a.get(at + "carts/" + escape(id))
	out := []section{a.contents(c, at, id), a.checkout(at, id)}
	out = append(out, a.runs(at, id)...)
	out = append(out, a.quotes(store, at)...)
	return append(out, a.front(store, at))
}

// lines are what is in a cart, in words.
func lines(c value) string {
	var out []string
	for _, l := range c.list("lines") {
		out = append(out, l.text("quantity")+" x "+l.text("name"))
	}
	return strings.Join(out, ", ")
}

// contents are the lines of a cart, with what a customer does to them.
func (a *asked) contents(c value, at, id string) section {
	of := at + "carts/" + escape(id) + "/"
	s := section{
		Title: "Cart " + id, Heads: []string{"Line", "Item", "Pieces", "Price", "Discount"},
		Empty: "The cart is empty: add a variant.",
		Facts: []fact{
			{"Subtotal", number(c.text("subtotal"))}, {"Promotions", number("-" + c.text("promotions"))}, {"Coupons", cell{Text: strings.Join(c.names("coupons"), " ") + " -" + c.text("coupon")}},
			{"Shipping", number(c.text("shipping"))}, {"Total", number(c.text("total") + " " + c.text("currency"))},
		},
	}
	for _, l := range c.list("lines") {
		s.Rows = append(s.Rows, []cell{number(l.text("id")), {Text: l.text("name")}, number(l.text("quantity")), number(l.text("price")), number(l.text("discount"))})
		s.Forms = append(s.Forms,
			form{Call: "POST " + of + "quantity", Label: "Set pieces of line " + l.text("id"), Fields: []field{
				hidden("number:line", l.text("id")), {Name: "quantity", Kind: "number", Label: "Pieces", Value: l.text("quantity")},
			}},
			form{Call: "POST " + of + "remove", Label: "Take line " + l.text("id") + " out", Fields: []field{hidden("number:line", l.text("id"))}})
	}
	var variants []choice
	for _, v := range a.get(at + "entities/variants?limit=200").list("items") {
		variants = append(variants, choice{v.text("id"), strings.TrimSpace(v.text("sku") + " " + v.text("id"))})
	}
	s.Forms = append([]form{
		{Call: "POST " + of + "add", Label: "Add", Fields: []field{
			{Name: "variant", Label: "Variant", Kind: "number", Choices: variants}, {Name: "quantity", Label: "Pieces", Kind: "number", Value: "1"},
		}},
		{Call: "POST " + of + "coupon", Label: "Apply coupon", Fields: []field{{Name: "code", Label: "Code", Kind: "text"}}},
		{Call: "PUT " + of + "customer", Label: "Log in", Fields: []field{{Name: "customer", Label: "Customer (0: none)", Kind: "number", Value: c.text("customer")}}},
		{Call: "PUT " + of + "destination", Label: "Set destination", Fields: []field{
			{Name: "country", Label: "Country", Kind: "text", Value: "AR"}, {Name: "city", Label: "City", Kind: "text", Optional: true},
			{Name: "zipcode", Label: "Postal code", Kind: "text", Optional: true}, {Name: "cost", Label: "Cost", Kind: "text", Value: "0.00"},
		}},
		{Call: "PUT " + of + "payment", Label: "Set payment", Fields: []field{{Name: "method", Label: "Method", Kind: "text", Value: "credit_card"}}},
		{Call: "POST " + of + "replay", Label: "Send to the apps again"},
	}, s.Forms...)
	for _, code := range c.names("coupons") {
		s.Forms = append(s.Forms, form{Call: "DELETE " + of + "coupon/" + escape(code), Label: "Take " + code + " off"})
	}
	return s
}

// checkout is what ends in an order.
func (a *asked) checkout(at, id string) section {
	of := at + "carts/" + escape(id) + "/"
	return section{
		Title: "Checkout",
		Forms: []form{
			{Call: "POST " + of + "quote", Label: "Ask the carriers", Fields: []field{
				{Name: "to.country", Label: "Country", Kind: "text", Value: "AR"},
				{Name: "to.postal_code", Label: "Postal code", Kind: "text", Value: "2000", Optional: true},
			}},
			{Call: "POST " + of + "buy", Label: "Buy", Shows: true, Fields: []field{
				{Name: "contact.name", Label: "Name", Kind: "text", Value: "Ana Paz"},
				{Name: "contact.email", Label: "E-mail", Kind: "text", Value: "ana.paz@mail.example"},
				{Name: "rate.code", Label: "Code of a rate", Kind: "text", Optional: true},
				{Name: "provider", Label: "Payment provider", Kind: "text", Optional: true},
				{Name: "method_type", Label: "Method type", Kind: "text", Optional: true},
				{Name: "method_id", Label: "Method", Kind: "text", Optional: true},
			}},
		},
	}
}

// runs are the carts that were sent to apps, the last with all of it.
func (a *asked) runs(at, id string) []section {
	var own []value
	for _, r := range a.last(at + "runs") {
		if r.text("cart") == id {
			own = append(own, r)
		}
	}
	if len(own) == 0 {
		return []section{{
			Title: "Sent to apps",
			Empty: "No app was sent the cart: an app registers with PUT /discounts/callbacks and a promotion, or use refserver cart --to URL.",
		}}
	}
	r := own[0]
	outcome := cell{Text: r.text("outcome"), Class: "good"}
	if why := r.text("reason"); why != "" {
		outcome = cell{Text: outcome.Text + ": " + why, Class: "bad"}
	}
	sent := section{
		Title: "Last sent to app " + r.text("app"),
		Facts: []fact{
			{"To", cell{Text: r.text("url")}}, {"Status", number(r.text("status"))}, {"So", outcome},
			{"Warnings", cell{Text: strings.Join(r.names("warnings"), "; ")}},
		},
		Meter: &meter{Value: r.text("ms"), Of: r.text("of_ms"), Label: r.text("ms") + " of " + r.text("of_ms") + " ms"},
		Heads: []string{"Command", "Verdict", "What it is"}, Empty: "The answer had no command.",
	}
	for _, c := range r.list("commands") {
		verdict := cell{Text: "valid", Class: "good"}
		if c.text("valid") != "yes" {
			verdict = cell{Text: c.text("error"), Class: "bad"}
		}
		sent.Rows = append(sent.Rows, []cell{number(c.text("n")), verdict, {Text: c.text("command")}})
	}
	gone := section{Title: "Vanished", Heads: []string{"Part", "Of", "Why"}, Empty: "Nothing vanished with it."}
	for _, v := range r.list("vanished") {
		gone.Rows = append(gone.Rows, []cell{{Text: v.text("part")}, {Text: v.text("promotion") + v.text("code") + " " + v.text("line")}, {Text: v.text("why")}})
	}
	before := section{Title: "Runs before", Heads: []string{"Run", "App", "Tier", "Status", "Milliseconds", "So", "Why"}}
	for _, r := range own[1:] {
		before.Rows = append(before.Rows, []cell{
			number(r.text("n")), number(r.text("app")), {Text: r.text("tier")}, number(r.text("status")), number(r.text("ms")), {Text: r.text("outcome")}, {Text: r.text("reason")},
		})
	}
	out := []section{sent, gone, {Title: "Sent", Text: r.pretty("request")}, {Title: "Answer", Text: r.pretty("answer")}}
	if len(before.Rows) > 0 {
		out = append(out, before)
	}
	return out
}

// quotes are the last calls to carriers, with the circuit of each carrier.
func (a *asked) quotes(store, at string) []section {
	calls := section{
		Title: "Rates", Heads: []string{"Call", "Carrier", "Source", "Status", "Milliseconds", "Counts", "Fallback", "Hidden rates"},
		Empty: "No carrier was asked yet: an app makes one with POST /shipping_carriers, or use refserver quote --to URL.",
	}
	for _, c := range a.last(at + "quotes") {
		var hidden []string
		for _, h := range c.list("hidden") {
			hidden = append(hidden, h.text("code")+": "+h.text("why"))
		}
		calls.Rows = append(calls.Rows, []cell{
			number(c.text("n")), number(c.text("carrier")), {Text: c.text("source")}, number(c.text("status")), number(c.text("ms")), {Text: c.text("counts")},
			{Text: c.text("fallback")}, {Text: strings.Join(append(hidden, c.text("reason")), "; ")},
		})
	}
	fallback := section{Title: "Fallback", Heads: []string{"Option", "Price", "Days"}}
	for _, o := range a.get(at + "fallback").list("options") {
		fallback.Rows = append(fallback.Rows, []cell{{Text: o.text("name")}, number(o.text("price")), number(o.text("min_days") + " to " + o.text("max_days"))})
	}
	circuits := section{Title: "Circuits", Heads: []string{"Carrier", "Circuit", "Requests", "Failures", "Next check"}}
	for _, c := range a.get(at + "entities/carriers?limit=200").list("items") {
		h := a.get(at + "carriers/" + escape(c.text("id")))
		circuits.Rows = append(circuits.Rows, []cell{
			{Text: c.text("id"), Link: link("/entities", "store", store, "resource", "carriers", "key", c.text("id"))}, {Text: h.text("circuit")},
			number(h.text("requests")), number(h.text("failures")), {Text: h.text("next_check")},
		})
	}
	return []section{calls, circuits, fallback}
}

// front is how carts are sent.
func (a *asked) front(store, at string) section {
	f := a.get("stores/" + store + "/storefront")
	return section{
		Title: "How carts are sent",
		Forms: []form{{Call: "PUT " + at + "storefront", Label: "Set", Fields: []field{
			{Name: "delay", Label: "Delay", Kind: "text", Value: f.text("delay")},
			{Name: "late_removes", Label: "a late answer removes discounts", Kind: "check", Value: f.text("late_removes")},
		}}},
	}
}
