package value

import (
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Round rounds m half up to the decimals of a currency; see CurrencyDecimals. It fails if the code is malformed, or if
// the result has too many digits.
//
// All methods of this package round in the same way. Half up rounds to the nearest amount, and a half away from zero:
// 0.005 becomes 0.01, and -0.005 becomes -0.01. The rounded m.Neg() is therefore always the negative of the rounded m,
// so a credit note equals its invoice. Invoices, spreadsheets and the numeric type of PostgreSQL round in the same way.
func (m Money) Round(currency string) (Money, error) {
	r, err := rounded(m.Decimal(), currency)
	if err != nil {
		return Money{}, fmt.Errorf("round %s: %w", m, err)
	}
	return r, nil
}

// Percent returns p percent of m, rounded once as in Round. For example, 7.5 means 7.5 percent. P may be negative or
// above 100. Pass a percentage that is a Money, such as Coupon.Value, as its Decimal. The amount after a discount is
// the difference m.Sub(discount).
func (m Money) Percent(p decimal.Decimal, currency string) (Money, error) {
	return m.timesRounded(p, -2, "percent of", currency)
}

// MulDecimal returns m times a factor, such as an exchange rate, rounded once as in Round. The currency is the currency
// of the result.
func (m Money) MulDecimal(factor decimal.Decimal, currency string) (Money, error) {
	return m.timesRounded(factor, 0, "×", currency)
}

func (m Money) timesRounded(factor decimal.Decimal, shift int32, operation, currency string) (Money, error) {
	// A Decimal can have an exponent of a million, for which a decimal library takes gigabytes.
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

// rounded returns d rounded half up to the decimals of the currency.
func rounded(d decimal.Decimal, currency string) (Money, error) {
	places, err := CurrencyDecimals(currency)
	if err != nil {
		return Money{}, err
	}
	return ParseMoney(d.StringFixed(int32(places)))
}

// CurrencyDecimals returns the number of decimals of a currency by ISO 4217. It is 0 for CLP, JPY, PYG and some others,
// 3 for KWD and some others, and 4 for two units of account. It is 2 for all other codes of three capital letters. Any
// other text is an error.
//
// On the wire, an amount of any currency has two decimals, so 974 Chilean pesos are written "974.00". Fields that have
// two decimals in the contract reject amounts with a third decimal other than 0.
func CurrencyDecimals(currency string) (int, error) {
	if len(currency) != 3 || strings.ContainsFunc(currency, func(r rune) bool { return r < 'A' || r > 'Z' }) {
		return 0, fmt.Errorf("currency %s: must be an ISO 4217 code of three capital letters, such as ARS",
			wire.Quote(currency))
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
