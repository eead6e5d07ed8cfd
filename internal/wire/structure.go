package wire

import (
	"encoding"
	"encoding/json"
	"reflect"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
)

// structure reads the members of an object into the fields of a struct.
type structure struct {
	names   names
	members []member
	// rest is the field for members without one of their own; nil if there is none, and they are passed over.
	rest []int
}

type member struct {
	field []int
	read  reader
}

// structure returns the reader of a struct, by the tags of its fields.
func (m making) structure(t reflect.Type) reader {
	rec := &structure{}
	if t.Kind() != reflect.Struct || !rec.add(m, t, nil) || len(rec.members) > mostMembers {
		return general
	}
	return rec.read
}

// add takes the fields of a struct, and of those embedded in it. It returns false for what it does not know.
func (rec *structure) add(m making, t reflect.Type, within []int) bool {
	for i := range t.NumField() {
		field := t.Field(i)
		path := append(within[:len(within):len(within)], i)
		tag, tagged := field.Tag.Lookup("json")
		name, option, _ := strings.Cut(tag, ",")
		switch {
		case tag == "-":
		case field.Anonymous && name == "" && option == "":
			if field.Type.Kind() != reflect.Struct || !field.IsExported() || reflect.PointerTo(field.Type).NumMethod() > 0 && readsItself(field.Type) || !rec.add(m, field.Type, path) {
				return false
			}
		case !field.IsExported():
			if tagged {
				return false
			}
		case option == "embed" && name == "":
			others := field.Type.Kind() == reflect.Map && field.Type.Key() == reflect.TypeFor[string]() &&
				field.Type.Elem() == reflect.TypeFor[json.RawMessage]()
			if rec.rest != nil || !others {
				return false
			}
			rec.rest = path
		case option != "" && option != "omitzero":
			return false
		default:
			if name == "" {
				name = field.Name
			}
			if !rec.names.add(name) {
				return false
			}
			rec.members = append(rec.members, member{path, m.reader(field.Type)})
		}
	}
	return true
}

// readsItself reports whether a type has methods that read it.
func readsItself(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return p.Implements(reflect.TypeFor[json.Unmarshaler]()) || p.Implements(reflect.TypeFor[jsonv2.UnmarshalerFrom]()) ||
		p.Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
}

func (rec *structure) read(r *Reader, v reflect.Value) bool {
	return r.Null() || rec.names.read(r, func(i int) bool {
		field := v
		for _, step := range rec.members[i].field {
			field = field.Field(step)
		}
		return rec.members[i].read(r, field)
	}, func(name []byte) bool {
		if rec.rest == nil {
			_, ok := r.Raw()
			return ok && !r.strict // nobody would notice that it stands twice
		}
		rest := v.FieldByIndex(rec.rest).Addr().Convert(reflect.TypeFor[*map[string]json.RawMessage]())
		p, _ := reflect.TypeAssert[*map[string]json.RawMessage](rest)
		return r.keepIn(p, name)
	})
}
