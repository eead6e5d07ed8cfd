// Package webhooktest sends deliveries to a handler as the platform does: signed, again
// after a failure, in bursts, and out of order.
//
//	sender := webhooktest.Sender{Handler: hooks, Secret: secret}
//	status, err := sender.Deliver(ctx, webhooktest.Body(123, webhook.OrderPaid.Name, map[string]any{"id": 5}))
//
// [Storm] repeats deliveries by the retry schedule of the platform; inside
// testing/synctest its two days pass in milliseconds. [Recorder] writes down what
// arrives at a handler, and [Replay] sends a recording to another one, with another
// secret: that is how a delivery from production is tried at a desk. The reference server in
// client/clienttest sends deliveries too, of what really happened in it; this
// package is for those that you make up.
//
// # What may be relied on
//
// Bodies are signed as the platform signs them, byte by byte. A Sender with a URL uses the network, nothing else does.
// Nothing is kept between calls, and recordings have neither secrets nor personal data. All of it is safe for
// concurrent use.
package webhooktest
