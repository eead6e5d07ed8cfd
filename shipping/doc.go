// Package shipping is the part of the API for carriers: apps that say what it costs to bring a
// parcel to a buyer. At checkout the platform asks the carrier for rates, and waits 5 s for
// the answer.
//
// Add a carrier with its options to a store, and say where rates are asked for:
//
//	api := v202503.New(c) // c is a *client.Client
//	carrier, err := api.Carriers.Create(ctx, shipping.CarrierInput{
//		Name: "Correo del Sur", CallbackURL: "https://carrier.example/rates/" + token,
//		Types: shipping.Types{shipping.TypeToDoor, shipping.TypeToPickup},
//	})
//	option, _, err := api.Carriers.CreateOrGetOption(ctx, carrier.ID, shipping.OptionInput{Code: "standard", Name: "Standard"})
//
// Then mount a [Handler] there, a plain [http.Handler]. What it needs from you is a function that
// returns the rates for a quote:
//
//	rates := &shipping.Handler{
//		Rates: func(ctx context.Context, q shipping.Quote) ([]shipping.Rate, error) {
//			price, ok := table.Price(q.Grams(), q.Destination.PostalCode)
//			if !ok {
//				return nil, shipping.ErrNoCoverage
//			}
//			rate, err := shipping.Ship(shipping.Offer{Code: "standard", Name: "Standard", Price: price, Currency: "ARS"})
//			return []shipping.Rate{rate}, err
//		},
//		Access: shipping.Access{Tokens: []client.Secret{token}},
//	}
//	if err := rates.Check(); err != nil {
//		return err
//	}
//
// [Request.Quote], [Request.Encode] and [Validate] try a function out in a test, and client/clienttest has a
// checkout that asks for rates. A [LabelHandler] answers when the platform asks for labels; what becomes of
// them is told with client.LabelService.
//
// # Rates
//
// [Ship] and [Pickup] make rates, and refuse what the platform would not show. Return all rates of
// the carrier: the platform leaves out those whose option is switched off, and adds the days and the
// cost that the merchant has set. Where there are none, return [ErrNoCoverage] or a [Refusal]: the buyer
// then sees the merchant's fallback option, and nothing counts against the carrier.
//
// The platform gives an answer again to each request with the same [Key], for 15 minutes. So a [Quote] shows no
// more than what is in the key; [Handler.Volatile] shows the rest to those who know what they
// do.
//
// # Outages
//
// The platform stops sending requests to a carrier of which half of 500 answers in 30 minutes failed.
// A Handler keeps away from that: it answers in time whatever the function does, calls
// the function once for requests that come together, keeps answers for 15 minutes (which those of the platform
// are added to: see [Handler.Fresh]), gives those up to an
// hour old if the function fails, and does not call for some seconds a function that fails all the time.
// [Handler.HealthOf] returns what the platform sees of a carrier of a store, [Handler.Health] that of the worst, and
// [Handler.OnHealthChanged] is called early. A carrier that fails does not affect others, and neither does one whose
// calls hang or come in floods: see [Handler.MaxRuns]. All of that is about one process: of several replicas each sees
// its share.
//
// # Where the rest is
//
// [CarrierService] is what api.Carriers is. [Access] says who may call: calls are not signed, so that a secret in the
// address is the proof. A whole carrier, through an outage, is in examples/carrier.
//
// # What may be relied on
//
// Genuine requests are answered within [Handler.Budget], also if the function hangs, spins or panics. A function that
// is late is left alone, and what it returns is kept for the next request. Its context ends [Handler.Linger] after the
// answer is due, and not if the platform hangs up, so this also holds for functions that pass their context on to an
// HTTP client or a database. [AnswerBy] returns when the answer is due. Calls in progress are bounded by
// [Handler.MaxRuns], answers that are kept by [Handler.MaxCached].
//
// Nothing is sent that [Validate] refuses. No body and no token is logged. All but the function is
// safe for concurrent use.
//
// # Serving
//
// A public address wants a server with timeouts: webhook.Server makes one. The platform does not sign what
// it sends to carriers, so the address itself should be a secret, as above, or the network
// should let nobody else in: see [Access].
//
// Shutdown of a server does not wait for functions whose answer is out. They end Linger later at most if they obey
// their context. If the process ends first, nothing but their results is lost: the next request calls the function
// again.
//
// # What it costs
//
// Decoding a request of five items, its key and three rates take some 30 microseconds of a core, 0.6 of what
// encoding/json takes with plain structs, although places and numbers are read exactly and from several forms. It grows
// with the items and no faster. An answer from the cache costs 3 to 5 microseconds after the request is
// read, most of them for the hash of the key.
package shipping
