// Package discountstest records the carts that a discount app is asked about, with its answers, and asks about them
// again: after a change of a plan, it shows the carts whose discounts changed, and no others.
//
//	recorder := &discountstest.Recorder{Handler: handler, Out: file} // in production
//
//	err := discountstest.Replay(ctx, file, discountstest.Sender{Handler: changed}, func(r discountstest.Result) error {
//		for _, change := range r.Changes {
//			t.Errorf("%s: %s", r.Record.Body, change)
//		}
//		return nil
//	})
//
// A recording has neither secrets nor personal data: see [Recorder]. [Replay] compares by meaning: see there. The
// commands record and replay of internal/cmd/refserver do the same for an app in any language, and judge each answer
// by the rules of the reference server; their files are read here too.
//
// # What may be relied on
//
// A Recorder changes neither the call nor the answer. The line is written after the handler returned, before the last
// of the answer is out, which takes less than a millisecond for a usual cart. A Sender with a URL uses the network,
// nothing else does.
package discountstest
