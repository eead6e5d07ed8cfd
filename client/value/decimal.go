package value

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Decimal is a decimal that the platform sends as a JSON number, such as a weight in a fulfillment order or a
// coordinate. It preserves the digits that were read. The empty Decimal means that there is none, and is written as
// null. Exact returns it for arithmetic.
type Decimal string

// Limits of a Decimal. They are wider than the limits of Money, because a platform that computes in floating point
// sends 0.30000000000000004. They are narrow enough for a decimal library.
const (
	decimalLength   = 40
	decimalExponent = 99
)

// Exact returns the number, 0 for the empty Decimal. It accepts the numbers that UnmarshalJSON accepts.
func (d Decimal) Exact() (decimal.Decimal, error) {
	if d == "" {
		return decimal.Zero, nil
	}
	if err := d.check(); err != nil {
		return decimal.Zero, err
	}
	return decimal.NewFromString(string(d))
}

// MarshalJSON writes a number, or null if d is empty. It fails if d is not a decimal.
func (d Decimal) MarshalJSON() ([]byte, error) {
	if d == "" {
		return []byte("null"), nil
	}
	if err := d.check(); err != nil {
		return nil, err
	}
	return []byte(d), nil
}

// UnmarshalJSON reads a string, a number or null. The number must have at most 40 characters and an exponent of at most
// 99.
func (d *Decimal) UnmarshalJSON(data []byte) error {
	read := Decimal(wire.Unquoted(data))
	if wire.IsNull(data) {
		read = ""
	}
	if read != "" {
		if err := read.check(); err != nil {
			return err
		}
	}
	*d = read
	return nil
}

func (d Decimal) check() error {
	if !d.plain() {
		return fmt.Errorf("decimal %s: must be a number of at most %d characters, with an exponent of at most %d", wire.Quote(string(d)), decimalLength, decimalExponent)
	}
	return nil
}

// plain reports whether d is a JSON number within the limits. It reads at most as many bytes as such a number may have.
func (d Decimal) plain() bool {
	isDigit := func(b byte) bool { return b >= '0' && b <= '9' }
	n := len(d)
	if n == 0 || n > decimalLength || d[0] != '-' && !isDigit(d[0]) || !isDigit(d[n-1]) || !wire.Valid([]byte(d)) {
		return false
	}
	i := strings.IndexAny(string(d), "eE")
	if i < 0 {
		return true
	}
	exponent, err := strconv.Atoi(string(d[i+1:]))
	return err == nil && exponent <= decimalExponent && exponent >= -decimalExponent
}
