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
		Forms: []form{{Call: "POST " + at + "sales", Label: "Make a paid order", Shows: true, Fields: []field{
			{Name: "amount", Label: "Amount", Kind: "text", Value: "120.00"},
		}}},
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
		out = append(out, a.paying(at, field{Name: "provider", Label: "Provider", Kind: "text", Choices: choices}))
	}
	return append(out, a.paymentCalls(store, at), a.signature())
}

// paying has the platform call a payment app.
func (a *asked) paying(at string, provider field) section {
	text := func(name, label, value string) field {
		return field{Name: name, Label: label, Kind: "text", Value: value}
	}
	order := field{Name: "order", Label: "Order", Kind: "number"}
	transaction := text("transaction", "Transaction", "")
	for _, t := range a.get(at + "entities/transactions?limit=50").list("items") {
		what := "order " + t.text("order_id") + ", " + cents(amountOf(t)) + " " + t.text("currency") + ", " + t.text("status")
		transaction.Choices = append(transaction.Choices, choice{t.text("id"), what})
	}
	return section{Title: "Call the app", Forms: []form{
		{Call: "POST " + at + "payments/process", Label: "Take a payment", Fields: []field{
			order, provider, text("amount", "Amount", ""), text("method_type", "Method type", "credit_card"),
			text("method_id", "Method", "visa"),
		}},
		{Call: "POST " + at + "payments/cancel", Label: "Cancel", Fields: []field{provider, text("attempt", "Attempt", "")}},
		{Call: "POST " + at + "payments/status", Label: "Ask for the status", Fields: []field{provider, order}},
		{Call: "POST " + at + "payments/refund", Label: "Refund", Fields: []field{transaction, text("amount", "Amount", "")}},
		{Call: "POST " + at + "payments/refresh", Label: "Refresh credentials", Fields: []field{provider}},
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
		Forms: []form{{Call: "POST " + at + "payments/" + escape(n) + "/again", Label: "Make it again", Shows: true,
			Fields: []field{
				{Name: "replica", Label: "Replica (0: in turn)", Kind: "number", Value: "0"}, {Name: "resign",
					Label: "sign again", Kind: "check"},
			}}},
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
			{Call: "PUT payments/signing", Label: "Set", Fields: []field{
				{Name: "old_key", Label: "sign with the key before", Kind: "check", Value: signing.text("old_key")},
				{Name: "skew", Label: "Clock ahead by", Kind: "text", Value: signing.text("skew")},
			}},
			{Call: "POST payments/key", Label: "Draw another key", Danger: true},
		},
	}
}
