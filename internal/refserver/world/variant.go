package world

import (
	"strconv"
	"time"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/table"
)

// Variant is one form of a product that can be bought. A product without variants
// of its own has a single one without Values.
type Variant struct {
	ID        int64
	ProductID int64
	// ImageID is 0 for null.
	ImageID  int64
	Position int
	// Price that is not valid means that customers get in contact instead of buying.
	Price            decimal.NullDecimal
	PromotionalPrice decimal.NullDecimal
	Cost             decimal.NullDecimal
	// Weight is in kilograms, the others in centimetres.
	Weight, Width, Height, Depth decimal.NullDecimal
	// SKU is unique in the store; empty is null, as in the texts below.
	SKU      string
	Barcode  string
	MPN      string
	AgeGroup string
	Gender   string
	// Values are one per attribute of the product.
	Values    []map[string]string
	CreatedAt time.Time
	UpdatedAt time.Time
}

// Indexes find the variants of a product and of an image, and the variant of a SKU.
func (v Variant) Indexes() []table.Entry {
	entries := []table.Entry{table.Multi("product", strconv.FormatInt(v.ProductID, 10))}
	if v.ImageID != 0 {
		entries = append(entries, table.Multi("image", strconv.FormatInt(v.ImageID, 10)))
	}
	if v.SKU != "" {
		entries = append(entries, table.Unique("sku", v.SKU))
	}
	return entries
}

// InventoryLevel is the stock of a variant at a location. A variant without any
// level has unlimited stock.
type InventoryLevel struct {
	ID         int64
	VariantID  int64
	LocationID string
	Stock      int64
	CreatedAt  time.Time
	UpdatedAt  time.Time
}

// Place is the value of the index "place": a variant at a location.
func Place(variant int64, location string) string {
	return strconv.FormatInt(variant, 10) + "/" + location
}

// Indexes find the level of a variant at a location, and those of either.
func (l InventoryLevel) Indexes() []table.Entry {
	return []table.Entry{
		table.Unique("place", Place(l.VariantID, l.LocationID)),
		table.Multi("variant", strconv.FormatInt(l.VariantID, 10)),
		table.Multi("location", l.LocationID),
	}
}
