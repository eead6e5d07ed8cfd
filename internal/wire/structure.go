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
	members []member
	byName  map[string]int
	// rest is the field for members without one of their own; nil if there is none, and they are passed over.
	rest []int
}

type member struct {
	name string
	// start is the name as it stands before a value, without white space.
	start string
	field []int
	read  reader
}

// most members of a record: one bit says that a member was there.
const mostMembers = 256

// structure returns the reader of a struct, by the tags of its fields.
func (m making) structure(t reflect.Type) reader {
	rec := &structure{byName: map[string]int{}}
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
			if rec.rest != nil || field.Type.Kind() != reflect.Map || field.Type.Elem() != reflect.TypeFor[json.RawMessage]() || field.Type.Key().Kind() != reflect.String {
				return false
			}
			rec.rest = path
		case option != "" && option != "omitzero":
			return false
		default:
			if name == "" {
				name = field.Name
			}
			if _, twice := rec.byName[name]; twice {
				return false
			}
			rec.byName[name] = len(rec.members)
			rec.members = append(rec.members, member{name, `"` + name + `":`, path, m.reader(field.Type)})
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

// read refuses a member that is there twice: which one counts is for the general decoder to say.
func (rec *structure) read(r *Reader, v reflect.Value) bool {
	if r.Null() {
		return true
	}
	if !r.is('{') {
		return false
	}
	if r.is('}') {
		return true
	}
	after := rec.followers(r)
	var seen [mostMembers / 64]uint64
	for last := 0; ; { // one more than the index of the member before
		i := last
		if after != nil {
			i = after[last]
		}
		if i == len(rec.members) || !r.word(rec.members[i].start) {
			name, ok := r.name()
			if !ok {
				return false
			}
			known := false
			if i, known = rec.byName[string(name)]; !known {
				i = len(rec.members)
				ok = rec.keep(r, v, name)
			} else if after != nil {
				after[last] = i
			}
			if !ok {
				return false
			}
		}
		if i < len(rec.members) {
			bit := uint64(1) << (i % 64)
			if seen[i/64]&bit != 0 {
				return false
			}
			seen[i/64] |= bit
			last = i + 1
			field := v
			for _, step := range rec.members[i].field {
				field = field.Field(step)
			}
			if !rec.members[i].read(r, field) {
				return false
			}
		}
		if !r.is(',') {
			return r.is('}')
		}
	}
}

// followers returns by member which one is likely to follow; first it is the next one in the struct.
func (rec *structure) followers(r *Reader) []int {
	after, known := r.after[rec]
	if !known && r.after != nil {
		after = make([]int, len(rec.members)+1)
		for i := range after {
			after[i] = i
		}
		r.after[rec] = after
	}
	return after
}

// keep puts a member without a field into the rest.
func (rec *structure) keep(r *Reader, v reflect.Value, name []byte) bool {
	key := r.Keep(name)
	raw, ok := r.Raw()
	if !ok || rec.rest == nil {
		return ok && !r.strict // nobody would notice that it stands twice
	}
	rest := v.FieldByIndex(rec.rest)
	if rest.IsNil() {
		rest.Set(reflect.MakeMap(rest.Type()))
	}
	k := reflect.ValueOf(key).Convert(rest.Type().Key())
	if rest.MapIndex(k).IsValid() {
		return false
	}
	rest.SetMapIndex(k, reflect.ValueOf(append(json.RawMessage{}, raw...)))
	return true
}
