package console

import (
	"fmt"
	"strconv"
	"strings"
)

// offered is what the carriers offered last for a cart, empty if they were not asked.
func (a *asked) offered(at, cart string) value {
	if a.err != nil {
		return value{}
	}
	raw, err := a.call(a.r.Context(), "GET", at+"entities/quotes/"+escape(cart), nil)
	if err != nil {
		return value{} // nobody asked for rates of the cart
	}
	return parse(raw)
}

// rates are the offers of the carriers for a cart, with the hidden ones, and the state of each carrier.
func (a *asked) rates(store, at string, in of) []section {
	offer := section{
		Title: "Rates that the customer sees", Heads: []string{"Rate", "Code", "Kind", "Price", "Delivery (UTC)", "From",
			"Note"},
		Empty: a.noRates(at), Forms: []form{a.asking(in)},
	}
	for _, r := range a.offered(at, in[1]).list("rates") {
		from := cell{Text: "fallback", Class: "warn"}
		if carrier := r.text("carrier"); carrier != "0" {
			from = cell{Text: "carrier " + carrier, Link: recordLink(store, "carriers", carrier)}
		}
		offer.Rows = append(offer.Rows, []cell{
			{Text: r.text("name")}, {Text: r.text("code")}, {Text: r.text("type")},
			number(r.text("price") + " " + r.text("currency")),
			{Text: between(moment(r.text("min_delivery")), moment(r.text("max_delivery")))}, from, {Text: rateNote(r)},
		})
	}
	gone := hiddenRates(a.last(at + "quotes")...)
	return []section{trimmed(offer), gone, a.callsOf("Calls to carriers", store, "", "rate"), a.circuits(store)}
}

// hiddenRates are the rates of calls that customers do not see, with the reasons.
func hiddenRates(calls ...value) section {
	s := section{Title: "Hidden rates", Heads: []string{"Call", "Rate", "Code", "Reason"}}
	for _, c := range calls {
		for _, h := range c.list("hidden") {
			s.Rows = append(s.Rows, []cell{
				number(c.text("n")), {Text: "rates[" + h.text("index") + "]"}, {Text: h.text("code")}, {Text: h.text("why"),
					Class: "bad"},
			})
		}
	}
	return s
}

// noRates says why there is no rate, by the carriers of the store.
func (a *asked) noRates(at string) string {
	if n := a.get(at + "entities").at("resources").int("carriers"); n > 0 {
		return "None: ask the carriers, of which the store has " + strconv.Itoa(n) + "."
	}
	return "None, and the store has no carrier: an app adds one with POST /shipping_carriers, or use " +
		"refserver quote --to URL."
}

// between is a span of two texts, or one of them.
func between(from, to string) string {
	if from == to || to == "" {
		return from
	}
	return strings.TrimPrefix(from+" to "+to, " to ")
}

// rateNote is what a rate requires, or why it cannot be chosen.
func rateNote(r value) string {
	var parts []string
	for _, one := range []struct{ member, is, text string }{
		{"available", "no", "the pickup point does not have all items"}, {"id_required", "yes", "requires identification"},
		{"phone_required", "yes", "requires a phone"}, {"accepts_cod", "yes", "payment on delivery"},
	} {
		if r.text(one.member) == one.is {
			parts = append(parts, one.text)
		}
	}
	return strings.Join(parts, ", ")
}

// circuits are the carriers with the calls that count, against the threshold of the circuit.
func (a *asked) circuits(store string) section {
	const fewest = 500 // calls that count before the circuit may open: half of them must fail
	s := section{
		Title: "Circuits", Heads: []string{"Carrier", "Circuit", "Counted", "Failures", "Opens at", "Since (UTC)",
			"Next check (UTC)"},
		Empty: "The store has no carrier.",
	}
	for _, c := range a.get("stores/" + store + "/entities/carriers?limit=10").list("items") {
		id := c.text("id")
		h := a.get("stores/" + store + "/carriers/" + escape(id))
		circuit := cell{Text: h.text("circuit"), Class: map[string]string{"closed": "good", "open": "bad"}[h.text("circuit")]}
		calls := max(fewest, h.int("requests"))
		s.Rows = append(s.Rows, []cell{
			{Text: nameOf(c) + " " + id, Link: recordLink(store, "carriers",
				id)}, circuit, number(h.text("requests")), number(h.text("failures")),
			{Text: fmt.Sprintf("%d failures of %d", calls/2,
				calls)}, {Text: moment(h.text("since"))}, {Text: moment(h.text("next_check"))},
		})
	}
	return trimmed(s)
}
