// Package clienttest runs the platform in memory, for tests and examples of
// applications that use this module.
//
//	srv := clienttest.New(t)
//	api := v202503.New(srv.Client())
//	p, err := api.Products.Create(ctx, client.ProductInput{Name: client.Text{"en": "Mug"}})
//
// The server keeps state and applies the rules of the platform: limits, scopes,
// versions, error texts, webhooks with their signature and retry schedule. It
// shares no code with the client. Where its behaviour is an assumption, the
// answer carries the header X-Ref-Provenance: assumed.
//
// Requests travel over in-memory connections, so that a whole test may run in a
// testing/synctest bubble; set [Options].RealTime there, and the bubble's clock is
// the server's. Otherwise the server has a [Clock] of its own, which stands still
// until it is advanced.
//
// Webhooks for an address are delivered to the handler that [Server.Partner] puts
// there. [Server.Fault] makes operations fail, [Server.Requests] tells what was
// asked, and [Server.Snapshot] with [Server.Restore] share one costly set-up.
package clienttest
