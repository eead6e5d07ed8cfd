package shipping

import (
	"crypto/md5" // the contract's choice; no secret depends on it
	"encoding/binary"
	"encoding/hex"
	"strconv"
)

// Key tells apart the requests that the platform tells apart: it asks for rates once, and shows the
// answer to all requests with the same key, for 15 minutes (200) or one (422). So rates must not
// depend on anything else.
//
// The contract has it as an MD5 hash of carrier id, origin fields, destination fields, and an MD5 of
// each item's id, quantity, grams, width, height and depth joined with colons. How the parts of the
// outer hash are joined is not told, so two Keys are equal if and only if the
// platform's are, while the bytes may be others. It is assumed that
//
//   - a member that is missing, null or empty is the same, save for a size that is not known, which is
//     not 0;
//   - numbers count by value: 12 is 12.0;
//   - the order of the items counts;
//   - members of a place that the contract does not name do not count.
type Key [md5.Size]byte

// String returns 32 hexadecimal digits.
func (k Key) String() string { return hex.EncodeToString(k[:]) }

// Key returns the key of the request. It does not allocate for up to about 20 items.
func (r *Request) Key() Key {
	var buf [1024]byte
	return md5.Sum(r.identity(buf[:0]))
}

// identity appends what is in the key. Parts have their length before them, so that no two
// requests give the same bytes by chance or by design.
func (r *Request) identity(b []byte) []byte {
	b = part(b, string(r.Carrier.ID))
	b = r.Origin.identity(b)
	b = part(b, string(r.Origin.LocationID))
	b = r.Destination.identity(b)
	var text [256]byte
	for i := range r.Items {
		sum := md5.Sum(r.Items[i].identity(text[:0]))
		b = append(b, sum[:]...)
	}
	return b
}

func (p *Place) identity(b []byte) []byte {
	b = part(b, string(p.Name))
	b = part(b, string(p.Address))
	b = part(b, string(p.Number))
	b = part(b, string(p.Floor))
	b = part(b, string(p.Locality))
	b = part(b, string(p.City))
	b = part(b, string(p.Province))
	b = part(b, string(p.Country))
	b = part(b, string(p.PostalCode))
	return part(b, string(p.Phone))
}

// identity appends the item's members joined with colons, as the contract has it.
func (it *Item) identity(b []byte) []byte {
	b = strconv.AppendInt(b, int64(it.ID), 10)
	b = strconv.AppendInt(append(b, ':'), int64(it.Quantity), 10)
	b = strconv.AppendInt(append(b, ':'), int64(it.Grams), 10)
	b = it.Dimensions.Width.identity(append(b, ':'))
	b = it.Dimensions.Height.identity(append(b, ':'))
	return it.Dimensions.Depth.identity(append(b, ':'))
}

// identity appends the number in the one form that equal numbers have.
func (n Number) identity(b []byte) []byte {
	var digits [mostDigits]byte
	e, ok := parse(string(n), &digits)
	if !ok {
		return append(b, n...) // none, or made by hand
	}
	return e.append(b)
}

func part(b []byte, s string) []byte {
	b = binary.AppendUvarint(b, uint64(len(s)))
	return append(b, s...)
}
