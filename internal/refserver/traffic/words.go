package traffic

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// spoken are the members of an error whose values are sentences. They come first, without their names.
var spoken = []string{"error", "message", "description", "hint"}

// Words is a body in one line of plain words: an object is its members, such as "country AR, quantity 2". Members that
// are false, null or empty are left out, and so is a code next to a message, which repeats the status. A body that is
// not JSON stays as it is, in one line.
func Words(body []byte) string {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var v any
	if !json.Valid(body) || d.Decode(&v) != nil {
		return strings.Join(strings.Fields(strings.ToValidUTF8(string(body), "")), " ")
	}
	return wordsOf(v)
}

func wordsOf(v any) string {
	switch v := v.(type) {
	case string:
		return strings.Join(strings.Fields(v), " ")
	case json.Number:
		return v.String()
	case bool:
		if v {
			return "yes"
		}
	case []any:
		var parts []string
		for _, one := range v {
			if text := wordsOf(one); text != "" {
				parts = append(parts, text)
			}
		}
		return strings.Join(parts, ", ")
	case map[string]any:
		return membersOf(v)
	}
	return ""
}

func membersOf(v map[string]any) string {
	var said, parts []string
	for _, name := range spoken {
		if text, ok := v[name].(string); ok && text != "" {
			said = append(said, wordsOf(text))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(v)) {
		_, text := v[name].(string)
		if text && slices.Contains(spoken, name) || name == "code" && len(said) > 0 {
			continue
		}
		label := strings.ReplaceAll(name, "_", " ")
		switch text := wordsOf(v[name]); {
		case text == "":
		case v[name] == true:
			parts = append(parts, label)
		default:
			if _, nested := v[name].(map[string]any); nested {
				text = "(" + text + ")"
			}
			parts = append(parts, label+" "+text)
		}
	}
	if len(parts) > 0 {
		said = append(said, strings.Join(parts, ", "))
	}
	return strings.Join(said, "; ")
}
