package discounts

import (
	"errors"
	"fmt"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Tier is a step of the computation of a cart, and the allocation type of a
// promotion: it acts in one of them for good.
type Tier string

// The tiers of the contract.
const (
	// LineItems applies per product.
	LineItems Tier = "line_item"
	// CrossItems applies over all products.
	CrossItems Tier = "cross_items"
)

// Known reports whether the contract names the tier.
func (t Tier) Known() bool { return t == LineItems || t == CrossItems }

// Cart is what the platform sends each time a consumer changed a cart. It is sent
// once for each tier. Texts that are null are empty, amounts that are null are zero.
type Cart struct {
	ID      client.Code `json:"cart_id"`
	StoreID client.ID   `json:"store_id"` // the store that it belongs to
	// Tier is the one that is asked about. Promotions of the other must not be named
	// in the answer.
	Tier     Tier     `json:"execution_tier"`
	Customer Customer `json:"customer"` // who fills it
	// Currency is an ISO 4217 code. Stores with several currencies are not supported
	// by discounts, so all amounts of the cart are in it.
	Currency string   `json:"currency"`
	Language string   `json:"language"` // of the storefront, such as es
	Shipping Shipping `json:"shipping"` // where it goes
	Package  Package  `json:"package"`  // what is shipped
	Payment  Payment  `json:"payment"`  // how it is going to be paid
	// Products are the lines of the cart.
	Products []LineItem `json:"products"`
	Totals   Totals     `json:"totals"` // what it costs
	// Promotions are those that act on the cart already, without their amounts.
	Promotions Applied  `json:"promotions"`
	Coupons    []string `json:"coupons"` // codes
	UTM        []UTM    `json:"utm"`     // the campaigns that brought the consumer
	// SoldBy is the seller staff user who started the sale, empty if none did.
	SoldBy client.Code  `json:"sold_by"`
	Extra  client.Extra `json:",embed"`
}

// ErrMalformed is why a cart is not read: it is not strict JSON, or lacks what every cart has.
var ErrMalformed = errors.New("malformed cart")

// ReadCart reads the body of a callback. Duplicate members, invalid UTF-8, more than
// 64 levels and more than 20,000 values, which some 400 lines have, are refused by an error that wraps
// ErrMalformed and does not quote the body, and so is a cart that no answer could be
// made for: without an id, store or currency, of an unknown tier, or with lines that
// cannot be told apart.
func ReadCart(body []byte) (*Cart, error) {
	c := new(Cart)
	if err := wire.UnmarshalStrict(body, c, lineReader); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrMalformed, wire.Refusal(err, "a cart"))
	}
	if err := c.check(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	return c, nil
}

// mostPieces bounds a quantity, so that sums over a cart stay exact.
const mostPieces = 1_000_000_000

func (c *Cart) check() error {
	switch {
	case c.ID == "":
		return client.Invalid("cart_id", c.ID, "an id")
	case c.StoreID <= 0:
		return client.Invalid("store_id", c.StoreID, "an integer above 0")
	case !c.Tier.Known():
		return client.Invalid("execution_tier", c.Tier, "line_item or cross_items")
	case !isCurrency(c.Currency):
		return client.Invalid("currency", c.Currency, "an ISO 4217 code")
	}
	seen := make(map[client.ID]bool, len(c.Products))
	for i := range c.Products {
		l := &c.Products[i]
		field := func(name string) string { return fmt.Sprintf("products[%d].%s", i, name) }
		switch {
		case l.ID <= 0:
			return client.Invalid(field("id"), l.ID, "an integer above 0")
		case seen[l.ID]:
			return client.Invalid(field("id"), l.ID, "an id that no other line has")
		case l.Quantity < 0 || l.Quantity > mostPieces:
			return client.Invalid(field("quantity"), l.Quantity, "0 to 1000000000")
		case l.Price.Cmp(client.Cents(0)) < 0:
			return client.Invalid(field("price"), l.Price, "0 or more")
		}
		seen[l.ID] = true
	}
	return nil
}

func isCurrency(s string) bool {
	for i := range len(s) {
		if s[i] < 'A' || s[i] > 'Z' {
			return false
		}
	}
	return len(s) == 3
}
