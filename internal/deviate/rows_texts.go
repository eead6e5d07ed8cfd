package deviate

import (
	"math/rand/v2"
	"strings"
)

// texts returns the deviations in how JSON is written.
func texts() []Deviation {
	return []Deviation{
		{Name: `\u escapes of every character`, Group: "escape", change: escape(func(rune) bool { return true }, unicodeEscape)},
		{Name: `\u escapes in lower-case digits`, Group: "escape", change: escape(func(r rune) bool { return r == '+' || r == ':' || r > 127 }, func(r rune) string {
			return strings.ReplaceAll(strings.ToLower(unicodeEscape(r)), `\U`, `\u`)
		})},
		{Name: `\u002B, \u0026, \u003C`, Group: "escape", change: escape(func(r rune) bool { return strings.ContainsRune("+&<>'", r) }, unicodeEscape)},
		{Name: `\/`, Group: "escape", change: escape(func(r rune) bool { return r == '/' }, func(rune) string { return `\/` })},
		{Name: "surrogate pairs", Group: "escape", change: escape(func(r rune) bool { return r > 0xFFFF }, unicodeEscape)},
		{Name: `\u escapes of one digit of each number in a string`, Group: "escape", change: escape(func(r rune) bool { return r == '1' || r == '0' }, unicodeEscape)},
		{Name: "line breaks and indents", Group: "space", change: spaced("\n\t", "\r\n  ", " ")},
		{Name: "a lot of white space", Group: "space", change: spaced(strings.Repeat(" ", 200))},
		{Name: "byte order mark", change: func(a *answer, _ *rand.Rand) int {
			if a.json == nil {
				return 0
			}
			a.mark = true
			return 1
		}},
	}
}

// escape writes some of the characters of strings and names as escapes, and counts them.
func escape(which func(rune) bool, as func(rune) string) func(*answer, *rand.Rand) int {
	return func(a *answer, _ *rand.Rand) (places int) {
		if a.json == nil {
			return 0
		}
		count := func(s string) {
			for _, r := range s {
				if which(r) {
					places++
				}
			}
		}
		a.json.each(func(_ place, n *node) {
			count(n.text)
			for _, m := range n.members {
				count(m.name)
			}
		})
		a.escape = func(r rune) string {
			if which(r) {
				return as(r)
			}
			return ""
		}
		return places
	}
}

func spaced(with ...string) func(*answer, *rand.Rand) int {
	return func(a *answer, _ *rand.Rand) int {
		if a.json == nil {
			return 0
		}
		a.space = with
		return 1
	}
}
