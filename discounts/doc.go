// Package discounts is for discount apps, which reduce the price of carts. The platform sends an app the cart each time
// a customer changes it, and waits 800 ms for the answer.
//
// Register promotions and the URL for carts:
//
//	c, err := client.New(client.Config{…})
//	id, err := v202503.Promotions(c).Create(ctx,
//		promotions.Input{Name: "3 for 2", Tier: promotions.TierLineItems, Active: client.Set(true)})
//	err = v202503.Discounts(c).Set(ctx, "https://app.example/carts")
//
// Then mount a [Handler] at this URL. It is a plain [http.Handler] and requires a plan: a function that returns the
// intended discounts of a cart.
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
//		Promotions: &discounts.PromotionCache{Load: load},
//		Sources:    sources,
//	}
//	if err := carts.Check(); err != nil {
//		return err
//	}
//
// To test a plan, use [Plans.Evaluate]. Package client/clienttest has a shop whose customers change carts.
//
// # Plans
//
// A plan describes only the intended discounts. The package compares them with the promotions that are applied, and
// derives which discounts to create, update and remove. A promotion that the plan does not mention is removed.
// Promotions of other apps are never changed. The platform sends a cart once for each tier, and each tier has its own
// plan: [LinePlan] discounts lines, and [CrossPlan] the whole cart.
//
// A plan can name only promotions of the store and of its tier, lines of the cart, and the cart's currency. An
// [Amount] is exact, has two decimals, and is never 0. Skip lines with price 0 in a plan. Otherwise Fixed or Minor
// returns an error, and a plan that returns it fails for the whole cart.
//
// Advanced apps can create [Commands] directly.
//
// # Guarantees
//
// Valid requests are answered within [Handler.Budget], even if plans hang, spin, panic or are too many. [Handler.Late]
// selects the answer in these cases. The status is 200, 204 or 310 ([StatusUninstalled]: the app is not installed, and
// the platform removes its promotions in the store). The result of a late plan is kept for half a minute, in case the
// same cart is sent again. The plan's context ends [Handler.Linger] after the answer is due. It is not cancelled when
// the platform disconnects, so a plan can pass it to an HTTP client or a database. [AnswerBy] returns the time at which
// the answer is due. [Handler.MaxRuns] bounds the plans in progress.
//
// The handler never sends an answer that [Validate] rejects. A single invalid command causes the platform to remove
// all discounts from the cart, including discounts of other apps.
//
// Bodies, secrets and signatures are never logged. Everything except a plan is safe for concurrent use.
//
// # Serving
//
// A public URL requires a server with timeouts, such as webhook.Server. The handler cannot measure the time before a
// request reaches it, or the time to send the answer. The 200 ms between Budget and [AnswerTime] are for that.
//
// Any number of replicas may serve, and none of them requires a notification. A cart is answered 310 only if a load
// that began after it arrived returned [ErrUninstalled]. No replica uses promotions that are older than two minutes by
// default (twice PromotionCache.TTL), unless they cannot be loaded. PromotionCache.Withdraw relies on that. It records
// a promotion in [Withdrawals], which all replicas read with their next load, waits, and deletes the promotion. If a
// store reinstalls the app within twice TTL, call PromotionCache.Settle before you create its promotions: it waits
// until no replica uses those of the earlier installation. With a [Broadcast], replicas notify each other, so that
// changes take effect immediately. Module webhook/postgres has a Broadcast for PostgreSQL.
//
// # How the platform applies answers
//
// The platform does not report the result of an answer. The next cart lists the applied promotions. If it lacks a
// promotion that the last answer named, this is reported once for each cart as [NotApplied]. Each replica knows only
// its own answers of the last half hour. If another replica has removed the promotion in the meantime, the report may
// be wrong.
//
// # Isolation between stores
//
// MaxRuns is shared by all stores. While other stores have places, a store gets one only if more are free than it
// holds. A store that is alone can use all. Two busy stores have a third each, and the last third is left for others.
// So carts of a quiet store always find a place. A plan that hangs holds its place until it returns, which is Linger
// after the answer is due if it obeys its context. A plan that had to wait 100 ms for a processor is not run, so that
// plans in progress end in time.
//
// At most 16 loads are in progress, and at most one for each store. A quarter is reserved for first loads, and a
// quarter for refreshes. If more stores must be loaded than is possible, carts whose load could not end in time are
// answered 204 immediately. So the other carts still receive their discounts. A store whose carts were answered without
// its promotions is loaded when there is a place. A load that hangs loses its place after 12 s, and is not repeated
// until it returns.
//
// http.Server.Shutdown does not wait for plans whose answer was already sent. They end at most Linger later if they
// obey their context. If the process ends earlier, only their results are lost.
//
// # See also
//
// Package client/promotions has the records and the services of v202503.Promotions and v202503.Discounts.
// [PromotionCache] caches the promotions of each store. After PromotionCache.Uninstall and PromotionCache.Install, the
// next cart calls Load. PromotionCache.Withdraw deletes a promotion safely. [client.Sources] holds the platform's
// addresses. The program examples/discountapp is a complete app. Package discounts/rules hides options of the checkout,
// orders the locations that a purchase ships from, and blocks purchases.
package discounts
