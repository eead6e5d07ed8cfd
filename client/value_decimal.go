package client

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/printable"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Decimal is a decimal that the platform writes as a JSON number, such as a weight
// in a fulfillment order or a coordinate. It keeps the digits it was read with. The
// empty Decimal stands for none and is written as null. Exact is for arithmetic.
type Decimal string

// Bounds of a Decimal. They are wider than those of Money, as a platform that
// computes in floating point prints 0.30000000000000004, and narrow enough for a
// decimal library.
const (
	decimalLength   = 40
	decimalExponent = 99
)

// Exact returns the number; 0 for the empty Decimal. It takes what UnmarshalJSON takes.
func (d Decimal) Exact() (decimal.Decimal, error) {
	if d == "" {
		return decimal.Zero, nil
	}
	if err := d.check(); err != nil {
		return decimal.Zero, err
	}
	return decimal.NewFromString(string(d))
}

// MarshalJSON writes a number, or null if d is empty. It fails if d is no decimal.
func (d Decimal) MarshalJSON() ([]byte, error) {
	if d == "" {
		return []byte("null"), nil
	}
	if err := d.check(); err != nil {
		return nil, err
	}
	return []byte(d), nil
}

// UnmarshalJSON reads a number, a string or null. The number has 40 characters and an
// exponent of 99 at most.
func (d *Decimal) UnmarshalJSON(data []byte) error {
	read := Decimal(unquoted(data))
	if isNull(data) {
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
		return fmt.Errorf("decimal %s: want a number of at most %d characters, with an exponent of at most %d", printable.Quote(string(d)), decimalLength, decimalExponent)
	}
	return nil
}

// plain reports whether d is a number in the grammar of JSON within the bounds. It
// looks at no more bytes than such a number may have.
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
