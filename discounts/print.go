package discounts

import (
	"strconv"
	"strings"
)

// How much of a text from outside is shown.
const (
	mostRunes      = 64
	mostErrorRunes = 512
)

// printable cuts s and escapes the runes that do not print, those that turn the
// direction of writing among them.
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
