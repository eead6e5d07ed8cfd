package shipping

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// isLine reports whether s is UTF-8 that shows something, in one line.
func isLine(s string) bool {
	return strings.TrimSpace(s) != "" && isText(s)
}

// isText reports whether s is UTF-8 without control characters; it may be empty.
func isText(s string) bool {
	if !utf8.ValidString(s) {
		return false
	}
	return !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r >= 0x7f && r < 0xa0 || r == '\u2028' || r == '\u2029' })
}

// How much of a text from outside is shown.
const (
	mostShown  = 64
	mostReason = 512
)

// printable cuts s and escapes the runes that do not print, those that turn the direction of
// writing among them.
func printable(s string, most int) string {
	var b strings.Builder
	for _, r := range s {
		if most--; most < 0 {
			b.WriteString("…")
			break
		}
		if strconv.IsPrint(r) {
			b.WriteRune(r)
			continue
		}
		escaped := strconv.QuoteRuneToASCII(r)
		b.WriteString(escaped[1 : len(escaped)-1])
	}
	return b.String()
}
