//go:build !race

package deviate_test

const (
	atATime  = 1    // deviations of a tour
	tours    = 1000 // all of them
	combined = 20   // random combinations of three
	ends     = 1    // one of so many combinations of what says where a list ends
)
