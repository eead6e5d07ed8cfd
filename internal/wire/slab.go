package wire

import "reflect"

// Bounds of a slab. Whoever keeps a value keeps the slab that it is in, so slabs are small.
const (
	slabValues = 32
	// A slab of values that refer to texts or to other slabs has fewer of them, because it keeps all that they refer
	// to.
	slabReferring = 8
	slabBytes     = 1 << 10
	leastSlab     = 4 // values, or they have memory of their own
	// shortDocument has so few values that slabs for them would not pay.
	shortDocument = 2 << 10
)

// slab is memory for several values of a type, in one document. They are given one after another and each is zero then.
type slab struct {
	room  int
	given int
	// values is a slice for values of pointers.
	values reflect.Value
	// tail is a *Short[T] for short lists. See tails.
	tail any
}

// slabs give memory for values of a type.
type slabs struct {
	of    reflect.Type
	list  reflect.Type
	most  int // values in a slab
	index int // of the slab in a Reader
}

func (m making) slabs(of reflect.Type) slabs {
	return slabs{of, reflect.SliceOf(of), slabRoom(of), int(m.forms.slabs.Add(1)) - 1}
}

// in returns the slab of a document; nil for a short document and for large values.
func (s slabs) in(r *Reader) *slab {
	if len(r.data) <= shortDocument || s.most < leastSlab {
		return nil
	}
	for len(r.slabs) <= s.index {
		r.slabs = append(r.slabs, slab{})
	}
	return &r.slabs[s.index]
}

// slabRoom returns how many values of a type a slab has.
func slabRoom(of reflect.Type) int {
	most := slabValues
	if refers(of) {
		most = slabReferring
	}
	return min(most, slabBytes/max(1, int(of.Size())))
}

// refers reports whether values of a type may refer to other memory.
func refers(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Struct:
		for field := range t.Fields() {
			if refers(field.Type) {
				return true
			}
		}
		return false
	case reflect.Array:
		return refers(t.Elem())
	}
	return t.Kind() > reflect.Complex128
}

// nextRoom returns the room of the slab after one with a room, of which 0 means none. The first one has room for one
// value, and each next one for twice as many, so that there is room for at most twice as many values as there are.
func nextRoom(room, most int) int { return min(max(1, 2*room), most) }

// pointer returns a pointer to a new value.
func (s slabs) pointer(r *Reader) reflect.Value {
	from := s.in(r)
	if from == nil {
		return reflect.New(s.of)
	}
	if !from.values.IsValid() {
		from.values = reflect.New(s.list).Elem()
	}
	if from.given == from.values.Len() {
		from.given = 0
		from.values.SetZero()
		from.room = nextRoom(from.room, s.most)
		from.values.Grow(from.room)
		from.values.SetLen(from.room)
	}
	from.given++
	return from.values.Index(from.given - 1).Addr()
}
