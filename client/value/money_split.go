package value

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
)

// maxParts limits Split, because the number of parts may come from a quantity in an untrusted request.
const maxParts = 100_000

// Split divides m into n parts whose sum is exactly m. They differ by at most one smallest unit of the currency. The
// larger parts come first: 100.00 in three parts is 33.34, 33.33, 33.33 in ARS, and 34, 33, 33 in CLP. The parts of a
// negative amount are the negated parts of the positive amount. See SplitBy for parts of different sizes.
//
// It fails if n is not 1 to 100000, if the currency is malformed (see CurrencyDecimals), or if m is not a whole number
// of the currency's smallest unit. Call Round first in that case, and decide how to handle the difference.
func (m Money) Split(n int, currency string) ([]Money, error) {
	if n < 1 || n > maxParts {
		return nil, fmt.Errorf("split %s: number of parts %d: must be 1 to %d", m, n, maxParts)
	}
	whole, err := m.inSmallest(currency)
	if err != nil {
		return nil, err
	}
	each, left := whole.units/int64(n), whole.units%int64(n)
	parts := make([]Money, n)
	for i := range parts {
		parts[i] = Money{each, whole.scale}
		if step := int64(cmp.Compare(left, 0)); step != 0 {
			parts[i].units += step
			left -= step
		}
	}
	return parts, nil
}

// SplitBy divides m in proportion to weights, into one part for each weight. The sum of the parts is exactly m. For
// example, it distributes a discount over the lines of a cart by their prices. Only the proportion of the weights
// matters, so pass a weight that is not an amount, such as a number of pieces, as Cents(n). A weight of 0 gets 0.
//
// Each part is within one smallest unit of its exact share. First, all shares are rounded toward 0. The remaining units
// go to the parts that lost the most, and among equal losses to the first ones. Equal weights therefore give the same
// parts as Split. The parts of a negative amount are the negated parts of the positive amount.
//
// It fails if a weight is negative or all weights are 0. It also fails for the currencies and amounts for which Split
// fails.
func (m Money) SplitBy(weights []Money, currency string) ([]Money, error) {
	shares, err := inProportion(weights)
	if err != nil {
		return nil, fmt.Errorf("split %s: %w", m, err)
	}
	whole, err := m.inSmallest(currency)
	if err != nil {
		return nil, err
	}
	total := new(big.Int)
	for _, share := range shares {
		total.Add(total, share)
	}
	parts, lost, left := make([]Money, len(shares)), make([]*big.Int, len(shares)), whole.units
	for i, share := range shares {
		part, rest := new(big.Int).Mul(big.NewInt(whole.units), share), new(big.Int)
		part.QuoRem(part, total, rest) // toward 0
		parts[i], lost[i] = Money{part.Int64(), whole.scale}, rest.Abs(rest)
		left -= parts[i].units
	}
	for _, i := range byLoss(lost) {
		if left == 0 {
			break
		}
		step := int64(cmp.Compare(left, 0))
		parts[i].units += step
		left -= step
	}
	return parts, nil
}

// inSmallest returns m in the smallest unit of the currency, and fails if m has more decimals.
func (m Money) inSmallest(currency string) (Money, error) {
	whole, err := rounded(m.Decimal(), currency)
	if err == nil && !whole.Equal(m) {
		err = fmt.Errorf("must have no more decimals than %s, so round it first", currency)
	}
	if err != nil {
		return Money{}, fmt.Errorf("split %s: %w", m, err)
	}
	return whole, nil
}

// inProportion returns the weights as whole numbers.
func inProportion(weights []Money) ([]*big.Int, error) {
	if len(weights) > maxParts {
		return nil, fmt.Errorf("%d weights: must be at most %d", len(weights), maxParts)
	}
	shares, some := make([]*big.Int, len(weights)), false
	for i, w := range weights {
		if w.units < 0 {
			return nil, fmt.Errorf("weight [%d] %s: must be 0 or more", i, w)
		}
		some = some || w.units > 0
		share := big.NewInt(w.units)
		shares[i] = share.Mul(share, pow10(uint8(moneyFraction)-w.scale))
	}
	if !some {
		return nil, fmt.Errorf("%d weights: at least one must be above 0", len(weights))
	}
	return shares, nil
}

// byLoss returns the indices of the losses, greatest first.
func byLoss(lost []*big.Int) []int {
	order := make([]int, len(lost))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return lost[b].Cmp(lost[a]) })
	return order
}
