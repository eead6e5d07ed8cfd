package wire

import (
	"encoding/json"
	"reflect"
	"slices"
)

// Record reads objects into structs of a type by a function for each member, which takes less time than to find the
// fields by reflection. It is for the record of which a document has most. S is what the functions share in a document.
type Record[S, T any] struct {
	names  names
	fields []func(s *S, v *T) bool
	rest   func(v *T) *map[string]json.RawMessage
}

// NewRecord returns a Record without members. Rest returns where members are kept that are not in the Record.
func NewRecord[S, T any](rest func(v *T) *map[string]json.RawMessage) *Record[S, T] {
	return &Record[S, T]{rest: rest}
}

// With adds a member to a Record that is being made, and returns it. Read takes the value from the Reader of the
// document, and returns false for what is not in plain form. The order of members is the one that is likely.
func (rec *Record[S, T]) With(name string, read func(s *S, v *T) bool) *Record[S, T] {
	if rec.names.add(name) {
		rec.fields = append(rec.fields, read)
	}
	return rec
}

// Read takes an object, or null.
func (rec *Record[S, T]) Read(r *Reader, s *S, v *T) bool {
	return r.Null() || rec.names.read(r,
		func(i int) bool { return rec.fields[i](s, v) },
		func(name []byte) bool { return r.keepIn(rec.rest(v), name) })
}

// Items takes a list that may be long, or null, and calls item for each item, which is zero. There is room for as many
// items as the rest of the document seems to hold, but for no more bytes than that has, or for twice the items.
func Items[T any](r *Reader, to *[]T, item func(v *T) bool) bool {
	if r.Null() {
		return true
	}
	all, start, size := []T{}, r.at, max(1, int(reflect.TypeFor[T]().Size()))
	ok := r.array(func() bool {
		n := len(all)
		if n == cap(all) && n > 0 {
			left := len(r.data) - r.at
			all = slices.Grow(all, 1+min(left*n/(r.at-start), max(n, left/size)))
		}
		var none T
		all = append(all, none)
		return item(&all[n])
	})
	*to = all
	return ok
}
