package hostile

import (
	"bytes"
	"fmt"
	"iter"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Document is what a stranger sends.
type Document struct {
	// Name says what was done to which good document.
	Name  string
	Body  []byte
	Fault Fault
}

// Fault says who must refuse a document.
type Fault int

// The faults.
const (
	// Odd documents are JSON. Whether they are read depends on what they are read as.
	Odd Fault = iota
	// Unsafe documents are JSON that two readers may understand differently, or that costs much: a strict reader refuses
	// it, one that repairs what it can may read it.
	Unsafe
	// Broken documents are no JSON, or not a whole one: what is made of them is partial.
	Broken
)

// Documents are some of bad shape, and good ones that were spoiled, in the same order each time. No more than most are made of one good
// document by cutting it, and no more than most by changing it at a member; they are spread over all of it.
func Documents(most int, good ...[]byte) iter.Seq[Document] {
	return func(yield func(Document) bool) {
		for d := range Shapes() {
			if !yield(d) {
				return
			}
		}
		for n, body := range good {
			for d := range Spoiled(most, body) {
				d.Name = fmt.Sprintf("document %d %s", n, d.Name)
				if !yield(d) {
					return
				}
			}
		}
	}
}

// Shapes are documents that have nothing of a good one.
func Shapes() iter.Seq[Document] {
	nested := func(open, close string, n int) string {
		return strings.Repeat(open, n) + "1" + strings.Repeat(close, n)
	}
	return each([]shape{
		{"nothing", func() string { return "" }, Broken},
		{"white space", func() string { return " \n\t" }, Broken},
		{"NUL", func() string { return "\x00" }, Broken},
		{"not UTF-8", func() string { return "\xff\xfe" }, Broken},
		{"null", func() string { return "null" }, Odd},
		{"an array", func() string { return "[]" }, Odd},
		{"an object", func() string { return "{}" }, Odd},
		{"a number", func() string { return "1" }, Odd},
		{"a text", func() string { return `"x"` }, Odd},
		{"a lone surrogate", func() string { return `{"x":"\ud800"}` }, Unsafe},
		{"1e400", func() string { return "1e400" }, Odd},
		{"1e999999999", func() string { return "1e999999999" }, Odd},
		{"a number of a million digits", func() string { return strings.Repeat("9", 1_000_000) }, Odd},
		{"64 arrays", func() string { return nested("[", "]", 64) }, Odd},
		{"65 arrays", func() string { return nested("[", "]", 65) }, Unsafe},
		{"65 objects", func() string { return nested(`{"a":`, "}", 65) }, Unsafe},
		{"10,000 arrays", func() string { return nested("[", "]", 10_000) }, Unsafe},
		{"10,000 objects", func() string { return nested(`{"a":`, "}", 10_000) }, Unsafe},
		{"a million open arrays", func() string { return strings.Repeat("[", 1_000_000) }, Broken},
		{"170,000 open objects", func() string { return strings.Repeat(`{"a":`, 170_000) }, Broken},
		{"350,000 objects", func() string { return "[" + strings.Repeat("{},", 349_000) + "{}]" }, Unsafe},
		{"60,000 members", func() string { return members(60_000) }, Unsafe},
	})
}

// shape makes a document when it is wanted: some are large.
type shape struct {
	name  string
	body  func() string
	fault Fault
}

func each(shapes []shape) iter.Seq[Document] {
	return func(yield func(Document) bool) {
		for _, s := range shapes {
			if !yield(Document{s.name, []byte(s.body()), s.fault}) {
				return
			}
		}
	}
}

// members is an object of n members.
func members(n int) string {
	var b strings.Builder
	for i := range n {
		_, _ = fmt.Fprintf(&b, `,"m%d":1`, i)
	}
	return "{" + b.String()[1:] + "}"
}

// Spoiled are the ways to spoil one good document; see Documents.
func Spoiled(most int, good []byte) iter.Seq[Document] {
	good = bytes.TrimSpace(good)
	all := []shape{
		{"after a byte order mark", func() string { return "\ufeff" + string(good) }, Broken},
		{"twice", func() string { return string(good) + string(good) }, Broken},
		{"before a letter", func() string { return string(good) + "x" }, Broken},
		{"before NUL", func() string { return string(good) + "\x00" }, Broken},
		{"in an array", func() string { return "[" + string(good) + "]" }, Odd},
	}
	for _, cut := range spread(len(good), most) {
		all = append(all, shape{fmt.Sprintf("cut behind %d bytes", cut), func() string { return string(good[:cut]) }, Broken})
	}
	var changed []shape
	for _, m := range membersOf(good) {
		changed = append(changed, m.spoil(string(good))...)
	}
	for _, i := range spread(len(changed), most) {
		all = append(all, changed[i])
	}
	return each(all)
}

// spread are at most so many numbers below n, far from each other.
func spread(n, most int) []int {
	most = min(n, most)
	all := make([]int, most)
	for i := range all {
		all[i] = i * n / most
	}
	return all
}

// member is a member of an object: where its name and its value stand in the document.
type member struct {
	pointer                string
	name, nameEnd, at, end int
}

// membersOf are the members of all objects in a document.
func membersOf(good []byte) []member {
	var all []member
	d := jsontext.NewDecoder(bytes.NewReader(good))
	for {
		before := int(d.InputOffset())
		token, err := d.ReadToken()
		if err != nil {
			return all
		}
		if kind, n := d.StackIndex(d.StackDepth()); kind != '{' || n%2 == 0 || token.Kind() != '"' {
			continue // not the name of a member
		}
		m := member{pointer: string(d.StackPointer()), nameEnd: int(d.InputOffset())}
		m.name = before + bytes.IndexByte(good[before:], '"')
		behind := m.nameEnd + bytes.IndexByte(good[m.nameEnd:], ':') + 1
		value := jsontext.NewDecoder(bytes.NewReader(good[behind:]))
		raw, err := value.ReadValue()
		if err != nil {
			return all
		}
		m.end = behind + int(value.InputOffset())
		m.at = m.end - len(raw)
		all = append(all, m)
	}
}

// spoil are the ways to spoil a document at a member.
func (m member) spoil(good string) []shape {
	name, value := good[m.name+1:m.nameEnd-1], good[m.at:m.end]
	with := func(what, members string, f Fault) shape {
		return shape{"with " + m.pointer + what, func() string { return good[:m.name] + members + good[m.end:] }, f}
	}
	pair := func(name, value string) string { return `"` + name + `":` + value }
	all := []shape{
		with(" twice", pair(name, value)+","+pair(name, value), Unsafe),
		with(" twice, the second null", pair(name, value)+","+pair(name, "null"), Unsafe),
		with(" left out", pair("left_out", "1"), Odd),
		with(" under a name that is not UTF-8", pair(name+"\xff", value), Unsafe),
	}
	if upper := strings.ToUpper(name); upper != name && !strings.Contains(name, `\`) {
		all = append(all,
			with(" in capitals", pair(upper, value), Odd),
			with(" and the same in capitals", pair(name, value)+","+pair(upper, value), Odd))
	}
	if long := strings.ReplaceAll(name, "s", "ſ"); long != name {
		all = append(all, with(" and the same with a long s", pair(name, value)+","+pair(long, value), Odd))
	}
	if name != "" && name[0] != '\\' {
		all = append(all, with(" twice, once escaped", pair(fmt.Sprintf(`\u%04x`, name[0])+name[1:], value)+","+pair(name, value), Unsafe))
	}
	for _, v := range values() {
		if v.name == value {
			continue // nothing would be spoiled
		}
		all = append(all, with(fmt.Sprintf(" as %.20s", v.name), pair(name, v.body()), v.fault))
	}
	return all
}

// values are what may stand where something else is wanted.
func values() []shape {
	var all []shape
	for _, v := range []string{
		`null`, `true`, `0`, `-1`, `1.5`, `1e400`, `1e999999999`, `1e-999999999`, `9223372036854775808`, `""`, `" "`, `"\u0000"`, `"x"`,
		`"-5.00"`, `"1e1000000000"`, `"9223372036854775808"`, `[]`, `[null]`, `[[]]`, `{}`, `{"a":null}`,
	} {
		all = append(all, shape{v, func() string { return v }, Odd})
	}
	deep := strings.Repeat("[", 65) + strings.Repeat("]", 65)
	long := strings.Repeat("9", 100_000)
	return append(all,
		shape{"a lone surrogate", func() string { return `"\ud800"` }, Unsafe},
		shape{"invalid UTF-8", func() string { return "\"\xff\"" }, Unsafe},
		shape{"65 arrays", func() string { return deep }, Unsafe},
		shape{"100,000 digits", func() string { return long }, Odd},
		shape{"a text of 100,000 digits", func() string { return `"` + long + `"` }, Odd},
	)
}
