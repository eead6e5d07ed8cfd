package world

import (
	"time"

	"github.com/shopspring/decimal"
)

// OrderValue is a change of what an order is worth or of what was paid for it. It
// stands until the next one.
type OrderValue struct {
	// Status is PENDING, PAID or CANCELLED.
	Status string
	// TotalDelta and PaidDelta say by how much the total and the payments changed.
	TotalDelta decimal.Decimal
	PaidDelta  decimal.Decimal
	// Method is credit_card, debit_card, cash, wire_transfer, pix or other, and
	// Gateway the provider's name; both are empty for null.
	Method     string
	Gateway    string
	HappenedAt time.Time
}

// Edition is one change of the contents of an order.
type Edition struct {
	Changes []ProductChange
	// Value is what it did to what the order is worth.
	Value OrderValue
	// Reason is empty for null.
	Reason     string
	HappenedAt time.Time
}

// ProductChange says how many of a product an edition left of how many.
type ProductChange struct {
	// Type is ADD or REMOVED.
	Type string
	// Stock is set if the stock changed too.
	Stock   bool
	Before  int64
	After   int64
	Product string
}

// Subscription is a purchase that repeats, as one of its orders shows it.
type Subscription struct {
	ID           string
	PlanID       string
	PlanName     string
	CustomerID   int64
	Email        string
	Status       string
	InitialOrder int64
	InitialDate  time.Time
	Lines        []Line
	OptionID     string
	// Every is a number of Unit, for example 1 of months.
	Unit     string
	Every    int
	Discount decimal.Decimal
}
