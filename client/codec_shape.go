package client

import (
	"maps"
	"reflect"
	"sync"
	"sync/atomic"
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
//
// A sync.Map would serve too. It is generic inside, so every package that sees a Client would compile it again.
type shapes struct {
	known atomic.Value // map[reflect.Type]*shape, which is not changed but replaced
	mu    sync.Mutex   // held to replace it
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
