package body

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"
)

// Scalar is a member of a body that may be written as a number or as a string. A string without text counts as null. A
// value of another type is kept, and the field that reads it rejects it in its own words.
type Scalar struct {
	Present bool   // whether the body has the member
	Text    string // as it was written, without quotes; empty for null
}

// UnmarshalJSON never fails.
func (s *Scalar) UnmarshalJSON(b []byte) error {
	*s = Scalar{Present: true}
	switch {
	case bytes.Equal(b, []byte("null")):
	case bytes.HasPrefix(b, []byte(`"`)):
		if err := json.Unmarshal(b, &s.Text); err != nil {
			return err
		}
		s.Text = strings.TrimSpace(s.Text)
	default:
		s.Text = string(b)
	}
	return nil
}

// Null reports whether the member is there and empties the field.
func (s Scalar) Null() bool { return s.Present && s.Text == "" }

// Or is the text, or what is there now if the member is absent.
func (s Scalar) Or(now string) string {
	if !s.Present {
		return now
	}
	return s.Text
}

// Int reads an integer; a decimal without a fraction is one.
func (s Scalar) Int() (int64, bool) {
	if len(s.Text) > longest {
		return 0, false
	}
	if n, err := strconv.ParseInt(s.Text, 10, 64); err == nil {
		return n, true
	}
	d, ok := s.Decimal()
	if !ok || !d.IsInteger() || d.BigInt().BitLen() > 62 {
		return 0, false
	}
	return d.IntPart(), true
}

// Whole is Int for numbers of any size.
func (s Scalar) Whole() (decimal.Decimal, bool) {
	d, ok := s.Decimal()
	return d, ok && d.IsInteger()
}

// Within is Int for an integer from the least to the most.
func (s Scalar) Within(least, most int64) (int64, bool) {
	n, ok := s.Int()
	return n, ok && n >= least && n <= most
}

// Amount is Decimal for a number that is not negative.
func (s Scalar) Amount() (decimal.Decimal, bool) {
	d, ok := s.Decimal()
	return d, ok && !d.IsNegative()
}

// maxDigits bounds a number, so that an exponent cannot make it huge, and longest its text.
const (
	maxDigits = 24
	longest   = 2 * maxDigits
)

// Decimal reads a number.
func (s Scalar) Decimal() (decimal.Decimal, bool) {
	if !bounded(s.Text) {
		return decimal.Decimal{}, false
	}
	d, err := decimal.NewFromString(s.Text)
	return d, err == nil
}

// bounded reports whether a text may be given to the library: whatever it is then, it is neither long nor huge.
func bounded(text string) bool {
	if len(text) > longest || strings.Trim(text, "0123456789+-.eE") != "" { // the library reads other minus signs too
		return false
	}
	number, exponent := text, int64(0)
	if at := strings.IndexAny(text, "eE"); at >= 0 {
		var err error
		if exponent, err = strconv.ParseInt(text[at+1:], 10, 32); err != nil {
			return false
		}
		number = text[:at]
	}
	_, fraction, _ := strings.Cut(number, ".")
	exponent -= int64(len(fraction))
	return exponent <= maxDigits && exponent >= -longest
}
