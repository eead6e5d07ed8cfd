package deviate

import (
	"math/rand/v2"
	"slices"
	"strings"
)

// Unknown begins the names of members that no documentation has.
const Unknown = "x_unknown_"

// structure returns the deviations of objects and arrays.
func structure() []Deviation {
	return []Deviation{
		{Name: "a null item in lists", Lists: true, Unreadable: true, Without: []string{"links"}, change: nullItem},
		{Name: "[] for empty objects", Group: "empty", change: eachNode(func(_ place, n *node) bool {
			return n.kind == '{' && len(n.members) == 0 && become(n, &node{kind: '['})
		})},
		{Name: "{} for empty arrays", Group: "empty", change: eachNode(func(at place, n *node) bool {
			return n.kind == '[' && len(n.items) == 0 && !slices.Contains(missing, at.name) && become(n, &node{kind: '{'})
		})},
		{Name: "unknown members", AddsMembers: true, change: func(a *answer, r *rand.Rand) int {
			if a.status >= 400 {
				return 0 // every member of an error may name a field of the request
			}
			return eachObject(unknownMembers)(a, r)
		}},
		{Name: "members in reverse order", Group: "order", change: eachObject(func(n *node, _ *rand.Rand) bool {
			slices.Reverse(n.members)
			return len(n.members) > 1
		})},
		{Name: "members in random order", Group: "order", change: eachObject(func(n *node, r *rand.Rand) bool {
			r.Shuffle(len(n.members), func(i, j int) { n.members[i], n.members[j] = n.members[j], n.members[i] })
			return len(n.members) > 1
		})},
		{Name: "every member twice", Group: "twice", change: eachObject(func(n *node, _ *rand.Rand) bool {
			return before(n, func(m member) *node { return m.value.clone() })
		})},
		{Name: "another value of the member first", Group: "twice", change: eachObject(func(n *node, _ *rand.Rand) bool {
			return before(n, func(m member) *node { return other(m.value) })
		})},
		{Name: "a fuller object or array of the member first", Group: "twice", change: eachObject(func(n *node, _ *rand.Rand) bool {
			return before(n, fuller)
		})},
		{Name: "null of the member first", Group: "twice", change: eachObject(func(n *node, _ *rand.Rand) bool {
			return before(n, func(m member) *node { return &node{kind: 'n'} })
		})},
		{Name: "another type of the member first", Group: "twice", change: eachObject(func(n *node, _ *rand.Rand) bool {
			return before(n, func(m member) *node { return otherType(m.value) })
		})},
	}
}

// eachNode counts the values that f changed.
func eachNode(f func(at place, n *node) bool) func(*answer, *rand.Rand) int {
	return func(a *answer, _ *rand.Rand) (places int) {
		if a.json != nil {
			a.json.each(func(at place, n *node) {
				if f(at, n) {
					places++
				}
			})
		}
		return places
	}
}

// eachObject counts the objects that f changed. It finds them all first, so that f does not see what it added. The
// outer ones come first, so that what f copies has not grown before: an answer would grow with each level.
func eachObject(f func(n *node, r *rand.Rand) bool) func(*answer, *rand.Rand) int {
	return func(a *answer, r *rand.Rand) (places int) {
		if a.json == nil {
			return 0
		}
		var objects []*node
		a.json.each(func(_ place, n *node) {
			if n.kind == '{' {
				objects = append(objects, n)
			}
		})
		for _, n := range objects {
			if f(n, r) {
				places++
			}
		}
		return places
	}
}

// become makes n another value.
func become(n, other *node) bool {
	*n = *other
	return true
}

// nullItem puts a null between the items of a list that has some.
func nullItem(a *answer, r *rand.Rand) int {
	list := a.list()
	if list == nil || len(list.items) == 0 || !paged(a.request.URL.Path) {
		return 0
	}
	list.items = slices.Insert(list.items, r.IntN(len(list.items)+1), &node{kind: 'n'})
	return 1
}

// unknownMembers adds members of every type to an object, at its begin and at its end.
func unknownMembers(n *node, _ *rand.Rand) bool {
	if isMap(n) {
		return false
	}
	nested := &node{kind: '{', members: []member{{"id", number("77")}, {"name", text("unknown")}, {"list", &node{kind: '[', items: []*node{number("1"), text("2")}}}}}
	n.members = slices.Insert(n.members, 0, member{Unknown + "object", nested}, member{Unknown + "number", number("1.5e300")})
	n.members = append(n.members, member{Unknown + "text", text("😀")}, member{Unknown + "null", &node{kind: 'n'}}, member{Unknown + "list", &node{kind: '[', items: []*node{nested.clone()}}})
	return true
}

// before puts in front of each member another one of its name, with the value that first returns; nil is none.
func before(n *node, first func(m member) *node) bool {
	var members []member
	for _, m := range n.members {
		if v := first(m); v != nil {
			members = append(members, member{m.name, v})
		}
	}
	changed := len(members) > 0
	n.members = append(members, n.members...)
	return changed
}

// truths are pairs of texts of booleans.
var truths = []string{"0", "1", "false", "true"}

// other returns another value of the same type, and nil for null.
func other(n *node) *node {
	c := n.clone()
	switch n.kind {
	case '"':
		if i := slices.Index(truths, n.text); i >= 0 {
			c.text = truths[i^1]
			break
		}
		if n.text == "" || strings.HasPrefix(n.text, "0000-00") {
			return nil // it is written as null
		}
		// Times, ids and amounts stay what they are: one digit is another one.
		i := strings.IndexAny(n.text, "0123456789")
		if strings.HasPrefix(n.text, "-") {
			i = len(n.text) - 1 // the year -0001 of a time that is not set
		}
		if i < 0 {
			c.text += "x"
			break
		}
		digit := n.text[i] + 1
		if digit > '9' {
			digit = '8'
		}
		c.text = n.text[:i] + string(digit) + n.text[i+1:]
	case '0':
		c.text = "1"
		if n.text == "1" {
			c.text = "0" // it may be a boolean
		}
	case 't':
		c.kind = 'f'
	case 'f':
		c.kind = 't'
	case '{':
		for i, m := range c.members {
			if v := other(m.value); v != nil {
				c.members[i].value = v
			}
		}
	case '[':
		if len(c.items) == 0 {
			return nil
		}
		for i, item := range c.items {
			if v := other(item); v != nil {
				c.items[i] = v
			}
		}
	default:
		return nil
	}
	return c
}

// fuller returns an object with one more member or an array with one more item, and nil for other values. Nothing of
// them may remain.
func fuller(m member) *node {
	c := m.value.clone()
	switch {
	case c.kind == '{' && len(c.members) > 0:
		c.members = append(c.members, member{"zz", c.members[0].value.clone()}, member{Unknown + "first", c.members[0].value.clone()})
	case c.kind == '[' && len(c.items) > 0:
		c.items = append(c.items, c.items[0].clone())
	default:
		return nil
	}
	return c
}

// otherType returns a value of a type that the member never has.
func otherType(n *node) *node {
	switch n.kind {
	case '{', '[':
		return text("another type")
	case '"', 'n':
		return &node{kind: '{', members: []member{{"of", text("another type")}}}
	}
	return &node{kind: '[', items: []*node{text("another type")}}
}
