package client

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"strconv"

	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/internal/engine"

	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Stock is a number of pieces to write, 0 or more, or StockUnlimited. In records the stock is a *Int, and nil means
// unlimited.
type Stock int64

// StockUnlimited is unlimited stock. It differs from every count.
const StockUnlimited Stock = math.MinInt64

// String returns the number, or "unlimited".
func (n Stock) String() string {
	if n == StockUnlimited {
		return "unlimited"
	}
	return strconv.FormatInt(int64(n), 10)
}

// MarshalJSON writes the number, or the empty string for StockUnlimited, which products and variants accept.
func (n Stock) MarshalJSON() ([]byte, error) {
	if n == StockUnlimited {
		return []byte(`""`), nil
	}
	return strconv.AppendInt(nil, int64(n), 10), nil
}

// UnmarshalJSON reads a number or a string of digits; "" and null are StockUnlimited.
func (n *Stock) UnmarshalJSON(data []byte) error {
	if wire.IsNull(data) || wire.Unquoted(data) == "" {
		*n = StockUnlimited
		return nil
	}
	return (*ID)(n).UnmarshalJSON(data)
}

func (n Stock) check(field string) error {
	if n < 0 && n != StockUnlimited {
		return engine.Invalid(field, n, "0 or more, or Unlimited")
	}
	return nil
}

// InventoryLevel is the stock of a variant at one location. The stock of the variant is the sum over its locations.
// Inside a variant, the platform may send only the location and the stock.
type InventoryLevel struct {
	ID         ID        `json:"id"`
	VariantID  ID        `json:"variant_id"`  // the variant
	LocationID ulid.ULID `json:"location_id"` // the location
	Stock      *Int      `json:"stock"`       // pieces; nil means unlimited
	CreatedAt  Time      `json:"created_at"`
	UpdatedAt  Time      `json:"updated_at"`
	Extra      Extra     `json:",embed"`
}

// InventoryLevelInput sets the stock of a variant at one location.
type InventoryLevelInput struct {
	// LocationID is the location. Zero means the first location of the store.
	LocationID ulid.ULID `json:"location_id,omitzero"`
	// Stock must be 0 or more. Unlimited stock is set with VariantInput.Stock.
	Stock Int `json:"stock"`
}

// checkLevels checks the inventory levels of one variant.
func checkLevels(levels []InventoryLevelInput) error {
	for i, level := range levels {
		if level.Stock < 0 {
			return engine.Invalid(fmt.Sprintf("inventory_levels[%d].stock", i), level.Stock, "0 or more")
		}
	}
	return nil
}

// StockTarget selects the stock that SetStock and AdjustStock change. The zero value means every variant of the
// product.
type StockTarget struct {
	// VariantID is one variant; 0 means all variants of the product.
	VariantID ID
	// LocationID is one location; if it is zero, the platform chooses.
	LocationID ulid.ULID
}

// SetStock replaces the stock with n, which may be StockUnlimited, and returns the changed variants.
//
//api:endpoint POST /products/{product_id}/variants/stock
func (s *VariantService) SetStock(ctx context.Context, productID ID, to StockTarget, n Stock) ([]Variant, error) {
	if err := n.check("value"); err != nil {
		return nil, err
	}
	if n == StockUnlimited {
		return s.changeStock(ctx, productID, to, "replace", nil)
	}
	return s.changeStock(ctx, productID, to, "replace", (*int64)(&n))
}

// AdjustStock adds by to the stock, or subtracts it if by is negative, and returns the changed variants. Stock that
// would fall below zero becomes zero. It is not retried after a failure if the platform may have processed the request.
// On ErrOutcomeUnknown, read the stock first.
//
//api:endpoint POST /products/{product_id}/variants/stock
func (s *VariantService) AdjustStock(ctx context.Context, productID ID, to StockTarget, by int64) ([]Variant, error) {
	return s.changeStock(ctx, productID, to, "variation", &by)
}

// changeStock sends an action; a nil value is null, which means unlimited here.
func (s *VariantService) changeStock(ctx context.Context, productID ID, to StockTarget, action string, value *int64) ([]Variant, error) {
	in := struct {
		Action     string    `json:"action"`
		Value      *int64    `json:"value"`
		VariantID  ID        `json:"id,omitzero"`
		LocationID ulid.ULID `json:"location_id,omitzero"`
	}{action, value, to.VariantID, to.LocationID}
	out, err := engine.Send[[]Variant](ctx, s, http.MethodPost, "/products/{product_id}/variants/stock", in, productID)
	if err != nil {
		return nil, err
	}
	return *out, nil
}
