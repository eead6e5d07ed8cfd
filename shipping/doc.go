// Package shipping is for carriers, which are apps that calculate the cost of delivery. At checkout the platform
// requests rates from the carrier and waits 5 s for the answer.
//
// Add a carrier with its options to a store, and register the URL for rates:
//
//	c, err := client.New(client.Config{…})
//	carrier, err := v202503.Carriers(c).Ensure(ctx, carriers.CarrierInput{
//		Name: "Correo del Sur", CallbackURL: "https://carrier.example/rates/" + string(token),
//		Types: carriers.Types{carriers.TypeToDoor, carriers.TypeToPickup},
//	}, carriers.OptionInput{Code: "standard", Name: "Standard"})
//
// Then mount a [Handler] at this URL. It is a plain [http.Handler] and requires a function that returns the rates for
// a quote:
//
//	rates := &shipping.Handler{
//		Rates: func(ctx context.Context, q shipping.Quote) ([]shipping.Rate, error) {
//			price, ok := table.Price(q.Grams(), q.Destination.PostalCode)
//			if !ok {
//				return nil, shipping.ErrNoCoverage
//			}
//			rate, err := shipping.DoorRate(
//				shipping.Offer{Code: "standard", Name: "Standard", Price: price, Currency: "ARS"})
//			return []shipping.Rate{rate}, err
//		},
//		Access: shipping.Access{PathTokens: []client.Secret{token}},
//	}
//	if err := rates.Check(); err != nil {
//		return err
//	}
//
// To test the function, use [Request.Quote], [Request.Encode] and [Validate]. Package client/clienttest has a
// checkout that requests rates. A [LabelHandler] answers requests for labels. Report the result of a label with
// client.LabelService.
//
// # Rates
//
// [DoorRate] and [PickupRate] create rates, and reject rates that the platform would not display. Return all rates of
// the carrier. The platform removes rates whose option is disabled, and adds the days and the cost that the merchant
// has set. If there are no rates, return [ErrNoCoverage] or a [Refusal]. The customer then sees the merchant's fallback
// option, and the answer does not count as a failure.
//
// The platform caches an answer for 15 minutes and reuses it for all requests with the same [Key]. Therefore a
// [Quote] contains only the members that are part of the key. Set [Handler.Volatile] to see the rest of the request.
//
// # Outages
//
// The platform stops sending requests to a carrier for 5 minutes, if half of at least 500 answers in 30 minutes failed.
// A Handler prevents this:
//
//   - It answers in time even if the function is slow.
//   - It calls the function once for concurrent requests with the same key.
//   - It caches answers for 15 minutes, in addition to the platform's cache: see [Handler.Fresh].
//   - It answers with rates that are up to an hour old if the function fails.
//   - It stops calling a function that fails repeatedly, for a few seconds.
//
// [Handler.HealthOf] returns the health of one carrier of a store, as the platform sees it. [Handler.Health] returns
// the health of the worst carrier. [Handler.OnHealthChanged] is called early, before the platform stops sending
// requests. A carrier whose calls fail, hang or arrive in floods does not affect other carriers: see
// [Handler.MaxRuns]. All this is per process: each replica counts only its own requests.
//
// # Guarantees
//
// Valid requests are answered within [Handler.Budget], even if the function or a hook hangs, spins or panics. Members
// of a request on which neither a rate nor a label depends may have any form. They are reported. The result of a late
// function is cached for the next request. The function's context ends [Handler.Linger] after the answer is due. It is
// not cancelled when the platform disconnects, so the function can pass it to an HTTP client or a database. [AnswerBy]
// returns the time at which the answer is due. [Handler.MaxRuns] bounds the calls in progress, and [Handler.MaxCached]
// bounds the cached answers.
//
// The handler never sends an answer that [Validate] rejects. It logs neither bodies nor tokens. Everything except
// your function is safe for concurrent use.
//
// # Serving
//
// A public URL requires a server with timeouts, such as webhook.Server. The platform does not sign its requests to
// carriers. Therefore use a secret URL, as above, or a network that admits only the platform: see [Access].
//
// http.Server.Shutdown does not wait for functions whose answer was already sent. They end at most Linger later if
// they obey their context. If the process ends earlier, only their results are lost, and the next request calls the
// function again.
//
// # See also
//
// Package client/carriers has the records and the service of v202503.Carriers. The program examples/carrier is a
// complete carrier that survives an outage.
package shipping
