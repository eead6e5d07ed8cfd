// Package rules is for apps with business rules, which hide payment or shipping options at the checkout, order the
// locations that a purchase ships from, or block the completion of a purchase. The platform sends the purchase, and
// waits 800 ms for the answer.
//
// The package is part of discounts because both receive the same cart in the same checkout, with the same timeout. An
// app with rules is built like an app with discounts, and is often the same app.
//
// Register the URL of each rule of the app:
//
//	c, err := client.New(client.Config{…})
//	err = v202503.BusinessRules(c).Set(ctx, client.RuleDomainPayments, "https://app.example/rules")
//	err = v202503.BusinessRules(c).Set(ctx, client.RuleDomainCart, "https://app.example/rules")
//
// Then mount a [Handler] at this URL. It is a plain [http.Handler] with a function for each [client.RuleDomain]:
//
//	checkout := &rules.Handler{
//		Payments: func(ctx context.Context, r *rules.Request) (hide []rules.PaymentOption, err error) {
//			if r.Totals.Total.Cmp(client.MustMoney("1000.00")) > 0 {
//				hide = append(hide, rules.PaymentOption{ProviderID: "acme", OptionID: "cash"})
//			}
//			return hide, nil
//		},
//		Cart: func(ctx context.Context, r *rules.Request) (rules.Verdict, error) {
//			…
//			return rules.VerdictBlock, nil
//		},
//		Sources: sources,
//	}
//	if err := checkout.Check(); err != nil {
//		return err
//	}
//
// To test a function, call it with a request from [ReadRequest]. Package client/clienttest has a checkout that calls
// the app: Basket.PaymentOptions, Basket.Quote, Basket.MayFinish and Basket.Places.
//
// # What an answer means
//
// The options that Payments and Shipping return are hidden, and all others stay. The contract can also be read the
// other way: see [PaymentOption]. The options of a store are in v202503.PaymentOptions(c).List and
// v202503.Carriers(c).OfStore.
//
// Locations returns the order in which stock is taken. [Request.First] puts some locations first, and [Only] omits
// the others. The platform accepts a list without locations, but then there is no location to ship from, and no
// purchase can be completed. The handler rejects such a list unless it is [Nowhere]. If the merchant has chosen to
// ship from as few locations as possible, a location that has everything takes precedence over this order.
//
// [VerdictBlock] blocks the completion of the purchase. The platform displays no reason.
//
// If a function returns nothing, fails, panics or is late, there is no rule. The handler then answers 204, and the
// checkout continues as if there were no app.
//
// # Guarantees
//
// Requests are answered within [Handler.Budget], even if a function is slow or too many are in progress.
// [Handler.MaxRuns] bounds the functions in progress, and one store cannot use up all of MaxRuns while others need it.
// The result of a late function is discarded. No answer is cached, because a rule is about one purchase at one time.
//
// The handler never sends an answer that violates the contract, for example an option without an id, an unknown
// location, or a location twice. [ErrInvalid] describes the violation.
//
// Requests are not signed. Set [Handler.Sources], or use a URL path that cannot be guessed and set [Handler.Guarded].
// Bodies are never logged. Everything in this package is safe for concurrent use.
//
// # See also
//
// Package discounts answers carts, and package shipping quotes rates. docs/callbacks.md of package client shows a
// rule.
package rules
