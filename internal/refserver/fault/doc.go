// Package fault makes operations go wrong on purpose: with a status of choice,
// late, with the connection cut before or after the work was done, or with half
// an answer.
//
// A Rule says what happens to which requests. NewSet makes a Set, Arm adds a rule to it, and the pipeline of package
// refserver asks Take about each request: the oldest rule that is not used up has it. Rules tells how often each of
// them struck, so that a test can see that it tried something. A rule about an operation that does not exist is refused.
package fault
