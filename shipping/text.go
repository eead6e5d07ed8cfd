package shipping

import (
	"strings"
	"unicode/utf8"
)

// isLine reports whether s is visible UTF-8 text in one line.
func isLine(s string) bool {
	return strings.TrimSpace(s) != "" && isText(s)
}

// isText reports whether s is UTF-8 without control characters. It may be empty.
func isText(s string) bool {
	if !utf8.ValidString(s) {
		return false
	}
	return !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r >= 0x7f && r < 0xa0 || r == '\u2028' || r == '\u2029' })
}
