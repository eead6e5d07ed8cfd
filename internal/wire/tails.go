package wire

import "reflect"

// tails give short lists memory that they share. Each list takes its items from the front of the rest of a slab. Items
// that are appended to a list later go elsewhere.
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
	tailOf := func(r *Reader) *Short[T] {
		from := s.in(r)
		if from.tail == nil {
			from.tail = new(Short[T])
		}
		return from.tail.(*Short[T])
	}
	listOf := func(v reflect.Value) *[]T {
		list, _ := reflect.TypeAssert[*[]T](v.Addr())
		return list
	}
	return &tails{
		open: func(r *Reader, v reflect.Value, n int) bool {
			if s.in(r) == nil || n > s.most/2 {
				return false
			}
			*listOf(v) = tailOf(r).open(n)
			return true
		},
		move:  func(r *Reader, v reflect.Value) { tailOf(r).move(listOf(v)) },
		close: func(r *Reader, v reflect.Value) { tailOf(r).close(listOf(v)) },
	}
}

// Short gives short lists memory as tails do. It is for one document. The zero Short is ready.
type Short[T any] struct {
	tail []T
	most int // items in a slab; 0 before the first
	room int // of the last slab
	last int // items of the list before, of which a slab has room for two
}

// Read takes a list, or null, and calls item for each item, which is zero.
func (s *Short[T]) Read(r *Reader, to *[]T, item func(v *T) bool) bool {
	if r.Null() {
		return true
	}
	if r.Empty('[') {
		*to = []T{}
		return true
	}
	all, shares := s.open(max(1, s.last)), true
	ok := r.array(func() bool {
		if shares && len(all) == cap(all) {
			s.move(&all)
			shares = false
		}
		var none T
		all = append(all, none)
		return item(&all[len(all)-1])
	})
	s.last = min(len(all), slabValues/2)
	if shares {
		s.close(&all)
	}
	*to = all
	return ok
}

// open returns an empty list with room for n items at least.
func (s *Short[T]) open(n int) []T {
	all := s.tail
	s.tail = nil // a list within this one takes another slab
	if cap(all) < n {
		if s.most == 0 {
			s.most = slabRoom(reflect.TypeFor[T]())
		}
		s.room = nextRoom(s.room, s.most)
		all = make([]T, 0, max(n, s.room))
	}
	return all
}

// move gives a list, which has used up its room, memory of its own.
func (s *Short[T]) move(all *[]T) {
	slab := *all
	*all = append(make([]T, 0, 2*len(slab)), slab...)
	clear(slab) // or it would keep what is in the items, as long as a neighbour is kept
	s.tail = slab[:0]
}

// close leaves to the next list what the items of a list did not take.
func (s *Short[T]) close(all *[]T) {
	n := len(*all)
	s.tail = (*all)[n:n]
	*all = (*all)[:n:n]
}
