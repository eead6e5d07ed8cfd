package console

import (
	"slices"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver/traffic"
)

// cart shows a cart as a summary with one of four views, or the list of carts.
func cart(a *asked) []section {
	store := a.store()
	at := "stores/" + store + "/"
	id := a.query("cart")
	if id == "" {
		return []section{a.carts(store, at)}
	}
	in := of{store, id}
	c := a.get(at + "carts/" + escape(id))
	if a.err != nil {
		return nil
	}
	runs := a.runsOf(at, id)
	out := []section{a.summary(store, c, runs)}
	switch a.query("view") {
	case "payload":
		return append(out, a.payload(store, id, runs)...)
	case "rates":
		return append(out, a.rates(store, at, in)...)
	case "rules":
		return append(out, a.rules(store, at, in)...)
	}
	return append(out, a.items(c, at, in), a.checkout(c, at, in), a.changing(c, in))
}

// carts are the carts that can be changed.
func (a *asked) carts(store, at string) section {
	s := section{
		Title: "Carts of store " + store, Heads: []string{"Cart", "Customer", "Lines", "Total"},
		Empty: "There is no cart yet: begin one.",
		Forms: []form{a.ask("carts.new", "Begin a cart", of{store})},
	}
	page := a.get(at + "carts?order=newest&limit=50&after=" + escapeQuery(a.query("after")))
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

// lines are the items of a cart, in words.
func lines(c value) string {
	var out []string
	for _, l := range c.list("lines") {
		out = append(out, l.text("quantity")+" × "+l.text("name"))
	}
	return strings.Join(out, ", ")
}

// summary is the cart in a few lines: total, discounts, the last answer of an app, and the parts that vanished.
func (a *asked) summary(store string, c value, runs []value) section {
	id := c.text("id")
	s := section{
		Title: "Cart " + id,
		Facts: []fact{
			{"Total", cell{Text: c.text("total") + " " + c.text("currency") + ", " + lines(c)}}, {"Discounts",
				discountsOf(store, c)},
		},
	}
	a.title = "Cart " + id + ", " + c.text("total") + " " + c.text("currency")
	switch {
	case len(runs) > 0:
		last := runs[0]
		answer := outcomeCell(last.text("outcome"))
		answer.Text = "app " + last.text("app") + ", " + last.millis("ms") + " of " + last.text("of_ms") + " ms: " + answer.Text
		if vanished := lost(store, runs); len(vanished.Parts) > 0 {
			s.Facts = slices.Insert(s.Facts, 1, fact{"Vanished", vanished})
			a.title += ", a discount vanished"
		} else if why := last.text("reason"); why != "" {
			answer.Text += ": " + why
		}
		s.Facts = append(s.Facts, fact{"Last answer", answer})
	default:
		s.Facts = append(s.Facts, fact{"Last answer", cell{Text: a.unasked(store)}})
	}
	all := []choice{{"", "Customer"}, {"payload", "Payload"}, {"rates", "Rates"}, {"rules", "Rules"}}
	s.Links = views(a.query("view"), all, func(view string) string {
		return link("/cart", "store", store, "cart", id, "view", view)
	})
	s.Links = append(s.Links, cell{Text: "All carts", Link: link("/cart", "store", store)})
	return s
}

// lost are the parts that are gone since they were last there, each with its reason.
func lost(store string, runs []value) cell {
	out := cell{Class: "bad"}
	for _, r := range runs {
		for _, v := range r.list("vanished") {
			out.Parts = append(out.Parts, gone(store, r, v))
		}
		if len(out.Parts) > 0 || len(r.list("after.discounts")) > 0 {
			break
		}
	}
	return out
}

// gone is a part of a cart that vanished, with its reason.
func gone(store string, r, v value) cell {
	out := cell{Text: v.text("part") + " " + v.text("code"), Class: "bad"}
	if id := v.text("promotion"); id != "" {
		out.Text, out.Link = promotionName(r, id), recordLink(store, "promotions", id)
	}
	out.Parts = []cell{{Text: "vanished: " + v.text("why")}}
	return out
}

// unasked says why no app was sent the carts of a store, by the registrations.
func (a *asked) unasked(store string) string {
	if n := a.get("stores/" + store + "/entities").at("resources").int("discount_callbacks"); n > 0 {
		return traffic.Count(n, "app") + " registered for discounts; no call about this cart is remembered"
	}
	return "no app is registered for discounts: let the app call PUT /discounts/callbacks and create a promotion, or use " +
		"refserver cart --to URL"
}

// discountsOf are the amounts off, with their promotions and coupons.
func discountsOf(store string, c value) cell {
	out := cell{}
	for _, d := range c.list("discounts") {
		out.Parts = append(out.Parts, cell{
			Text: d.text("name") + " " + traffic.Off(d.text("amount")), Link: recordLink(store, "promotions", d.text("promotion")),
		})
	}
	for _, code := range c.names("coupons") {
		out.Parts = append(out.Parts, cell{Text: "coupon " + code + " " + traffic.Off(c.text("coupon"))})
	}
	if len(out.Parts) == 0 {
		out.Text = "none"
	}
	return out
}

// items are the lines with the acts of a customer.
func (a *asked) items(c value, at string, in of) section {
	s := section{
		Title: "Lines", Heads: []string{"Item", "Price", "Discount", "Change"}, Empty: "The cart is empty: add a variant.",
		Forms: []form{a.ask("carts.add", "Add", in, "variant", "quantity|Pieces=1").choosing("variant", a.variants(at))},
	}
	for _, l := range c.list("lines") {
		s.Rows = append(s.Rows, []cell{
			{Text: l.text("name"), Hover: "line " + l.text("id"), Link: recordLink(in[0], "products", l.text("product")), Class: "name"},
			number(l.text("price")), number(traffic.Off(l.text("discount"))),
			{Forms: []form{
				a.ask("carts.quantity", "Set", in, "line!="+l.text("id"), "quantity|Pieces="+l.text("quantity")),
				a.ask("carts.remove", "Remove", in, "line!="+l.text("id")),
			}},
		})
	}
	return s
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
	return section{Title: "Customer, coupon, destination and payment", Folded: true, Forms: append(forms,
		a.ask("carts.destination", "Set destination", in, "country=AR", "city?", "zipcode?|Postal code", "cost=0.00"),
		a.ask("carts.payment", "Set payment", in, "method=credit_card", "company?", "installments?"),
		a.ask("carts.contact", "Set contact", in, "name=Ana Paz", "email|E-mail=ana.paz@mail.example"),
		a.ask("carts.abandon", "Abandon it", in))}
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

// checkout ends in an order.
func (a *asked) checkout(c value, at string, in of) section {
	rates := []choice{{"", "none"}}
	for _, r := range a.offered(at, c.text("id")).list("rates") {
		rates = append(rates, choice{r.text("code"), r.text("name") + " " + r.text("price")})
	}
	providers := []choice{{"", "none"}}
	for _, p := range a.get(at + "entities/payment_providers?limit=50").list("items") {
		providers = append(providers, choice{p.text("id"), clip(firstOf(p, "name", "id"))})
	}
	buy := a.ask("carts.buy", "Buy", in, "contact.name=Ana Paz", "contact.email|E-mail=ana.paz@mail.example",
		"rate.code|Rate", "provider|Payment provider")
	buy.Then = link("/cart", "store", in[0])
	return section{Title: "Checkout", Forms: []form{
		a.ask("carts.replay", "Send to the apps again", in), a.asking(in), a.ask("carts.may-finish", "Check the purchase", in),
		buy.choosing("rate.code", rates).choosing("provider", providers),
	}}
}

// asking asks the carriers for rates of a cart.
func (a *asked) asking(in of) form {
	return a.ask("carts.quote", "Ask the carriers", in, "to.country=AR", "to.postal_code?=2000")
}
