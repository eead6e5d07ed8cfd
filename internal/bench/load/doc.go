// Package load sends requests to handlers over loopback, and compares two handlers by turns,
// so that what else the machine does is the same for both. It is for benchmarks, and for proofs that send as much.
package load
