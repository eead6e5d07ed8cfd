package shipping

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/callback"
	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Number is a decimal that the platform writes as a JSON number, such as a width or a price. It preserves the digits
// that were read. It is also read from a string. The empty Number means none and is written as null.
type Number string

// Bounds of a Number. A longer text is neither a size nor a price, and would be expensive to process.
const (
	mostDigits   = 64
	mostExponent = 99
)

// Decimal returns the number for arithmetic, 0 for the empty Number.
func (n Number) Decimal() (decimal.Decimal, error) {
	if n == "" {
		return decimal.Zero, nil
	}
	var digits [mostDigits]byte
	if _, ok := parse(string(n), &digits); !ok {
		return decimal.Zero, engine.Invalid("number", string(n), numberRule)
	}
	return decimal.NewFromString(string(n))
}

const numberRule = "a decimal of at most 64 characters, with an exponent of at most 99"

// MarshalJSON writes a number, or null if n is empty.
func (n Number) MarshalJSON() ([]byte, error) {
	if n == "" {
		return []byte("null"), nil
	}
	var digits [mostDigits]byte
	if _, ok := parse(string(n), &digits); !ok {
		return nil, engine.Invalid("number", string(n), numberRule)
	}
	return []byte(n), nil
}

// UnmarshalJSON reads a number, a string that holds one, "" or null.
func (n *Number) UnmarshalJSON(data []byte) error {
	text := data
	if k := len(data); k >= 2 && data[0] == '"' && data[k-1] == '"' {
		text = unescaped(data)
	}
	if len(text) == 0 || string(data) == "null" {
		*n = ""
		return nil
	}
	var digits [mostDigits]byte
	start := string(text[:min(len(text), mostDigits+1)]) // reject longer text without copying it
	if _, ok := parse(start, &digits); !ok {
		return fmt.Errorf("number %s: must be %s", strconv.Quote(callback.Printable(start, callback.MostShown)), numberRule)
	}
	*n = Number(start)
	return nil
}

// readNumber reads a number, or a string that holds one.
func readNumber(r *wire.Reader, n *Number) bool {
	if r.Null() {
		return true
	}
	text, ok := r.Scalar()
	if !ok || len(text) == 0 || len(text) > mostDigits {
		return false
	}
	*n = Number(r.Keep(text))
	var digits [mostDigits]byte
	_, ok = parse(string(*n), &digits)
	return ok
}

// unescaped returns the content of a string. A long one is returned unchanged, because it is rejected anyway.
func unescaped(quoted []byte) []byte {
	const longestEscape = len(`\u0000`)
	var text string
	if bytes.IndexByte(quoted, '\\') < 0 || len(quoted) > longestEscape*mostDigits || wire.Unmarshal(quoted, &text) != nil {
		return quoted[1 : len(quoted)-1]
	}
	return []byte(text)
}

// exact is the value of a number: digits without zeros at either end, multiplied by ten to the power of exponent.
// Zero has no digits.
type exact struct {
	negative bool
	digits   []byte
	exponent int
}

// parse reads a number in the grammar of JSON. The digits are stored in buf.
func parse(s string, buf *[mostDigits]byte) (exact, bool) {
	if len(s) == 0 || len(s) > mostDigits {
		return exact{}, false
	}
	mantissa, exponent := s, 0
	if i := indexExponent(s); i >= 0 {
		n, err := strconv.Atoi(s[i+1:])
		if err != nil || n > mostExponent || n < -mostExponent {
			return exact{}, false
		}
		mantissa, exponent = s[:i], n
	}
	unsigned := strings.TrimPrefix(mantissa, "-")
	whole, fraction, pointed := strings.Cut(unsigned, ".")
	if !digitsOnly(whole) || pointed && !digitsOnly(fraction) || len(whole) > 1 && whole[0] == '0' {
		return exact{}, false
	}
	digits := append(append(buf[:0], whole...), fraction...)
	exponent -= len(fraction)
	for len(digits) > 0 && digits[0] == '0' {
		digits = digits[1:]
	}
	for len(digits) > 0 && digits[len(digits)-1] == '0' {
		digits, exponent = digits[:len(digits)-1], exponent+1
	}
	if len(digits) == 0 {
		return exact{}, true
	}
	return exact{len(unsigned) < len(mantissa), digits, exponent}, true
}

func indexExponent(s string) int {
	for i := range len(s) {
		if s[i]|0x20 == 'e' {
			return i
		}
	}
	return -1
}

func digitsOnly(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// append writes the number without exponent and without insignificant zeros. Equal numbers have equal texts.
func (e exact) append(b []byte) []byte {
	if len(e.digits) == 0 {
		return append(b, '0')
	}
	if e.negative {
		b = append(b, '-')
	}
	switch point := len(e.digits) + e.exponent; {
	case e.exponent >= 0:
		b = append(b, e.digits...)
		return zeros(b, e.exponent)
	case point > 0:
		b = append(append(b, e.digits[:point]...), '.')
		return append(b, e.digits[point:]...)
	default:
		b = append(b, "0."...)
		return append(zeros(b, -point), e.digits...)
	}
}

func zeros(b []byte, n int) []byte {
	for range n {
		b = append(b, '0')
	}
	return b
}
