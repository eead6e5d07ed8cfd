// Package fault makes operations go wrong on purpose: with a status of choice,
// late, with the connection cut before or after the work was done, or with half
// an answer.
package fault
