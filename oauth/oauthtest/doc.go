// Package oauthtest tests implementations of [oauth.TokenStore] and [oauth.StateStore].
//
// The stores of this module pass it, and one of your own should before it holds tokens. A test says how to open the
// store:
//
//	func TestTokens(t *testing.T) {
//		oauthtest.Tokens(t, func(t *testing.T, n int) []oauth.TokenStore {
//			address := newDatabase(t) // empty, and gone after the test
//			stores := make([]oauth.TokenStore, n)
//			for i := range stores {
//				stores[i] = mystore.Open(t, address)
//			}
//			return stores
//		})
//	}
//
// The n handles are replicas of the app: each rule uses all of them in turn, so that a record which one of them stored
// must be there for the others. A store that serves one process is returned n times.
//
// [Tokens] and [States] have a subtest for each rule, named after it. They wait for nothing, and take as long as the
// store does.
//
// # Limits
//
// The rules cannot kill a process, lose the answer of a commit, or read the files of a database. A store requires tests
// of its own for these, and for the encryption of what it stores.
package oauthtest
