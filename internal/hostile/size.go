//go:build !race

package hostile

const (
	// ofRecord is how many documents Records makes of one at least.
	ofRecord = 2000
	// everywhere says that documents are cut at each byte, and each member is null and of another type.
	everywhere = true
)
