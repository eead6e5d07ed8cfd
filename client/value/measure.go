package value

import (
	"fmt"

	"github.com/commerceplatform/commerce-go/internal/wire"
	"github.com/shopspring/decimal"
)

// Measure is a weight in kilograms or a length in centimetres, as the decimal text that the platform sends ("0.250").
// The empty Measure means that there is none, and is written as null. Decimal returns it for arithmetic.
type Measure string

// Decimal returns the number, 0 for the empty Measure. It accepts the texts that ParseMoney accepts.
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
	switch k := wire.Kind(data); {
	case k == 'n':
		*m = ""
		return nil
	case k == '"':
		return wire.Unmarshal(data, (*string)(m))
	case k == '-' || k >= '0' && k <= '9':
		*m = Measure(data)
		return nil
	}
	return fmt.Errorf("measure: must be a decimal in a string, got %s", wire.Shown(data))
}
