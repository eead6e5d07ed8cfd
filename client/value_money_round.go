package client

import (
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/printable"
)

// Round rounds m half up to the decimals of a currency: see CurrencyDecimals. It fails if the code is malformed, or if
// the result has too many digits.
//
// There is one rounding in this package. Half up rounds to the nearest amount, and a half away from zero: 0.005 is
// 0.01, and -0.005 is -0.01. Rounding a half to even, or to the greater number where it is negative, is not done: a
// credit note must come to what the invoice came to, with the other sign, so m.Neg() rounds to the opposite of what m
// rounds to. Invoices, spreadsheets and the numeric type of PostgreSQL round the same way.
func (m Money) Round(currency string) (Money, error) {
	r, err := rounded(m.Decimal(), currency)
	if err != nil {
		return Money{}, fmt.Errorf("round %s: %w", m, err)
	}
	return r, nil
}

// Percent returns p percent of m, rounded once and as Round does: 7.5 is 7.5 percent. It may be negative or above 100.
// A percentage that is a Money, such as Coupon.Value, is given as its Decimal. What remains after a discount is the
// difference: m.Sub(discount).
func (m Money) Percent(p decimal.Decimal, currency string) (Money, error) {
	return m.timesRounded(p, -2, "percent of", currency)
}

// MulDecimal returns m times a factor, such as a rate of exchange, rounded once and as Round does. The currency is that
// of the result.
func (m Money) MulDecimal(factor decimal.Decimal, currency string) (Money, error) {
	return m.timesRounded(factor, 0, "×", currency)
}

func (m Money) timesRounded(factor decimal.Decimal, shift int32, operation, currency string) (Money, error) {
	// Of the numbers that a Decimal can be. A decimal library spends gigabytes on an exponent of a million.
	if e := factor.Exponent(); e > decimalExponent || e < -decimalExponent || factor.NumDigits() > decimalLength {
		return Money{}, fmt.Errorf("factor of %s: must have at most %d digits and an exponent of at most %d",
			m, decimalLength, decimalExponent)
	}
	r, err := rounded(m.Decimal().Mul(factor).Shift(shift), currency)
	if err != nil {
		return Money{}, fmt.Errorf("%s %s %s: %w", factor, operation, m, err)
	}
	return r, nil
}

// rounded returns d half up, with all decimals of the currency.
func rounded(d decimal.Decimal, currency string) (Money, error) {
	places, err := CurrencyDecimals(currency)
	if err != nil {
		return Money{}, err
	}
	return ParseMoney(d.StringFixed(int32(places)))
}

// CurrencyDecimals returns how many decimals amounts of a currency have by ISO 4217: 0 for CLP, JPY, PYG and some
// others, 3 for KWD and some others, 4 for two units of account, and 2 for all other codes of three capital letters.
// Anything else is an error.
//
// On the wire an amount of any currency has two decimals: 974 pesos of Chile are written "974.00". Amounts with a third
// decimal that is not 0 are refused by the fields that the contract gives two.
func CurrencyDecimals(currency string) (int, error) {
	if len(currency) != 3 || strings.ContainsFunc(currency, func(r rune) bool { return r < 'A' || r > 'Z' }) {
		return 0, fmt.Errorf("currency %s: must be an ISO 4217 code of three capital letters, such as ARS",
			printable.Quote(currency))
	}
	switch currency {
	case "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI", "VND", "VUV",
		"XAF", "XOF", "XPF":
		return 0, nil
	case "BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND":
		return 3, nil
	case "CLF", "UYW":
		return 4, nil
	}
	return 2, nil
}
