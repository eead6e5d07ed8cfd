package res

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
)

// loose is a text that may be written as a number.
type loose string

// UnmarshalJSON takes either form.
func (l *loose) UnmarshalJSON(b []byte) error {
	if bytes.HasPrefix(b, []byte(`"`)) {
		var text string
		err := json.Unmarshal(b, &text)
		*l = loose(strings.TrimSpace(text))
		return err
	}
	var n json.Number
	err := json.Unmarshal(b, &n)
	*l = loose(n)
	return err
}

// looseOr is the text, or what is there now if the member is absent.
func looseOr(o api.Opt[loose], now string) string { return string(o.Or(loose(now))) }

// fixed is the number with exactly so many decimals, so that equal numbers are
// equal values.
func fixed(d decimal.Decimal, places int32) decimal.NullDecimal {
	return decimal.NewNullDecimal(decimal.RequireFromString(d.StringFixed(places)))
}

// fixedOrNull is a decimal string with so many decimals, or null.
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
