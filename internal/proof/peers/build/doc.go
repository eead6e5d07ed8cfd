// Package build measures how long the go command takes to build a small program with this module, and the size of the
// program. It compares them with programs that do the same by google/go-github and stripe/stripe-go. Each gets one
// record and prints its id and its name. The program net-http uses the standard library alone, and is the floor of the
// size. Two more are tests: one with clienttest, and one with httpmock, which has the least that a test of HTTP needs.
//
//	go vet ./...         # the programs compile
//	go test -bench . .   # each program
//
// # What is measured
//
// The go command runs in this module with an empty build cache, -trimpath and CGO_ENABLED=0, on all processors.
//
//   - cold-cpu-s: CPU time of user and system in which the program is built if the cache has only the packages of the
//     standard library that it needs. This is what a new machine takes after the standard library was built for
//     other programs.
//   - empty-cpu-s: the same with the standard library, so that the cache is empty at first.
//   - edit-s and edit-cpu-s: wall and CPU time in which the program is built and linked after one more line was written
//     in its main.go, and everything else is cached. They are medians of several edits.
//   - over-MB: how much larger the program is than that by net/http, linked with -ldflags='-s -w', in 10⁶ bytes.
//
// Wall time is that of all processors, and of a machine that does nothing else. Where it is busy, compare CPU time.
package build
