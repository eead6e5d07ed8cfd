package wire

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"

	jsonv2 "github.com/go-json-experiment/json"
)

// Bounds of what UnmarshalStrict accepts. A mebibyte of {} costs 252 MB as a
// slice of structs, so the number of values is bounded and not only the bytes.
const (
	MaxDepth  = 64
	MaxValues = 20_000
)

// UnmarshalStrict reads JSON from an untrusted sender into v, a pointer to a zero value. It refuses duplicate member
// names, invalid UTF-8, data after the value, and, before anything is built, more than MaxDepth levels and more than
// MaxValues values. After an error, v points to a zero value.
func UnmarshalStrict(data []byte, v any, opts ...Option) error {
	err := bound(data)
	if err == nil {
		// Names that stand twice and invalid UTF-8 are refused unless an option allows them.
		err = jsonv2.Unmarshal(data, v, strictly(opts))
	}
	if err != nil {
		reflect.ValueOf(v).Elem().SetZero()
	}
	return err
}

// strictly returns the options of a strict reading, of which [ReadBy] makes some.
func strictly(opts []Option) Option {
	if len(opts) == 0 {
		return strict
	}
	return jsonv2.JoinOptions(opts...)
}

var strict = jsonv2.WithUnmarshalers(readsByFields)

// errTooManyValues is a refusal of JSON that may well be right: it is only large.
var errTooManyValues = fmt.Errorf("JSON holds more than %d values, names of members among them", MaxValues)

// Refusal says why UnmarshalStrict refused what should have been the JSON of something. It quotes nothing of it.
func Refusal(err error, of string) error {
	if errors.Is(err, errTooManyValues) {
		return errTooManyValues
	}
	return fmt.Errorf("not the strict JSON of %s", of)
}

// bound refuses JSON that is too deep or has too many values, names among them. It
// counts without judging: as far as a decoder gets in what is not JSON, the counts are right.
func bound(data []byte) error {
	// Every level has a bracket of its own.
	if brackets(data) <= MaxDepth && mostValues(data) <= MaxValues {
		return nil
	}
	depth, values := 0, 0
	for i := 0; i < len(data); i++ {
		switch data[i] {
		case ' ', '\t', '\n', '\r', ',', ':':
			continue
		case '}', ']':
			depth--
			continue
		case '"':
			i = endOfText(data, i)
		case '{', '[':
			depth++
		default:
			for i+1 < len(data) && isScalar(data[i+1]) {
				i++
			}
		}
		if depth > MaxDepth {
			return fmt.Errorf("JSON nests deeper than %d levels", MaxDepth)
		}
		if values++; values > MaxValues {
			return errTooManyValues
		}
	}
	return nil
}

// mostValues returns a number of values, names among them, that data has at most.
func mostValues(data []byte) int {
	// Every value has a byte, and all but the first are after a bracket, a comma or a colon.
	if len(data) <= MaxValues {
		return len(data)
	}
	return 1 + brackets(data) + bytes.Count(data, []byte{','}) + bytes.Count(data, []byte{':'})
}

// brackets returns how many objects and lists data has at most.
func brackets(data []byte) int {
	return bytes.Count(data, []byte{'{'}) + bytes.Count(data, []byte{'['})
}

// endOfText returns the place of the quote that ends the string that begins at i, or the end of data.
func endOfText(data []byte, i int) int {
	for i++; i < len(data) && data[i] != '"'; i++ {
		if data[i] == '\\' {
			i++
		}
	}
	return i
}

// isScalar reports whether b begins with a number or a word.
func isScalar(b byte) bool {
	return 'a' <= b && b <= 'z' || '0' <= b && b <= '9' || b == '.' || b == '-' || b == '+' || b == 'E'
}
