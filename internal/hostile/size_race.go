//go:build race

package hostile

// ofRecord is how many documents Records makes of one: fewer, because the race detector makes reading JSON ten times slower.
const ofRecord = 200
