package client

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/commerceplatform/commerce-go/internal/wire"
)

// ID identifies a record of the platform. It is read from a JSON number or from a string of digits, exactly over the
// whole range of int64, and written as a number. Whole numbers with a fraction or an exponent, such as 5.0 and 5e0, are
// also read. The zero ID means "none"; the platform sends 0, null or an empty string for it. An example is the image of
// a product without an image.
type ID int64

// ParseID parses an ID from decimal digits with an optional minus sign.
func ParseID(s string) (ID, error) {
	n, err := strconv.ParseInt(s[:min(len(s), mostScalar)], 10, 64) // its error copies the input
	if err != nil || s[0] == '+' || len(s) > mostScalar {
		return 0, fmt.Errorf("id %s: must be a whole number of at most 64 bits", wire.Quote(s))
	}
	return ID(n), nil
}

// String returns the decimal digits, as used in a path.
func (id ID) String() string { return strconv.FormatInt(int64(id), 10) }

// UnmarshalJSON reads a whole number, a string with a whole number, "" or null.
func (id *ID) UnmarshalJSON(data []byte) error {
	n, ok := wire.Whole(data) // the usual form, which requires no copy
	if !ok {
		s := unquoted(data)
		n, ok = wire.Whole([]byte(s))
		if none := s == "" || isNull(data); !ok && !none {
			return fmt.Errorf("id %s: must be a whole number of at most 64 bits", wire.Quote(s))
		}
	}
	*id = ID(n)
	return nil
}

// Int is an integer that the platform sends as a number in some places and as a string in others ("quantity": "1"). It
// is written as a number.
type Int int64

// UnmarshalJSON reads a whole number, a string with a whole number, "" or null.
func (n *Int) UnmarshalJSON(data []byte) error { return (*ID)(n).UnmarshalJSON(data) }

// mostScalar is longer than any number or time that the platform sends.
const mostScalar = 128

// unquoted returns the text of a JSON scalar, with its escapes decoded. Longer texts than any valid value are cut and
// marked, so that they are rejected without a full copy.
func unquoted(data []byte) string {
	const longestEscape = len(`\u0000`)
	if bytes.IndexByte(data, '\\') >= 0 && len(data) <= longestEscape*mostScalar {
		var text string
		if wire.Unmarshal(data, &text) == nil {
			data = []byte(text)
		}
	} else if n := len(data); n >= 2 && data[0] == '"' && data[n-1] == '"' {
		data = data[1 : n-1]
	}
	if len(data) > mostScalar {
		return string(data[:mostScalar]) + "…"
	}
	return string(data)
}

func isNull(data []byte) bool { return string(bytes.TrimSpace(data)) == "null" }

// shown returns the start of a JSON value for an error text.
func shown(data []byte) string { return wire.Quote(string(data[:min(len(data), mostScalar)])) }
