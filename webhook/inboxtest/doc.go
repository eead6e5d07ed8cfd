// Package inboxtest tests whether an engine follows the rules of [webhook.Inbox].
//
// The engines of this module pass it. An engine of your own should pass it before you use it to answer 2xx. One test
// that opens the engine is enough:
//
//	func TestInbox(t *testing.T) {
//		inboxtest.Run(t, inboxtest.Engine{
//			Open: func(t *testing.T) webhook.Inbox {
//				inbox, err := myengine.Open(filepath.Join(t.TempDir(), "inbox"))
//				if err != nil {
//					t.Fatal(err)
//				}
//				t.Cleanup(func() { inbox.Close() })
//				return inbox
//			},
//		})
//	}
//
// The other fields of [Engine] describe the abilities of the engine: to be shared, to be opened again, to reject
// entries above a limit, to erase bodies. Abilities whose field is nil are not tested, so set all that apply. If the
// inbox implements [webhook.DeadLetters], [webhook.Browser] and [webhook.Marks], these are tested too.
//
// [Run] has a test for each rule, named after it. [Schedules] runs random schedules of changes, deliveries, lost
// answers, crashes and leases that run out, with the whole protocol of a worker. It compares the result with the truth.
//
// # Time
//
// The tests do not change the engine's clock. They use long leases that must hold, and short ones that must end, and
// poll repeatedly with generous bounds, so a slow machine does not fail a correct engine. With a real clock, Run takes
// a few seconds. An engine whose clock is that of package time is tested faster, and exactly, if Bubble is
// synctest.Test.
//
// # Limits
//
// The suite cannot simulate a killed process, a power cut or a broken network. An engine requires tests of its own for
// these.
//
// # Guarantees
//
// An engine that passes follows each rule that [webhook.Inbox] documents, as far as a test in one process can show.
//
// # See also
//
// Packages webhook/sqlite, webhook/postgres and webhook/inboxmem pass the suite.
package inboxtest
