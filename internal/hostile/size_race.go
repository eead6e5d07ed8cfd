//go:build race

package hostile

// OfHandler is how many documents a handler sees at least.
const OfHandler = 200

// everywhere says that documents are cut at each byte, and each member is null and of another type. The race detector
// makes reading JSON ten times slower.
const everywhere = false
