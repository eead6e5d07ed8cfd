//go:build race

package discounts

// lateRaces is how many times TestLateRace lets a plan race its deadline: fewer, because the race detector makes a race
// ten times slower.
const lateRaces = 2000
