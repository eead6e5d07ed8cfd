// Package webhooktest sends deliveries to a handler as the platform does: signed, with retries, in bursts, and out of
// order.
//
//	sender := webhooktest.Sender{Handler: hooks, Secret: secret}
//	status, err := sender.Deliver(ctx, webhooktest.Body(123, webhook.OrderPaid.Name, map[string]any{"id": 5}))
//
// [Storm] repeats deliveries by the retry schedule of the platform. Inside testing/synctest its two days take
// milliseconds. [Recorder] records the deliveries of a handler. [Replay] sends a recording to another handler, with
// another secret, so that you can debug a delivery from production on your machine. The reference server in
// client/clienttest also sends deliveries, about changes in it. This package is for deliveries that you make up.
//
// # Guarantees
//
// Bodies are signed as the platform signs them, byte by byte. Only a Sender with a URL uses the network. Nothing is
// stored between calls. Recordings contain neither secrets nor personal data. All functions and types are safe for
// concurrent use.
//
// # See also
//
// Packages discountstest, shippingtest and paymentstest do the same for other calls of the platform. Package
// client/clienttest is the whole platform.
package webhooktest
