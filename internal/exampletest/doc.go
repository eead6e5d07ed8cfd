// Package exampletest tests what all examples of this module have in common: the flag -console.
//
//	func TestMain(m *testing.M) {
//		exampletest.Main(main) // does not return in a child
//		goleak.VerifyTestMain(m)
//	}
//
//	func TestConsole(t *testing.T) { exampletest.Console(t) }
//
// The child is the example itself, started with -console 127.0.0.1:0 and interrupted after it has played.
package exampletest
