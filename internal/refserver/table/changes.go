package table

import (
	"cmp"
	"iter"
)

// Change is what became of a record between two versions of a table. Before is zero
// if the record is new, After if it was deleted.
type Change[V any] struct{ Before, After V }

// Since yields, by ascending key, the records that were put or deleted since the
// table was as given. It may yield some that are the same. Only the paths to what
// changed are walked, so that it takes as long as the changes did.
func (t *Table[K, V]) Since(was Table[K, V]) iter.Seq2[K, Change[V]] {
	return changesOf[K, V](t.core.since(was.core))
}

// changesOf gives changes their type, as recordsOf does for records.
//
//go:noinline
func changesOf[K cmp.Ordered, V any](changes iter.Seq2[K, Change[any]]) iter.Seq2[K, Change[V]] {
	return func(yield func(K, Change[V]) bool) {
		changes(func(key K, c Change[any]) bool {
			return yield(key, Change[V]{recordOf[V](c.Before), recordOf[V](c.After)})
		})
	}
}

//go:noinline
func (t *core[K]) since(was core[K]) iter.Seq2[K, Change[any]] {
	rows := t.rows
	return func(yield func(K, Change[any]) bool) {
		differ(was.rows, rows, byKey, func(before, after *row[K]) bool {
			switch {
			case before == nil:
				return yield(after.key, Change[any]{nil, after.val})
			case after == nil:
				return yield(before.key, Change[any]{before.val, nil})
			}
			return yield(after.key, Change[any]{before.val, after.val})
		})
	}
}

// differ yields in order the elements that two trees do not share, nil for the one
// that a tree lacks, until yield has had enough.
func differ[E any](was, now *node[E], compare func(a, b E) int, yield func(before, after *E) bool) {
	var a, b ahead[E]
	a.push(was, true)
	b.push(now, true)
	for more := true; more && len(a)+len(b) > 0; {
		x, y := a.next(), b.next()
		switch {
		case x == y: // in both, with everything below if that is ahead too
			a.pop()
			b.pop()
		case x.below && (!y.below || x.n.size >= y.n.size):
			a.open()
		case y.below:
			b.open()
		case y.n == nil || x.n != nil && compare(x.n.e, y.n.e) < 0:
			more = yield(&a.pop().e, nil)
		case x.n == nil || compare(x.n.e, y.n.e) > 0:
			more = yield(nil, &b.pop().e)
		default:
			more = yield(&a.pop().e, &b.pop().e)
		}
	}
}

// ahead is what a walk has still to see of a tree, the next part last.
type ahead[E any] []part[E]

// part is one element, or a node with everything below it.
type part[E any] struct {
	n     *node[E]
	below bool
}

func (a *ahead[E]) push(n *node[E], below bool) {
	if n != nil {
		*a = append(*a, part[E]{n, below})
	}
}

// next is the zero part at the end of the walk.
func (a ahead[E]) next() part[E] {
	if len(a) == 0 {
		return part[E]{}
	}
	return a[len(a)-1]
}

func (a *ahead[E]) pop() *node[E] {
	last := len(*a) - 1
	n := (*a)[last].n
	*a = (*a)[:last]
	return n
}

// open puts in the place of the next part the three that it is made of.
func (a *ahead[E]) open() {
	n := a.pop()
	a.push(n.r, true)
	a.push(n, false)
	a.push(n.l, true)
}
