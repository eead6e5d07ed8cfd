package contract

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"
	"testing"
)

// mayMatch reports whether a text in lower case has one of the literals of an expression. Nearly all texts have none,
// and looking for literals is many times faster than matching.
func mayMatch(re *regexp.Regexp, lower string) bool {
	all, ok := literals.Load(re)
	if !ok {
		parsed, err := syntax.Parse(re.String(), syntax.Perl)
		if err != nil {
			panic(err) // it is compiled already
		}
		all, _ = literals.LoadOrStore(re, literalsOf(parsed))
	}
	of := all.([]string)
	return len(of) == 0 || slices.ContainsFunc(of, func(s string) bool { return strings.Contains(lower, s) })
}

// literals has the literals of expressions, each []string.
var literals sync.Map

// literalsOf returns texts in lower case of which each match has one, or none if it knows none.
func literalsOf(re *syntax.Regexp) (all []string) {
	switch re.Op {
	case syntax.OpLiteral:
		return []string{strings.ToLower(string(re.Rune))}
	case syntax.OpCapture, syntax.OpPlus:
		return literalsOf(re.Sub[0])
	case syntax.OpAlternate:
		for _, sub := range re.Sub {
			of := literalsOf(sub)
			if len(of) == 0 {
				return nil
			}
			all = append(all, of...)
		}
	case syntax.OpConcat:
		longest := 0
		for _, sub := range re.Sub {
			of := literalsOf(sub)
			if len(of) == 0 {
				continue
			}
			if shortest := len(slices.MinFunc(of, func(a, b string) int { return len(a) - len(b) })); shortest > longest {
				all, longest = of, shortest
			}
		}
	}
	return all
}

func TestLiterals(t *testing.T) {
	for expression, want := range map[string]string{
		`(?i)\bwant(s|ed)?\b`: "want", `(?i)\b(tells?|told|telling)\b`: "ell old elling", `(give|gave) up`: "ive ave", `(a|b*)`: "", `[0-9]+`: "",
	} {
		re, err := syntax.Parse(expression, syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(literalsOf(re), " "); strings.TrimSpace(got) != strings.TrimSpace(want) {
			t.Errorf("%s: %q, want %q", expression, got, want)
		}
	}
	for _, h := range habits {
		if mayMatch(h.found, "") {
			t.Errorf("%q is matched with each text, which takes long", h.name)
		}
	}
}
