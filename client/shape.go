package client

import (
	"reflect"
	"sync"
)

// shape says where records of a type have what tells them from something else.
type shape struct {
	id    []int // the id; nil: they need none
	extra []int // Extra; nil: they have none
}

// shapeOf returns the shape of a struct.
func shapeOf(record reflect.Type) *shape {
	s := &shape{id: idOfRecords(record)}
	if f, ok := record.FieldByName("Extra"); ok && f.IsExported() && f.Type == reflect.TypeFor[Extra]() {
		s.extra = f.Index
	}
	return s
}

func (s *shape) withoutID(record reflect.Value) bool { return s.id != nil && isZeroID(record, s.id) }

// extraOf returns the unknown members of a record, nil if it keeps none.
func (s *shape) extraOf(record reflect.Value) *Extra {
	if s.extra == nil {
		return nil
	}
	f, err := record.FieldByIndexErr(s.extra)
	if err != nil || !f.CanAddr() || !f.CanInterface() {
		return nil
	}
	return f.Addr().Interface().(*Extra)
}

// shapes are those of the types that a client has read. To look a field up by its name takes longer than to read some.
type shapes struct{ known sync.Map }

func (s *shapes) of(record reflect.Type) *shape {
	if known, ok := s.known.Load(record); ok {
		return known.(*shape)
	}
	made, _ := s.known.LoadOrStore(record, shapeOf(record))
	return made.(*shape)
}
