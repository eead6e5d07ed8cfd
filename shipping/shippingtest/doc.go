// Package shippingtest records what the platform asks a carrier, rates and labels, with the answers, and asks it
// again: after a change of a tariff, it shows the quotes that changed, and no others.
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
// A recording has neither secrets nor personal data: see [Recorder]. [Replay] compares by meaning: see there. The
// commands record and replay of internal/cmd/refserver do the same for an app in any language, and judge each answer
// by the rules of the reference server; their files are read here too.
//
// # What may be relied on
//
// A Recorder changes neither the call nor the answer. The line is written after the handler returned, before the last
// of the answer is out, which takes about a millisecond for a usual call. A Sender with a URL uses the network,
// nothing else does.
package shippingtest
