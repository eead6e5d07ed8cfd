// Package rules is the part of the API for business rules: apps that hide payment or shipping options at the checkout,
// order the locations that a purchase ships from, or block the end of a purchase. The platform sends the purchase, and
// waits 800 ms for the answer.
//
// It is below package discounts because both get the same cart, are part of the same checkout, and have the same 800
// ms: an app with rules is built like one with discounts, and often is the same app.
//
// Register the address of each rule that the app has:
//
//	api := v202503.New(c) // c is a *client.Client
//	err := api.BusinessRules.Set(ctx, rules.DomainPayments, "https://app.example/rules")
//	err = api.BusinessRules.Set(ctx, rules.DomainCart, "https://app.example/rules")
//
// Then mount a [Handler] there, a plain [http.Handler], with a function for each [Domain]:
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
// A function is tested like any other, with a request of [ReadRequest]. Package client/clienttest has a checkout that
// asks the app: Basket.PaymentOptions, Basket.Quote, Basket.MayFinish and Basket.Places.
//
// # What an answer means
//
// The options that Payments and Shipping return are taken away, and all others stay. The contract can also be read the
// other way: see [PaymentOption]. Which options a store has is in api.PaymentOptions.List and api.Carriers.OfStore.
//
// Locations returns the order in which stock is taken: [Request.First] puts some locations first, and [Only] leaves
// the others out. A list without locations is valid to the platform and leaves no place to ship from, so that no
// purchase can end. The handler refuses to send it unless it is [Nowhere]. If the merchant has chosen to ship from as
// few places as possible, a location that has everything wins over this order.
//
// [VerdictBlock] keeps the purchase from ending. The platform shows no reason.
//
// A function that returns nothing, fails, panics or is late makes no rule: the handler answers 204, and the checkout
// goes on as if there were no app.
//
// # What may be relied on
//
// Requests are answered within [Handler.Budget], whatever a function does, also if too many are in progress.
// Functions in progress are bounded by [Handler.MaxRuns], and one store does not take all places while others need
// them. A function whose answer is due is left alone, and its result is dropped: no answer is kept, because a rule is
// about one purchase at one time.
//
// Nothing is sent that breaks the contract: an option without an id, a location that the request does not have, or one
// twice. [ErrInvalid] says what it was.
//
// As far as is known, requests are not signed. Set [Handler.Sources], or mount the handler at a path that nobody can
// guess and set [Handler.Guarded]. No body is logged. All of the package is safe for concurrent use.
package rules
