package wire

import "bytes"

// MaxScalar is longer than any number or time that the platform sends.
const MaxScalar = 128

// Kind returns the first byte of a JSON value.
func Kind(data []byte) byte {
	for _, b := range data {
		if b != ' ' && b != '\t' && b != '\n' && b != '\r' {
			return b
		}
	}
	return 0
}

// Unquoted returns the text of a JSON scalar, with its escapes decoded. Longer texts than any valid value are cut and
// marked, so that they are rejected without a full copy.
func Unquoted(data []byte) string {
	const longestEscape = len(`\u0000`)
	if bytes.IndexByte(data, '\\') >= 0 && len(data) <= longestEscape*MaxScalar {
		var text string
		if Unmarshal(data, &text) == nil {
			data = []byte(text)
		}
	} else if n := len(data); n >= 2 && data[0] == '"' && data[n-1] == '"' {
		data = data[1 : n-1]
	}
	if len(data) > MaxScalar {
		return string(data[:MaxScalar]) + "…"
	}
	return string(data)
}

// IsNull reports whether data is null.
func IsNull(data []byte) bool { return string(bytes.TrimSpace(data)) == "null" }

// None reports whether data is one of the forms that the platform sends if there is no object.
func None(data []byte) bool {
	switch Kind(data) {
	case 'n', 'f':
		return true
	case '"':
		return Unquoted(data) == ""
	case '[':
		var items []struct{}
		return Unmarshal(data, &items) == nil && len(items) == 0
	}
	return false
}

// Shown returns the start of a JSON value for an error text.
func Shown(data []byte) string { return Quote(string(data[:min(len(data), MaxScalar)])) }
