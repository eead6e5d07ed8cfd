//go:build !race

package hostile

// How many documents are played.
const (
	// OfHandler is how many a handler sees at least.
	OfHandler = 2000
	ofRecord  = 2000
)
