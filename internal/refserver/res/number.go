package res

import (
	"encoding/json"

	"github.com/shopspring/decimal"
)

// fixedOrNull is a decimal string with the given decimals, or null.
func fixedOrNull(d decimal.NullDecimal, places int32) *string {
	if !d.Valid {
		return nil
	}
	s := d.Decimal.StringFixed(places)
	return &s
}

// money is an amount on the wire.
func money(d decimal.Decimal) string { return d.StringFixed(2) }

// number is an amount on the wire where it is a number.
func number(d decimal.Decimal) json.Number { return json.Number(d.String()) }

// float is an exact decimal that JSON writes as a number.
type float decimal.Decimal

// MarshalJSON writes the digits as they are.
func (f float) MarshalJSON() ([]byte, error) { return []byte(decimal.Decimal(f).String()), nil }

// floatOrNull is the number, or null on the wire.
func floatOrNull(d decimal.NullDecimal) *float {
	if !d.Valid {
		return nil
	}
	f := float(d.Decimal)
	return &f
}
