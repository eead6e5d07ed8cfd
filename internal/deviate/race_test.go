//go:build race

package deviate_test

// The race detector makes a tour take five times as long.
const (
	atATime  = 8  // deviations of a tour
	tours    = 3  // with deviations that share a tour, chosen by the seed
	combined = 1  // random combinations of three
	ends     = 12 // one of so many combinations of what says where a list ends
)
