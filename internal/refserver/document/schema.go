package document

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
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

// merge has the schema take everything that another one takes: types, null, missing and further members. An empty
// schema takes on the form of the other.
func (s schema) merge(other schema) {
	if len(s) == 0 {
		maps.Copy(s, other)
		return
	}
	if len(s.types()) == 0 {
		return // any value
	}
	for _, name := range other.types() {
		s.take(name)
	}
	if items, ok := other["items"].(schema); ok {
		if own, ok := s["items"].(schema); ok {
			own.merge(items)
		} else {
			s["items"] = items
		}
	}
	s.mergeObject(other)
}

func (s schema) mergeObject(other schema) {
	theirs, some := other["properties"].(map[string]schema)
	values, isMap := s["additionalProperties"].(schema)
	more, _ := other["additionalProperties"].(schema)
	own, isObject := s["properties"].(map[string]schema)
	switch {
	case isMap:
		for _, one := range theirs {
			values.merge(one)
		}
		if more != nil {
			values.merge(more)
		}
	case isObject && some:
		for _, name := range s.required() {
			s.require(name, slices.Contains(other.required(), name))
		}
		for name, one := range theirs {
			if m, known := own[name]; known {
				m.merge(one)
			} else {
				s.set(name, one, false)
			}
		}
	case !isObject && (some || more != nil):
		for _, name := range []string{"properties", "required", "additionalProperties"} {
			if v, ok := other[name]; ok {
				s[name] = v
			}
		}
	}
}

// key matches the names of members that are keys: languages and ids.
var key = regexp.MustCompile(`^((es|en|pt|fr|it|de)([_-][A-Za-z]{2})?|[0-9]+|[0-9a-f-]{36}|[0-9A-Z]{26})$`)

// infer is the schema of a value, all of whose members are required.
func infer(value any) schema {
	switch v := value.(type) {
	case map[string]any:
		out, values, keys := object(), schema{}, len(v) > 0
		for name, one := range v {
			is := infer(one)
			values.merge(is.deep())
			out.set(name, is, true)
			keys = keys && key.MatchString(name)
		}
		if keys {
			return schema{"type": "object", "additionalProperties": values}
		}
		return out
	case []any:
		out, items := schema{"type": "array"}, schema{}
		for _, one := range v {
			items.merge(infer(one))
		}
		if len(v) > 0 {
			out["items"] = items
		}
		return out
	}
	return schema{"type": typeOf(value)}
}

// deep is a copy of a schema.
func (s schema) deep() schema {
	out := schema{}
	for name, v := range s {
		switch v := v.(type) {
		case schema:
			out[name] = v.deep()
		case map[string]schema:
			all := map[string]schema{}
			for member, one := range v {
				all[member] = one.deep()
			}
			out[name] = all
		default:
			out[name] = v
		}
	}
	return out
}

// UnmarshalJSON reads a schema that infer has made.
func (s *schema) UnmarshalJSON(b []byte) error {
	var in struct {
		Type       any               `json:"type"`
		Properties map[string]schema `json:"properties"`
		Required   []string          `json:"required"`
		Items      *schema           `json:"items"`
		Values     *schema           `json:"additionalProperties"`
	}
	if err := json.Unmarshal(b, &in); err != nil {
		return err
	}
	*s = schema{}
	switch t := in.Type.(type) {
	case string:
		(*s)["type"] = t
	case []any:
		var all []string
		for _, one := range t {
			all = append(all, fmt.Sprint(one))
		}
		(*s)["type"] = all
	}
	if in.Properties != nil {
		(*s)["properties"], (*s)["required"] = in.Properties, in.Required
	}
	if in.Items != nil {
		(*s)["items"] = *in.Items
	}
	if in.Values != nil {
		(*s)["additionalProperties"] = *in.Values
	}
	return nil
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
