//go:build race

package hostile

// OfHandler is how many documents a handler sees at least.
const OfHandler = 200

// Both are less, because the race detector makes reading JSON ten times slower.
const (
	// ofRecord is how many documents Records makes of one.
	ofRecord = 200
	// everywhere says that documents are cut at each byte, and each member is null and of another type.
	everywhere = false
)
