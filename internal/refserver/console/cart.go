package console

import "strings"

// cart shows a cart with all that came of its last change, or the list of carts.
func cart(a *asked) []section {
	store := a.store()
	at := "stores/" + store + "/"
	id := a.query("cart")
	if id == "" {
		return []section{a.carts(store, at), a.front(store)}
	}
	in := of{store, id}
	c := a.get(at + "carts/" + escape(id))
	if a.err != nil {
		return nil
	}
	out := []section{a.contents(c, store, a.items(c, at, in)), a.changing(c, in), a.checkout(c, at, in)}
	out = append(out, a.runs(store, at, id)...)
	out = append(out, a.rates(store, at, id)...)
	return append(out, a.ruled(at, id)...)
}

// carts are the carts that can be changed.
func (a *asked) carts(store, at string) section {
	s := section{
		Title: "Carts of store " + store, Heads: []string{"Cart", "Customer", "Lines", "Total"},
		Empty: "There is no cart yet: begin one.",
		Forms: []form{a.ask("carts.new", "Begin a cart", of{store})},
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
func (a *asked) items(c value, at string, in of) []form {
	forms := []form{a.ask("carts.add", "Add", in, "variant", "quantity|Pieces=1").choosing("variant", a.variants(at))}
	for _, l := range c.list("lines") {
		item := clip(l.text("name")) + " (" + l.text("id") + ")"
		forms = append(forms,
			a.ask("carts.quantity", "Set "+item, in, "line!="+l.text("id"), "quantity|Pieces="+l.text("quantity")),
			a.ask("carts.remove", "Remove "+item, in, "line!="+l.text("id")))
	}
	return forms
}

// changing is what else a customer chooses.
func (a *asked) changing(c value, in of) section {
	forms := []form{
		a.ask("carts.customer", "Log in", in, "customer|Customer (0: none)="+c.text("customer")),
		a.ask("carts.coupon", "Apply coupon", in, "code"),
	}
	for _, code := range c.names("coupons") {
		forms = append(forms, a.ask("carts.uncoupon", "Remove "+code, append(in[:2:2], code)))
	}
	return section{Title: "Customer, coupon, destination and payment", Forms: append(forms,
		a.ask("carts.destination", "Set destination", in, "country=AR", "city?", "zipcode?|Postal code", "cost=0.00"),
		a.ask("carts.payment", "Set payment", in, "method=credit_card", "company?", "installments?"),
		a.ask("carts.replay", "Send to the apps again", in))}
}

// variants are the choices of a variant: those of a small store; otherwise none, and a number is typed.
func (a *asked) variants(at string) (out []choice) {
	page := a.get(at + "entities/variants?limit=200")
	if page.text("next") != "" {
		return nil
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
		out = append(out, choice{v.text("id"), clip(strings.TrimSpace(text + " " + v.text("id")))})
	}
	return out
}

// checkout is what ends in an order.
func (a *asked) checkout(c value, at string, in of) section {
	rates := []choice{{"", "none"}}
	for _, r := range a.offered(at, c.text("id")).list("rates") {
		rates = append(rates, choice{r.text("code"), r.text("name") + " " + r.text("price")})
	}
	providers := []choice{{"", "none"}}
	for _, p := range a.get(at + "entities/payment_providers?limit=200").list("items") {
		providers = append(providers, choice{p.text("id"), clip(firstOf(p, "name", "id"))})
	}
	buy := a.ask("carts.buy", "Buy", in, "contact.name=Ana Paz", "contact.email|E-mail=ana.paz@mail.example",
		"rate.code|Rate", "provider|Payment provider", "method_type?", "method_id?|Method")
	return section{Title: "Checkout", Forms: []form{
		a.ask("carts.quote", "Ask the carriers", in, "to.country=AR", "to.postal_code?=2000"),
		a.ask("carts.contact", "Set contact", in, "name=Ana Paz", "email|E-mail=ana.paz@mail.example"),
		a.ask("carts.abandon", "Leave it", in),
		a.ask("carts.payment-options", "Ways to pay", in).showing(),
		a.ask("carts.places", "Locations it may leave from", in).showing(),
		a.ask("carts.may-finish", "May it end?", in).showing(),
		buy.choosing("rate.code", rates).choosing("provider", providers).showing(),
	}}
}

// front is how carts are sent.
func (a *asked) front(store string) section {
	f := a.get("stores/" + store + "/storefront")
	return section{
		Title: "How carts are sent",
		Forms: []form{a.ask("storefront.set", "Set", of{store}, "delay="+f.text("delay"),
			"late_removes|a late answer removes discounts="+f.text("late_removes"))},
		Note: "Setting them begins a new list of runs.",
	}
}
