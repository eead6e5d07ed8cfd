package shipping

import (
	"crypto/md5" // the contract's choice; no secret depends on it
	"encoding/binary"
	"encoding/hex"
	"strconv"
)

// Key identifies the requests that the platform treats as equal. The platform requests rates once, and uses the
// answer for all requests with the same key. It caches a 200 for 15 minutes and a 422 for one minute. Therefore rates
// must not depend on anything else.
//
// The contract defines the key as an MD5 hash of the carrier id, the origin fields, the destination fields, and an
// MD5 of each item. The hash of an item covers its id, quantity, grams, width, height and depth, joined with colons.
// The contract does not specify how the parts of the outer hash are joined. So two Keys are equal if and only if the
// platform's keys are equal, but their bytes may differ from the platform's. The following is assumed:
//
//   - a missing, null or empty member counts as the same value; an unknown size is not 0;
//   - numbers are compared by value: 12 equals 12.0;
//   - the order of the items is significant;
//   - members of a place that the contract does not name are ignored.
type Key [md5.Size]byte

// String returns the key as 32 hexadecimal digits.
func (k Key) String() string { return hex.EncodeToString(k[:]) }

// Key returns the key of the request. It does not allocate for up to about 20 items.
func (r *Request) Key() Key {
	var buf [1024]byte
	return md5.Sum(r.identity(buf[:0]))
}

// identity appends the members of the key. Each part has its length as a prefix, so that different requests never
// produce the same bytes.
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

// identity appends the item's members joined with colons, as the contract specifies.
func (it *Item) identity(b []byte) []byte {
	b = strconv.AppendInt(b, int64(it.ID), 10)
	b = strconv.AppendInt(append(b, ':'), int64(it.Quantity), 10)
	b = strconv.AppendInt(append(b, ':'), int64(it.Grams), 10)
	b = it.Dimensions.Width.identity(append(b, ':'))
	b = it.Dimensions.Height.identity(append(b, ':'))
	return it.Dimensions.Depth.identity(append(b, ':'))
}

// identity appends the canonical form of the number, which is the same for equal numbers.
func (n Number) identity(b []byte) []byte {
	var digits [mostDigits]byte
	e, ok := parse(string(n), &digits)
	if !ok {
		return append(b, n...) // empty, or not a valid number
	}
	return e.append(b)
}

func part(b []byte, s string) []byte {
	b = binary.AppendUvarint(b, uint64(len(s)))
	return append(b, s...)
}
