package discounts

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"

	"github.com/commerceplatform/commerce-go/internal/wire"
)

// An answer is split into its parts, and each part is checked where its rule is known. This does not use a decoder,
// which would accept other forms.

// isJSON reports whether data is a JSON value and nothing else, in UTF-8.
func isJSON(data []byte) bool { return utf8.Valid(data) && json.Valid(data) }

// member is a member of an object. Its name and value are slices of the answer.
type member struct {
	name, value []byte
	taken       bool
}

// objectParts appends the members of a valid JSON value to all, which is empty. It returns false if the value is not
// an object, or has two members with the same name.
func objectParts(value []byte, all []member) ([]member, bool) {
	if len(value) == 0 || value[0] != '{' {
		return nil, false
	}
	for at := gap(value, 1); value[at] != '}'; {
		end := skip(value, at)
		name, ok := textOf(value[at:end])
		for i := range all {
			ok = ok && !bytes.Equal(all[i].name, name)
		}
		if !ok {
			return nil, false
		}
		at = gap(value, end)
		at = gap(value, at+len(":"))
		end = skip(value, at)
		all = append(all, member{name: name, value: value[at:end]})
		at = next(value, end)
	}
	return all, true
}

// arrayParts returns the elements of a valid JSON value. It returns false if the value is not an array.
func arrayParts(value []byte) ([][]byte, bool) {
	if len(value) == 0 || value[0] != '[' {
		return nil, false
	}
	const usual = 64 // usual number of bytes of an element
	all := make([][]byte, 0, len(value)/usual+1)
	for at := gap(value, 1); value[at] != ']'; {
		end := skip(value, at)
		all = append(all, value[at:end])
		at = next(value, end)
	}
	return all, true
}

// textOf returns the text of a valid JSON value. It returns false if the value is not a string, or contains half of a
// surrogate pair.
func textOf(value []byte) ([]byte, bool) {
	if len(value) == 0 || value[0] != '"' {
		return nil, false
	}
	if bytes.IndexByte(value, '\\') < 0 {
		return value[1 : len(value)-1], true
	}
	var s string
	err := wire.UnmarshalStrict(value, &s)
	return []byte(s), err == nil
}

// gap returns the first position from at on that is not white space.
func gap(data []byte, at int) int {
	for data[at] == ' ' || data[at] == '\n' || data[at] == '\t' || data[at] == '\r' {
		at++
	}
	return at
}

// skip returns the end of the valid JSON value that begins at at.
func skip(data []byte, at int) int {
	switch data[at] {
	case '"':
		return skipText(data, at)
	case '{', '[':
		return skipNested(data, at)
	}
	for at < len(data) && isScalar(data[at]) {
		at++
	}
	return at
}

// skipNested is skip for objects and arrays, in which only strings and brackets matter.
func skipNested(data []byte, at int) int {
	for depth := 0; at < len(data); at++ {
		switch data[at] {
		case '"':
			at = skipText(data, at) - 1
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return at + 1
			}
		}
	}
	return at
}

// isScalar reports whether b can be part of a number, true, false or null.
func isScalar(b byte) bool { return b > ' ' && b != ',' && b != ']' && b != '}' }

// skipText returns the end of the string that begins at at.
func skipText(data []byte, at int) int {
	for at++; data[at] != '"'; at++ {
		if data[at] == '\\' {
			at++
		}
	}
	return at + 1
}

// next returns the start of the next part of an object or list, or its end. The previous part ends at end.
func next(data []byte, end int) int {
	at := gap(data, end)
	if data[at] == ',' {
		at = gap(data, at+1)
	}
	return at
}
