// Package shippingtest records the platform's requests to a carrier, for rates and labels, with the answers, and
// replays them. After a change of a tariff, a replay shows which quotes changed.
//
//	recorder := &shippingtest.Recorder{Handler: mux, Out: file} // in production
//
//	err := shippingtest.Replay(ctx, file, shippingtest.Sender{Handler: changed}, func(r shippingtest.Result) error {
//		for _, change := range r.Changes {
//			t.Errorf("%s: %s", r.Record.Body, change)
//		}
//		return nil
//	})
//
// A recording contains neither secrets nor personal data: see [Recorder]. [Replay] compares the meaning of answers.
// The commands record and replay of internal/cmd/refserver do the same for an app in any language. They check each
// answer against the rules of the reference server. This package can also read their files.
//
// # Guarantees
//
// A Recorder changes neither the call nor the answer. It writes the line after the handler has returned and before
// the end of the answer is sent, which takes about a millisecond for a typical call. Only a Sender with a URL uses
// the network.
//
// # See also
//
// Package client/clienttest has checkouts that ask carriers for rates.
package shippingtest
