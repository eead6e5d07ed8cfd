//go:build race

package hostile

// How many documents are played: fewer, because the race detector makes reading JSON ten times slower.
const (
	// OfHandler is how many a handler sees at least.
	OfHandler = 500
	ofRecord  = 200
)
