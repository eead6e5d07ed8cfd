package client

import (
	"fmt"

	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Code is a text that the platform prints as a number in some places, such as the
// number of a house or an id in a string. The empty Code stands for none; it is
// written as null, and any other as a string.
type Code string

// ID returns the number; it fails if the text is not one.
func (c Code) ID() (ID, error) { return ParseID(string(c)) }

// MarshalJSON writes a string, or null if c is empty.
func (c Code) MarshalJSON() ([]byte, error) {
	if c == "" {
		return []byte("null"), nil
	}
	return wire.Marshal(string(c))
}

// UnmarshalJSON reads a string, a number or null. Of a whole number it keeps the
// digits, such as 1425 of 1425.0, and of any other the text as it is written.
func (c *Code) UnmarshalJSON(data []byte) error {
	switch k := kind(data); {
	case k == 'n':
		*c = ""
		return nil
	case k == '"' && isSimple(data):
		*c = Code(data[1 : len(data)-1])
		return nil
	case k == '"':
		return wire.Unmarshal(data, (*string)(c))
	case k == '-' || k >= '0' && k <= '9':
		*c = Code(wire.Digits(data))
		return nil
	}
	return fmt.Errorf("want a text or a number, got %s", shown(data))
}

// isSimple reports whether a JSON string needs no decoder: it holds no escapes and nothing but ASCII.
func isSimple(data []byte) bool {
	n := len(data) - 1
	if n < 1 || data[n] != '"' {
		return false
	}
	for _, b := range data[1:n] {
		if b < ' ' || b > '~' || b == '"' || b == '\\' {
			return false
		}
	}
	return true
}
