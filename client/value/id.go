package value

import (
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
	n, err := strconv.ParseInt(s[:min(len(s), wire.MaxScalar)], 10, 64) // its error copies the input
	if err != nil || s[0] == '+' || len(s) > wire.MaxScalar {
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
		s := wire.Unquoted(data)
		n, ok = wire.Whole([]byte(s))
		if none := s == "" || wire.IsNull(data); !ok && !none {
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
