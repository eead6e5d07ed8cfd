package world

import (
	"time"

	"github.com/shopspring/decimal"
)

// Kit makes a product a group of others. Its id is the product's, and other members are read from the product. Kits are
// made by merchants only.
type Kit struct {
	ID int64
	// DiscountPercent is taken off the sum of the components' list prices.
	DiscountPercent decimal.NullDecimal
	Components      []Component
	// InvalidAt is zero for null.
	InvalidAt time.Time
	CreatedAt time.Time
	UpdatedAt time.Time
}

// Component is a product with a single variant in a kit. Its place in the list is
// its position.
type Component struct {
	ProductID int64
	Quantity  int64
}
