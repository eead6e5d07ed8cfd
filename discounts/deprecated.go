package discounts

// Former names of values, replaced by names that begin with their types. Run go fix to replace them. The release
// after the next one removes them.
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
