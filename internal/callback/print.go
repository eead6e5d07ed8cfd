package callback

import (
	"fmt"
	"strconv"
	"strings"
)

// How many runes of a text from outside are shown.
const (
	MostShown  = 64
	mostReason = 512
)

// Printable truncates s and escapes the runes that do not print, such as runes that change the direction of writing.
func Printable(s string, most int) string {
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

// Message is a text that explains something, printable and cut.
func Message(s string) string { return Printable(s, mostReason) }

// Reason is the text of an error, printable and cut, or of why there is none.
func Reason(err error) (text string) {
	if err == nil {
		return ""
	}
	defer func() {
		if recover() != nil {
			text = fmt.Sprintf("an error of type %T that cannot be printed", err)
		}
	}()
	return Message(err.Error())
}
