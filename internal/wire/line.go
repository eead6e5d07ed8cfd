package wire

import (
	"strings"
	"unicode/utf8"
)

// IsLine reports whether s is visible UTF-8 text in one line.
func IsLine(s string) bool {
	return strings.TrimSpace(s) != "" && IsText(s)
}

// IsText reports whether s is UTF-8 without control characters. It may be empty.
func IsText(s string) bool {
	if !utf8.ValidString(s) {
		return false
	}
	return !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r >= 0x7f && r < 0xa0 || r == '\u2028' || r == '\u2029' })
}

// IsCode reports whether s is n capital letters.
func IsCode(s string, n int) bool {
	return len(s) == n && strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}
