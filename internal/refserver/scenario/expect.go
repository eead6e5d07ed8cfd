package scenario

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// difference is an expectation that an answer does not meet.
type difference struct{ path, got, want string }

// conditions are the members of an object that is no value to compare.
var conditions = map[string]func(got any, there bool, want any) bool{
	"least":    func(got any, _ bool, want any) bool { return compared(got, want, 0, 1) },
	"most":     func(got any, _ bool, want any) bool { return compared(got, want, 0, -1) },
	"not":      func(got any, _ bool, want any) bool { return !same(got, want) },
	"absent":   func(_ any, there bool, want any) bool { return there != (want == true) },
	"contains": contains,
}

func checkConditions(want any) error {
	all, ok := want.(map[string]any)
	if !ok {
		return nil
	}
	for name := range all {
		if conditions[name] == nil {
			return unknown("condition", name, slices.Sorted(maps.Keys(conditions)))
		}
	}
	return nil
}

// differences compares an answer with what is expected of it, in the order of the paths.
func differences(answer any, expect map[string]any) (out []difference) {
	for _, path := range slices.Sorted(maps.Keys(expect)) {
		want := expect[path]
		found := lookUp(answer, strings.Split(path, "."), "")
		if len(found) == 0 {
			found = []value{{path: path}}
		}
		for _, v := range found {
			if !met(v, want) {
				out = append(out, difference{v.path, v.text(), text(want)})
			}
		}
	}
	return out
}

func met(v value, want any) bool {
	all, ok := want.(map[string]any)
	if !ok {
		return v.there && same(v.of, want)
	}
	for name, want := range all {
		if !conditions[name](v.of, v.there, want) {
			return false
		}
	}
	return true
}

// value is a part of an answer; there is false if the answer has none at the path.
type value struct {
	path  string
	of    any
	there bool
}

func (v value) text() string {
	if !v.there {
		return "nothing"
	}
	return text(v.of)
}

func text(v any) string {
	raw, _ := json.Marshal(v) // was read from JSON
	return short(string(raw))
}

func short(s string) string {
	const most = 400
	if len(s) > most {
		return strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}

// one returns the only part of a value at a path.
func one(in any, path string) (any, bool) {
	found := lookUp(in, strings.Split(path, "."), "")
	if len(found) != 1 {
		return nil, false
	}
	return found[0].of, found[0].there
}

// lookUp finds the parts of a value at a path. In a list, a number is an index, a negative one from the end; # is the
// length, and * are all elements. A list within an element of another may be empty: an expectation of every command of
// every run does not require that each run has one.
func lookUp(in any, path []string, at string) []value {
	if len(path) == 0 {
		return []value{{at, in, true}}
	}
	name, rest := path[0], path[1:]
	here := strings.TrimPrefix(at+"."+name, ".")
	switch in := in.(type) {
	case map[string]any:
		if inner, ok := in[name]; ok {
			return lookUp(inner, rest, here)
		}
	case []any:
		switch name {
		case "#":
			return lookUp(json.Number(strconv.Itoa(len(in))), rest, here)
		case "*":
			var out []value
			for i, one := range in {
				found := lookUp(one, rest, fmt.Sprintf("%s.%d", at, i))
				if len(found) == 0 && !slices.Contains(rest, "*") {
					found = []value{{path: fmt.Sprintf("%s.%d.%s", at, i, strings.Join(rest, "."))}}
				}
				out = append(out, found...)
			}
			return out
		}
		i, err := strconv.Atoi(name)
		if i < 0 {
			i += len(in)
		}
		if err == nil && i >= 0 && i < len(in) {
			return lookUp(in[i], rest, here)
		}
	}
	return nil
}

// same compares values as JSON. Numbers are equal if their values are.
func same(a, b any) bool {
	_, numberA := a.(json.Number)
	_, numberB := b.(json.Number)
	if numberA && numberB && compared(a, b, 0, 0) {
		return true
	}
	return reflect.DeepEqual(a, b)
}

// plainNumber has no exponent, since an app may answer one that fills the memory.
var plainNumber = regexp.MustCompile(`^-?\d{1,40}(\.\d{1,40})?$`)

// compared reports whether two numbers, or texts of numbers, compare as one of two results.
func compared(a, b any, one, other int) bool {
	left, right := fmt.Sprint(a), fmt.Sprint(b)
	if !plainNumber.MatchString(left) || !plainNumber.MatchString(right) {
		return false
	}
	x, _ := new(big.Rat).SetString(left)
	y, _ := new(big.Rat).SetString(right)
	c := x.Cmp(y)
	return c == one || c == other
}

// contains reports whether a text has a part, or a list an element.
func contains(got any, _ bool, want any) bool {
	if list, ok := got.([]any); ok {
		return slices.ContainsFunc(list, func(one any) bool { return same(one, want) })
	}
	s, ok := got.(string)
	return ok && strings.Contains(s, fmt.Sprint(want))
}
