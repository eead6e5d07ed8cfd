//go:build race

package deviate_test

// The race detector makes a tour take five times as long.
const (
	atATime  = 8 // deviations of a tour
	combined = 2 // random combinations of three
	ends     = 6 // one of so many combinations of what says where a list ends
)
