package value

import (
	"fmt"

	"github.com/shopspring/decimal"
)

// Add returns the exact sum of m and the others. It fails if the sum has more digits than an amount may have: 15 before
// the point, 6 after it and 18 in total. The sum of a slice is client.Money{}.Add(prices...).
func (m Money) Add(others ...Money) (Money, error) {
	sum := m.Decimal()
	for _, o := range others {
		sum = sum.Add(o.Decimal())
	}
	return result(sum, "sum of %d amounts", 1+len(others))
}

// Sub returns the exact difference of m and o. It fails if the result has too many digits; see Add.
func (m Money) Sub(o Money) (Money, error) {
	return result(m.Decimal().Sub(o.Decimal()), "%s - %s", m, o)
}

// Neg returns m with the opposite sign.
func (m Money) Neg() Money { return Money{-m.units, m.scale} }

// Mul returns the exact product of m and n, such as the price of n pieces. It fails if the result has too many digits;
// see Add.
func (m Money) Mul(n int64) (Money, error) {
	return result(m.Decimal().Mul(decimal.NewFromInt(n)), "%s × %d", m, n)
}

// result returns the result of an operation, or an error that begins with the operation.
func result(d decimal.Decimal, operation string, args ...any) (Money, error) {
	m, err := MoneyFrom(d)
	if err != nil {
		return Money{}, fmt.Errorf(operation+": %w", append(args, err)...)
	}
	return m, nil
}
