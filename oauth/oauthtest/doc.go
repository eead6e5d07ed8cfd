// Package oauthtest tests implementations of [oauth.TokenStore] and [oauth.StateStore].
//
// The stores of this module pass these tests. Run them on a store of your own before it holds tokens. The test passes a
// function that opens the store:
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
// The n handles are replicas of the app. Each rule uses all of them in turn, so a record that one handle stored must be
// visible to the others. For a store that serves one process, return the same store n times.
//
// [Tokens] and [States] have a subtest for each rule, named after it. They do not sleep, so they take as long as the
// operations of the store.
//
// # Limits
//
// The rules cannot kill a process, lose the answer of a commit, or read the files of a database. Test these cases, and
// the encryption of the stored tokens, in tests of your own.
//
// # Guarantees
//
// A store that passes keeps one token for each store and gives each state once, among all its handles.
//
// # See also
//
// Package oauth/sqlstore passes these tests with SQLite and PostgreSQL.
package oauthtest
