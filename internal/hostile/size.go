//go:build !race

package hostile

// OfHandler is how many documents a handler sees at least. The race detector makes reading JSON ten times slower: with
// it they are 200.
const OfHandler = 2000

// everywhere says that documents are cut at each byte, and each member is null and of another type.
const everywhere = true
