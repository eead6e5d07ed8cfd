// Package paymentstest records the calls of the platform to a payment app, with the answers, and makes them again,
// signed with a key of the test.
//
//	recorder := &paymentstest.Recorder{Handler: mux, Out: file} // in production
//
//	app := paymentstest.Sender{Handler: changed, Key: key}
//	err := paymentstest.Replay(ctx, file, app, func(r paymentstest.Result) error {
//		for _, change := range r.Changes {
//			t.Errorf("%s %s: %s", r.Record.Operation, r.Record.Target, change)
//		}
//		return nil
//	})
//
// A replay is for an app at a desk: an app that moves money moves it again. A recording has neither secrets nor
// personal data: see [Recorder]. [Replay] compares by meaning: see there. [Sign] signs a call as the platform does.
// The commands record and replay of internal/cmd/refserver do the same for an app in any language; their files are
// read here too.
//
// # What may be relied on
//
// A Recorder changes neither the call nor the answer. The line is written after the handler returned, before the last
// of the answer is out, which takes less than a millisecond for a usual call. A Sender with a URL uses the network,
// nothing else does.
package paymentstest
