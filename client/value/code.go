package value

import (
	"fmt"

	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Code is a text that the platform sends as a number in some places, such as a house number or an id in a string. The
// empty Code means that there is none, and is written as null. Any other Code is written as a string.
type Code string

// ID returns the text as a number. It fails if the text is not a number.
func (c Code) ID() (ID, error) { return ParseID(string(c)) }

// MarshalJSON writes a string, or null if c is empty.
func (c Code) MarshalJSON() ([]byte, error) {
	if c == "" {
		return []byte("null"), nil
	}
	return wire.Marshal(string(c))
}

// UnmarshalJSON reads a string, a number or null. A whole number is read as its digits, so 1425.0 is read as 1425. Any
// other number is read as the text on the wire.
func (c *Code) UnmarshalJSON(data []byte) error {
	switch k := wire.Kind(data); {
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
	return fmt.Errorf("must be a text or a number, got %s", wire.Shown(data))
}

// isSimple reports whether a JSON string requires no decoder, because it has no escapes and only ASCII characters.
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
