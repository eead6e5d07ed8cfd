package client

import (
	"fmt"

	"github.com/shopspring/decimal"
)

// Decimal is a decimal that the platform writes as a JSON number, such as a weight
// in a fulfillment order. It keeps the digits it was read with. The empty Decimal
// stands for none and is written as null. Exact is for arithmetic.
type Decimal string

// Exact returns the number; 0 for the empty Decimal. It takes what ParseMoney takes.
func (d Decimal) Exact() (decimal.Decimal, error) { return Measure(d).Decimal() }

// MarshalJSON writes a number, or null if d is empty. It fails if d is no decimal.
func (d Decimal) MarshalJSON() ([]byte, error) {
	if d == "" {
		return []byte("null"), nil
	}
	if _, err := ParseMoney(string(d)); err != nil {
		return nil, fmt.Errorf("decimal: %w", err)
	}
	return []byte(d), nil
}

// UnmarshalJSON reads a number, a string or null.
func (d *Decimal) UnmarshalJSON(data []byte) error {
	s := unquoted(data)
	if s == "null" || s == "" {
		*d = ""
		return nil
	}
	if _, err := ParseMoney(s); err != nil {
		return fmt.Errorf("decimal: %w", err)
	}
	*d = Decimal(s)
	return nil
}
