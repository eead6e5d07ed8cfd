package wire

import (
	"encoding"
	"encoding/json"
	"reflect"

	jsonv2 "github.com/go-json-experiment/json"
)

// structure reads the members of an object into the fields of a struct.
type structure struct {
	*fields
	names   names
	readers []reader
}

// structure returns the reader of a struct, by the tags of its fields.
func (m making) structure(t reflect.Type) reader {
	f, ok := fieldsOf(t)
	if !ok || len(f.all) > mostMembers {
		return general
	}
	rec := &structure{fields: f}
	for _, field := range f.all {
		if !rec.names.add(field.name) {
			return general
		}
		rec.readers = append(rec.readers, m.reader(field.of))
	}
	return rec.read
}

// readsItself reports whether a type has methods that read it in a way of their own.
func readsItself(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	if p.NumMethod() == 0 || byFields(t) != nil {
		return false
	}
	return p.Implements(reflect.TypeFor[json.Unmarshaler]()) || p.Implements(reflect.TypeFor[jsonv2.UnmarshalerFrom]()) ||
		p.Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
}

func (rec *structure) read(r *Reader, v reflect.Value) bool {
	return r.Null() || rec.names.read(r, func(i int) bool {
		return rec.readers[i](r, rec.all[i].in(v))
	}, func(name []byte) bool {
		if rec.rest == nil {
			_, ok := r.Raw()
			return ok && !r.strict // nobody would notice that it stands twice
		}
		return r.keepIn(rec.restIn(v), name)
	})
}
