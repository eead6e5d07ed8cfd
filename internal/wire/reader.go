package wire

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// Reader steps through JSON for [Forms]. Its methods return false for a value that is not in their plain form. The
// general decoder then decides what it means.
type Reader struct {
	data []byte
	place
	// strict is for a document in which no name stands twice, at no level.
	strict bool
	// deep counts the levels below a value that is passed over.
	deep  int
	texts texts
	// slabs are memory for values of pointers, by the index of their type.
	slabs []slab
	// unescaped is room for texts with escapes.
	unescaped []byte
	// after says for a record's member which one followed it the last time, and length how long a list was. They are
	// nil for a short document, in which little comes twice.
	after  map[*names][]int
	length map[*list]int
}

// place is where a Reader is.
type place struct {
	at int
	// levels are the objects and lists that are open. A strict Reader opens MaxDepth of them at most.
	levels int
}

const (
	// mostDeep bounds the levels of what is passed over.
	mostDeep = 100
	// longDocument is a size from which it pays to remember what came before.
	longDocument = 16 << 10
)

func newReader(data []byte) *Reader {
	r := &Reader{data: data}
	if len(data) > longDocument {
		r.texts.kept, r.texts.in = new([keptTexts]string), new([keptTexts]uint16)
		r.after, r.length = map[*names][]int{}, map[*list]int{}
	}
	return r
}

// Kind returns the first byte of the next value, '0' for any number and 0 at the end.
func (r *Reader) Kind() byte {
	for r.at < len(r.data) {
		switch b := r.data[r.at]; b {
		case ' ', '\t', '\n', '\r':
			r.at++
		case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
			return '0'
		default:
			return b
		}
	}
	return 0
}

// is takes the byte if it is the next one.
func (r *Reader) is(b byte) bool {
	if r.Kind() != b {
		return false
	}
	r.at++
	return true
}

// Null takes null if it is next.
func (r *Reader) Null() bool { return r.Kind() == 'n' && r.word("null") }

// Bool takes true, false or null.
func (r *Reader) Bool(to *bool) bool {
	switch r.Kind() {
	case 't':
		*to = true
		return r.word("true")
	case 'f':
		return r.word("false")
	}
	return r.Null()
}

// Empty takes an empty list or object, of which open is the bracket, if it is next.
func (r *Reader) Empty(open byte) bool {
	const apart = ']' - '['
	start := r.place
	if r.open(open) && r.shut(open+apart) {
		return true
	}
	r.place = start
	return false
}

func (r *Reader) word(w string) bool {
	if end := r.at + len(w); end <= len(r.data) && string(r.data[r.at:end]) == w {
		r.at = end
		return true
	}
	return false
}

// Scalar takes a number, or a string without escapes, and returns what it says. It is good until the next call.
func (r *Reader) Scalar() (text []byte, ok bool) {
	switch r.Kind() {
	case '0':
		return r.number()
	case '"':
		text, escaped, ok := r.quoted()
		return text, ok && !escaped
	}
	return nil, false
}

// Text takes a string.
func (r *Reader) Text() (string, bool) {
	if r.Kind() != '"' {
		return "", false
	}
	text, escaped, ok := r.quoted()
	if ok && escaped {
		text, ok = r.unescape(text)
	}
	if !ok {
		return "", false
	}
	return r.Keep(text), true
}

// Texts takes an object of strings. Members that are null are left out.
func (r *Reader) Texts() (map[string]string, bool) {
	all := map[string]string{}
	var none []string
	ok := r.object(func(name []byte) bool {
		key, before := r.Keep(name), len(all)
		var text string
		ok := r.Null()
		if ok {
			none = append(none, key)
		} else {
			text, ok = r.Text()
		}
		all[key] = text
		return ok && len(all) > before
	})
	for _, key := range none {
		delete(all, key)
	}
	return all, ok
}

// open takes the bracket of an object or a list.
func (r *Reader) open(bracket byte) bool {
	if r.strict && r.levels == MaxDepth || !r.is(bracket) {
		return false
	}
	r.levels++
	return true
}

// shut takes the bracket that ends an object or a list.
func (r *Reader) shut(bracket byte) bool {
	if !r.is(bracket) {
		return false
	}
	r.levels--
	return true
}

// object takes an object and calls member before each value.
func (r *Reader) object(member func(name []byte) bool) bool {
	if !r.open('{') {
		return false
	}
	if r.shut('}') {
		return true
	}
	for {
		if name, ok := r.name(); !ok || !member(name) {
			return false
		}
		if !r.is(',') {
			return r.shut('}')
		}
	}
}

// name takes the name of a member, which is good until the next call.
func (r *Reader) name() (name []byte, ok bool) {
	if r.Kind() != '"' {
		return nil, false
	}
	name, escaped, ok := r.quoted()
	return name, ok && !escaped && r.is(':')
}

// array takes a list and calls item before each value.
func (r *Reader) array(item func() bool) bool {
	if !r.open('[') {
		return false
	}
	if r.shut(']') {
		return true
	}
	for {
		if !item() {
			return false
		}
		if !r.is(',') {
			return r.shut(']')
		}
	}
}

// number takes a number by the grammar of JSON.
func (r *Reader) number() (text []byte, ok bool) {
	start := r.at
	if r.data[r.at] == '-' {
		r.at++
	}
	whole := r.digits()
	if whole == 0 || whole > 1 && r.data[r.at-whole] == '0' {
		return nil, false
	}
	if r.byte() == '.' {
		r.at++
		if r.digits() == 0 {
			return nil, false
		}
	}
	if b := r.byte(); b == 'e' || b == 'E' {
		r.at++
		if b := r.byte(); b == '+' || b == '-' {
			r.at++
		}
		if r.digits() == 0 {
			return nil, false
		}
	}
	return r.data[start:r.at], true
}

func (r *Reader) digits() (n int) {
	for b := r.byte(); b >= '0' && b <= '9'; b = r.byte() {
		r.at++
		n++
	}
	return n
}

// byte is the next one, 0 at the end.
func (r *Reader) byte() byte {
	if r.at < len(r.data) {
		return r.data[r.at]
	}
	return 0
}

// quoted takes a string, of which the opening quote is next, and returns what is between the quotes. It refuses
// control characters and what is not UTF-8.
func (r *Reader) quoted() (text []byte, escaped, ok bool) {
	data, start := r.data, r.at+1
	for i := start; i < len(data); {
		if skip := plain(data[i:]); skip > 0 {
			i += skip
			continue
		}
		switch b := data[i]; {
		case b == '"':
			r.at = i + 1
			return data[start:i], escaped, true
		case b == '\\':
			escaped = true
			i += 2 // what is escaped is looked at by unescape
		case b < ' ':
			return nil, false, false
		case b < utf8.RuneSelf:
			i++
		default:
			c, size := utf8.DecodeRune(data[i:])
			if c == utf8.RuneError && size == 1 {
				return nil, false, false
			}
			i += size
		}
	}
	return nil, false, false
}

// plain counts the first bytes that need no decoding, in steps of eight and then by the byte. None of them is a quote,
// a backslash, a control character or outside ASCII.
func plain(data []byte) int {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	i := 0
	for ; i+8 <= len(data); i += 8 {
		x := binary.LittleEndian.Uint64(data[i:])
		quote, slash := x^(ones*'"'), x^(ones*'\\')
		// The lowest bit is right. A borrow may set others above it.
		if special := (x | (x-ones*' ')&^x | (quote-ones)&^quote | (slash-ones)&^slash) & tops; special != 0 {
			return i + bits.TrailingZeros64(special)/8
		}
	}
	return i
}
