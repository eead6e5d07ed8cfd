package res

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
)

// scalar is a member of a body that may be written as a number or as a string. A
// string without text counts as null. What is neither is kept to be refused by
// whoever reads it, in the words of the field.
type scalar struct {
	present bool
	text    string
}

// UnmarshalJSON never fails.
func (s *scalar) UnmarshalJSON(b []byte) error {
	*s = scalar{present: true}
	switch {
	case bytes.Equal(b, []byte("null")):
	case bytes.HasPrefix(b, []byte(`"`)):
		if err := json.Unmarshal(b, &s.text); err != nil {
			return err
		}
		s.text = strings.TrimSpace(s.text)
	default:
		s.text = string(b)
	}
	return nil
}

// null reports whether the member is there and empties the field.
func (s scalar) null() bool { return s.present && s.text == "" }

// or is the text, or what is there now if the member is absent.
func (s scalar) or(now string) string {
	if !s.present {
		return now
	}
	return s.text
}

// int reads an integer; a decimal without a fraction is one.
func (s scalar) int() (int64, bool) {
	if len(s.text) > longest {
		return 0, false
	}
	if n, err := strconv.ParseInt(s.text, 10, 64); err == nil {
		return n, true
	}
	d, ok := s.decimal()
	if !ok || !d.IsInteger() || d.BigInt().BitLen() > 62 {
		return 0, false
	}
	return d.IntPart(), true
}

// whole is int for numbers of any size.
func (s scalar) whole() (decimal.Decimal, bool) {
	d, ok := s.decimal()
	return d, ok && d.IsInteger()
}

// maxDigits bounds a number, so that an exponent cannot make it huge, and longest its text.
const (
	maxDigits = 24
	longest   = 2 * maxDigits
)

// decimal reads a number.
func (s scalar) decimal() (decimal.Decimal, bool) {
	if len(s.text) > longest || strings.Trim(s.text, "0123456789+-.eE") != "" { // the library reads other minus signs too
		return decimal.Decimal{}, false
	}
	d, err := decimal.NewFromString(s.text)
	if err != nil || d.Exponent() > maxDigits || d.Exponent() < -longest {
		return decimal.Decimal{}, false
	}
	return d, true
}

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
