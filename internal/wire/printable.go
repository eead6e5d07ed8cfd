package wire

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds in bytes of the texts that errors and log lines print.
const (
	MaxName  = 128     // a name, a code or an id
	MaxText  = 1 << 10 // a message, and all messages of one error together
	MaxQuote = 40      // a value in quotes
)

// Clean makes a text fit for one line of a log. Line breaks and other separators become spaces. Control, format and
// invisible characters are left out, because they change how the rest of the line is shown or hide what it says.
func Clean(s string) string {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return strings.Map(cleaned, strings.ToValidUTF8(s, ""))
		}
	}
	return s
}

// cleaned returns the replacement of a character; -1 if it is dropped.
func cleaned(r rune) rune {
	switch {
	case unicode.IsSpace(r), unicode.Is(unicode.Z, r):
		return ' '
	case !visible(r):
		return -1
	}
	return r
}

// Line is Clean for a text that has a bound. It cuts the text to most bytes, and marks the cut.
func Line(s string, most int) string {
	const mark = "…"
	s = Clean(s[:min(len(s), 4*most)]) // few characters are left out, and a header may be a megabyte
	if len(s) <= most {
		return s
	}
	return s[:runeStart(s, most-len(mark))] + mark
}

// runeStart returns the last place up to at where a character of s starts.
func runeStart(s string, at int) int {
	for least := max(0, at-utf8.UTFMax); at > least && !utf8.RuneStart(s[at]); {
		at--
	}
	return at
}

// Characters that Unicode counts among the printable ones, although they are blank.
const (
	blankBraille  = '\u2800'
	blankNotehead = '\U0001D159'
	blankKhitan   = '\U00016FE4'
)

// visible reports whether a character shows itself and nothing else. A space is visible, other separators are not.
func visible(r rune) bool {
	switch r {
	case unicode.ReplacementChar, blankBraille, blankNotehead, blankKhitan:
		return false
	}
	return unicode.IsPrint(r) && !unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// Quote prints a value in an error, cut to a length that fits on a line. Characters that are not visible are escaped.
// It returns nothing of s itself, so that readers of values need no memory for a text that turns out to be good.
func Quote(s string) string {
	if len(s) > MaxQuote {
		s = s[:runeStart(s, MaxQuote)] + "…"
	}
	quoted := strconv.Quote(s)
	if strings.IndexFunc(quoted, hidden) < 0 {
		return quoted
	}
	var b strings.Builder
	for _, r := range quoted {
		if hidden(r) {
			escaped := strconv.QuoteRuneToASCII(r)
			b.WriteString(escaped[1 : len(escaped)-1])
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func hidden(r rune) bool { return !visible(r) }
