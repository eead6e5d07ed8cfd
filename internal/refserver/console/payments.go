package console

// payments shows the calls to payment apps, and makes them.
func payments(a *asked) []section {
	store := a.store()
	at := "stores/" + store + "/"
	var providers []string
	for _, p := range a.get(at + "entities/payment_providers?limit=200").list("items") {
		providers = append(providers, p.text("id"))
	}
	provider := field{Name: "provider", Label: "Provider", Kind: "text", Choices: choose(providers...)}
	do := section{
		Title: "Call the app", Note: "Without a provider, an app makes one with POST /payment_providers; a sale makes one too.",
		Forms: []form{
			{Call: "POST " + at + "sales", Label: "Make a paid order", Shows: true, Fields: []field{{Name: "amount", Label: "Amount", Kind: "text", Value: "120.00"}}},
			{Call: "POST " + at + "payments/process", Label: "Take a payment", Fields: []field{
				{Name: "order", Label: "Order", Kind: "number"}, provider, {Name: "amount", Label: "Amount", Kind: "text"},
				{Name: "method_type", Label: "Method type", Kind: "text", Value: "credit_card"}, {Name: "method_id", Label: "Method", Kind: "text", Value: "visa"},
			}},
			{Call: "POST " + at + "payments/cancel", Label: "Cancel", Fields: []field{provider, {Name: "attempt", Label: "Attempt", Kind: "text"}}},
			{Call: "POST " + at + "payments/status", Label: "Ask for the status", Fields: []field{provider, {Name: "order", Label: "Order", Kind: "number"}}},
			{Call: "POST " + at + "payments/refund", Label: "Refund", Fields: []field{
				{Name: "transaction", Label: "Transaction", Kind: "text"}, {Name: "amount", Label: "Amount", Kind: "text"},
			}},
			{Call: "POST " + at + "payments/refresh", Label: "Refresh credentials", Fields: []field{provider}},
		},
	}
	calls := section{
		Title: "Calls", Heads: []string{"Call", "Kind", "Status", "Milliseconds", "So", "Why", "Answer"},
		Empty: "No payment app was called yet.",
	}
	for _, p := range a.last(at + "payments") {
		calls.Rows = append(calls.Rows, []cell{
			number(p.text("n")), {Text: p.text("kind")}, number(p.text("status")), number(p.text("ms")),
			{Text: p.text("outcome"), Class: map[string]string{"accepted": "good", "rejected": "warn", "failed": "bad"}[p.text("outcome")]},
			{Text: p.text("error_code") + " " + p.text("reason")}, {Text: p.text("answer")},
		})
	}
	if len(calls.Rows) > 0 {
		calls.Forms = []form{{Call: "POST " + at + "payments/{call}/again", Label: "Make a call again", Fields: []field{
			{Name: "call", Label: "Call", Kind: "path", Value: calls.Rows[0][0].Text},
			{Name: "replica", Label: "Replica (0: in turn)", Kind: "number", Value: "0"}, {Name: "resign", Label: "sign again", Kind: "check"},
		}}}
	}
	signing := a.get("payments/signing")
	sign := section{
		Title: "Signature", Text: a.get("payments/key").text("pem"),
		Forms: []form{
			{Call: "PUT payments/signing", Label: "Set", Fields: []field{
				{Name: "old_key", Label: "sign with the key before", Kind: "check", Value: signing.text("old_key")},
				{Name: "skew", Label: "Clock ahead by", Kind: "text", Value: signing.text("skew")},
			}},
			{Call: "POST payments/key", Label: "Draw another key", Danger: true},
		},
	}
	return []section{do, calls, sign}
}
