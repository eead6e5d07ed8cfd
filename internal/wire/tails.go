package wire

import "reflect"

// tails give short lists memory that they share: each takes from the front of what is left of a slab as much as it has
// items. What is appended to a list later goes elsewhere.
type tails struct {
	// open makes v empty, with room for n items at least, and returns false if no slab has that.
	open func(r *Reader, v reflect.Value, n int) bool
	// move gives v, which has used up its room, memory of its own.
	move func(r *Reader, v reflect.Value)
	// close leaves to the next list what the items of v did not take.
	close func(r *Reader, v reflect.Value)
}

// Lists is the form of lists of a type of which there are many short ones.
func Lists[T any]() Form {
	of := reflect.TypeFor[[]T]()
	return Form{of, func(m making) reader {
		t := tailsOf[T](m.slabs(of.Elem()))
		return (&list{item: m.reader(of.Elem()), of: of, most: 1 << 30, tails: t}).readOrNull
	}}
}

func tailsOf[T any](s slabs) *tails {
	tailOf := func(r *Reader) *[]T {
		from := s.in(r)
		if from.tail == nil {
			from.tail = new([]T)
		}
		return from.tail.(*[]T)
	}
	listOf := func(v reflect.Value) *[]T {
		list, _ := reflect.TypeAssert[*[]T](v.Addr())
		return list
	}
	return &tails{
		open: func(r *Reader, v reflect.Value, n int) bool {
			from := s.in(r)
			if from == nil || n > s.most()/2 {
				return false
			}
			tail := tailOf(r)
			if cap(*tail) < n {
				*tail = make([]T, 0, max(n, s.grow(from)))
			}
			*listOf(v), *tail = *tail, nil // a list within this one takes another slab
			return true
		},
		move: func(r *Reader, v reflect.Value) {
			list := listOf(v)
			slab := *list
			*list = append(make([]T, 0, 2*len(slab)), slab...)
			clear(slab) // or it would keep what is in the items, as long as a neighbour is kept
			*tailOf(r) = slab[:0]
		},
		close: func(r *Reader, v reflect.Value) {
			list := listOf(v)
			n := len(*list)
			*tailOf(r) = (*list)[n:n]
			*list = (*list)[:n:n]
		},
	}
}
