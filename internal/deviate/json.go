package deviate

import (
	"bytes"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// node is a JSON value. It keeps the order of members, duplicates and the text of numbers.
type node struct {
	kind    jsontext.Kind // {, [, ", 0, t, f or n
	text    string        // of a string, decoded; of a number, as it is written
	members []member      // of an object
	items   []*node       // of an array
}

type member struct {
	name  string
	value *node
}

// parse returns the value in a body, or nil if it is not JSON in UTF-8.
func parse(body []byte) *node {
	if !utf8.Valid(body) {
		return nil
	}
	d := jsontext.NewDecoder(bytes.NewReader(body), jsontext.AllowDuplicateNames(true))
	n, err := read(d)
	if err != nil || len(bytes.TrimSpace(body[d.InputOffset():])) > 0 {
		return nil
	}
	return n
}

func read(d *jsontext.Decoder) (*node, error) {
	token, err := d.ReadToken()
	if err != nil {
		return nil, err
	}
	n := &node{kind: token.Kind()}
	switch n.kind {
	case '"', '0':
		n.text = token.String()
	case '{':
		for d.PeekKind() != '}' {
			name, err := d.ReadToken()
			if err != nil {
				return nil, err
			}
			m := member{name: name.String()}
			if m.value, err = read(d); err != nil {
				return nil, err
			}
			n.members = append(n.members, m)
		}
		_, err = d.ReadToken()
	case '[':
		for d.PeekKind() != ']' {
			item, err := read(d)
			if err != nil {
				return nil, err
			}
			n.items = append(n.items, item)
		}
		_, err = d.ReadToken()
	}
	return n, err
}

func text(s string) *node   { return &node{kind: '"', text: s} }
func number(s string) *node { return &node{kind: '0', text: s} }

// clone returns a deep copy.
func (n *node) clone() *node {
	c := *n
	c.members, c.items = nil, nil
	for _, m := range n.members {
		c.members = append(c.members, member{m.name, m.value.clone()})
	}
	for _, item := range n.items {
		c.items = append(c.items, item.clone())
	}
	return &c
}

// member returns the last member with the name, or nil.
func (n *node) member(name string) *node {
	var last *node
	for _, m := range n.members {
		if m.name == name {
			last = m.value
		}
	}
	return last
}

// place is where a value is: the name of the member that holds it, also for the items of an array, and the object
// around it. The name is empty at the top.
type place struct {
	name   string
	parent *node
}

// each calls f with every value of the tree, the outer ones first.
func (n *node) each(f func(at place, n *node)) { n.walk(place{}, f) }

func (n *node) walk(at place, f func(place, *node)) {
	f(at, n)
	for _, m := range n.members {
		m.value.walk(place{m.name, n}, f)
	}
	for _, item := range n.items {
		item.walk(at, f)
	}
}
