package deviate

import (
	"fmt"
	"strings"
	"unicode/utf16"
)

// printing is how JSON is written.
type printing struct {
	escape func(r rune) string // the escape of a rune in strings and names; nil or "" leaves it as it is
	space  []string            // white space between tokens, used in turn
	mark   bool                // a byte order mark comes first
}

// print writes the value.
func (p printing) print(n *node) []byte {
	w := &writer{printing: p}
	if p.mark {
		w.WriteString("\uFEFF")
	}
	w.value(n)
	w.gap()
	return []byte(w.String())
}

type writer struct {
	strings.Builder
	printing
	gaps int
}

// token writes a token with white space in front of it.
func (w *writer) token(s string) {
	w.gap()
	w.WriteString(s)
}

func (w *writer) gap() {
	if len(w.space) > 0 {
		w.WriteString(w.space[w.gaps%len(w.space)])
		w.gaps++
	}
}

func (w *writer) value(n *node) {
	switch n.kind {
	case '{':
		w.token("{")
		for i, m := range n.members {
			if i > 0 {
				w.token(",")
			}
			w.token(w.quoted(m.name))
			w.token(":")
			w.value(m.value)
		}
		w.token("}")
	case '[':
		w.token("[")
		for i, item := range n.items {
			if i > 0 {
				w.token(",")
			}
			w.value(item)
		}
		w.token("]")
	case '"':
		w.token(w.quoted(n.text))
	case '0':
		w.token(n.text)
	case 't':
		w.token("true")
	case 'f':
		w.token("false")
	default:
		w.token("null")
	}
}

func (w *writer) quoted(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch escaped := w.escaped(r); {
		case escaped != "":
			b.WriteString(escaped)
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(r))
		case r < ' ':
			b.WriteString(unicodeEscape(r))
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

func (w *writer) escaped(r rune) string {
	if w.escape == nil {
		return ""
	}
	return w.escape(r)
}

// unicodeEscape returns \uXXXX, twice for a rune that takes a surrogate pair.
func unicodeEscape(r rune) string {
	var b strings.Builder
	for _, unit := range utf16.AppendRune(nil, r) {
		fmt.Fprintf(&b, `\u%04X`, unit)
	}
	return b.String()
}
