package console

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// fill puts the fields of kind path into the path of a call.
func fill(path string, sent url.Values) (string, error) {
	for name := range sent {
		if field, ok := strings.CutPrefix(name, "path:"); ok {
			if sent.Get(name) == "" {
				return "", fmt.Errorf("%s: must not be empty", field)
			}
			path = strings.ReplaceAll(path, "{"+field+"}", escape(sent.Get(name)))
		}
	}
	return path, nil
}

// bodyOf makes the body of a call of the fields of a form. A field is named kind:member, with dots in the name of a
// member within a member. Empty fields are left out.
func bodyOf(sent url.Values) ([]byte, error) {
	body := map[string]any{}
	for name := range sent {
		kind, member, ok := strings.Cut(name, ":")
		if !ok || kind == "path" {
			continue
		}
		v, err := typed(kind, strings.TrimSpace(sent.Get(name)))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", member, err)
		}
		if v != nil {
			put(body, strings.Split(member, "."), v)
		}
	}
	if len(body) == 0 {
		return nil, nil
	}
	return json.Marshal(body)
}

// typed is what was typed into a field as JSON has it, nil if it is empty.
func typed(kind, text string) (any, error) {
	if text == "" {
		return nil, nil
	}
	switch kind {
	case "number":
		if _, err := strconv.ParseInt(text, 10, 64); err != nil {
			return nil, fmt.Errorf("%q must be a whole number", text)
		}
		return json.Number(text), nil
	case "check":
		return text == "yes", nil
	case "json":
		if !json.Valid([]byte(text)) {
			return nil, fmt.Errorf("must be JSON")
		}
		return json.RawMessage(text), nil
	case "list":
		return slices.Collect(strings.FieldsSeq(strings.ReplaceAll(text, ",", " "))), nil
	}
	return text, nil
}

// put sets a member within members.
func put(to map[string]any, path []string, v any) {
	for _, name := range path[:len(path)-1] {
		inner, ok := to[name].(map[string]any)
		if !ok {
			inner = map[string]any{}
			to[name] = inner
		}
		to = inner
	}
	to[path[len(path)-1]] = v
}
