// Package inboxmem is an inbox in the memory of one process, for tests and trials.
//
//	inbox, err := inboxmem.New(inboxmem.Options{AllowLossy: true})
//
// It implements [webhook.Inbox], [webhook.DeadLetters], [webhook.Browser] and [webhook.Marks] by the same rules as the
// durable engines.
//
// It is not durable. After 2xx the platform does not retry a delivery, but here the delivery is lost when the process
// ends. So [New] requires that AllowLossy is true.
//
// Its clock is that of package time, so that testing/synctest drives leases, delays and windows. It starts no
// goroutines and needs no closing.
//
// # Guarantees
//
// It follows the rules of the durable engines and passes the same suite, so a test that uses it is valid for them too.
// Nothing survives the end of the process.
//
// # See also
//
// Packages webhook/sqlite and webhook/postgres are the durable engines, and webhook/inboxtest is the suite.
package inboxmem
