// Package traffic is what the server does with requests before and after an operation: it limits their rate, makes some
// of them fail on purpose, and remembers the last ones.
//
// [Limiter] is the leaky bucket of the API: each request of an app to a store adds one, and the bucket loses a fixed
// number per second.
//
// A [Fault] makes operations fail on purpose: with a chosen status, late, with the connection cut before or after the
// work was done, or with half an answer. [NewFaults] makes a set of them, and [Faults.Arm] adds one. The pipeline of
// package refserver calls [Faults.Take] for each request, and gets the oldest fault that is not used up. [Faults.Rules]
// returns how often each of them struck. A fault of an operation that does not exist is rejected.
//
// [Journal] is one log of everything that happened, without bodies.
//
// [Log] remembers the last requests, so that a test can ask what was sent and what the server did with it.
package traffic
