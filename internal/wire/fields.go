package wire

import (
	"encoding/json"
	"reflect"
	"strings"
)

// field is a field of a struct with its member.
type field struct {
	name string
	// path leads to the field through the structs that are embedded.
	path []int
	of   reflect.Type
	// omitzero is set if the member is left out where the field is zero.
	omitzero bool
}

// fields are those of a struct and of the structs embedded in it, in their order.
type fields struct {
	all []field
	// rest is the field for members without one of their own; nil if there is none, and they are passed over.
	rest []int
}

// fieldsOf returns the fields of a struct, by their tags. It returns false for a tag that it does not know.
func fieldsOf(t reflect.Type) (*fields, bool) {
	f := &fields{}
	return f, t.Kind() == reflect.Struct && f.add(t, nil)
}

func (f *fields) add(t reflect.Type, within []int) bool {
	for i := range t.NumField() {
		of := t.Field(i)
		path := append(within[:len(within):len(within)], i)
		tag, tagged := of.Tag.Lookup("json")
		name, option, _ := strings.Cut(tag, ",")
		switch {
		case tag == "-":
		case of.Anonymous && name == "" && option == "":
			if of.Type.Kind() != reflect.Struct || !of.IsExported() || readsItself(of.Type) || !f.add(of.Type, path) {
				return false
			}
		case !of.IsExported():
			if tagged {
				return false
			}
		case option == "embed" && name == "":
			others := of.Type.Kind() == reflect.Map && of.Type.Key() == reflect.TypeFor[string]() &&
				of.Type.Elem() == reflect.TypeFor[json.RawMessage]()
			if f.rest != nil || !others {
				return false
			}
			f.rest = path
		case option != "" && option != "omitzero":
			return false
		default:
			if name == "" {
				name = of.Name
			}
			f.all = append(f.all, field{name, path, of.Type, option == "omitzero"})
		}
	}
	return true
}

// in returns the field of a struct.
func (f *field) in(v reflect.Value) reflect.Value {
	for _, step := range f.path {
		v = v.Field(step)
	}
	return v
}

// restIn returns the members of a struct without a field of their own. There must be a field for them.
func (f *fields) restIn(v reflect.Value) *map[string]json.RawMessage {
	rest := v.FieldByIndex(f.rest).Addr().Convert(reflect.TypeFor[*map[string]json.RawMessage]())
	p, _ := reflect.TypeAssert[*map[string]json.RawMessage](rest)
	return p
}
