package world

import (
	"strconv"
	"time"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/table"
)

// PriceTable gives the customers tied to it other prices. Its exceptions and its
// customers are records of their own.
type PriceTable struct {
	ID int64
	// VerificationCode is a UUID, for the link by which customers register themselves.
	VerificationCode string
	Name             string
	// DefaultDiscount is in percent, as the discounts of the exceptions are.
	DefaultDiscount decimal.Decimal
	// MinimumPrice and MinimumQuantity are those of a cart; not valid and nil for null.
	MinimumPrice    decimal.NullDecimal
	MinimumQuantity *int64
	// AutoApprove approves customers as soon as they are tied to the table.
	AutoApprove bool
	// Active tables have an effect on carts.
	Active    bool
	CreatedAt time.Time
	UpdatedAt time.Time
}

// PriceTableCategory is the discount of a table for a category.
type PriceTableCategory struct {
	ID, TableID int64
	CategoryID  int64
	Discount    decimal.Decimal
}

// PriceTableVariant is the discount of a table for a variant, or its price there.
type PriceTableVariant struct {
	ID, TableID int64
	ProductID   int64
	VariantID   int64
	Discount    decimal.Decimal
	// Price takes the place of the discount; not valid for null.
	Price decimal.NullDecimal
}

// PriceTableCustomer ties a customer to a table. Its key is the customer, who is
// in one table at most.
type PriceTableCustomer struct {
	TableID    int64
	CustomerID int64
	CreatedAt  time.Time
	// ApprovedAt is zero for null.
	ApprovedAt time.Time
}

// TableEntry is the value of the index "entry": a category or a variant in a table.
func TableEntry(priceTable, id int64) string {
	return strconv.FormatInt(priceTable, 10) + "/" + strconv.FormatInt(id, 10)
}

func partIndexes(priceTable, id int64, kind string) []table.Entry {
	return []table.Entry{
		table.Unique("entry", TableEntry(priceTable, id)),
		table.Multi("table", strconv.FormatInt(priceTable, 10)),
		table.Multi(kind, strconv.FormatInt(id, 10)),
	}
}

// Indexes find the exception of a table for a category, and those of either.
func (c PriceTableCategory) Indexes() []table.Entry {
	return partIndexes(c.TableID, c.CategoryID, "category")
}

// Indexes find the exception of a table for a variant, and those of either.
func (v PriceTableVariant) Indexes() []table.Entry {
	return partIndexes(v.TableID, v.VariantID, "variant")
}

// Indexes find a customer of a table, and all of them.
func (c PriceTableCustomer) Indexes() []table.Entry {
	return partIndexes(c.TableID, c.CustomerID, "customer")
}
