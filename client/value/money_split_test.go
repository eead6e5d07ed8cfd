package value

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// splittable generates an amount of a currency that has no more decimals than it.
func splittable(t *rapid.T) (m Money, currency string, smallest *big.Rat) {
	currency = currencies.Draw(t, "currency")
	decimals, _ := CurrencyDecimals(currency)
	units := rapid.OneOf(rapid.Int64Range(-1e15+1, 1e15-1), rapid.Int64Range(-1000, 1000)).Draw(t, "units")
	return Money{units, uint8(decimals)}, currency, new(big.Rat).SetFrac(big.NewInt(1), pow10(uint8(decimals)))
}

// sumOf is the sum of parts in another arithmetic than that of the code.
func sumOf(parts []Money) *big.Rat {
	sum := new(big.Rat)
	for _, p := range parts {
		sum.Add(sum, rat(p))
	}
	return sum
}

func TestMoneySplitLosesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, currency, smallest := splittable(t)
		n := rapid.IntRange(1, 50).Draw(t, "n")
		parts, err := m.Split(n, currency)
		if err != nil || len(parts) != n || sumOf(parts).Cmp(rat(m)) != 0 {
			t.Fatalf("got %v, %v; want %d parts of %s", parts, err, n, m)
		}
		for i := range parts[1:] {
			before, after := new(big.Rat).Abs(rat(parts[i])), new(big.Rat).Abs(rat(parts[i+1]))
			if before.Cmp(after) < 0 {
				t.Fatalf("part %d of %v is larger than the one before", i+1, parts)
			}
		}
		if apart := new(big.Rat).Sub(rat(parts[0]), rat(parts[n-1])); apart.Abs(apart).Cmp(smallest) > 0 {
			t.Fatalf("parts %v differ by %s, want %s at most", parts, apart.FloatString(4), smallest.FloatString(4))
		}
		mirrored(t, m.Neg(), parts, func(m Money) ([]Money, error) { return m.Split(n, currency) })
		equal := make([]Money, n)
		for i := range equal {
			equal[i] = MustMoney("0.7")
		}
		if got, err := m.SplitBy(equal, currency); err != nil || fmt.Sprint(got) != fmt.Sprint(parts) {
			t.Fatalf("by equal weights: got %v, %v; want %v", got, err, parts)
		}
	})
}

func TestMoneySplitByLosesNothing(t *testing.T) {
	weight := rapid.Custom(func(t *rapid.T) Money {
		m := amounts.Draw(t, "weight")
		if m.units < 0 {
			return m.Neg()
		}
		return m
	})
	rapid.Check(t, func(t *rapid.T) {
		m, currency, smallest := splittable(t)
		weights := rapid.SliceOfN(rapid.OneOf(weight, rapid.Just(Money{}), rapid.Just(Cents(1))), 1, 20).Draw(t, "weights")
		all := sumOf(weights)
		if all.Sign() == 0 {
			t.Skip("no weight above 0")
		}
		parts, err := m.SplitBy(weights, currency)
		if err != nil || len(parts) != len(weights) || sumOf(parts).Cmp(rat(m)) != 0 {
			t.Fatalf("got %v, %v; want %d parts of %s", parts, err, len(weights), m)
		}
		for i, part := range parts {
			exact := new(big.Rat).Mul(rat(m), rat(weights[i]))
			exact.Quo(exact, all)
			off := new(big.Rat).Sub(rat(part), exact)
			if off.Abs(off).Cmp(smallest) >= 0 || weights[i].units == 0 && part.units != 0 {
				t.Fatalf("part %d of %v is %s off its share of weight %s", i, parts, off.FloatString(9), weights[i])
			}
			for j := range parts[:i] {
				larger := new(big.Rat).Abs(rat(part)).Cmp(new(big.Rat).Abs(rat(parts[j]))) > 0
				if larger && weights[i].Equal(weights[j]) {
					t.Fatalf("part %d of %v is larger than part %d of the same weight", i, parts, j)
				}
			}
		}
		mirrored(t, m.Neg(), parts, func(m Money) ([]Money, error) { return m.SplitBy(weights, currency) })
	})
}

// mirrored fails unless m, the opposite of what was split before, is split into the opposite parts.
func mirrored(t *rapid.T, m Money, parts []Money, split func(Money) ([]Money, error)) {
	got, err := split(m)
	if err != nil || len(got) != len(parts) {
		t.Fatalf("the opposite amount: got %v, %v; want %d parts", got, err, len(parts))
	}
	for i := range got {
		if got[i] != parts[i].Neg() {
			t.Fatalf("the opposite amount is split into %v, want the opposite of %v", got, parts)
		}
	}
}

func TestMoneySplit(t *testing.T) {
	by := func(amount, currency string, weights ...string) func() ([]Money, error) {
		return func() ([]Money, error) {
			var ws []Money
			for _, w := range weights {
				ws = append(ws, MustMoney(w))
			}
			return MustMoney(amount).SplitBy(ws, currency)
		}
	}
	into := func(amount, currency string, n int) func() ([]Money, error) {
		return func() ([]Money, error) { return MustMoney(amount).Split(n, currency) }
	}
	for _, tt := range []struct {
		got  func() ([]Money, error)
		want string
	}{
		{into("100", "ARS", 3), "[33.34 33.33 33.33]"},
		{into("100.00", "CLP", 3), "[34.00 33.00 33.00]"},
		{into("-0.05", "ARS", 3), "[-0.02 -0.02 -0.01]"},
		{into("0.01", "ARS", 3), "[0.01 0.00 0.00]"},
		{into("0", "ARS", 2), "[0.00 0.00]"},
		{into("10.500000", "ARS", 1), "[10.50]"},
		{by("10", "ARS", "1", "1", "1"), "[3.34 3.33 3.33]"},
		{by("10", "ARS", "0", "19.90", "5.10"), "[0.00 7.96 2.04]"},
		{by("0.05", "ARS", "1", "1", "5"), "[0.01 0.01 0.03]"}, // shares of 0.714, 0.714 and 3.571 hundredths
		{by("-0.05", "ARS", "1", "1", "5"), "[-0.01 -0.01 -0.03]"},
		{by("1", "KWD", "2", "1"), "[0.667 0.333]"},
		{into("1", "ARS", 0), "split 1.00: number of parts 0: must be 1 to 100000"},
		{into("1", "ARS", -1), "split 1.00: number of parts -1: must be 1 to 100000"},
		{into("1", "ARS", 1<<40), "split 1.00: number of parts 1099511627776: must be 1 to 100000"},
		{into("1.005", "ARS", 2), "split 1.005: must have no more decimals than ARS, so round it first"},
		{into("1.50", "CLP", 2), "split 1.50: must have no more decimals than CLP, so round it first"},
		{into("1", "", 2), `split 1.00: currency "": must be an ISO 4217 code`},
		{into("999999999999999", "CLF", 2), `split 999999999999999.00: amount "999999999999999.0000"`},
		{by("1", "ARS"), "split 1.00: 0 weights: at least one must be above 0"},
		{by("1", "ARS", "0", "0.00"), "split 1.00: 2 weights: at least one must be above 0"},
		{by("1", "ARS", "3", "-0.01"), "split 1.00: weight [1] -0.01: must be 0 or more"},
		{by("1.005", "ARS", "1"), "split 1.005: must have no more decimals"},
		{func() ([]Money, error) { return Cents(1).SplitBy(make([]Money, 100_001), "ARS") },
			"split 0.01: 100001 weights: must be at most 100000"},
	} {
		got, err := tt.got()
		failed := err != nil && strings.HasPrefix(err.Error(), tt.want) && got == nil
		if !failed && (err != nil || fmt.Sprint(got) != tt.want) {
			t.Errorf("got %v, %v; want %s", got, err, tt.want)
		}
	}
}
