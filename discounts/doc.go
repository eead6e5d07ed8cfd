// Package discounts is the part of the API for discount apps: apps that take something
// off carts. The platform sends them the cart each time a consumer changed it, and waits
// 800 ms for the answer.
//
// Register promotions and the address where carts are to be sent:
//
//	api := v202503.New(c) // c is a *client.Client
//	id, err := api.Promotions.Create(ctx, discounts.Input{Name: "3 for 2", Tier: discounts.TierLineItems, Active: client.Set(true)})
//	err = api.Discounts.Set(ctx, "https://app.example/carts")
//
// Then mount a [Handler] there, a plain [http.Handler]. What it needs from you is a plan: a
// function that says what the discounts of a cart should be.
//
//	carts := &discounts.Handler{
//		Plans: discounts.Plans{LineItems: func(ctx context.Context, p *discounts.LinePlan) error {
//			offer, ok := p.Named("3 for 2")
//			if !ok {
//				return nil // not in this store, or switched off
//			}
//			for _, line := range p.Lines() {
//				…
//				p.Discount(offer, line, amount)
//			}
//			return nil
//		}},
//		Registry: &discounts.Registry{Load: load},
//		Sources:  sources,
//	}
//	if err := carts.Check(); err != nil {
//		return err
//	}
//
// [Plans.Evaluate] runs a plan in a test, and client/clienttest has a shop whose customers
// change carts.
//
// # Plans
//
// A plan says what should be, and never how to get there: which discounts to create,
// to update and to remove follows from what acts on the cart already. What it does not mention
// is removed, and promotions of other apps are never touched. A cart is sent once for each
// tier, and for each tier there is a plan: [LinePlan] discounts lines, [CrossPlan] the
// cart. Neither can name a promotion that the store does not have, one of the other tier,
// a line of another cart, or another currency; an [Amount] is exact, has two decimals and is above 0.
//
// An Amount is never 0, so leave out lines that cost nothing: the error of Fixed or Minor,
// returned by a plan, fails it for the whole cart.
//
// Experts may make [Commands] by hand instead.
//
// # Where the rest is
//
// [PromotionService] and [CallbackService] are what api.Promotions and api.Discounts are. [Registry] caches the
// promotions of each store; Registry.Uninstall and Registry.Install have the next cart ask Load, and Registry.Withdraw
// deletes a promotion. [Sources] knows the platform's addresses. A whole app is in examples/discountapp. Package
// discounts/rules hides options of the checkout, orders the locations that a purchase ships from, and blocks purchases.
//
// # What may be relied on
//
// Genuine requests are answered 200, 204 or 310, within [Handler.Budget], also if plans hang, spin, panic or are too
// many; [Handler.Late] says what is answered then. A plan that is late is left alone, and its result is kept for half a
// minute in case that the same cart comes again. Its context ends [Handler.Linger] after the answer is due, and not if
// the platform hangs up, so this also holds for plans that pass their context on to an HTTP client or a database.
// [AnswerBy] returns when the answer is due. Plans in progress are bounded by [Handler.MaxRuns].
//
// Nothing is sent that [Validate] refuses, because a single invalid command makes the
// platform remove all discounts from the cart, perhaps those of other apps too.
//
// No body, secret or signature is logged. All but a plan is safe for concurrent use.
//
// # Serving
//
// A public address requires a server with timeouts: webhook.Server makes one. Time that a request waits before it
// reaches the handler, and that its answer is on the way, is not seen here. The 200 ms between Budget and [AnswerTime]
// are for that.
//
// Any number of replicas may serve. None of them needs a notification: carts are answered 310 only if a load that began
// after they arrived returned [ErrUninstalled], and no replica uses promotions that are older than twice TTL unless
// they cannot be loaded. Registry.Withdraw relies on that: it records a promotion where all replicas see it with their
// next load ([Withdrawals]), waits, and deletes it. The same wait is Registry.Settle, for a store that installs the app
// again minutes after it uninstalled it. With a [Broadcast] replicas notify each other, so that changes take effect at
// once: that of module webhook/postgres does so over PostgreSQL.
//
// # What the platform makes of answers
//
// The platform does not say what became of an answer. The next cart has the promotions that are applied, so a promotion
// that the last answer named and that the cart lacks is reported ([NotApplied]), once for each cart. Each replica knows
// its own answers of half an hour: if another replica has removed the promotion in between, the report may be wrong.
//
// # Stores next to each other
//
// A store gets one of the MaxRuns places only while more places are free than it holds. A store alone may use all of
// them; of two busy stores each has a third, and the last third is left for others, so that carts of a quiet store find
// a place whatever the others do. Plans that hang hold their places until they return, Linger after the answer is due
// if they obey their context. A plan that had to wait 100 ms for a processor is not run, because others keep all
// processors busy: those in progress end in time.
//
// 16 loads are in progress at a time, one of a store, and a quarter is reserved for first loads and another one for
// refreshes. If more stores need their promotions than can be loaded, carts whose load could not end in time are
// answered 204 at once, so that the others are answered by their plans.
//
// Shutdown of a server does not wait for plans whose answer is out. They end Linger later at most if they obey their
// context. If the process ends first, nothing but their results is lost.
//
// # What it costs
//
// A cart of 20 lines takes some 50 microseconds of a core, of 200 lines 350, which grows with the lines and no faster.
// Where all processors have work, that is 0.64 and 0.58 times what decoding the cart and encoding the same commands
// take with the general decoder and encoder of the same library. On an idle machine of two cores it is 0.73 times for
// 20 lines: the runtime wakes another processor for the goroutine of the plan, without which no answer would be in
// time, and that one looks for work and finds little. Only the app's function runs in that goroutine. Commands of a
// usual size are written and checked by the one that has read the cart, which has a grown stack and a warm cache.
//
// Lines are read by a function for each member, in a single pass over their bytes. That takes 0.43 times the time of
// a pass of the decoder and another one by hand. The lines of an answer are written without the encoder. Its rule that
// no invalid JSON passes, not even an app's own, spares the check of the answer to look for it again. The check takes a
// fifth of the time, and is worth it, since one bad command would cost the cart all its discounts. To look for the end
// of a string with bytes.IndexByte was slower than a loop: names are short.
package discounts
