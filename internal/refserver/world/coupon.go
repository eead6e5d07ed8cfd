package world

import (
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/table"
)

// Coupon is a code that takes something off a purchase.
type Coupon struct {
	ID   int64
	Code string
	// Type is percentage, absolute or shipping.
	Type  string
	Value decimal.NullDecimal
	Valid bool
	// StartDate and EndDate are days as YYYY-MM-DD, empty for null.
	StartDate string
	EndDate   string
	// DeletedAt is zero while the coupon exists.
	DeletedAt time.Time
	// MaxUses is 0 for null: as often as one likes.
	MaxUses int64
	// Used counts from its first use; a coupon that was just created says null.
	Used                  int64
	IncludesShipping      bool
	FirstConsumerPurchase bool
	MinPrice              decimal.NullDecimal
	Categories            []int64
	Products              []int64
	CombinesWithOthers    bool
	OnlyCheapestShipping  bool
	CreatedAt             time.Time
	UpdatedAt             time.Time
}

// Indexes find a coupon by its code, in upper case, for as long as it exists.
func (c Coupon) Indexes() []table.Entry {
	if !c.DeletedAt.IsZero() {
		return nil
	}
	return []table.Entry{table.Unique("code", strings.ToUpper(c.Code))}
}
