package document

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
)

// schema is a JSON Schema of the dialect 2020-12.
type schema map[string]any

// object is the schema of an object without members.
func object() schema {
	return schema{"type": "object", "properties": map[string]schema{}, "required": []string{}}
}

// members makes the schema of an object whose members are all required. Names that end with "?" are not.
func members(pairs ...any) schema {
	out := object()
	for i := 0; i < len(pairs); i += 2 {
		name := pairs[i].(string)
		optional := name[len(name)-1] == '?'
		if optional {
			name = name[:len(name)-1]
		}
		out.set(name, pairs[i+1].(schema), !optional)
	}
	return out
}

// closed refuses members without a schema.
func (s schema) closed() schema {
	s["additionalProperties"] = false
	return s
}

// set adds a member, or replaces the one of an embedded struct.
func (s schema) set(name string, member schema, required bool) {
	s["properties"].(map[string]schema)[name] = member
	s.require(name, required)
}

// member is the schema of a member, and item that of the elements of an array.
func (s schema) member(name string) schema { return s["properties"].(map[string]schema)[name] }

func (s schema) item() schema { return s["items"].(schema) }

// require says whether a member must be there.
func (s schema) require(name string, required bool) {
	names := slices.DeleteFunc(slices.Clone(s.required()), func(n string) bool { return n == name })
	if required {
		names = append(names, name)
		slices.Sort(names)
	}
	s["required"] = names
}

func (s schema) required() []string {
	names, _ := s["required"].([]string)
	return names
}

// embed adds the members of an embedded struct.
func (s schema) embed(other schema) {
	all, _ := other["properties"].(map[string]schema)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		s.set(name, all[name], slices.Contains(other.required(), name))
	}
}

// nullable is the schema that takes null too.
func (s schema) nullable() schema {
	s.take("null")
	return s
}

// types are the types that the schema takes; none if it takes all.
func (s schema) types() []string {
	switch t := s["type"].(type) {
	case string:
		return []string{t}
	case []string:
		return t
	}
	return nil
}

// take adds a type. An integer is a number too.
func (s schema) take(name string) {
	types := s.types()
	if len(types) == 0 || slices.Contains(types, name) || name == "integer" && slices.Contains(types, "number") {
		return
	}
	if name == "number" {
		types = slices.DeleteFunc(slices.Clone(types), func(t string) bool { return t == "integer" })
	}
	types = append(slices.Clone(types), name)
	slices.SortFunc(types, func(a, b string) int { // null comes last
		return cmp.Or(cmp.Compare(last(a), last(b)), cmp.Compare(a, b))
	})
	s["type"] = types
	if len(types) == 1 {
		s["type"] = types[0]
	}
	if values, ok := s["enum"].([]any); ok && name == "null" {
		s["enum"] = append(slices.Clone(values), nil)
	}
}

func last(name string) int {
	if name == "null" {
		return 1
	}
	return 0
}

// clone is a copy of a schema without members.
func (s schema) clone() schema { return maps.Clone(s) }

// widen has the schema take a value as well: types, null, missing and further members. An empty schema takes on the
// form of the value.
func (s schema) widen(value any) {
	if len(s) == 0 {
		maps.Copy(s, infer(value))
		return
	}
	s.take(typeOf(value))
	switch v := value.(type) {
	case map[string]any:
		s.widenObject(v)
	case []any:
		if len(s.types()) == 0 {
			return
		}
		items, ok := s["items"].(schema)
		if !ok {
			if len(v) == 0 {
				return
			}
			items = infer(v[0])
			s["items"] = items
		}
		for _, one := range v {
			items.widen(one)
		}
	}
}

func (s schema) widenObject(v map[string]any) {
	if values, ok := s["additionalProperties"].(schema); ok {
		for _, one := range v {
			values.widen(one)
		}
		return
	}
	all, ok := s["properties"].(map[string]schema)
	if !ok {
		return
	}
	for _, name := range s.required() {
		if _, there := v[name]; !there {
			s.require(name, false)
		}
	}
	for name, one := range v {
		if m, known := all[name]; known {
			m.widen(one)
		} else {
			s.set(name, infer(one), false)
		}
	}
}

// infer is the schema of a value, all of whose members are required.
func infer(value any) schema {
	out := schema{"type": typeOf(value)}
	switch v := value.(type) {
	case map[string]any:
		out = object()
		for name, one := range v {
			out.set(name, infer(one), true)
		}
	case []any:
		if len(v) > 0 {
			out["items"] = infer(v[0])
			out.widen(v)
		}
	}
	return out
}

// typeOf is the type of a value that was decoded with json.Decoder.UseNumber.
func typeOf(value any) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case string:
		return "string"
	case bool:
		return "boolean"
	case []any:
		return "array"
	case json.Number:
		if _, err := v.Int64(); err == nil {
			return "integer"
		}
		return "number"
	}
	return "object"
}
