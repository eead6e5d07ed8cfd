package discounts

import (
	"fmt"
	"math/bits"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/engine"
)

// Amount is the value of a discount: an amount in the cart's currency or a percentage. It is above 0 and exact to two
// decimals, as the platform requires. The zero Amount means no discount. Create others with Minor, Fixed, BasisPoints
// or Percent.
type Amount struct {
	hundredths int64
	percentage bool
}

// The maximum percentage and the maximum amount, in hundredths. The amount has 15 digits before the point.
const (
	mostPercent = 100_00
	mostFixed   = 1e17 - 1
)

// Minor returns an amount of n hundredths of the cart's currency: Minor(1050) is 10.50. The unit is hundredths even
// for a currency without cents, because the platform always writes two decimals.
func Minor(n int64) (Amount, error) {
	if n <= 0 || n > mostFixed {
		return Amount{}, engine.Invalid("amount", n, fmt.Sprintf("above 0 and at most %d hundredths", int64(mostFixed)))
	}
	return Amount{hundredths: n}, nil
}

// Fixed returns an amount in the cart's currency. It returns an error if m is not above 0 or has more than two
// decimals. It never rounds.
func Fixed(m client.Money) (Amount, error) {
	n, whole := exact(m)
	if !whole || n <= 0 {
		return Amount{}, engine.Invalid("amount", m, "above 0, and two decimals at most")
	}
	return Amount{hundredths: n}, nil
}

// BasisPoints returns a percentage of n hundredths: BasisPoints(1250) is 12.50 percent. It returns an error unless 0
// < n ≤ 10000.
func BasisPoints(n int64) (Amount, error) {
	if n <= 0 || n > mostPercent {
		return Amount{}, engine.Invalid("percentage", n, "1 to 10000 basis points")
	}
	return Amount{n, true}, nil
}

// Percent returns a percentage: client.MustMoney("12.5") is 12.50 percent. It returns an error unless p is above 0,
// at most 100, and has at most two decimals.
func Percent(p client.Money) (Amount, error) {
	n, whole := exact(p)
	if !whole || n <= 0 || n > mostPercent {
		return Amount{}, engine.Invalid("percentage", p, "above 0 and at most 100, and two decimals at most")
	}
	return Amount{n, true}, nil
}

// Percentage reports whether the amount is a percentage.
func (a Amount) Percentage() bool { return a.percentage }

// String returns the amount with two decimals and a point.
func (a Amount) String() string { return client.Cents(a.hundredths).String() }

// exact returns m in hundredths, or false if m has more than two decimals. It has at most 15 digits before the point,
// as mostFixed has.
func exact(m client.Money) (int64, bool) {
	d := m.Decimal().Shift(2)
	return d.IntPart(), d.IsInteger()
}

// floor returns m times n in hundredths, rounded down and at most mostFixed.
func floor(m client.Money, n int64) int64 {
	d := m.Decimal()
	units := d.CoefficientInt64()
	if units <= 0 || n <= 0 {
		return 0
	}
	over, product := bits.Mul64(uint64(units), uint64(n))
	scale, divisor := d.Exponent(), uint64(1)
	for ; scale < -2; scale++ {
		divisor *= 10
	}
	if over >= divisor {
		return mostFixed
	}
	product, _ = bits.Div64(over, product, divisor)
	for ; scale > -2; scale-- {
		if over, product = bits.Mul64(product, 10); over > 0 {
			return mostFixed
		}
	}
	return int64(min(product, mostFixed))
}
