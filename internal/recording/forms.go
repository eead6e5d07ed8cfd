package recording

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
)

// node is a member of a JSON text, with those in it. A nil node is one that is not known.
type node struct {
	members map[string]*node
	// form is what a value must look like to stay; nil if none stays.
	form *form
	// all is set if everything in it stays.
	all bool
}

// member is one of an object.
func (n *node) member(name string) *node {
	switch {
	case n == nil:
		return nil
	case n.members[name] == nil && n.all:
		return n
	}
	return n.members[name]
}

// allows reports whether a text or a number stays.
func (n *node) allows(value string) bool {
	return n != nil && (n.all || n.form != nil && n.form.fits(value))
}

// add returns the node of a path.
func (n *node) add(path string) *node {
	for name := range strings.SplitSeq(path, ".") {
		if n.members == nil {
			n.members = map[string]*node{}
		}
		next := n.members[name]
		if next == nil {
			next = &node{all: n.all}
			n.members[name] = next
		}
		n = next
	}
	return n
}

// form is what a value that stays looks like. Forms are narrow, because people write addresses, telephone numbers and
// names into fields for something else.
type form struct {
	pattern func() *regexp.Regexp
	// least and most are how many digits it has; a most of 0 is no bound.
	least, most int
}

func (f form) fits(value string) bool {
	digits := 0
	for _, r := range value {
		if unicode.IsDigit(r) {
			digits++
		}
	}
	return digits >= f.least && (f.most == 0 || digits <= f.most) && f.pattern().MatchString(value)
}

// lazy returns a function that compiles the pattern at its first call. The many letters of Unicode take 9 ms and 9 MB,
// which the start of each command would wait for.
func lazy(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

var forms = map[string]*form{
	// An id is a number, a UUID, a ULID or a hash: none that a person has chosen.
	"id":       {lazy(`^([0-9]{1,20}|[0-9A-HJKMNP-TV-Z]{26}|[0-9a-f]{8}[0-9a-f-]{8,56})$`), 1, 0},
	"amount":   {lazy(`^-?[0-9]{1,15}(\.[0-9]{1,6})?$`), 1, 0},
	"whole":    {lazy(`^-?[0-9]{1,10}$`), 1, 0},
	"currency": {lazy(`^[A-Z]{3}$`), 0, 0},
	"language": {lazy(`^[a-z]{2,3}([_-][A-Za-z]{2,4})?$`), 0, 0},
	// A code is chosen by the app or by the merchant.
	"code": {lazy(`^[\p{L}\p{N}_.+%/:#-]{1,64}$`), 0, 0},
	// A coupon, or the name of a campaign, is a code that has no number of a person.
	"coupon": {lazy(`^[\p{L}\p{N}_.%/:#-]{1,64}$`), 0, 6},
	// A word is one of a list, such as a status.
	"word": {lazy(`^[A-Za-z][A-Za-z0-9_/.-]{0,63}$`), 0, 3},
	// A place has digits as in "9 de Julio", and no number of a house.
	"place":  {lazy(`^([0-9]{1,2} )?[\p{L}\p{M}'.() -]{1,60}$`), 0, 2},
	"postal": {lazy(`^[0-9A-Za-z][0-9A-Za-z -]{1,10}$`), 1, 9},
	// A choice is one of a variant, such as a colour or "500 ml".
	"choice": {lazy(`^[\p{L}\p{M}\p{N}'".,/() -]{1,40}$`), 0, 4},
	// A time is a number of seconds or milliseconds, or as in ISO 8601.
	"time": {lazy(`^([0-9]{1,13}|[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9:.]{5,15}(Z|[+-][0-9:]+)?)?)$`), 1, 24},
}

// parseMembers reads lists of members: a form, a colon, and the paths whose values stay if they have the form. A path
// ends with {a b} for several members of an object.
func parseMembers(lists string) *node {
	root := new(node)
	for line := range strings.Lines(lists) {
		name, paths, _ := strings.Cut(line, ":")
		for _, path := range expand(paths) {
			root.add(path).form = forms[strings.TrimSpace(name)]
		}
	}
	return root
}

// expand returns the paths of a list.
func expand(list string) (out []string) {
	before := ""
	for field := range strings.FieldsSeq(list) {
		if head, first, ok := strings.Cut(field, "{"); ok {
			before, field = head, first
		}
		last := strings.HasSuffix(field, "}")
		out = append(out, before+strings.TrimSuffix(field, "}"))
		if last {
			before = ""
		}
	}
	return out
}
