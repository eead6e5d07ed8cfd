package body

import (
	"encoding/json"
	"reflect"
)

// holder is a type that reads the JSON of another one.
type holder interface{ holds() reflect.Type }

func (Opt[T]) holds() reflect.Type { return reflect.TypeFor[T]() }

// Known is an object that is kept as it is. T has a field for each member that is known.
type Known[T any] map[string]json.RawMessage

func (Known[T]) holds() reflect.Type { return reflect.TypeFor[T]() }

// unreadMembers returns the paths of the members that a struct has no field for, and of those within its fields. Names
// are case-sensitive, which encoding/json does not support. A type with its own decoder also finds its own unread
// members.
func unreadMembers(t reflect.Type, members map[string]json.RawMessage, path string) (unread []string) {
	fields := map[string]reflect.Type{}
	addFields(fields, t)
	for name, raw := range members {
		field, ok := fields[name]
		if !ok {
			unread = append(unread, path+name)
			continue
		}
		unread = append(unread, Unread(field, raw, path+name)...)
	}
	return unread
}

func addFields(fields map[string]reflect.Type, t reflect.Type) {
	for i := range t.NumField() {
		f := t.Field(i)
		if inlined(f) {
			addFields(fields, f.Type)
		} else if name := wireName(f); name != "" {
			fields[name] = f.Type
		}
	}
}

// Unread returns the paths of the members of a JSON value that the type that reads it has no field for. They begin with
// path. The elements of a list share a path.
func Unread(t reflect.Type, raw json.RawMessage, path string) (unread []string) {
	if h, ok := reflect.Zero(t).Interface().(holder); ok {
		return Unread(h.holds(), raw, path)
	}
	if reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]()) {
		return nil
	}
	switch t.Kind() {
	case reflect.Pointer:
		return Unread(t.Elem(), raw, path)
	case reflect.Struct:
		var members map[string]json.RawMessage
		if json.Unmarshal(raw, &members) == nil {
			return unreadMembers(t, members, path+".")
		}
	case reflect.Slice:
		var elements []json.RawMessage
		if json.Unmarshal(raw, &elements) == nil {
			for _, e := range elements {
				unread = append(unread, Unread(t.Elem(), e, path)...)
			}
		}
	}
	return unread
}
