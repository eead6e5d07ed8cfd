package discounts

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/enum"
)

// Tier is a step of the computation of a cart, and the allocation type of a
// promotion: it acts in one of them for good.
type Tier string

// The tiers of the contract.
const (
	// TierLineItems applies per product.
	TierLineItems Tier = "line_item"
	// TierCrossItems applies over all products.
	TierCrossItems Tier = "cross_items"
)

// Known reports whether the contract names the tier.
func (t Tier) Known() bool { return enum.Known(t, TierLineItems, TierCrossItems) }

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

// ReadCart reads the body of a callback. It refuses JSON that is not strict, such as with duplicate members or invalid
// UTF-8, more than 64 levels, more than 20,000 values, which some 400 lines have, and a cart without what an answer
// requires: an id, store, currency, a tier that the contract names, and lines that have different ids, a quantity and a
// price. The error wraps ErrMalformed and names the members that are wrong, the forms of their values and the rules. It
// is short, and quotes no texts of the body.
//
// Values in another form than the contract's are read if they say the same: numbers as strings and strings as numbers,
// 0 and 1 as false and true, [] and "" as an empty object or list, null as nothing. A member on which no discount
// depends, such as language, sold_by, utm, properties or package, may hold anything: a value that cannot be read is in
// Extra of the record instead.
func ReadCart(body []byte) (*Cart, error) {
	c := new(Cart)
	if err := forms().UnmarshalStrict(body, c); err != nil {
		if c, err = readMembers(body); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrMalformed, err)
		}
		return c, nil
	}
	if err := c.check(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	return c, nil
}

// mostPieces bounds a quantity, so that sums over a cart stay exact.
const mostPieces = 1_000_000_000

// check returns what is wrong with the cart.
func (c *Cart) check() error {
	var wrong flaws
	c.inspect(&wrong, nil)
	return wrong.err()
}

// inspect notes what is wrong with the cart, except for members that could not be read.
func (c *Cart) inspect(wrong *flaws, unread map[string]bool) {
	note := func(path, form, rule string) {
		if !unread[path] {
			wrong.add(path, form, rule)
		}
	}
	if c.ID == "" {
		note("cart_id", "nothing", "an id")
	}
	if c.StoreID <= 0 {
		note("store_id", number(c.StoreID), "an integer above 0")
	}
	if !c.Tier.Known() {
		note("execution_tier", word(string(c.Tier)), "line_item or cross_items")
	}
	if !isCurrency(c.Currency) {
		note("currency", word(c.Currency), "an ISO 4217 code")
	}
	seen := make(map[client.ID]bool, len(c.Products))
	for i := range c.Products {
		l := &c.Products[i]
		twice := l.ID > 0 && seen[l.ID]
		seen[l.ID] = true
		if l.ID > 0 && !twice && l.Quantity >= 0 && l.Quantity <= mostPieces && l.Price.Cmp(client.Cents(0)) >= 0 {
			continue
		}
		line := fmt.Sprintf("products[%d]", i)
		if unread[line] {
			continue
		}
		switch {
		case l.ID <= 0:
			note(line+".id", number(l.ID), "an integer above 0")
		case twice:
			note(line+".id", number(l.ID), "an id that no other line has")
		}
		if l.Quantity < 0 || l.Quantity > mostPieces {
			note(line+".quantity", number(client.ID(l.Quantity)), "0 to 1000000000")
		}
		if l.Price.Cmp(client.Cents(0)) < 0 {
			note(line+".price", strconv.Quote(l.Price.String()), "0 or more")
		}
	}
}

// number shows a number, of which 0 may be one that is missing.
func number(n client.ID) string {
	if n == 0 {
		return "nothing, or 0"
	}
	return strconv.Quote(n.String())
}

// word shows a text that is a word of the kind that the contract has, and the length of any other.
func word(s string) string {
	const most = 20
	switch {
	case s == "":
		return "nothing"
	case len(s) <= most && strings.Trim(s, "_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == "":
		return strconv.Quote(s)
	}
	return fmt.Sprintf("a string of %d bytes", len(s))
}

func isCurrency(s string) bool {
	for i := range len(s) {
		if s[i] < 'A' || s[i] > 'Z' {
			return false
		}
	}
	return len(s) == 3
}
