package console

import "strings"

// cart shows a cart with all that came of its last change, or the list of carts.
func cart(a *asked) []section {
	store := a.store()
	at := "stores/" + store + "/"
	id := a.query("cart")
	if id == "" {
		return []section{a.carts(store, at), a.front(store, at)}
	}
	of := at + "carts/" + escape(id) + "/"
	c := a.get(strings.TrimSuffix(of, "/"))
	if a.err != nil {
		return nil
	}
	out := []section{a.contents(c, store, a.items(c, at, of)), changing(c, of), a.checkout(c, at, of)}
	out = append(out, a.runs(store, at, id)...)
	out = append(out, a.rates(store, at, id)...)
	return append(out, a.ruled(at, id)...)
}

// carts are the carts that can be changed.
func (a *asked) carts(store, at string) section {
	s := section{
		Title: "Carts of store " + store, Heads: []string{"Cart", "Customer", "Lines", "Total"},
		Empty: "There is no cart yet: begin one.",
		Forms: []form{{Call: "POST " + at + "carts", Label: "Begin a cart"}},
	}
	page := a.get(at + "carts?limit=50&after=" + escapeQuery(a.query("after")))
	for _, c := range page.list("items") {
		key := c.text("id")
		s.Rows = append(s.Rows, []cell{
			{Text: key, Link: link("/cart", "store", store, "cart", key), Class: "key"}, customerCell(store, c.text("customer")),
			{Text: lines(c)}, number(c.text("total") + " " + c.text("currency")),
		})
	}
	if next := page.text("next"); next != "" {
		s.More = link("/cart", "store", store, "after", next)
	}
	return s
}

// customerCell leads to a customer; 0 is nobody.
func customerCell(store, id string) cell {
	if id == "0" {
		return cell{Text: "nobody logged in"}
	}
	return cell{Text: id, Link: recordLink(store, "customers", id)}
}

// lines are what is in a cart, in words.
func lines(c value) string {
	var out []string
	for _, l := range c.list("lines") {
		out = append(out, l.text("quantity")+" × "+l.text("name"))
	}
	return strings.Join(out, ", ")
}

// contents are the lines of a cart, and its discounts.
func (a *asked) contents(c value, store string, forms []form) section {
	s := section{
		Forms: forms,
		Title: "Cart " + c.text("id"), Heads: []string{"Line", "Item", "Pieces", "Price", "Discount"},
		Empty: "The cart is empty: add a variant.",
		Facts: []fact{
			{"Customer", customerCell(store, c.text("customer"))}, {"Subtotal", number(c.text("subtotal"))},
			{"Discounts of apps", number(off(c.text("promotions")))},
			{"Coupons", cell{Text: strings.Join(append(c.names("coupons"), off(c.text("coupon"))), " ")}},
			{"Shipping", number(c.text("shipping"))}, {"Total", number(c.text("total") + " " + c.text("currency"))},
			{"All carts", cell{Text: "carts of store " + store, Link: link("/cart", "store", store)}},
		},
	}
	var parts []cell
	for _, d := range c.list("discounts") {
		parts = append(parts, cell{
			Text: d.text("name") + " " + off(d.text("amount")), Link: recordLink(store, "promotions", d.text("promotion")),
		})
	}
	s.Facts = append(s.Facts, fact{"Promotions", cell{Parts: parts}})
	for _, l := range c.list("lines") {
		s.Rows = append(s.Rows, []cell{
			number(l.text("id")), {Text: l.text("name"), Link: recordLink(store, "products", l.text("product"))},
			number(l.text("quantity")), number(l.text("price")), number(off(l.text("discount"))),
		})
	}
	return s
}

// items are what a customer does to the lines of a cart.
func (a *asked) items(c value, at, of string) []form {
	forms := []form{{Call: "POST " + of + "add", Label: "Add", Fields: []field{
		a.variants(at), {Name: "quantity", Label: "Pieces", Kind: "number", Value: "1"},
	}}}
	for _, l := range c.list("lines") {
		item := clip(l.text("name")) + " (" + l.text("id") + ")"
		forms = append(forms,
			form{Call: "POST " + of + "quantity", Label: "Set " + item, Fields: []field{
				hidden("number:line", l.text("id")), {Name: "quantity", Kind: "number", Label: "Pieces", Value: l.text("quantity")},
			}},
			form{Call: "POST " + of + "remove", Label: "Remove " + item, Fields: []field{hidden("number:line", l.text("id"))}})
	}
	return forms
}

// changing is what else a customer chooses.
func changing(c value, of string) section {
	forms := []form{
		{Call: "PUT " + of + "customer", Label: "Log in", Fields: []field{
			{Name: "customer", Label: "Customer (0: none)", Kind: "number", Value: c.text("customer")},
		}},
		{Call: "POST " + of + "coupon", Label: "Apply coupon", Fields: []field{{Name: "code", Label: "Code", Kind: "text"}}},
	}
	for _, code := range c.names("coupons") {
		forms = append(forms, form{Call: "DELETE " + of + "coupon/" + escape(code), Label: "Remove " + code})
	}
	return section{Title: "Customer, coupon, destination and payment", Forms: append(forms,
		form{Call: "PUT " + of + "destination", Label: "Set destination", Fields: []field{
			{Name: "country", Label: "Country", Kind: "text", Value: "AR"}, {Name: "city", Label: "City", Kind: "text",
				Optional: true},
			{Name: "zipcode", Label: "Postal code", Kind: "text", Optional: true}, {Name: "cost", Label: "Cost", Kind: "text",
				Value: "0.00"},
		}},
		form{Call: "PUT " + of + "payment", Label: "Set payment", Fields: []field{
			{Name: "method", Label: "Method", Kind: "text", Value: "credit_card"}, {Name: "company", Label: "Company",
				Kind: "text", Optional: true},
			{Name: "installments", Label: "Installments", Kind: "number", Optional: true},
		}},
		form{Call: "POST " + of + "replay", Label: "Send to the apps again"})}
}

// variants are the choices of a variant: those of a small store, or a number to type.
func (a *asked) variants(at string) field {
	f := field{Name: "variant", Label: "Variant", Kind: "number"}
	page := a.get(at + "entities/variants?limit=200")
	if page.text("next") != "" {
		return f
	}
	names := map[string]string{}
	for _, p := range a.get(at + "entities/products?limit=200").list("items") {
		names[p.text("id")] = nameOf(p)
	}
	for _, v := range page.list("items") {
		text := names[v.text("product_id")]
		if of := words(v.at("values")); of != "" {
			text += ", " + of
		}
		f.Choices = append(f.Choices, choice{v.text("id"), clip(strings.TrimSpace(text + " " + v.text("id")))})
	}
	return f
}

// checkout is what ends in an order.
func (a *asked) checkout(c value, at, of string) section {
	rates := []choice{{"", "none"}}
	for _, r := range a.offered(at, c.text("id")).list("rates") {
		rates = append(rates, choice{r.text("code"), r.text("name") + " " + r.text("price")})
	}
	providers := []choice{{"", "none"}}
	for _, p := range a.get(at + "entities/payment_providers?limit=200").list("items") {
		providers = append(providers, choice{p.text("id"), clip(firstOf(p, "name", "id"))})
	}
	asks := []form{
		{Call: "GET " + of + "payment-options", Label: "Ways to pay"}, {Call: "GET " + of + "places",
			Label: "Locations it may leave from"},
		{Call: "GET " + of + "may-finish", Label: "May it end?"},
	}
	forms := []form{
		{Call: "POST " + of + "quote", Label: "Ask the carriers", Fields: []field{
			{Name: "to.country", Label: "Country", Kind: "text", Value: "AR"},
			{Name: "to.postal_code", Label: "Postal code", Kind: "text", Value: "2000", Optional: true},
		}},
		{Call: "PUT " + of + "contact", Label: "Set contact", Fields: []field{
			{Name: "name", Label: "Name", Kind: "text", Value: "Ana Paz"}, {Name: "email", Label: "E-mail", Kind: "text",
				Value: "ana.paz@mail.example"},
		}},
		{Call: "POST " + of + "abandon", Label: "Leave it"},
	}
	forms = append(forms, shows(asks)...)
	return section{
		Title: "Checkout",
		Forms: append(forms, form{Call: "POST " + of + "buy", Label: "Buy", Shows: true, Fields: []field{
			{Name: "contact.name", Label: "Name", Kind: "text", Value: "Ana Paz"},
			{Name: "contact.email", Label: "E-mail", Kind: "text", Value: "ana.paz@mail.example"},
			{Name: "rate.code", Label: "Rate", Kind: "text", Choices: rates},
			{Name: "provider", Label: "Payment provider", Kind: "text", Choices: providers},
			{Name: "method_type", Label: "Method type", Kind: "text", Optional: true},
			{Name: "method_id", Label: "Method", Kind: "text", Optional: true},
		}}),
	}
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
		Note: "Setting them begins a new list of runs.",
	}
}
