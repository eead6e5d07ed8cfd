package contract

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// Member is a member of a body, as the document has it.
type Member struct {
	// Path is such as "first_event.amount.value". Members of the elements of a list have "[]." before their names.
	Path     string
	Required bool
	// Words are those of its enumeration, nil if it has none. Open is set if other words are possible.
	Words []string
	Open  bool
}

// Request returns the id of the operation of a request and the schema of its body, nil if it has none.
func (c *Checker) Request(method, path string) (id string, of map[string]any) {
	template, id := c.Operation(method, path)
	at := []string{"paths", template, strings.ToLower(method), "requestBody", "content", "application/json", "schema"}
	of, _ = find(c.api, at).(map[string]any)
	return id, of
}

// Members are the members of a schema, in any depth.
func Members(of map[string]any) []Member {
	var all []Member
	members(of, "", &all)
	return all
}

func members(of map[string]any, at string, all *[]Member) {
	required, _ := of["required"].([]any)
	properties, _ := of["properties"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		member, _ := properties[name].(map[string]any)
		items, _ := member["items"].(map[string]any)
		m := Member{Path: at + name, Required: slices.Contains(required, any(name))}
		for _, of := range []map[string]any{member, items} {
			for _, keyword := range []string{"enum", Words} {
				words, _ := of[keyword].([]any)
				for _, w := range words {
					if text, ok := w.(string); ok {
						m.Words = append(m.Words, text)
					}
				}
				m.Open = m.Open || keyword == Words && words != nil
			}
		}
		*all = append(*all, m)
		members(member, at+name+".", all)
	}
	if items, ok := of["items"].(map[string]any); ok {
		members(items, strings.TrimSuffix(at, ".")+"[].", all)
	}
}

// Change returns a body with the member changed wherever it is, nil if it is not there.
func (m Member) Change(body []byte, change func(object map[string]any, name string)) []byte {
	var v any
	if json.Unmarshal(body, &v) != nil || !changed(v, m.Path, change) {
		return nil
	}
	out, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	return out
}

// changed changes the member in v, and reports whether it is there.
func changed(v any, path string, change func(object map[string]any, name string)) bool {
	switch v := v.(type) {
	case []any:
		rest, isList := strings.CutPrefix(path, "[].")
		some := false
		for _, one := range v {
			some = isList && changed(one, rest, change) || some
		}
		return some
	case map[string]any:
		if end := strings.IndexAny(path, ".["); end >= 0 {
			return changed(v[path[:end]], strings.TrimPrefix(path[end:], "."), change)
		}
		if _, known := v[path]; known {
			change(v, path)
			return true
		}
	}
	return false
}
