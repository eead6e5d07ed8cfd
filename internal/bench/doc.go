// Package bench has the common parts of the benchmarks of whole paths. It has stores of a realistic size on the
// reference server, deliveries to a receiver at a rate, and stores that share an inbox. The benchmarks here go through
// the client and a server. Benchmarks of one piece are next to its code. The command internal/proof/cmd/bench runs them
// with their floors.
//
// The nested module peers compares with what one would use instead, such as other clients and queues, so that nobody
// else downloads those.
package bench
