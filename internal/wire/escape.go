package wire

import (
	"unicode/utf16"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// escapes are the meanings of a letter after a backslash.
var escapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// unescape returns a text with its escapes replaced; it is good until the next call. Half of a surrogate pair is
// refused.
func (r *Reader) unescape(text []byte) ([]byte, bool) {
	out := r.unescaped[:0]
	for i := 0; i < len(text); {
		if text[i] != '\\' {
			run := 1
			for i+run < len(text) && text[i+run] != '\\' {
				run++
			}
			out = append(out, text[i:i+run]...)
			i += run
			continue
		}
		if i+1 == len(text) {
			return nil, false
		}
		if text[i+1] != 'u' {
			b := escapes[text[i+1]]
			if b == 0 {
				return nil, false
			}
			out = append(out, b)
			i += 2
			continue
		}
		c, ok := hex(text[i:])
		if i += 6; ok && utf16.IsSurrogate(c) {
			var low rune
			low, ok = hex(text[min(i, len(text)):])
			c = utf16.DecodeRune(c, low)
			ok = ok && c != utf8.RuneError
			i += 6
		}
		if !ok {
			return nil, false
		}
		out = utf8.AppendRune(out, c)
	}
	r.unescaped = out
	return out, true
}

// hex reads \uXXXX.
func hex(text []byte) (c rune, ok bool) {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	for _, b := range text[2:6] {
		switch {
		case b >= '0' && b <= '9':
			c = c<<4 | rune(b-'0')
		case b|' ' >= 'a' && b|' ' <= 'f':
			c = c<<4 | rune(b|' '-'a'+10)
		default:
			return 0, false
		}
	}
	return c, true
}

// Raw takes any value and returns its bytes. It is checked as every other is.
func (r *Reader) Raw() (value []byte, ok bool) {
	kind, start := r.Kind(), r.at
	if r.deep == mostDeep {
		return nil, false
	}
	r.deep++
	switch kind {
	case '{':
		ok = r.object(func([]byte) bool { return r.pass() })
	case '[':
		ok = r.array(r.pass)
	case '"':
		var text []byte
		var escaped bool
		if text, escaped, ok = r.quoted(); ok && escaped {
			_, ok = r.unescape(text)
		}
	case '0':
		_, ok = r.number()
	case 'n':
		ok = r.word("null")
	case 't':
		ok = r.word("true")
	case 'f':
		ok = r.word("false")
	}
	r.deep--
	value = r.data[start:r.at]
	if r.strict && r.deep == 0 && (kind == '{' || kind == '[') {
		ok = ok && jsontext.Value(value).IsValid() // which looks for names that stand twice
	}
	return value, ok
}

func (r *Reader) pass() bool {
	_, ok := r.Raw()
	return ok
}
