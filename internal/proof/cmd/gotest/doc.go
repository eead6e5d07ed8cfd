// Command gotest runs go test, and tests a package again if the race detector itself ended its binary.
//
// The runtime of the detector has a defect (https://go.dev/issue/78156): rarely, in tests with synctest, it ends the
// process with "ThreadSanitizer: CHECK failed". That says nothing about the tests, of which none has failed. Such a
// package is tested again, up to twice. A test that fails, a race, a panic and any other end stay what they are.
//
// Usage, with the flags and packages of go test, the packages last and flags without spaces between name and value:
//
//	gotest -race -shuffle=on ./...
package main
