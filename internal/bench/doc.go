// Package bench has what the benchmarks of whole paths share: stores of a realistic size on the reference server, and
// the pages that it answers, deliveries to a receiver at a rate, and stores that share an inbox. The benchmarks that end here go through the client and a server; those of one piece stand
// beside its code. The command internal/proof/cmd/bench runs them with the floors they are held against.
//
// The nested module peers compares with what one would use instead, such as other clients and queues, so that nobody
// else downloads those.
package bench
