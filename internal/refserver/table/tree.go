package table

// node is a persistent weight-balanced tree: every change returns a new root and
// leaves the old one as it was.
type node[E any] struct {
	e    E
	size int
	l, r *node[E]
}

func (n *node[E]) weight() int {
	if n == nil {
		return 1
	}
	return n.size + 1
}

func join[E any](e E, l, r *node[E]) *node[E] {
	return &node[E]{e: e, size: l.weight() + r.weight() - 1, l: l, r: r}
}

// balance joins two subtrees of which one may have grown or shrunk by one. The
// factors 3 and 2 are the pair for which a single step is known to be enough.
func balance[E any](e E, l, r *node[E]) *node[E] {
	switch {
	case r.weight() > 3*l.weight():
		if r.l.weight() < 2*r.r.weight() {
			return join(r.e, join(e, l, r.l), r.r)
		}
		return join(r.l.e, join(e, l, r.l.l), join(r.e, r.l.r, r.r))
	case l.weight() > 3*r.weight():
		if l.r.weight() < 2*l.l.weight() {
			return join(l.e, l.l, join(e, l.r, r))
		}
		return join(l.r.e, join(l.e, l.l, l.r.l), join(e, l.r.r, r))
	}
	return join(e, l, r)
}

func insert[E any](n *node[E], e E, compare func(a, b E) int) *node[E] {
	if n == nil {
		return join[E](e, nil, nil)
	}
	switch c := compare(e, n.e); {
	case c < 0:
		return balance(n.e, insert(n.l, e, compare), n.r)
	case c > 0:
		return balance(n.e, n.l, insert(n.r, e, compare))
	}
	return join(e, n.l, n.r)
}

func remove[E any](n *node[E], e E, compare func(a, b E) int) *node[E] {
	if n == nil {
		return nil
	}
	switch c := compare(e, n.e); {
	case c < 0:
		return balance(n.e, remove(n.l, e, compare), n.r)
	case c > 0:
		return balance(n.e, n.l, remove(n.r, e, compare))
	case n.l == nil:
		return n.r
	case n.r == nil:
		return n.l
	}
	next := n.r
	for next.l != nil {
		next = next.l
	}
	return balance(next.e, n.l, remove(n.r, next.e, compare))
}

func find[E any](n *node[E], e E, compare func(a, b E) int) (E, bool) {
	for n != nil {
		switch c := compare(e, n.e); {
		case c < 0:
			n = n.l
		case c > 0:
			n = n.r
		default:
			return n.e, true
		}
	}
	var none E
	return none, false
}

// at returns the element that has i others before it, of which there must be as many.
func at[E any](n *node[E], i int) E {
	switch left := n.l.weight() - 1; {
	case i < left:
		return at(n.l, i)
	case i > left:
		return at(n.r, i-left-1)
	}
	return n.e
}

// descend yields in the opposite order the elements that are not past the end, until yield has had enough. It reports
// whether it got to the beginning.
func descend[E any](n *node[E], past func(E) bool, yield func(E) bool) bool {
	if n == nil {
		return true
	}
	if past(n.e) {
		return descend(n.l, past, yield)
	}
	return descend(n.r, past, yield) && yield(n.e) && descend(n.l, past, yield)
}

// ascend yields in order the elements that are not before the start, until yield
// has had enough. It reports whether it got to the end.
func ascend[E any](n *node[E], before func(E) bool, yield func(E) bool) bool {
	if n == nil {
		return true
	}
	if before(n.e) {
		return ascend(n.r, before, yield)
	}
	return ascend(n.l, before, yield) && yield(n.e) && ascend(n.r, before, yield)
}
