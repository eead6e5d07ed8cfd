package console

import (
	"strconv"
	"strings"
)

// payments shows the calls to payment apps, and makes them; or one call.
func payments(a *asked) []section {
	store := a.store()
	at := "stores/" + store + "/"
	if n := a.query("call"); n != "" {
		return a.paymentCall(store, at, n)
	}
	providers := section{
		Title: "Providers of store " + store, Heads: []string{"Provider", "Name", "App"},
		Empty: "No payment app has a provider here: an app makes one with POST /payment_providers, and a paid order " +
			"makes one too.",
		Forms: []form{a.ask("sales.new", "Make a paid order", of{store}, "amount=120.00").showing()},
	}
	var choices []choice
	for _, p := range a.get(at + "entities/payment_providers?limit=50").list("items") {
		id := p.text("id")
		choices = append(choices, choice{id, clip(firstOf(p, "name", "id"))})
		providers.Rows = append(providers.Rows, []cell{
			{Text: id, Link: recordLink(store, "payment_providers", id), Class: "key"}, {Text: nameOf(p)},
			number(p.text("app_id")),
		})
	}
	out := []section{providers}
	if len(choices) > 0 {
		out = append(out, a.paying(store, at, choices))
	}
	return append(out, a.paymentCalls(store, at), a.signature())
}

// paying has the platform call a payment app.
func (a *asked) paying(store, at string, providers []choice) section {
	var transactions []choice
	for _, t := range a.get(at + "entities/transactions?limit=50").list("items") {
		what := "order " + t.text("order_id") + ", " + cents(amountOf(t)) + " " + t.text("currency") + ", " + t.text("status")
		transactions = append(transactions, choice{t.text("id"), what})
	}
	return section{Title: "Call the app", Forms: []form{
		a.ask("payments.process", "Take a payment", of{store}, "order", "provider", "amount", "method_type=credit_card",
			"method_id|Method=visa").choosing("provider", providers),
		a.ask("payments.cancel", "Cancel", of{store}, "provider", "attempt").choosing("provider", providers),
		a.ask("payments.status", "Ask for the status", of{store}, "provider", "order").choosing("provider", providers),
		a.ask("payments.refund", "Refund", of{store}, "transaction", "amount").choosing("transaction", transactions),
		a.ask("payments.refresh", "Refresh credentials", of{store}, "provider").choosing("provider", providers),
	}}
}

// paymentCalls are the last calls to payment apps.
func (a *asked) paymentCalls(store, at string) section {
	s := section{
		Title: "Calls to payment apps", Heads: []string{"Call", "At (UTC)", "Kind", "Status", "ms", "Outcome", "Why"},
		Empty: "No payment app was called yet.",
	}
	for _, p := range a.last(at + "payments") {
		n := cell{Text: p.text("n"), Link: link("/payments", "store", store, "call", p.text("n")), Class: "number"}
		s.Rows = append(s.Rows, []cell{
			n, number(moment(p.text("at"))), {Text: p.text("kind")}, answeredCell(p.text("status")), number(p.text("ms")),
			paidCell(p.text("outcome")), {Text: strings.TrimSpace(p.text("error_code") + " " + p.text("reason"))},
		})
	}
	return s
}

// answeredCell is the status of an answer; 0 is none.
func answeredCell(status string) cell {
	if status == "0" {
		return cell{Text: "no answer", Class: "number bad"}
	}
	return number(status)
}

// paidCell is what came of a call to a payment app.
func paidCell(outcome string) cell {
	return cell{Text: outcome, Class: map[string]string{"accepted": "good", "rejected": "warn", "failed": "bad"}[outcome]}
}

// paymentCall is one call, which can be made again.
func (a *asked) paymentCall(store, at, n string) []section {
	var p value
	if before, err := strconv.ParseInt(n, 10, 64); err == nil {
		for _, next := range a.get(at + "payments?limit=1&after=" + strconv.FormatInt(before-1, 10)).list("items") {
			p = next
		}
	}
	back := fact{"All calls", cell{Text: "payments of store " + store, Link: link("/payments", "store", store)}}
	if p.text("n") != n {
		return []section{{Title: "Call " + n, Facts: []fact{back}, Note: "There is no such call."}}
	}
	s := section{
		Title: "Call " + n + ": " + p.text("kind"),
		Facts: []fact{
			back, {"To", cell{Text: p.text("method") + " " + p.text("url")}}, {"Delivered to", cell{Text: p.text("to")}},
			{"At (UTC)", cell{Text: moment(p.text("at"))}}, {"Took", cell{Text: p.text("ms") + " ms"}}, {"Status",
				answeredCell(p.text("status"))},
			{"Outcome", paidCell(p.text("outcome"))}, {"Code of the error", cell{Text: p.text("error_code")}}, {"Why",
				cell{Text: p.text("reason")}},
			{"Attempt", cell{Text: p.text("attempt")}}, {"Try", cell{Text: p.text("try")}}, {"Next try (UTC)",
				cell{Text: moment(p.text("next"))}},
			{"Signed at", cell{Text: p.text("timestamp")}}, {"Signature", cell{Text: p.text("signature")}},
			{"Not read in the answer", cell{Text: strings.Join(p.names("unread"), ", "), Class: "warn"}},
		},
		Forms: []form{a.ask("payments.again", "Make it again", of{store, n}, "replica|Replica (0: in turn)=0",
			"resign|sign again").showing()},
	}
	return []section{s, {Title: "What was sent", Text: p.pretty("request")}, {Title: "What came back",
		Text: p.pretty("answer")}}
}

// signature is how payment calls are signed.
func (a *asked) signature() section {
	signing := a.get("payments/signing")
	return section{
		Title: "How they are signed", Text: a.get("payments/key").text("pem"),
		Forms: []form{
			a.ask("payments.signing.set", "Set", nil, "old_key|sign with the key before="+signing.text("old_key"),
				"skew|Clock ahead by="+signing.text("skew")),
			a.ask("payments.key.new", "Draw another key", nil).endangering(),
		},
	}
}
