package api

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// Router finds the operation for a method and a path. It is a trie in which a literal segment is tried before a {name},
// with a way back: /products/sku/{sku} and /products/{product_id}/variants live side by side, which the patterns of
// net/http refuse. Segments are unescaped one by one, so that a value may contain a slash, and one trailing slash does
// not count. It is safe for concurrent use.
type Router struct {
	root node
	ops  []*Op // in the order of the table
	// parted has the first segments after which some rows have a word and others an id.
	parted map[string]bool
}

// Match is what a path leads to.
type Match struct {
	Op *Op
	// Vars are the values of the {names}, unescaped.
	Vars map[string]string
	// Word is set if a path such as /products/anything has a word where Op has an id and other
	// rows have words. No record is missing then: no row has the path.
	Word bool
	// Allow lists the methods of a path that exists, Op being nil if the method
	// asked for is not among them. It is empty for a path that does not exist. Rows
	// that Word would be set for do not count.
	Allow []string
}

type node struct {
	literal map[string]*node
	any     *node
	routes  []route
}

type route struct {
	op    *Op
	names []string
}

// NewRouter builds the table. Check says whether the rows get along.
func NewRouter(ops []Op) *Router {
	r := &Router{parted: map[string]bool{}}
	for i := range ops {
		r.ops = append(r.ops, &ops[i])
		r.add(&ops[i])
	}
	for first, n := range r.root.literal {
		r.parted[first] = n.any != nil && len(n.literal) > 0
	}
	return r
}

func (r *Router) add(op *Op) {
	n := &r.root
	var names []string
	for _, seg := range strings.Split(strings.Trim(op.Path, "/"), "/") {
		if name, ok := variable(seg); ok {
			names = append(names, name)
			if n.any == nil {
				n.any = &node{}
			}
			n = n.any
			continue
		}
		if n.literal == nil {
			n.literal = map[string]*node{}
		}
		if n.literal[seg] == nil {
			n.literal[seg] = &node{}
		}
		n = n.literal[seg]
	}
	rt := route{op: op, names: names}
	if op.Digits {
		n.routes = slices.Insert(n.routes, 0, rt)
		return
	}
	n.routes = append(n.routes, rt)
}

func variable(seg string) (name string, ok bool) {
	if strings.HasPrefix(seg, "{") && strings.HasSuffix(seg, "}") {
		return seg[1 : len(seg)-1], true
	}
	return "", false
}

// Find looks up an escaped path. HEAD finds the operation of GET. An operation that the
// version lacks is found, for the log, but lends no method to Allow.
func (r *Router) Find(version, method, escapedPath string) Match {
	segs, ok := split(escapedPath)
	if !ok {
		return Match{}
	}
	if method == http.MethodHead {
		method = http.MethodGet
	}
	var m Match
	allow := map[string]bool{}
	r.root.find(segs, nil, func(n *node, values []string) bool {
		for _, rt := range n.routes {
			if rt.op.Digits && !digits(values[len(values)-1]) {
				continue
			}
			word := len(segs) == 2 && len(rt.names) == 1 && r.parted[segs[0]] && isID(rt.names[0]) && wordy(segs[1])
			if rt.op.Method != method {
				if rt.op.In(version) && !word {
					allow[rt.op.Method] = true
				}
				continue
			}
			m.Op, m.Word, m.Vars = rt.op, word, make(map[string]string, len(values))
			for i, name := range rt.names {
				m.Vars[name] = values[i]
			}
			return true
		}
		return false
	})
	if m.Op == nil {
		m.Allow = slices.Sorted(maps.Keys(allow))
	}
	return m
}

// find calls leaf for every node the segments lead to, literal ways first, until
// leaf is content.
func (n *node) find(segs, values []string, leaf func(*node, []string) bool) bool {
	if len(segs) == 0 {
		return leaf(n, values)
	}
	if next, ok := n.literal[segs[0]]; ok && next.find(segs[1:], values, leaf) {
		return true
	}
	// A value of its own backing array: the way back must not see it.
	return n.any != nil && n.any.find(segs[1:], append(slices.Clip(values), segs[0]), leaf)
}

// split unescapes the segments; an empty one leads nowhere.
func split(escapedPath string) ([]string, bool) {
	path := strings.TrimSuffix(strings.TrimPrefix(escapedPath, "/"), "/")
	segs := strings.Split(path, "/")
	for i, s := range segs {
		v, err := url.PathUnescape(s)
		if err != nil || v == "" {
			return nil, false
		}
		segs[i] = v
	}
	return segs, true
}

func digits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}
