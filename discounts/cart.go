package discounts

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/promotions"
	"github.com/commerceplatform/commerce-go/internal/callback"
)

// Cart is the platform's request to a discount app. The platform sends it each time a customer changes a cart, once
// for each tier. Null strings are empty, and null amounts are zero.
type Cart struct {
	ID      client.Code `json:"cart_id"`
	StoreID client.ID   `json:"store_id"` // the store of the cart
	// Tier is the tier to compute. The answer must not name promotions of the other tier.
	Tier     promotions.Tier `json:"execution_tier"`
	Customer Customer        `json:"customer"` // the buyer
	// Currency is an ISO 4217 code. All amounts of the cart are in it, because discounts do not support stores with
	// several currencies.
	Currency string   `json:"currency"`
	Language string   `json:"language"` // of the storefront, such as es
	Shipping Shipping `json:"shipping"` // the destination
	Package  Package  `json:"package"`  // the content of the parcel
	Payment  Payment  `json:"payment"`  // the payment method
	// Products are the lines of the cart.
	Products []LineItem `json:"products"`
	Totals   Totals     `json:"totals"` // the sums
	// Promotions are the promotions that are already applied to the cart, without their amounts.
	Promotions Applied  `json:"promotions"`
	Coupons    []string `json:"coupons"` // codes
	UTM        []UTM    `json:"utm"`     // the campaigns that brought the customer
	// SoldBy is the seller staff user who started the sale; empty if there is none.
	SoldBy client.Code  `json:"sold_by"`
	Extra  client.Extra `json:",embed"`
}

// ReadCart reads the body of a callback. It rejects JSON that is not strict, for example with duplicate members or
// invalid UTF-8. It also rejects more than 64 levels, and more than 20,000 values, which is about 400 lines. A cart
// must have an id, a store, a currency and a known tier. Each line must have a unique id, and its quantity and price
// must be 0 or more. The error wraps ErrMalformed and names the invalid members, the forms of their values and the
// rules. It is short, and quotes no strings of the body except a short tier or currency.
//
// Values in another form are accepted if the meaning is clear. Numbers may be strings, and strings numbers. 0 and 1 are
// read as false and true, [] and "" as an empty object or list, and null as a missing value. Members that do not affect
// discounts, such as language, sold_by, utm, properties or package, may have any form. If their value cannot be read,
// it is stored in Extra of the record. A Handler reports such a member as ErrMalformed, and answers.
func ReadCart(body []byte) (*Cart, error) {
	c, _, err := readCart(body)
	return c, err
}

// readCart also returns an error that names the members that could not be read, although the cart could.
func readCart(body []byte) (c *Cart, ignored, err error) {
	c = new(Cart)
	if forms().UnmarshalStrict(body, c) == nil {
		err = c.check()
	} else {
		ignored, err = loose.Read(body, c, c.inspect)
	}
	if err != nil {
		return nil, nil, err
	}
	return c, ignored, nil
}

// loose are carts in other forms. Discounts usually depend on no other members.
var loose = callback.Loose{
	Of: "a cart",
	Needed: []string{
		"cart_id", "store_id", "execution_tier", "customer", "currency", "shipping.country", "payment.method",
		"products.id", "products.price", "products.product_id", "products.quantity", "products.variant_id",
		"products.categories", "products.catalog_kit_id", "products.order_kit_id", "products.kit_quantity",
		"products.quantity_per_kit", "totals.subtotal", "promotions", "coupons",
	},
	Through: func(v any) (record any, set func()) {
		c, ok := v.(*CategoryRef)
		if !ok {
			return nil, nil
		}
		w := new(categoryRef)
		return w, func() { *c = w.category() }
	},
	RuleOf: func(t reflect.Type) string {
		switch t {
		case reflect.TypeFor[ref]():
			return "an id"
		case reflect.TypeFor[Applied]():
			return "a list of promotions"
		}
		return callback.RuleOf(t)
	},
}

// mostPieces bounds a quantity, so that sums over a cart are exact.
const mostPieces = 1_000_000_000

// check returns an error if the cart is invalid.
func (c *Cart) check() error {
	var wrong callback.Flaws
	c.inspect(&wrong)
	return wrong.Err()
}

// inspect adds what is wrong with the cart, except for members that could not be read.
func (c *Cart) inspect(wrong *callback.Flaws) {
	if c.ID == "" {
		wrong.Add("cart_id", "nothing", "an id")
	}
	if c.StoreID <= 0 {
		wrong.Add("store_id", number(c.StoreID), "an integer above 0")
	}
	if !c.Tier.Known() {
		wrong.Add("execution_tier", word(string(c.Tier)), "line_item or cross_items")
	}
	if !isCurrency(c.Currency) {
		wrong.Add("currency", word(c.Currency), "an ISO 4217 code")
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
		if wrong.Unread(line) {
			continue
		}
		switch {
		case l.ID <= 0:
			wrong.Add(line+".id", number(l.ID), "an integer above 0")
		case twice:
			wrong.Add(line+".id", number(l.ID), "an id that no other line of the cart has")
		}
		if l.Quantity < 0 || l.Quantity > mostPieces {
			wrong.Add(line+".quantity", number(client.ID(l.Quantity)), "0 to 1000000000")
		}
		if l.Price.Cmp(client.Cents(0)) < 0 {
			wrong.Add(line+".price", strconv.Quote(l.Price.String()), "0 or more")
		}
	}
}

// number formats a number. A missing number is 0.
func number(n client.ID) string {
	if n == 0 {
		return "nothing, or 0"
	}
	return strconv.Quote(n.String())
}

// word returns a short string of letters as it is, and only the length of any other.
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
