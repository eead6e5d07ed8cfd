package discounts

// Former names of values, which begin with the names of their types now. Command go fix replaces them; the release
// after the next one will not have them.
//
// Deprecated: use the names that begin with the type.
//
//go:fix inline
const (
	Keep       = PolicyKeep      // of Policy
	RemoveOwn  = PolicyRemoveOwn // of Policy
	CrossItems = TierCrossItems  // of Tier
	LineItems  = TierLineItems   // of Tier
)
