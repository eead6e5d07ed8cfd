package client

import (
	"maps"
	"reflect"
	"sync"
	"sync/atomic"
)

// shape has the indexes of the fields by which records of a type are recognized.
type shape struct {
	id    []int // of the id; nil if they require none
	extra []int // of Extra; nil if they have none
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

// extraOf returns the unknown members of a record; nil if it has no field for them.
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

// shapes has the shapes of the types that a client has read. It caches them, because looking up a field by its name is
// slow.
//
// A sync.Map is not used, because it is generic inside: every package that sees a Client would compile it again.
type shapes struct {
	known atomic.Value // map[reflect.Type]*shape, which is replaced and never changed
	mu    sync.Mutex   // held while it is replaced
}

func (s *shapes) of(record reflect.Type) *shape {
	known, _ := s.known.Load().(map[reflect.Type]*shape)
	if found, ok := known[record]; ok {
		return found
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	known, _ = s.known.Load().(map[reflect.Type]*shape)
	more := make(map[reflect.Type]*shape, len(known)+1)
	maps.Copy(more, known)
	more[record] = shapeOf(record)
	s.known.Store(more)
	return more[record]
}
