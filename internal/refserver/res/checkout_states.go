package res

import (
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// The ages of an abandoned checkout.
const (
	checkoutRevivable = "revivable" // a cart can be made of it
	checkoutReadable  = "readable"
	checkoutKept      = "kept" // only a coupon can be attached
	checkoutDeleted   = "deleted"
)

// What a checkout grows too old for, or is asked for.
const (
	tooOldForCart = "too old for a cart"
	tooOldToRead  = "too old to read"
	tooOldToKeep  = "too old to keep"
	makeCart      = "make a cart"
	readCheckout  = "read"
	attachCoupon  = "attach a coupon"
)

// CheckoutStates is the table of the ages of an abandoned checkout: what may be
// done at each age leads back to it, and time leads on.
func CheckoutStates() api.Machine[string] {
	return api.Machine[string]{
		Name:    "abandoned checkout",
		Initial: checkoutRevivable,
		States:  []string{checkoutRevivable, checkoutReadable, checkoutKept, checkoutDeleted},
		Edges: []api.Edge[string]{
			{From: checkoutRevivable, On: makeCart, To: checkoutRevivable},
			{From: checkoutRevivable, On: readCheckout, To: checkoutRevivable},
			{From: checkoutRevivable, On: attachCoupon, To: checkoutRevivable},
			{From: checkoutRevivable, On: tooOldForCart, To: checkoutReadable},
			{From: checkoutReadable, On: readCheckout, To: checkoutReadable},
			{From: checkoutReadable, On: attachCoupon, To: checkoutReadable},
			{From: checkoutReadable, On: tooOldToRead, To: checkoutKept},
			{From: checkoutKept, On: attachCoupon, To: checkoutKept},
			{From: checkoutKept, On: tooOldToKeep, To: checkoutDeleted},
		},
	}
}

// IsRevivable reports whether the cart of a checkout can still be changed.
func IsRevivable(tx *world.Tx, c world.Checkout) bool { return allows(tx, c, makeCart) }

// allows reports whether a checkout is young enough for an act.
func allows(tx *world.Tx, c world.Checkout, act string) bool {
	return len(CheckoutStates().Next(ageOf(tx, c), act)) > 0
}

// ageOf follows the table for as long as the checkout is too old for where it stands.
func ageOf(tx *world.Tx, c world.Checkout) string {
	m, limits, age := CheckoutStates(), tx.Limits(), tx.Now().Sub(c.CreatedAt)
	state := m.Initial
	for _, passed := range []struct {
		what  string
		after time.Duration
	}{{tooOldForCart, limits.CheckoutRevivable}, {tooOldToRead, limits.CheckoutReadable}, {tooOldToKeep, limits.CheckoutKept}} {
		if next := m.Next(state, passed.what); age > passed.after && len(next) > 0 {
			state = next[0]
		}
	}
	return state
}
