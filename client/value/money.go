package value

import (
	"bytes"
	"cmp"
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Limits of an amount: at most 15 digits before the point and 6 after it, 18 in total. They are checked before a big
// number is created, because a decimal library takes seconds and gigabytes for a million digits.
const (
	moneyWhole    = 15
	moneyFraction = 6
	moneyDigits   = 18
)

// Money is an exact amount in the currency of its context. It preserves the scale that was read, so "10.50" stays
// "10.50". It is written as a quoted string with at least two decimals (contract: "decimal strings with two decimals
// and a point separator"). It is read from a string or a number. Signs other than a leading minus are rejected, as are
// more than 18 digits. In JSON, exponents are accepted: 1.05e1 is read as 10.5, exactly. ParseMoney rejects exponents.
//
// The zero Money is 0.00. In records, "" and null are 0.00 if an amount is a Money, and nil if it is a *Money. Two
// amounts with different scales differ under ==; compare them with Equal or Cmp. Add, Sub, Neg and Mul are exact.
// Percent, MulDecimal and Round round half up to the decimals of a currency. Split and SplitBy divide an amount without
// a remainder. No operation overflows; a result with too many digits is an error. Use Decimal for other arithmetic.
type Money struct {
	units int64
	scale uint8
}

// ParseMoney parses an amount such as "10", "-3.5" or "1999.90".
func ParseMoney(s string) (Money, error) {
	m, ok := parseMoney(s)
	if !ok {
		return Money{}, fmt.Errorf("amount %s: must be a decimal with at most %d digits before the point and %d after it, %d in all",
			wire.Quote(s), moneyWhole, moneyFraction, moneyDigits)
	}
	return m, nil
}

// parseMoney reads at most as many bytes as an amount may have.
func parseMoney[S string | []byte](s S) (m Money, ok bool) {
	const longest = moneyDigits + len("-.")
	if len(s) > longest {
		return Money{}, false
	}
	negative := len(s) > 0 && s[0] == '-'
	digits, whole, pointed := 0, 0, false
	for i := range len(s) {
		switch b := s[i]; {
		case b >= '0' && b <= '9':
			m.units = 10*m.units + int64(b-'0')
			digits++
		case b == '.' && !pointed:
			whole, pointed = digits, true
		case i > 0 || !negative:
			return Money{}, false
		}
	}
	if !pointed {
		whole = digits
	}
	fraction := digits - whole
	if whole == 0 || whole > moneyWhole || pointed && fraction == 0 || fraction > moneyFraction || digits > moneyDigits {
		return Money{}, false
	}
	if negative {
		m.units = -m.units
	}
	m.scale = uint8(fraction)
	return m, true
}

// MustMoney is ParseMoney for literals in programs and tests. It panics if ParseMoney fails.
func MustMoney(s string) Money {
	m, err := ParseMoney(s)
	if err != nil {
		panic(err)
	}
	return m
}

// Cents returns the amount of n hundredths, so Cents(1050) is 10.50. If n has more than 17 digits, the result is
// invalid: it cannot be read again, and arithmetic with it fails.
func Cents(n int64) Money { return Money{n, 2} }

// MoneyFrom returns d as Money. It fails if d has more than six decimals or more than 18 digits. It never rounds.
func MoneyFrom(d decimal.Decimal) (Money, error) {
	if d.Exponent() > moneyWhole || d.Exponent() < -moneyDigits*2 {
		return Money{}, fmt.Errorf("amount with exponent %d: must have at most %d digits before the point and %d after it", d.Exponent(), moneyWhole, moneyFraction)
	}
	places := max(0, -d.Exponent())
	whole := max(1, int32(d.NumDigits())+d.Exponent())
	for (places > moneyFraction || whole+places > moneyDigits) && places > 0 && d.Equal(d.Truncate(places-1)) {
		places--
	}
	return ParseMoney(d.StringFixed(places))
}

// Decimal returns the amount for arithmetic.
func (m Money) Decimal() decimal.Decimal { return decimal.New(m.units, -int32(m.scale)) }

// Cmp returns -1, 0 or +1 if m is less than, equal to or greater than o. It ignores scales.
func (m Money) Cmp(o Money) int {
	if m.scale == o.scale {
		return cmp.Compare(m.units, o.units)
	}
	a, b := big.NewInt(m.units), big.NewInt(o.units)
	return a.Mul(a, pow10(o.scale)).Cmp(b.Mul(b, pow10(m.scale)))
}

// Equal reports whether m and o are the same amount. It ignores scales.
func (m Money) Equal(o Money) bool { return m.Cmp(o) == 0 }

// String returns the amount with the scale that was read, with at least two decimals.
func (m Money) String() string {
	digits := strconv.FormatInt(m.units, 10)
	sign := ""
	if digits[0] == '-' {
		sign, digits = "-", digits[1:]
	}
	scale := int(m.scale)
	if missing := scale + 1 - len(digits); missing > 0 {
		digits = strings.Repeat("0", missing) + digits
	}
	whole, fraction := digits[:len(digits)-scale], digits[len(digits)-scale:]
	if missing := 2 - scale; missing > 0 {
		fraction += strings.Repeat("0", missing)
	}
	return sign + whole + "." + fraction
}

// MarshalJSON writes a quoted string.
func (m Money) MarshalJSON() ([]byte, error) { return []byte(`"` + m.String() + `"`), nil }

// UnmarshalJSON reads a string or a number; "" and null are read as the zero Money. It never rounds an amount. Zeros
// after the sixth decimal are dropped, and other digits there are an error.
func (m *Money) UnmarshalJSON(data []byte) error {
	s := wire.Unquoted(data)
	if s == "" || wire.IsNull(data) {
		*m = Money{}
		return nil
	}
	v, err := ParseMoney(s)
	if err != nil {
		plain, _ := wire.Plain([]byte(s))
		exact, ok := parseMoney(withoutZeros(plain))
		if !ok {
			return err
		}
		v = exact
	}
	*m = v
	return nil
}

// withoutZeros drops trailing zeros of a fraction that has too many digits for an amount.
func withoutZeros(plain []byte) []byte {
	point := bytes.IndexByte(plain, '.')
	if point < 0 {
		return plain
	}
	most := point + 1 + min(moneyFraction, max(0, moneyDigits-point))
	for len(plain) > most && plain[len(plain)-1] == '0' {
		plain = plain[:len(plain)-1]
	}
	return bytes.TrimSuffix(plain, []byte{'.'})
}

func pow10(n uint8) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }
