package promotions

import "github.com/commerceplatform/commerce-go/internal/wire"

// Tier is a step of the computation of a cart, and the allocation type of a promotion. The tier of a promotion cannot
// be changed.
type Tier string

// The tiers of the contract.
const (
	// TierLineItems applies per product.
	TierLineItems Tier = "line_item"
	// TierCrossItems applies over all products.
	TierCrossItems Tier = "cross_items"
)

// Known reports whether the contract names the tier.
func (t Tier) Known() bool { return wire.Known(t, TierLineItems, TierCrossItems) }
