package value

import (
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/shopspring/decimal"
	"pgregory.net/rapid"
)

// amounts generates any amount: of 18 digits at most, 15 of them before the point and 6 after it.
var amounts = rapid.Custom(func(t *rapid.T) Money {
	m, ok := parseMoney(rapid.StringMatching(`-?[0-9]{1,15}(\.[0-9]{1,6})?`).Draw(t, "amount"))
	if !ok {
		t.Skip("more than 18 digits")
	}
	return m
})

// rat is an amount in another arithmetic than that of the code.
func rat(m Money) *big.Rat {
	r, _ := new(big.Rat).SetString(m.String())
	return r
}

// fits reports whether r can be an amount: with the fewest decimals that it can be written with, from least to six, it
// has 15 digits before the point and 18 in all at most.
func fits(r *big.Rat, least int) bool {
	for decimals := uint8(least); decimals <= moneyFraction; decimals++ {
		if units := new(big.Rat).Mul(r, new(big.Rat).SetInt(pow10(decimals))); units.IsInt() {
			return units.Num().CmpAbs(pow10(min(moneyDigits, moneyWhole+decimals))) < 0
		}
	}
	return false
}

// is fails unless got is exactly want where that can be an amount with so many decimals, and an error where it cannot.
func is(t *rapid.T, operation string, got Money, err error, want *big.Rat, decimals int) {
	t.Helper()
	switch possible := fits(want, decimals); {
	case possible && (err != nil || rat(got).Cmp(want) != 0):
		t.Fatalf("%s = %v, %v; want %s", operation, got, err, want.FloatString(6))
	case !possible && (err == nil || got != Money{}):
		t.Fatalf("%s = %v, %v; want an error, because %s has too many digits", operation, got, err, want.FloatString(6))
	}
}

func TestMoneySumsAreExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := amounts.Draw(t, "a"), amounts.Draw(t, "b"), amounts.Draw(t, "c")
		n := rapid.OneOf(rapid.Int64(), rapid.Int64Range(-100, 100)).Draw(t, "n")
		sum, err := a.Add(b, c)
		is(t, "a.Add(b, c)", sum, err, new(big.Rat).Add(new(big.Rat).Add(rat(a), rat(b)), rat(c)), 0)
		less, err := a.Sub(b)
		is(t, "a.Sub(b)", less, err, new(big.Rat).Sub(rat(a), rat(b)), 0)
		times, err := a.Mul(n)
		is(t, "a.Mul(n)", times, err, new(big.Rat).Mul(rat(a), new(big.Rat).SetInt64(n)), 0)
		is(t, "a.Neg()", a.Neg(), nil, new(big.Rat).Neg(rat(a)), 0)
		if alone, err := a.Add(); err != nil || alone != a {
			t.Fatalf("a.Add() = %v, %v; want %v in its scale", alone, err, a)
		}
	})
}

func TestMoneySums(t *testing.T) {
	most := MustMoney("999999999999999.999")
	for _, tt := range []struct {
		operation string
		got       func() (Money, error)
		want      string
	}{
		{"the scale is the finer one", func() (Money, error) { return MustMoney("10.5").Add(MustMoney("0.250")) }, "10.750"},
		{"nothing", func() (Money, error) { return Money{}.Add() }, "0.00"},
		{"zeros that leave no room are dropped", func() (Money, error) { return MustMoney("999999999999999.00").Add(MustMoney("0.0000")) },
			"999999999999999.000"},
		{"below zero", func() (Money, error) { return Cents(100).Sub(Cents(250)) }, "-1.50"},
		{"no pieces", func() (Money, error) { return Cents(100).Mul(0) }, "0.00"},
		{"pieces back", func() (Money, error) { return Cents(125).Mul(-3) }, "-3.75"},
		{"a sum of 16 digits", func() (Money, error) { return most.Add(Cents(1)) },
			`sum of 2 amounts: amount "1000000000000000.009"`},
		{"a difference of 16 digits", func() (Money, error) { return most.Neg().Sub(Cents(1)) },
			`-999999999999999.999 - 0.01: amount "-1000000000000000.009"`},
		{"a product of 34 digits", func() (Money, error) { return most.Mul(math.MinInt64) },
			`999999999999999.999 × -9223372036854775808: amount "-92`},
		{"a sum of 19 digits", func() (Money, error) { return MustMoney("999999999999999").Add(MustMoney("0.0001")) },
			`sum of 2 amounts: amount "999999999999999.0001"`},
		{"hundredths that are no amount", func() (Money, error) { return Cents(math.MaxInt64).Add(Cents(1)) },
			`sum of 2 amounts: amount "92233720368547758.08"`},
		{"the least number of hundredths", func() (Money, error) { return Cents(math.MinInt64).Neg().Mul(-1) },
			`-92233720368547758.08 × -1: amount "92233720368547758.08"`},
	} {
		got, err := tt.got()
		failed := err != nil && strings.HasPrefix(err.Error(), tt.want) && got == Money{}
		if !failed && (err != nil || got.String() != tt.want) {
			t.Errorf("%s: got %v, %v; want %s", tt.operation, got, err, tt.want)
		}
	}
}

// Half up of a product, computed with whole numbers: the nearest multiple of the smallest unit, a half away from zero.
func halfUp(r *big.Rat, decimals int) *big.Rat {
	unit := new(big.Rat).SetInt(pow10(uint8(decimals)))
	scaled := new(big.Rat).Mul(r, unit)
	twice := new(big.Int).Mul(big.NewInt(2), new(big.Int).Abs(scaled.Num()))
	twice.Add(twice, scaled.Denom()).Quo(twice, new(big.Int).Mul(big.NewInt(2), scaled.Denom()))
	if scaled.Sign() < 0 {
		twice.Neg(twice)
	}
	return new(big.Rat).Quo(new(big.Rat).SetInt(twice), unit)
}

// halves generates amounts that end in a 5: of one decimal more than a currency has, they are between two others.
var halves = rapid.Map(rapid.StringMatching(`-?[0-9]{1,9}\.[0-9]{0,4}5`), MustMoney)

var currencies = rapid.SampledFrom([]string{"ARS", "CLP", "KWD", "CLF"})

func TestMoneyRoundsHalfUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, currency := rapid.OneOf(amounts, halves).Draw(t, "m"), currencies.Draw(t, "currency")
		decimals, _ := CurrencyDecimals(currency)
		factor := decimal.New(rapid.Int64Range(-1e6, 1e6).Draw(t, "factor"), -rapid.Int32Range(0, 5).Draw(t, "places"))
		product := new(big.Rat).Mul(rat(m), factor.Rat())

		got, err := m.Round(currency)
		is(t, "m.Round", got, err, halfUp(rat(m), decimals), decimals)
		if other, failed := m.Neg().Round(currency); (failed == nil) != (err == nil) || !other.Equal(got.Neg()) {
			t.Fatalf("-m rounds to %v, %v; m to %v, %v", other, failed, got, err)
		}
		got, err = m.MulDecimal(factor, currency)
		is(t, "m.MulDecimal", got, err, halfUp(product, decimals), decimals)
		got, err = m.Percent(factor, currency)
		is(t, "m.Percent", got, err, halfUp(product.Quo(product, big.NewRat(100, 1)), decimals), decimals)
	})
}

func TestMoneyRounding(t *testing.T) {
	for _, tt := range []struct{ amount, currency, want string }{
		{"0.005", "ARS", "0.01"},
		{"-0.005", "ARS", "-0.01"}, // away from zero, as the invoice that it takes back
		{"0.015", "ARS", "0.02"},
		{"0.025", "ARS", "0.03"}, // not to even
		{"0.004999", "ARS", "0.00"},
		{"-0.004999", "ARS", "0.00"},
		{"7", "ARS", "7.00"},
		{"974.5", "CLP", "975.00"},
		{"-974.5", "CLP", "-975.00"},
		{"974.499999", "CLP", "974.00"},
		{"1.2345", "KWD", "1.235"},
		{"1", "USDT", `round 1.00: currency "USDT": must be an ISO 4217 code of three capital letters, such as ARS`},
		{"1", "ars", `round 1.00: currency "ars": must be`},
		{"1", "", `round 1.00: currency "": must be`},
		{"1", "ÄR", `round 1.00: currency "ÄR": must be`},
	} {
		got, err := MustMoney(tt.amount).Round(tt.currency)
		if err == nil && got.String() != tt.want || err != nil && !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%s in %q: got %v, %v; want %s", tt.amount, tt.currency, got, err, tt.want)
		}
	}
	// Rounded once: 974.495 is 974.50 in two decimals, and that would be 975 pesos.
	if got, err := MustMoney("9744.95").Percent(decimal.NewFromInt(10), "CLP"); err != nil || got.String() != "974.00" {
		t.Errorf("10 percent of 9744.95 in CLP: got %v, %v; want 974.00", got, err)
	}
	if got, err := MustMoney("999999999999999").Percent(decimal.NewFromInt(101), "ARS"); err == nil {
		t.Errorf("101 percent of the greatest amount: got %v, want an error", got)
	}
	long := decimal.RequireFromString(strings.Repeat("9", 41))
	for _, bomb := range []decimal.Decimal{decimal.New(1, 1<<30), decimal.New(1, -1<<30), long} {
		if _, err := Cents(1).MulDecimal(bomb, "ARS"); err == nil || !strings.Contains(err.Error(), "at most 40 digits") {
			t.Errorf("a factor with exponent %d: got %v, want a refusal", bomb.Exponent(), err)
		}
	}
}
