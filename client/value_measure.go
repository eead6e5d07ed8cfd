package client

import (
	"fmt"

	"github.com/commerceplatform/commerce-go/internal/wire"
	"github.com/shopspring/decimal"
)

// Measure is a weight in kilograms or a length in centimetres, as the decimal
// number that the platform prints ("0.250"). The empty Measure stands for none
// and is written as null. Decimal is for arithmetic.
type Measure string

// Decimal returns the number; 0 for the empty Measure. It takes what ParseMoney
// takes.
func (m Measure) Decimal() (decimal.Decimal, error) {
	if m == "" {
		return decimal.Zero, nil
	}
	n, err := ParseMoney(string(m))
	if err != nil {
		return decimal.Zero, fmt.Errorf("measure: %w", err)
	}
	return n.Decimal(), nil
}

// MarshalJSON writes a string, or null if m is empty.
func (m Measure) MarshalJSON() ([]byte, error) {
	if m == "" {
		return []byte("null"), nil
	}
	return wire.Marshal(string(m))
}

// UnmarshalJSON reads a string, a number or null.
func (m *Measure) UnmarshalJSON(data []byte) error {
	switch k := kind(data); {
	case k == 'n':
		*m = ""
		return nil
	case k == '"':
		return wire.Unmarshal(data, (*string)(m))
	case k == '-' || k >= '0' && k <= '9':
		*m = Measure(data)
		return nil
	}
	return fmt.Errorf("measure: want a decimal in a string, got %s", shown(data))
}
