// Package inboxmem keeps an inbox in the memory of one process, for tests and trials.
//
//	inbox, err := inboxmem.New(inboxmem.Options{AllowLossy: true})
//
// It implements [webhook.Inbox], [webhook.DeadLetters], [webhook.Browser] and [webhook.Marks] by the
// same rules as the engines in webhook/sqlite and webhook/postgres and passes the
// same suite (webhook/inboxtest), so a test that uses it says something about them.
//
// What it cannot do is keep a promise: 2xx tells the platform to forget a delivery,
// and here the delivery is gone with the process. [New] therefore refuses to make
// one unless AllowLossy says that this is known.
//
// Its clock is the one of package time, so that testing/synctest drives leases,
// delays and windows. It starts no goroutines and needs no closing.
package inboxmem
