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
	// Unsafe documents are JSON that two readers may understand differently, or that costs much: a strict reader
	// refuses it, one that repairs what it can may read it.
	Unsafe
	// Broken documents are not JSON, or only a part of it, so their records would be partial.
	Broken
)

// Documents are some of bad shape, and n of each good one that were spoiled, in the same order each time.
func Documents(n int, good ...[]byte) iter.Seq[Document] {
	return func(yield func(Document) bool) {
		for d := range Shapes() {
			if !yield(d) {
				return
			}
		}
		for i, body := range good {
			for d := range Spoiled(n, body) {
				d.Name = fmt.Sprintf("document %d %s", i, d.Name)
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
		{"true", func() string { return "true" }, Odd},
		{"false", func() string { return "false" }, Odd},
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

// shape makes a document when it is required, because some are large.
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

// Spoiled are n ways to spoil one good document, spread over all of it. A third of them cut it, a third make a member
// null or of another type, and a third change a member otherwise. If there are not enough ways, two members are
// changed. They are fewer than n only if the document has hardly any members. Without the race detector it is cut at
// each byte, and each member becomes null and of another type.
func Spoiled(n int, good []byte) iter.Seq[Document] { return spoiled(n, good, everywhere) }

func spoiled(n int, good []byte, everywhere bool) iter.Seq[Document] {
	text := string(bytes.TrimSpace(good))
	all := []shape{
		{"after a byte order mark", func() string { return "\ufeff" + text }, Broken},
		{"twice", func() string { return text + text }, Broken},
		{"before a letter", func() string { return text + "x" }, Broken},
		{"before NUL", func() string { return text + "\x00" }, Broken},
		{"in an array", func() string { return "[" + text + "]" }, Odd},
	}
	edits := editsOf(text)
	plain, others := byKind(edits)
	cuts, kinds, rest := n/3, min(n/3, n-n/3-len(all)), 0
	if everywhere {
		cuts, kinds, rest = len(text), len(plain), n/3
	}
	for _, cut := range spread(len(text), cuts) {
		all = append(all, shape{fmt.Sprintf("cut after %d bytes", cut), func() string { return text[:cut] }, Broken})
	}
	for _, i := range spread(len(plain), kinds) {
		all = append(all, plain[i].shape(text))
	}
	for _, i := range spread(len(others), max(n-len(all), rest)) {
		all = append(all, others[i].shape(text))
	}
	for _, two := range pairs(edits, n-len(all)) {
		all = append(all, both(text, two[0], two[1]))
	}
	return each(all)
}

// spread returns at most the given number of numbers below n, far from each other.
func spread(n, most int) []int {
	most = max(0, min(n, most))
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
