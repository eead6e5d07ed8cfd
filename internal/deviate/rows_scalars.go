package deviate

import (
	"math/rand/v2"
	"slices"
	"strings"
)

// scalars returns the deviations of numbers, booleans and null.
func scalars() []Deviation {
	return []Deviation{
		typed("whole", "ids as strings", quote(isID)),
		typed("whole", "ids as numbers", unquote(isID, digits.MatchString)),
		typed("amount", "amounts as numbers", unquote(isAmount, decimal.MatchString)),
		typed("amount", "amounts as numbers without the last zeros", func(at place, n *node) bool {
			return unquote(isAmount, decimal.MatchString)(at, n) && become(n, number(trimmed(n.text)))
		}),
		typed("amount", "amounts as strings", quote(isAmount)),
		typed("measure", "measures as numbers", unquote(isMeasure, decimal.MatchString)),
		typed("measure", "measures as strings", quote(isMeasure)),
		typed("whole", "counts as strings", quote(isCount)),
		typed("", "quantities in strings as numbers", unquote(func(at place) bool { return at.name == "quantity" }, digits.MatchString)),
		typed("whole", "whole numbers with a fraction", wholes(func(s string) string { return s + ".0" })),
		typed("whole", "whole numbers with a long fraction", wholes(func(s string) string { return s + ".000000" })),
		typed("whole", "whole numbers with an exponent", wholes(func(s string) string { return s + "e0" })),
		typed("whole", "whole numbers with zeros in the exponent", wholes(func(s string) string {
			short := strings.TrimRight(s, "0")
			if short == "" || short == "-" {
				return s
			}
			return short + "E+" + string(rune('0'+len(s)-len(short)))
		})),
		typed("whole", "whole numbers with a fraction in strings", func(at place, n *node) bool {
			return n.kind == '0' && (isID(at) || isCount(at)) && whole.MatchString(n.text) && become(n, text(n.text+".0"))
		}),
		typed("", "sku, barcode, zip and phone as numbers", unquote(isCode, digits.MatchString)),
		typed("boolean", "booleans as 0 and 1", booleans(number("0"), number("1"))),
		typed("boolean", `booleans as "0" and "1"`, booleans(text("0"), text("1"))),
		typed("boolean", `booleans as "false" and "true"`, booleans(text("false"), text("true"))),
		typed("", `"" for null`, func(at place, n *node) bool {
			nullable := isID(at) || isAmount(at) || isMeasure(at) || isTime(at) || slices.Contains(counts, at.name)
			return n.kind == 'n' && nullable && become(n, text(""))
		}),
		{Name: "null for a language", change: eachObject(func(n *node, _ *rand.Rand) bool {
			if !isText(n) || n.member("fr") != nil {
				return false
			}
			n.members = slices.Insert(n.members, 0, member{"fr", &node{kind: 'n'}})
			return true
		})},
		typed("empty", "null for empty arrays", func(at place, n *node) bool {
			return at.parent != nil && n.kind == '[' && len(n.items) == 0 && become(n, &node{kind: 'n'})
		}),
	}
}

// typed changes the values that f changes, where members have types that documentation names.
func typed(group, name string, f func(at place, n *node) bool) Deviation {
	return Deviation{Name: name, Group: group, change: func(a *answer, _ *rand.Rand) (places int) {
		if a.json == nil || untyped.MatchString(a.request.URL.Path) {
			return 0
		}
		known(a.json, place{}, func(at place, n *node) {
			if f(at, n) {
				places++
			}
		})
		return places
	}}
}

// known calls f with every value of the tree that is not in a free member.
func known(n *node, at place, f func(place, *node)) {
	f(at, n)
	for _, m := range n.members {
		if !slices.Contains(free, m.name) {
			known(m.value, place{m.name, n}, f)
		}
	}
	for _, item := range n.items {
		known(item, at, f)
	}
}

// isCount reports whether a number is neither an id nor an amount nor a measure.
func isCount(at place) bool {
	return !isID(at) && !isAmount(at) && !isMeasure(at) && at.name != "value"
}

// quote writes numbers as strings.
func quote(which func(place) bool) func(place, *node) bool {
	return func(at place, n *node) bool {
		return n.kind == '0' && at.parent != nil && which(at) && become(n, text(n.text))
	}
}

// unquote writes strings as numbers.
func unquote(which func(place) bool, numeric func(string) bool) func(place, *node) bool {
	return func(at place, n *node) bool {
		return n.kind == '"' && at.parent != nil && which(at) && numeric(n.text) && become(n, number(n.text))
	}
}

// wholes writes whole numbers of ids and counts in another way.
func wholes(form func(string) string) func(place, *node) bool {
	return func(at place, n *node) bool {
		if n.kind != '0' || at.parent == nil || !isID(at) && !isCount(at) || !whole.MatchString(n.text) {
			return false
		}
		s := form(n.text)
		return s != n.text && become(n, number(s))
	}
}

func booleans(no, yes *node) func(place, *node) bool {
	return func(at place, n *node) bool {
		return n.kind == 'f' && become(n, no) || n.kind == 't' && become(n, yes)
	}
}

// trimmed removes zeros at the end of a fraction.
func trimmed(s string) string {
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}
