package hostile

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// edit is a change of a document at one of its members: text stands where the bytes from from to to stood.
type edit struct {
	name     string
	from, to int
	text     func() string
	fault    Fault
	plain    bool // the value is replaced by null or another type
}

func (e edit) shape(good string) shape {
	return shape{e.name, func() string { return good[:e.from] + e.text() + good[e.to:] }, e.fault}
}

// both are two edits, the first of which ends before the second begins.
func both(good string, a, b edit) shape {
	body := func() string { return good[:a.from] + a.text() + good[a.to:b.from] + b.text() + good[b.to:] }
	return shape{a.name + " and " + b.name, body, max(a.fault, b.fault)}
}

// pairs are up to n different pairs of edits that do not touch each other.
func pairs(edits []edit, n int) [][2]edit {
	var all [][2]edit
	drawn := map[[2]int]bool{}
	draw := rand.New(rand.NewPCG(1, 2)) // the same in each run
	for try := 0; len(all) < n && try < 10*n && len(edits) > 1; try++ {
		i, j := draw.IntN(len(edits)), draw.IntN(len(edits))
		if a, b := edits[i], edits[j]; a.to <= b.from && !drawn[[2]int{i, j}] {
			drawn[[2]int{i, j}] = true
			all = append(all, [2]edit{a, b})
		}
	}
	return all
}

// byKind are the edits that are plain, and the others.
func byKind(edits []edit) (plain, others []edit) {
	for _, e := range edits {
		if e.plain {
			plain = append(plain, e)
		} else {
			others = append(others, e)
		}
	}
	return plain, others
}

// editsOf are the ways to spoil a document at one of its members.
func editsOf(good string) []edit {
	var all []edit
	others := values()
	for _, m := range membersOf([]byte(good)) {
		all = append(all, m.edits(good, others)...)
	}
	return all
}

// edits are the ways to spoil a document at a member; others may stand there instead of its value.
func (m member) edits(good string, others []shape) []edit {
	name, value := good[m.name+1:m.nameEnd-1], good[m.at:m.end]
	with := func(what string, f Fault, text func() string) edit {
		return edit{name: "with " + m.pointer + what, from: m.name, to: m.end, text: text, fault: f}
	}
	pair := func(name, value string) string { return `"` + name + `":` + value }
	twice := func(what, first, second string, f Fault) edit {
		return with(what, f, func() string { return pair(first, value) + "," + pair(second, value) })
	}
	once := func(what, name, value string, f Fault) edit {
		return with(what, f, func() string { return pair(name, value) })
	}
	all := []edit{
		twice(" twice", name, name, Unsafe),
		with(" twice, the second null", Unsafe, func() string { return pair(name, value) + "," + pair(name, "null") }),
		once(" left out", "left_out", "1", Odd),
		once(" under a name that is not UTF-8", name+"\xff", value, Unsafe),
	}
	if upper := strings.ToUpper(name); upper != name && !strings.Contains(name, `\`) {
		all = append(all, once(" in capitals", upper, value, Odd), twice(" and the same in capitals", name, upper, Odd))
	}
	if long := strings.ReplaceAll(name, "s", "ſ"); long != name {
		all = append(all, twice(" and the same with a long s", name, long, Odd))
	}
	if name != "" && name[0] != '\\' {
		all = append(all, twice(" twice, once escaped", fmt.Sprintf(`\u%04x`, name[0])+name[1:], name, Unsafe))
	}
	for _, v := range others {
		if v.name == value {
			continue // nothing would be spoiled
		}
		e := with(fmt.Sprintf(" as %.20s", v.name), v.fault, func() string { return pair(name, v.body()) })
		e.plain = v.name == "null" || v.name == otherType(value)
		all = append(all, e)
	}
	return all
}

// otherType is the one of values that nobody reads as what stands there: a text may be a number and an array of nothing
// an object.
func otherType(value string) string {
	switch value[0] {
	case '{', '[':
		return "1.5"
	default:
		return `{"a":null}`
	}
}

// values are replacements of other types.
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
