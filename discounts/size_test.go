//go:build !race

package discounts

// lateRaces is how many times TestLateRace lets a plan race its deadline.
const lateRaces = 10_000
