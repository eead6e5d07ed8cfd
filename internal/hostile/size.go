//go:build !race

package hostile

// ofRecord is how many documents Records makes of one.
const ofRecord = 2000
