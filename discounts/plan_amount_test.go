package discounts

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
)

func TestAmounts(t *testing.T) {
	for _, v := range []struct {
		got  func() (Amount, error)
		want string // or the error
	}{
		{func() (Amount, error) { return Minor(1) }, "0.01"},
		{func() (Amount, error) { return Minor(25000) }, "250.00"},
		{func() (Amount, error) { return Minor(mostFixed) }, "999999999999999.99"},
		{func() (Amount, error) { return Minor(mostFixed + 1) }, `amount: "100000000000000000": must be above 0 and at most 99999999999999999 hundredths: validation`},
		{func() (Amount, error) { return Minor(math.MaxInt64) }, `amount: "9223372036854775807": must be above 0 and at most 99999999999999999 hundredths: validation`},
		{func() (Amount, error) { return Minor(0) }, `amount: "0": must be above 0 and at most 99999999999999999 hundredths: validation`},
		{func() (Amount, error) { return Minor(-1) }, `amount: "-1": must be above 0 and at most 99999999999999999 hundredths: validation`},
		{func() (Amount, error) { return Fixed(client.MustMoney("12.5")) }, "12.50"},
		{func() (Amount, error) { return Fixed(client.MustMoney("12")) }, "12.00"},
		{func() (Amount, error) { return Fixed(client.MustMoney("12.340000")) }, "12.34"},
		{func() (Amount, error) { return Fixed(client.MustMoney("999999999999999.99")) }, "999999999999999.99"},
		{func() (Amount, error) { return Fixed(client.MustMoney("12.345")) },
			`amount: "12.345": must be above 0, and two decimals at most: validation`},
		{func() (Amount, error) { return Fixed(client.MustMoney("0.00")) },
			`amount: "0.00": must be above 0, and two decimals at most: validation`},
		{func() (Amount, error) { return Fixed(client.MustMoney("-1")) },
			`amount: "-1.00": must be above 0, and two decimals at most: validation`},
		{func() (Amount, error) { return BasisPoints(1) }, "0.01%"},
		{func() (Amount, error) { return BasisPoints(10000) }, "100.00%"},
		{func() (Amount, error) { return BasisPoints(10001) }, `percentage: "10001": must be 1 to 10000 basis points: validation`},
		{func() (Amount, error) { return BasisPoints(0) }, `percentage: "0": must be 1 to 10000 basis points: validation`},
		{func() (Amount, error) { return BasisPoints(-5) }, `percentage: "-5": must be 1 to 10000 basis points: validation`},
		{func() (Amount, error) { return Percent(client.MustMoney("12.5")) }, "12.50%"},
		{func() (Amount, error) { return Percent(client.MustMoney("100")) }, "100.00%"},
		{func() (Amount, error) { return Percent(client.MustMoney("100.01")) },
			`percentage: "100.01": must be above 0 and at most 100, and two decimals at most: validation`},
		{func() (Amount, error) { return Percent(client.MustMoney("33.333")) },
			`percentage: "33.333": must be above 0 and at most 100, and two decimals at most: validation`},
		{func() (Amount, error) { return Percent(client.MustMoney("0")) },
			`percentage: "0.00": must be above 0 and at most 100, and two decimals at most: validation`},
	} {
		a, err := v.got()
		got := a.String()
		if a.Percentage() {
			got += "%"
		}
		if err != nil {
			got = err.Error()
		}
		if got != v.want || err != nil && (!errors.Is(err, client.ErrValidation) || a != Amount{}) {
			t.Errorf("got %s, %v, want %s", got, a, v.want)
		}
	}
}

// A sum is rounded down to hundredths, and never past the greatest amount.
func TestFloor(t *testing.T) {
	seed := seeded(t)
	r := rand.New(rand.NewPCG(seed, 3))
	for range 50_000 {
		digits := int64(math.Pow(10, 1+17*r.Float64()))
		units, n, scale := r.Int64N(digits), r.Int64N(1+r.Int64N(mostPieces)), r.IntN(7)
		text := new(big.Rat).SetFrac(big.NewInt(units), new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scale)),
			nil)).FloatString(scale)
		m, err := client.ParseMoney(text)
		if err != nil {
			continue // 15 digits before the point at most
		}
		exact := new(big.Int).Mul(big.NewInt(units), big.NewInt(n))
		exact.Mul(exact, big.NewInt(100))
		exact.Quo(exact, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scale)), nil))
		want := int64(mostFixed)
		if exact.IsInt64() && exact.Int64() < want {
			want = exact.Int64()
		}
		if got := floor(m, n); got != want {
			t.Fatalf("seed %d: %s times %d: got %d, want %d", seed, m, n, got, want)
		}
	}
}
