// Package proctest is for tests of state that survives a process. It starts the test binary again as a child, which a
// test kills (kill -9) or stops (SIGSTOP) during its work.
//
//	func TestMain(m *testing.M) {
//		proctest.Main(map[string]func() error{"receiver": receive}) // does not return in a child
//		goleak.VerifyTestMain(m)
//	}
//
//	func TestKilled(t *testing.T) {
//		c := proctest.Start(t, "receiver", "RECEIVER_FILE="+path)
//		address := c.Line(t) // a child prints what the test must know of it
//		…
//		c.Kill(t)
//	}
//
// [Example] and [Console] test the flag -console, which all examples of this module have. The child is the example
// itself, started with -console 127.0.0.1:0 and interrupted after it has played. [BuildDoctor] builds "refserver
// doctor", and [Doctor.Examine] runs it against the endpoint of an app that a test has started. A finding fails the
// test. [Address] is an address for a program that a test starts.
//
// [App] is an app as partners write it without this module, for the tests of the platform's scenarios.
//
// On Linux a child dies with the process of its test, however that ends.
package proctest
