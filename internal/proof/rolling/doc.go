// Package rolling proves that the tables of an inbox can be upgraded while processes of the release before continue,
// under load, with kill -9 of either. The packages below it run it on an engine.
//
// The older program is this release, which the test binary contains. The newer one is the same source with one more
// migration, a file of test data that is added to the embedded ones when the program is built (go build -overlay). So
// the proof covers the whole way of an upgrade, from the start of a process to its statements, and requires no history.
package rolling
