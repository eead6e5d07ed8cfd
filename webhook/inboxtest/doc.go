// Package inboxtest tells whether an engine keeps the rules of [webhook.Inbox].
//
// The engines of this module pass it, and one of your own should before you answer
// 2xx on its word. It needs one test that says how to open the engine:
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
// The other fields of [Engine] say what else the engine can do: be shared, be
// opened again, refuse what is too much, forget bodies. What a field leaves open is
// not tested, so fill in all that are true. If the inbox implements
// [webhook.DeadLetters], [webhook.Browser] and [webhook.Marks], these are tested too.
//
// [Run] has a test for each rule, named after it. [Schedules] plays random
// schedules of changes, deliveries, lost answers, crashes and leases that run out,
// with the whole protocol of a worker, and compares the end with what is true.
//
// # Time
//
// The engine's clock is not touched. Tests use long leases where one must hold, and
// short ones where it must end, and ask again and again with generous bounds, so a
// slow machine does not fail an engine that is right. Against a real clock Run
// takes a few seconds. An engine whose clock is the one of package time is tested
// faster, and exactly, with Bubble: synctest.Test.
//
// # Limits
//
// A process that is killed, a power cut and a network that breaks cannot be played
// from inside; an engine needs tests of its own for these.
package inboxtest
