// Package discountstest records the carts that a discount app receives, with its answers, and replays them. After a
// change of a plan, a replay shows the carts whose discounts changed.
//
//	recorder := &discountstest.Recorder{Handler: handler, Out: file} // in production
//
//	to := discountstest.Sender{Handler: changed}
//	err := discountstest.Replay(ctx, file, to, func(r discountstest.Result) error {
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
// the end of the answer is sent, which takes less than a millisecond for a typical cart. Only a Sender with a URL
// uses the network.
//
// # See also
//
// Package client/clienttest has a shop whose customers change carts.
package discountstest
